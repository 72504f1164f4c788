package import MultipartForm

/// Reads the message that the command line of `decode` or `inspect` describes.
///
/// - Input: an open source: a message, or an HTTP message with one in its body.
/// - Output: the message's pieces in order, which a parser or a ``MessageSurvey`` takes; a span is valid during the
///   call.
/// - Cost: linear; memory of two blocks.
struct MessageReader {
    typealias Handler = MessageSurvey.Handler

    /// The options with a value; `--strict` is a flag.
    static let options = [
        "--content-type", "--boundary", "--max-parts", "--max-header-count", "--max-header-bytes",
        "--max-preamble-bytes", "--max-part-bytes", "--max-total-bytes",
    ]

    let path: String
    private let contentType: String?
    private let boundary: String?
    private let options: MultipartParser.Options
    /// The parser is called with at most so many bytes.
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

    /// Reads to the end of the message, and to that of the input; fails at the first thing that the mode refuses, or at
    /// the end if bytes of an HTTP message are missing there. The findings are those of the bytes around the message.
    func read(_ input: FileDescriptor, _ findings: inout [Finding], _ handler: Handler) throws {
        var (message, boundary) = try open(input)
        if options.mode == .strict, let refusal = boundary.refusal { throw refusal }
        var parser = MultipartParser(boundary: boundary.value, options: options)
        var hasParts = false
        func take(_ event: MultipartParser.Event<Void>, _ bytes: Span<UInt8>) throws {
            hasParts = true
            try handler(event, bytes)
        }
        defer {
            // Line breaks are no loss.
            if hasParts, let preamble = message.opening.preamble(boundary.value),
                preamble.length > message.opening.lineOffset
            {
                findings.insert(Finding(remark: preamble.text), at: 0)
            }
        }
        do {
            try message.readPieces(ofSize: chunkSize) { try parser.parse($0, take) }
            try parser.finish(take)
        } catch {
            findings += message.findings
            throw message.explained(error, boundary.value)
        }
        // Nothing else can be said of a body that lacks bytes.
        if let shortfall = message.shortfall { throw ToolError(.malformed, "incomplete-body", shortfall) }
        findings += message.findings
    }

    /// Reads like ``read(_:_:_:)``, and collects what there is to say of the message, also before an error.
    ///
    /// In strict mode the events end with the first thing that it refuses; the rest of the message is searched for
    /// more.
    func survey(_ input: FileDescriptor, _ findings: inout FindingList, _ handler: Handler) throws {
        var (message, boundary) = try open(input)
        findings.head = message.head
        let preamble = message.opening.preamble(boundary.value)
        var survey = MessageSurvey(boundary, options, preamble: preamble)
        defer {
            findings.append(contentsOf: survey.findings)
            findings.append(contentsOf: message.findings)
        }
        do {
            try message.readPieces(ofSize: chunkSize) { try survey.take($0, handler) }
            try survey.finish(handler)
        } catch {
            throw message.explained(error, boundary.value, survey.fact)
        }
    }

    /// Reads the first bytes, and finds the boundary: the one that is given, or that of the head, or of the first line.
    private func open(_ input: FileDescriptor) throws -> (message: MessageInput, boundary: MessageBoundary) {
        // A wrong option is reported before anything is read, unless the message's first line explains it.
        let given = try boundary.map { text in
            try MessageBoundary(options.mode) { try Boundary(parsing: text, mode: $0) }
        }
        let message = try MessageInput(input)
        if let given { return (message, given) }
        let value = try contentType ?? message.head?.contentType
        do {
            guard contentType != nil || message.head != nil else {
                return (message, try message.ownBoundary(options.mode))
            }
            return (message, try MessageBoundary(options.mode) { try Boundary(contentType: value, mode: $0) })
        } catch {
            let isMalformed = (error as? MultipartError)?.code == ErrorCode.malformedContentType
            throw message.explained(error, nil, isMalformed ? value.map(Self.malformed) : nil)
        }
    }

    /// A Content-Type that is malformed, with a guess.
    private static func malformed(_ contentType: String) -> String {
        let shown = TerminalText.truncated(TerminalText.escaped(contentType), toWidth: 72)
        let type = contentType.prefix { !$0.isWhitespace && $0 != "," && $0 != ";" }
        let rest = contentType.dropFirst(type.count).drop { $0.isWhitespace || $0 == "," }
        let lacksSemicolon = rest.lowercased().hasPrefix("boundary=")
        let hint = lacksSemicolon ? "; is the semicolon before \"boundary\" missing?" : ""
        return "Content-Type is malformed: \"\(shown)\"\(hint)"
    }

    /// The value of a Content-Type that may be given with its name, as `encode` prints it, and with the lines beside
    /// it.
    private static func fieldValue(_ text: String) -> String {
        let name = "content-type:"
        let lines = text.split(whereSeparator: \.isNewline)
        let trimmed = lines.map { $0.drop(while: \.isWhitespace) }
        guard let first = trimmed.firstIndex(where: { $0.lowercased().hasPrefix(name) }) else { return text }
        // A field may be folded (RFC 9112 §5.2), but all lines of a text may be indented.
        let isIndented = lines[first].first?.isWhitespace == true
        let folded = lines[(first + 1)...].prefix { !isIndented && $0.first?.isWhitespace == true }
        let value = trimmed[first].dropFirst(name.count).drop(while: \.isWhitespace)
        return ([value] + trimmed[folded.indices]).joined(separator: " ")
    }
}

/// The boundary of a message, and why strict mode does not accept where it stands.
package struct MessageBoundary {
    let value: Boundary
    let refusal: MultipartError?

    /// Parses it in both modes; if neither accepts it, throws the error of the one that is wanted.
    package init(_ mode: ParsingMode, _ parse: (ParsingMode) throws -> Boundary) throws {
        do {
            value = try parse(.strict)
            refusal = nil
        } catch let strictError {
            do {
                value = try parse(.lenient)
            } catch {
                throw mode == .strict ? strictError : error
            }
            refusal = strictError as? MultipartError
        }
    }
}
