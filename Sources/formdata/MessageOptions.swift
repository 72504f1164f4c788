import MultipartForm

/// What the command line of `decode` and `inspect` says about the message.
struct MessageOptions {
    /// The input; nil or `-` for standard input.
    let path: String?
    private let contentType: String?
    private let boundary: String?
    private let parser: MultipartParser.Options

    static let known: [Arguments.Option] = [
        .value("--content-type"), .value("--boundary"), .flag("--strict"), .value("--max-parts"),
        .value("--max-header-count"), .value("--max-header-bytes"), .value("--max-preamble-bytes"),
        .value("--max-part-bytes"), .value("--max-total-bytes"),
    ]

    init(_ arguments: Arguments) throws {
        try arguments.checkOperands(atMost: 1)
        path = arguments.operands.first
        contentType = try arguments.value("--content-type")
        boundary = try arguments.value("--boundary")
        guard contentType == nil || boundary == nil else {
            throw ToolError.usage("--content-type and --boundary exclude each other")
        }
        var parser = arguments.has("--strict") ? MultipartParser.Options.strict : MultipartParser.Options()
        parser.maxParts = try arguments.number("--max-parts", atLeast: 0) ?? parser.maxParts
        parser.maxHeaderCount = try arguments.number("--max-header-count", atLeast: 0) ?? parser.maxHeaderCount
        parser.maxHeaderBytes = try arguments.number("--max-header-bytes", atLeast: 0) ?? parser.maxHeaderBytes
        parser.maxPreambleBytes = try arguments.number("--max-preamble-bytes", atLeast: 0) ?? parser.maxPreambleBytes
        parser.maxPartBytes = try arguments.number("--max-part-bytes", atLeast: 0)
        parser.maxTotalBytes = try arguments.number("--max-total-bytes", atLeast: 0)
        self.parser = parser
    }

    /// Makes the message's parser; nil if no option gives the boundary.
    func makeParser() throws -> MultipartParser? {
        if let contentType { return try MultipartParser(contentType: contentType, options: parser) }
        return try boundary.map(makeParser(boundary:))
    }

    /// Makes the parser of a message with a boundary.
    func makeParser(boundary: String) throws -> MultipartParser {
        MultipartParser(boundary: try Boundary(parsing: boundary, mode: parser.mode), options: parser)
    }
}
