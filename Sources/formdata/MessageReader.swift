package import MultipartFormCodec

/// Reads a message as the options of `decode` or `inspect` require.
///
/// - Input: an open file with a multipart message, or with an HTTP message that has a multipart message as its body.
/// - Output: the events and the summary of a ``MessageAnalyzer``. The handler gets a span with the bytes of each event.
///   The span is valid only during that call of the handler.
/// - Cost: linear time; memory for two blocks of the input.
struct MessageReader {
    typealias Handler = MessageAnalyzer.Handler

    /// The options that `decode` and `inspect` share and that take a value.
    static let options = [
        "--content-type", "--boundary", "--max-parts", "--max-header-count", "--max-header-bytes",
        "--max-preamble-bytes", "--max-part-bytes", "--max-total-bytes",
    ]

    let path: String
    private let contentType: String?
    private let boundary: String?
    private let options: MultipartParser.Options
    /// The maximum number of bytes to pass to the parser at a time.
    private let chunkSize: Int

    init(_ arguments: Arguments) throws {
        try arguments.checkOperands(atMost: 1)
        path = arguments.operands.first ?? "-"
        contentType = try arguments.value("--content-type").map(Self.fieldValue)
        boundary = try arguments.value("--boundary")
        guard contentType == nil || boundary == nil else {
            throw ToolError.usage("--content-type and --boundary exclude each other")
        }
        var options = arguments.has("--strict") ? MultipartParser.Options.strict : MultipartParser.Options()
        options.maxParts = try arguments.number("--max-parts") ?? options.maxParts
        options.maxHeaderCount = try arguments.number("--max-header-count") ?? options.maxHeaderCount
        options.maxHeaderBytes = try arguments.number("--max-header-bytes") ?? options.maxHeaderBytes
        options.maxPreambleBytes = try arguments.number("--max-preamble-bytes") ?? options.maxPreambleBytes
        options.maxPartBytes = try arguments.number("--max-part-bytes")
        options.maxTotalBytes = try arguments.number("--max-total-bytes")
        self.options = options
        chunkSize = try arguments.number("--chunk-size", atLeast: 1) ?? 1 << 16
    }

    /// Reads to the end of the input, or to the first error. The analyzer has the summary even after an error.
    func read(_ input: FileDescriptor, _ analyzer: MessageAnalyzer, _ handler: Handler) throws {
        // Parses the option `--boundary` before anything is read, so that an error in the option is reported first.
        let given = try boundary.map { text in
            try MessageBoundary(options.mode) { try Boundary(parsing: text, mode: $0) }
        }
        var message = try MessageInput(input)
        analyzer.summary.begin(message)
        defer { analyzer.summary.body = message.wholeBody }
        do {
            try message.head?.check(isForm: message.opening.boundary != nil)
            analyzer.begin(try given ?? boundary(of: message, &analyzer.summary), options)
            try message.readPieces(ofSize: chunkSize) { try analyzer.take($0, handler) }
            try analyzer.finish(handler)
        } catch let error as MultipartError {
            throw analyzer.summary.explained(error)
        }
    }

    /// Returns the boundary of the Content-Type. Without the option `--content-type` and without an HTTP head, returns
    /// the boundary of the first line.
    private func boundary(of message: MessageInput, _ summary: inout MessageSummary) throws -> MessageBoundary {
        guard contentType != nil || message.head != nil else {
            guard let text = message.opening.boundary else { throw MultipartError(.boundaryNotFound, offset: 0) }
            return try MessageBoundary(options.mode) { try Boundary(parsing: text, mode: $0) }
        }
        let value = try contentType ?? message.head?.contentType
        summary.contentType = value
        do {
            return try MessageBoundary(options.mode) { try Boundary(contentType: value, mode: $0) }
        } catch let error as MultipartError {
            throw ToolError(error, ErrorWords.ofContentType(value, error, summary))
        }
    }

    /// Returns the value of Content-Type in an argument of `--content-type`. The argument is the value alone, or lines
    /// of text that include the Content-Type field.
    private static func fieldValue(_ text: String) -> String {
        let name = "content-type:"
        let lines = text.split(whereSeparator: \.isNewline)
        let trimmed = lines.map { $0.drop(while: \.isWhitespace) }
        guard let first = trimmed.firstIndex(where: { $0.lowercased().hasPrefix(name) }) else { return text }
        // An indented line continues the field (RFC 9112 §5.2), unless the line with the field's name is indented, too.
        // In that case, the whole text may be indented.
        let isIndented = lines[first].first?.isWhitespace == true
        let folded = lines[(first + 1)...].prefix { !isIndented && $0.first?.isWhitespace == true }
        let value = trimmed[first].dropFirst(name.count).drop(while: \.isWhitespace)
        return ([value] + trimmed[folded.indices]).joined(separator: " ")
    }
}

/// The boundary of a message, and the error that strict mode reports when it parses the boundary.
package struct MessageBoundary {
    let value: Boundary
    let strictError: MultipartError?

    /// Parses the boundary in both modes. Throws if parsing in `mode` fails.
    package init(_ mode: ParsingMode, _ parse: (ParsingMode) throws -> Boundary) throws {
        let result = Result { try parse(.strict) }
        value = mode == .strict ? try result.get() : try parse(.lenient)
        strictError = if case .failure(let error) = result { error as? MultipartError } else { nil }
    }
}
