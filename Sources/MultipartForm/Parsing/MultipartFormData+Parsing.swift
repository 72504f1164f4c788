public import Foundation

extension MultipartFormData {
    /// Parses a whole message in memory. The parts' contents are slices of it, not copies.
    ///
    /// - Parameters:
    ///   - data: The message's body.
    ///   - boundary: The value of the Content-Type field's boundary parameter.
    ///   - limits: What the message may cost.
    ///   - mode: How strictly to read.
    /// - Throws: ``MultipartParsingError`` if the message is malformed, exceeds a limit, or was cut off.
    public init(
        parsing data: Data,
        boundary: Boundary,
        limits: Limits = .default,
        mode: ParsingMode = .lenient
    ) throws(MultipartParsingError) {
        self.init(boundary: boundary)
        try parse(data, MultipartParser(boundary: boundary, limits: limits, mode: mode))
    }

    /// Parses a whole message in memory that came with a Content-Type field.
    ///
    /// - Parameters:
    ///   - data: The message's body.
    ///   - contentType: The field's value, such as `multipart/form-data; boundary=x`.
    ///   - limits: What the message may cost.
    ///   - mode: How strictly to read, the field's value included.
    /// - Throws: ``MultipartParsingError`` if the field or the message cannot be read.
    public init(
        parsing data: Data,
        contentType: String,
        limits: Limits = .default,
        mode: ParsingMode = .lenient
    ) throws(MultipartParsingError) {
        let boundary = try Boundary(contentType: contentType, mode: mode)
        try self.init(parsing: data, boundary: boundary, limits: limits, mode: mode)
    }

    /// Parses the content of a part that is itself a multipart message, such as the `multipart/mixed` of several
    /// files in one part (RFC 7578 §4.3).
    ///
    /// - Parameters:
    ///   - part: The part; its content is read whole.
    ///   - limits: What the nested message may cost.
    ///   - mode: How strictly to read.
    /// - Throws: ``MultipartParsingError`` if the part is not a multipart message with a boundary, or cannot be parsed;
    ///   ``MultipartEncodingError`` if its content cannot be read.
    public init(nestedIn part: BodyPart, limits: Limits = .default, mode: ParsingMode = .lenient) throws {
        let parser = try MultipartParser(nestedIn: part.headers, limits: limits, mode: mode)
        self.init()
        try parse(try part.data(), parser)
    }

    /// Takes all parts of a whole message.
    private mutating func parse(_ data: Data, _ parser: MultipartParser) throws(MultipartParsingError) {
        var parser = parser
        parser.append(data)
        parser.finish()
        var headers = HeaderFields()
        var content = Data()
        while let event = try parser.next() {
            switch event {
            case .part(let fields):
                headers = fields
                content = data[data.startIndex..<data.startIndex]
            case .body(let bytes):
                // All of a whole message is one chunk, so neighbouring slices join without a copy.
                content = content.isEmpty ? bytes : data[content.startIndex..<bytes.endIndex]
            case .endOfPart:
                append(received: BodyPart(headers: headers, content: .data(content)))
            case .end:
                break
            }
        }
    }

    /// Parses a message in a file that came with a Content-Type field.
    ///
    /// - Parameters:
    ///   - fileURL: The file with the message's body; it must live as long as the parts.
    ///   - contentType: The field's value, such as `multipart/form-data; boundary=x`.
    ///   - limits: What the message may cost.
    ///   - mode: How strictly to read, the field's value included.
    ///   - threshold: The longest content to keep in memory, in bytes; 16 KiB unless given.
    /// - Throws: ``MultipartParsingError`` if the field or the message cannot be parsed; `POSIXError` if the file
    ///   cannot be read; ``MultipartEncodingError`` if it changed meanwhile.
    public init(
        parsingFileAt fileURL: URL,
        contentType: String,
        limits: Limits = .default,
        mode: ParsingMode = .lenient,
        inMemoryUpTo threshold: UInt64 = 16 * 1024
    ) throws {
        try self.init(
            parsingFileAt: fileURL,
            boundary: try Boundary(contentType: contentType, mode: mode),
            limits: limits,
            mode: mode,
            inMemoryUpTo: threshold
        )
    }

