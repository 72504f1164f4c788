import MultipartFormCodec

/// The head of a captured HTTP message: a start line, header fields and an empty line (RFC 9112 §2.1).
///
/// - Lines may end in LF alone, because copied text often has no CR.
/// - The start line may be missing. One of the fields must then be the Content-Type of a multipart message. Without
///   this rule, a preamble that looks like header fields would be taken for a head.
/// - Interim responses, such as `100 Continue`, may come before or after the head, for example in a capture of both the
///   request and the response. They count as a part of the head.
struct HTTPHead {
    /// The request line or the status line; nil for a head without a start line.
    private(set) var startLine: String?
    private var fields: [(name: String, value: String)] = []
    /// The length of the head in bytes, including the empty line and interim responses.
    private(set) var length = 0

    /// Reads the head at the start of an input; returns nil if the input does not begin with a head.
    ///
    /// - Parameters:
    ///   - bytes: The first bytes of the input.
    ///   - isWholeInput: Whether `bytes` is the whole input.
    /// - Throws: A ``ToolError`` if a line after the start line is not a field, or if `bytes` ends before the empty
    ///   line.
    init?(_ bytes: ArraySlice<UInt8>, isWholeInput: Bool) throws(ToolError) {
        let interim = Self.lengthOfInterimResponses(bytes)
        guard try !read(bytes, from: interim, isWholeInput) else { return }
        guard interim > 0 else { return nil }
        // The head consists of interim responses only.
        (fields, length) = ([], interim)
        startLine = Self.firstLine(bytes).map { String(decoding: $0.line, as: UTF8.self) }
    }

    /// Reads the head that begins at the offset `start`; returns false if no head begins there.
    private mutating func read(
        _ bytes: ArraySlice<UInt8>,
        from start: Int,
        _ isWholeInput: Bool
    ) throws(ToolError) -> Bool {
        length = start
        var rest = bytes.dropFirst(start)
        // Each pass removes a line from `rest`.
        while let (line, size) = Self.firstLine(rest) {
            let isFirst = length == start
            length += size
            rest = rest.dropFirst(size)
            if isFirst, Self.isStartLine(line) {
                startLine = String(decoding: line, as: UTF8.self)
            } else if line.isEmpty {
                guard startLine != nil || isMultipart else { return false }
                length += Self.lengthOfInterimResponses(rest)
                return true
            } else if !append(line) {
                guard startLine != nil else { return false }
                let shown = HeaderLine.shown(ContiguousArray(line)[...], columns: 64)
                let reason = "the HTTP message has no empty line between its head and its body, or this is no field"
                throw Self.malformed("\(reason): \(shown)", at: length - size)
            }
        }
        guard startLine != nil || Self.isStartLine(rest) else { return false }
        let reason = isWholeInput ? "the HTTP message ends in its head" : "the HTTP head exceeds \(bytes.count.inBytes)"
        throw Self.malformed(reason, at: bytes.count)
    }

    /// Returns the values of all fields with the name `name`. Letter case is ignored.
    func values(named name: String) -> [String] {
        fields.filter { $0.name.lowercased().utf8.elementsEqual(name.lowercased().utf8) }.map(\.value)
    }

    /// The value of the Content-Type field; nil without such a field. Throws if the head has more than one.
    var contentType: String? {
        get throws(ToolError) {
            let values = values(named: "Content-Type")
            guard values.count <= 1 else { throw Self.malformed("the HTTP head has two Content-Type fields", at: 0) }
            return values.first
        }
    }

    /// The length in Content-Length, in bytes; nil if the field is missing or malformed, or if the body uses the
    /// chunked transfer coding.
    var contentLength: UInt64? {
        isChunked ? nil : lengths.first ?? nil
    }

    /// The lengths in all Content-Length fields. A field may have a list of lengths; an element that is not a length is
    /// nil.
    private var lengths: [UInt64?] {
        values(named: "Content-Length").flatMap { value in
            value.split(separator: ",", omittingEmptySubsequences: false).map { element in
                let digits = Self.text(Array(element.utf8)[...])
                return digits.utf8.allSatisfy(ASCII.isDigit) ? UInt64(digits) : nil
            }
        }
    }

    /// Whether the head has both Content-Length and Transfer-Encoding. Servers may disagree about where such a body
    /// ends.
    var hasTwoLengths: Bool { !lengths.isEmpty && !values(named: "Transfer-Encoding").isEmpty }

    /// The method in the request line; nil for a response, or without a start line.
    var method: String? {
        startLine.flatMap { line in line.hasPrefix("HTTP/") ? nil : line.prefix { $0 != " " } }.map(String.init)
    }

    /// Throws if the body has an unsupported coding, or if Content-Length does not give one length.
    ///
    /// If `isForm` is true, the body begins like a form, so it is not compressed. Content-Encoding is then ignored.
    func check(isForm: Bool) throws(ToolError) {
        try checkCodings(of: isForm ? ["Transfer-Encoding"] : ["Content-Encoding", "Transfer-Encoding"])
        try checkLength()
    }

