import MultipartForm

/// What the header section of a recorded HTTP message says about its body (RFC 9112).
///
/// - Input: the message's start line and header section, with CR LF or LF at the ends of lines.
/// - Output: the Content-Type and the framing of the body.
/// - Cost: linear; at most 64 KiB are read.
struct HTTPHead {
    /// How the end of the body is known (RFC 9112 §6.3).
    enum Framing: Equatable {
        /// By its length in bytes.
        case length(UInt64)
        /// By its last chunk.
        case chunked
        /// By the end of the recording.
        case untilEnd
    }

    private static let limit = 64 * 1024

    /// The value of the one Content-Type field; nil when there is none.
    private(set) var contentType: String?

    /// How the end of the body is known.
    private(set) var framing = Framing.untilEnd

    private var fields: [(name: String, value: String)] = []
    private var isInterim = false

    /// Reads the head of a message; interim responses before it are left out (RFC 9110 §15.2).
    ///
    /// - Throws: ``ToolError`` if it does not follow the grammar, is too long, or says two things at once.
    init(_ input: inout BufferedInput) throws {
        var room = Self.limit
        repeat { try read(&input, &room) } while isInterim
        let types = values("content-type")
        guard types.count <= 1 else {
            throw Self.malformed("duplicate-content-type", "header section has more than one Content-Type", input)
        }
        contentType = types.first
        let codings = values("content-encoding").filter { $0.lowercased() != "identity" }
        guard codings.isEmpty else {
            throw Self.malformed("unsupported-content-encoding", "body has a content coding", input)
        }
        framing = try Self.framing(
            lengths: values("content-length"),
            codings: values("transfer-encoding"),
            input
        )
    }

    private mutating func read(_ input: inout BufferedInput, _ room: inout Int) throws {
        fields = []
        var start = try Self.line(&input, &room)
        // RFC 9112 §2.2: an empty line before the start line is ignored.
        if start.isEmpty { start = try Self.line(&input, &room) }
        guard Self.isStartLine(start) else {
            throw Self.malformed("malformed-http-message", "first line is no request or status line", input)
        }
        let status = start.drop { $0 != " " }.dropFirst()
        isInterim = start.hasPrefix("HTTP/") && status.hasPrefix("1") && !status.hasPrefix("101")
        // Each turn takes a line from the room there is.
        while true {
            let line = try Self.line(&input, &room)
            guard let first = line.utf8.first else { return }
            if first == 0x20 || first == 0x09 {
                guard let last = fields.indices.last else {
                    throw Self.malformed("malformed-http-message", "header section begins with white space", input)
                }
                fields[last].value += " " + Self.trimmed(line[...])
                continue
            }
            // RFC 9112 §5.1: white space before the colon must be refused.
            guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
                line.utf8[..<colon].allSatisfy({ ASCII.isTokenCharacter($0) })
            else {
                throw Self.malformed("malformed-http-message", "header line is not a name, a colon and a value", input)
            }
            fields.append((line[..<colon].lowercased(), Self.trimmed(line[line.utf8.index(after: colon)...])))
        }
    }

    /// Whether a line is `GET /path HTTP/1.1` or `HTTP/1.1 200 OK` (RFC 9112 §2.1).
    private static func isStartLine(_ line: String) -> Bool {
        line.hasPrefix("HTTP/") || line.split(separator: " ").last?.hasPrefix("HTTP/") == true
    }

    /// The next line without its end.
    private static func line(_ input: inout BufferedInput, _ room: inout Int) throws -> String {
        guard var line = try input.line(limit: room), line.last == 0x0A else {
            throw malformed("malformed-http-message", "header section has no end within \(limit) bytes", input)
        }
        room -= line.count
        line.removeLast()
        if line.last == 0x0D { line.removeLast() }
        return String(decoding: line, as: UTF8.self)
    }

    private static func framing(
        lengths: [String],
        codings: [String],
        _ input: BufferedInput
    ) throws -> Framing {
        guard codings.isEmpty || lengths.isEmpty else {
            // RFC 9112 §6.1: a sign of request smuggling.
            throw malformed("malformed-http-message", "both Content-Length and Transfer-Encoding", input)
        }
        if !codings.isEmpty {
            guard codings.count == 1, codings[0].lowercased() == "chunked" else {
                throw malformed("unsupported-transfer-coding", "transfer coding is not chunked", input)
            }
            return .chunked
        }
        guard let text = lengths.first else { return .untilEnd }
        let isNumber = text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        guard isNumber, lengths.allSatisfy({ $0 == text }), let length = UInt64(text) else {
            throw malformed("malformed-http-message", "Content-Length is not a number", input)
        }
        return .length(length)
    }

    private func values(_ name: String) -> [String] {
        fields.filter { $0.name == name }.map(\.value)
    }

    private static func trimmed(_ text: Substring) -> String {
        var bytes = text.utf8
        while let first = bytes.first, first == 0x20 || first == 0x09 { bytes.removeFirst() }
        while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
        return String(Substring(bytes))
    }

    private static func malformed(_ code: String, _ message: String, _ input: BufferedInput) -> ToolError {
        .recording(code, message, offset: input.offset)
    }
}
