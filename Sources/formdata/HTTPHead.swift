/// The head of an HTTP message that was captured with its body: a start line, header fields and an empty line (RFC 9112
/// §2.1).
///
/// Lines may end in LF alone, as in a text that was copied. Without a start line, fields are a head only if one of them is
/// the Content-Type of a multipart message, since a preamble may look like fields.
struct HTTPHead {
    /// The request line or the status line; nil for fields alone.
    private(set) var startLine: String?
    private var fields: [(name: String, value: String)] = []
    /// The length in bytes, with the empty line.
    private(set) var length = 0

    /// Reads the head that an input begins with; nil if it begins with none.
    ///
    /// Fails if a start line is followed by something else than fields, or by no empty line.
    init?(_ bytes: ArraySlice<UInt8>) throws(ToolError) {
        var rest = bytes
        // Each pass takes a line.
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            var line = rest[..<end]
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            let isFirst = length == 0
            length += rest.distance(from: rest.startIndex, to: end) + 1
            rest = rest[(end + 1)...]
            if isFirst, Self.isStartLine(line) {
                startLine = String(decoding: line, as: UTF8.self)
            } else if line.isEmpty {
                guard startLine != nil || isMultipart else { return nil }
                return
            } else if !append(line) {
                guard startLine != nil else { return nil }
                let fact = "the HTTP message has no empty line between its head and its body"
                throw Self.malformed("\(fact), or a line of its head is no field", at: length - line.count)
            }
        }
        guard startLine != nil || Self.isStartLine(rest) else { return nil }
        throw Self.malformed("the HTTP message ends in its head", at: bytes.count)
    }

    /// The values of all fields with a name, letter case ignored.
    func values(named name: String) -> [String] {
        fields.filter { $0.name.lowercased().utf8.elementsEqual(name.lowercased().utf8) }.map(\.value)
    }

    /// The Content-Type of the body; nil if there is none.
    var contentType: String? {
        get throws(ToolError) {
            let values = values(named: "Content-Type")
            guard values.count <= 1 else { throw Self.malformed("the HTTP head has two Content-Type fields", at: 0) }
            return values.first
        }
    }

    /// The length that the head gives its body, in bytes; nil for none, or for chunks.
    var contentLength: UInt64? {
        isChunked ? nil : values(named: "Content-Length").last.flatMap { UInt64($0) }
    }

    /// Whether the body is sent in chunks (RFC 9112 §7.1).
    var isChunked: Bool {
        values(named: "Transfer-Encoding").last.map { $0.lowercased() == "chunked" } ?? false
    }

    /// Fails if the body is compressed, or sent in a coding other than that of chunks.
    func checkCodings() throws(ToolError) {
        for name in ["Content-Encoding", "Transfer-Encoding"] {
            for value in values(named: name) where !["identity", "chunked", ""].contains(value.lowercased()) {
                let fact = "\(name) of the HTTP head is \(value): undo it, cut the head, and give --content-type"
                throw ToolError(.malformed, "unsupported-coding", fact, offset: 0)
            }
        }
    }

    private var isMultipart: Bool {
        values(named: "Content-Type").contains { $0.lowercased().hasPrefix("multipart/") }
    }

    /// Whether a line is `POST /path HTTP/1.1` or `HTTP/1.1 200 OK`, in any version.
    private static func isStartLine(_ line: ArraySlice<UInt8>) -> Bool {
        let words = line.split(separator: UInt8(ascii: " "), maxSplits: 3)
        let isVersion = words.map { $0.starts(with: "HTTP/".utf8) }
        if isVersion.first == true { return words.count > 1 }
        let isMethod = words.first?.allSatisfy { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 } ?? false
        return isMethod && words.count == 3 && isVersion[2]
    }

    /// Takes a line as a field, or as more of the field before it; false if it is neither.
    private mutating func append(_ line: ArraySlice<UInt8>) -> Bool {
        if let last = fields.indices.last, line.first.map(Self.isWhitespace) == true {
            fields[last].value += " " + Self.text(line)
            return true
        }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else { return false }
        let name = line[..<colon]
        guard name.allSatisfy(Self.isTokenCharacter) else { return false }
        fields.append((String(decoding: name, as: UTF8.self), Self.text(line[(colon + 1)...])))
        return true
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        var bytes = bytes.drop(while: isWhitespace)
        while let last = bytes.last, isWhitespace(last) { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isWhitespace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }

    /// RFC 9110 §5.6.2.
    private static func isTokenCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    private static func malformed(_ fact: String, at offset: Int) -> ToolError {
        ToolError(.malformed, "malformed-http-head", "\(fact) (at offset \(offset))", offset: UInt64(offset))
    }
}
