/// How strictly a message is parsed.
///
/// Both modes read a message alike: if strict mode accepts the message, lenient mode returns equal parts.
public struct ParsingMode: Sendable, Hashable, CustomStringConvertible {
    private let isStrict: Bool

    /// Accepts a message that has one sensible interpretation. The interpretation loses no bytes, and cannot hide or
    /// rename a part.
    public static let lenient = ParsingMode(isStrict: false)
    /// Accepts only what RFC 2046 and RFC 7578 allow, and refuses text that parsers in use are known to read
    /// differently.
    public static let strict = ParsingMode(isStrict: true)

    /// `lenient` or `strict`, for a log.
    public var description: String { isStrict ? "strict" : "lenient" }
}
