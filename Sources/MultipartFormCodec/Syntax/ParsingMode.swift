/// How strictly a message is parsed.
///
/// Both modes read a message alike: if strict mode accepts the message, lenient mode returns equal parts.
public struct ParsingMode: Sendable, Hashable, CustomStringConvertible {
    private let isStrict: Bool

    /// Also accepts a message that deviates from the RFCs, if the message has only one sensible interpretation. The
    /// interpretation must lose no bytes, and must not hide or rename a part.
    public static let lenient = ParsingMode(isStrict: false)
    /// Accepts only what RFC 2046 and RFC 7578 allow. Also refuses text that the RFCs allow, but on which widely used
    /// parsers are known to disagree.
    public static let strict = ParsingMode(isStrict: true)

    /// `lenient` or `strict`, for a log.
    public var description: String { isStrict ? "strict" : "lenient" }
}
