import MultipartForm

/// What the command line of `decode` and `inspect` says about the message.
struct MessageOptions {
    /// The message's Content-Type, if it was given.
    let contentType: String?
    /// The boundary, if it was given.
    let boundary: String?
    /// How strictly to read.
    let mode: ParsingMode
    /// Whether the input is a whole HTTP message.
    let isHTTP: Bool
    /// What the message may cost.
    let limits: Limits
    /// The input; nil or `-` for standard input.
    let path: String?

    /// The options both commands know.
    static let known: [Arguments.Option] = [
        .value("--content-type"), .value("--boundary"), .flag("--strict"), .flag("--http"), .value("--max-parts"),
        .value("--max-header-count"), .value("--max-header-bytes"), .value("--max-preamble-bytes"),
        .value("--max-part-bytes"), .value("--max-total-bytes"),
    ]

    /// Reads the options.
    ///
    /// - Throws: ``ToolError`` if they make no sense.
    init(_ arguments: Arguments) throws {
        try arguments.checkOperands(atMost: 1)
        contentType = try arguments.value("--content-type")
        boundary = try arguments.value("--boundary")
        guard contentType == nil || boundary == nil else {
            throw ToolError.usage("--content-type and --boundary exclude each other")
        }
        mode = arguments.has("--strict") ? .strict : .lenient
        isHTTP = arguments.has("--http")
        path = arguments.operands.first
        var limits = Limits.default
        limits.maxParts = try arguments.number("--max-parts", atLeast: 0) ?? limits.maxParts
        limits.maxHeaderCount = try arguments.number("--max-header-count", atLeast: 0) ?? limits.maxHeaderCount
        limits.maxHeaderBytes = try arguments.number("--max-header-bytes", atLeast: 0) ?? limits.maxHeaderBytes
        limits.maxPreambleBytes = try arguments.number("--max-preamble-bytes", atLeast: 0) ?? limits.maxPreambleBytes
        limits.maxPartBytes = try arguments.number("--max-part-bytes", atLeast: 0)
        limits.maxTotalBytes = try arguments.number("--max-total-bytes", atLeast: 0)
        self.limits = limits
    }
}
