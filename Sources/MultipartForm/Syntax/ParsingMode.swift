/// How strictly a message is read.
///
/// The two modes never read a message differently: they return equal parts, or strict mode throws.
public enum ParsingMode: Sendable, Hashable {
    /// Accepts what has one sensible reading, loses no bytes, and cannot hide or rename a part.
    case lenient
    /// Accepts what RFC 2046 and RFC 7578 allow and browsers' parsers agree on.
    case strict
}