    /// Parses a message in a file, chunk by chunk.
    ///
    /// A part longer than `inMemoryUpTo` stays in the file: its content is a range of it, to be read when asked for,
    /// so the file must live as long as the parts. A file that was replaced, or changed, yields no content:
    /// ``MultipartEncodingError/Reason/bodyPartFileChanged(at:)``.
    ///
    /// - Parameters:
    ///   - fileURL: The file with the message's body.
    ///   - boundary: The value of the Content-Type field's boundary parameter.
    ///   - limits: What the message may cost.
    ///   - mode: How strictly to read.
    ///   - threshold: The longest content to keep in memory, in bytes; 16 KiB unless given.
    /// - Throws: ``MultipartParsingError`` if the message cannot be parsed; `POSIXError` if the file cannot be read;
    ///   ``MultipartEncodingError`` if it changed meanwhile.
    public init(
        parsingFileAt fileURL: URL,
        boundary: Boundary,
        limits: Limits = .default,
        mode: ParsingMode = .lenient,
        inMemoryUpTo threshold: UInt64 = 16 * 1024
    ) throws {
        guard fileURL.isLocalFile else { throw POSIXError(.EINVAL) }
        self.init(boundary: boundary)
        let file = try InputFile(path: fileURL.path)
        var parser = MultipartParser(boundary: boundary, limits: limits, mode: mode)
        let source = SourceFile(fileURL, file.identity)
        var collector = FilePartCollector(file: source, threshold: threshold)
        // SAFETY: the buffer is freed on every exit; the parser reads only the bytes that were read from the file.
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 4096)
        defer { unsafe buffer.deallocate() }
        while true {
            let count = unsafe try file.read(into: buffer)
            guard count > 0 else { break }
            let bytes = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<count]).bindMemory(to: UInt8.self)
            try parser.parse(unsafe bytes.span, bodyAt: { collector.bodyOffset = $0 }) { event, body in
                if let part = collector.take(event, body) { append(received: part) }
            }
        }
        parser.finish()
        while let event = try parser.next() {
            if case .endOfPart = event { append(received: collector.part) }
        }
        // The parts in memory must be those of the file that the others are read from.
        try source.check(file)
    }
}

/// Makes parts of a message in a file: short contents in memory, long ones as ranges of the file.
///
/// A content stands in the file in one piece, since the parser takes nothing out of it.
private struct FilePartCollector {
    let file: SourceFile
    let threshold: UInt64
    /// The offset in the file where the part's body begins.
    var bodyOffset: UInt64 = 0
    private var headers = HeaderFields()
    private var length: UInt64 = 0
    private var data = Data()

    init(file: SourceFile, threshold: UInt64) {
        self.file = file
        self.threshold = threshold
    }

    /// Takes an event; the part it completes, if it does.
    mutating func take(_ event: MultipartParser.BorrowedEvent, _ body: Span<UInt8>) -> BodyPart? {
        switch event {
        case .part(let fields):
            headers = fields
            length = 0
            data = Data()
        case .body:
            length += UInt64(body.count)
            if length <= threshold {
                // SAFETY: the bytes are copied inside the closure.
                unsafe body.withUnsafeBufferPointer { unsafe data.append($0) }
            } else {
                data = Data()
            }
        case .endOfPart:
            return part
        case .end:
            break
        }
        return nil
    }

    /// The part of the events so far.
    var part: BodyPart {
        let isShort = length <= threshold
        let range = bodyOffset..<bodyOffset + length
        return BodyPart(headers: headers, content: isShort ? .data(data) : .fileRange(file, range))
    }
}