    /// Throws if Content-Length is malformed, or if the head has two different lengths (RFC 9112 §6.3).
    ///
    /// - Equal lengths are accepted.
    /// - Content-Length is ignored if the body uses the chunked transfer coding.
    /// - The transfer coding `identity` is ignored (RFC 2616 §4.4), so Content-Length applies.
    private func checkLength() throws(ToolError) {
        guard !isChunked, let first = lengths.first else { return }
        guard first == nil || lengths.contains(where: { $0 != first }) else { return }
        let values = values(named: "Content-Length").map { "\"\($0)\"" }.joined(separator: " and ")
        throw Self.malformed("Content-Length of the HTTP head is \(Self.shown(values)), not one length", at: 0)
    }

    private static func shown(_ value: String) -> String {
        TerminalText.truncated(TerminalText.escaped(value), toWidth: 64)
    }

    /// Whether `chunked` is the only transfer coding of the body (RFC 9112 §7.1).
    var isChunked: Bool { codings(named: "Transfer-Encoding") == ["chunked"] }

    /// Returns the codings in all fields with the name `name`, in lower case and without `identity`. One field may list
    /// several codings.
    private func codings(named name: String) -> [String] {
        values(named: name).flatMap { $0.lowercased().split(separator: ",") }
            .map { Self.text(Array($0.utf8)[...]) }
            .filter { !["", "identity"].contains($0) }
    }

    /// The codings in Content-Encoding; nil if there are none except `identity` and `chunked`.
    var contentCoding: String? {
        let codings = codings(named: "Content-Encoding")
        return codings.isEmpty || codings == ["chunked"] ? nil : Self.shown(codings.joined(separator: ", "))
    }

    /// Throws if one of the fields has a coding that is not supported, such as `gzip`. Only `chunked` and `identity`
    /// are supported.
    private func checkCodings(of names: [String]) throws(ToolError) {
        for name in names {
            guard [[], ["chunked"]].contains(codings(named: name)) else {
                let value = Self.shown(values(named: name).joined(separator: ", "))
                let reason = "\(name) of the HTTP head is \(value): undo it, cut the head, and give --content-type"
                throw ToolError(.malformed, "unsupported-coding", reason, offset: 0)
            }
        }
    }

    private var isMultipart: Bool {
        values(named: "Content-Type").contains { $0.lowercased().hasPrefix("multipart/") }
    }

    /// Whether a line is a request line, such as `POST /path HTTP/1.1`, or a status line, such as `HTTP/1.1 200 OK`.
    private static func isStartLine(_ line: ArraySlice<UInt8>) -> Bool {
        let words = line.split(separator: UInt8(ascii: " "), maxSplits: 3)
        let isVersion = words.map { $0.starts(with: "HTTP/".utf8) }
        if isVersion.first == true { return words.count > 1 }
        let isMethod = words.first?.allSatisfy { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 } ?? false
        return isMethod && words.count == 3 && isVersion[2]
    }

    /// Returns the first line of `bytes`, without its line break, if it is a start line; otherwise nil.
    static func startLine(in bytes: ContiguousArray<UInt8>) -> ContiguousArray<UInt8>.SubSequence? {
        let line = bytes.prefix { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
        return isStartLine(Array(line)[...]) ? line : nil
    }

    /// Returns the first line without its line break, and the length of the line with its line break. Returns nil if
    /// there is no line break.
    private static func firstLine(_ bytes: ArraySlice<UInt8>) -> (line: ArraySlice<UInt8>, length: Int)? {
        bytes.firstIndex(of: UInt8(ascii: "\n")).map { end in
            let line = bytes[..<end]
            return (line.last == UInt8(ascii: "\r") ? line.dropLast() : line, end + 1 - bytes.startIndex)
        }
    }

    /// Returns the total length, in bytes, of the interim responses at the start. An interim response has a status from
    /// 100 to 199 and no content (RFC 9110 §15.2).
    private static func lengthOfInterimResponses(_ bytes: ArraySlice<UInt8>) -> Int {
        var (rest, length, isInResponse) = (bytes, 0, false)
        // Each pass removes a line from `rest`.
        while let (line, size) = firstLine(rest) {
            rest = rest.dropFirst(size)
            if line.isEmpty, isInResponse {
                (length, isInResponse) = (bytes.count - rest.count, false)
            } else if !isInResponse {
                let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
                let isInterim = words.count > 1 && words[1].count == 3 && words[1].first == UInt8(ascii: "1")
                guard line.starts(with: "HTTP/".utf8), isInterim else { return length }
                isInResponse = true
            }
        }
        return length
    }

    /// Appends a field from a line. A line that begins with white space continues the last field. Returns false if the
    /// line is malformed.
    private mutating func append(_ line: ArraySlice<UInt8>) -> Bool {
        if let last = fields.indices.last, line.first.map(ASCII.isWhitespace) == true {
            fields[last].value += " " + Self.text(line)
            return true
        }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else { return false }
        let name = line[..<colon]
        guard name.allSatisfy(ASCII.isTokenCharacter) else { return false }
        fields.append((String(decoding: name, as: UTF8.self), Self.text(line[(colon + 1)...])))
        return true
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        let bytes = bytes.span
        return String(repairing: bytes.extracting(ASCII.trimmingWhitespace(bytes, 0..<bytes.count)))
    }

    private static func malformed(_ reason: String, at offset: Int) -> ToolError {
        ToolError(.malformed, "malformed-http-head", "\(reason) (at offset \(offset))", offset: UInt64(offset))
    }
}
