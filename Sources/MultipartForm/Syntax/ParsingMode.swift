/// How strictly a message is parsed.
///
/// The modes never interpret a message differently: both return equal parts, or strict mode throws.
public struct ParsingMode: Sendable, Hashable, CustomStringConvertible {
    private let isStrict: Bool

    /// Accepts a message with one sensible interpretation that loses no bytes and cannot hide or rename a part.
    public static let lenient = ParsingMode(isStrict: false)
    /// Accepts only what RFC 2046 and RFC 7578 allow and browsers' parsers agree on.
    public static let strict = ParsingMode(isStrict: true)

    /// `lenient` or `strict`, for a log.
    public var description: String { isStrict ? "strict" : "lenient" }
}
