import MultipartForm

/// What the command line of `decode` and `inspect` says about the message.
struct MessageOptions {
    /// The input; nil or `-` for standard input.
    let path: String?
    private let contentType: String?
    private let boundary: String?
    private let mode: ParsingMode
    private let limits: Limits

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
        mode = arguments.has("--strict") ? .strict : .lenient
        var limits = Limits.default
        limits.maxParts = try arguments.number("--max-parts", atLeast: 0) ?? limits.maxParts
        limits.maxHeaderCount = try arguments.number("--max-header-count", atLeast: 0) ?? limits.maxHeaderCount
        limits.maxHeaderBytes = try arguments.number("--max-header-bytes", atLeast: 0) ?? limits.maxHeaderBytes
        limits.maxPreambleBytes = try arguments.number("--max-preamble-bytes", atLeast: 0) ?? limits.maxPreambleBytes
        limits.maxPartBytes = try arguments.number("--max-part-bytes", atLeast: 0)
        limits.maxTotalBytes = try arguments.number("--max-total-bytes", atLeast: 0)
        self.limits = limits
    }

    /// Makes the message's parser; nil if no option gives the boundary.
    func makeParser() throws -> MultipartParser? {
        if let contentType { return try MultipartParser(contentType: contentType, limits: limits, mode: mode) }
        return try boundary.map(makeParser(boundary:))
    }

    /// Makes the parser of a message with a boundary.
    func makeParser(boundary: String) throws -> MultipartParser {
        MultipartParser(boundary: try Boundary(boundary, mode: mode), limits: limits, mode: mode)
    }
}
