/// How strictly a message is parsed.
///
/// The modes never interpret a message differently: both return equal parts, or strict mode throws.
public enum ParsingMode: Sendable, Hashable {
    /// Accepts a message with one sensible interpretation that loses no bytes and cannot hide or rename a part.
    case lenient
    /// Accepts only what RFC 2046 and RFC 7578 allow and browsers' parsers agree on.
    case strict
}
