/// How strictly a message is parsed.
///
/// Both modes read a message alike: if strict mode accepts the message, lenient mode returns equal parts.
public struct ParsingMode: Sendable, Hashable, CustomStringConvertible {
    private let isStrict: Bool

    /// Accepts all messages that strict mode accepts, and also a message that deviates from the RFCs, if the message
    /// has only one sensible interpretation. This interpretation must lose no bytes, and must not hide or rename a
    /// part.
    public static let lenient = ParsingMode(isStrict: false)
    /// Accepts only what RFC 2046 and RFC 7578 allow. Also refuses text that the RFCs allow, but on which widely used
    /// parsers are known to disagree.
    public static let strict = ParsingMode(isStrict: true)

    /// `lenient` or `strict`, for a log.
    public var description: String { isStrict ? "strict" : "lenient" }
}

/// Strict mode's grammar for the message's Content-Type field. ``StrictSection`` has the grammar for header sections,
/// which uses some of the same productions.
///
///     content-type = "multipart/form-data;" [SP] "boundary=" value
///     value        = token / DQUOTE *(any byte but controls, DEL, DQUOTE and backslash) DQUOTE
///     token        = 1*(ALPHA / DIGIT / "-" / "." / "_")
///     restricted   = 1*(ALPHA / DIGIT / one of !#$&^_.+-)          ; RFC 6838 §4.2
///
/// If the message is nested in a part, any `restricted` may replace `form-data`.
///
/// Each `endOf…` function returns the end of the production that begins at `start`, or `start` if there is no such
/// production. All functions take linear time.
enum StrictGrammar {
    static func isRestrictedCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "^"),
            UInt8(ascii: "+"):
            true
        default:
            ASCII.isPlainTokenCharacter(byte)
        }
    }

    static func endOfToken(_ bytes: Span<UInt8>, from start: Int) -> Int {
        var end = ASCII.endOfName(bytes, from: start)
        while end < bytes.count, ASCII.isPlainTokenCharacter(bytes[end]) {
            end = ASCII.endOfName(bytes, from: end + 1)
        }
        return end
    }

    static func endOfRestricted(_ bytes: Span<UInt8>, from start: Int) -> Int {
        var end = ASCII.endOfName(bytes, from: start)
        while end < bytes.count, isRestrictedCharacter(bytes[end]) { end = ASCII.endOfName(bytes, from: end + 1) }
        return end
    }

    /// Returns the end of a token, or of a quoted string including its quotes.
    static func endOfValue(_ bytes: Span<UInt8>, from start: Int) -> Int {
        guard start < bytes.count, bytes[start] == ASCII.quote else { return endOfToken(bytes, from: start) }
        let end = ASCII.endOfPlainQuotedText(bytes, from: start + 1)
        return end < bytes.count && bytes[end] == ASCII.quote ? end + 1 : start
    }

    /// Returns the reason in words why a message's Content-Type field does not follow the grammar; nil if the field
    /// follows the grammar. If `isNested` is true, the field may have any multipart subtype.
    static func reason(againstContentType field: Span<UInt8>, isNested: Bool) -> String? {
        let form: StaticString = "multipart/form-data"
        let type: StaticString = "multipart/"
        var position = (isNested ? type : form).utf8CodeUnitCount
        guard ASCII.begins(field, at: 0, with: isNested ? type : form) else {
            return "Content-Type does not begin with \"\(isNested ? type : form)\", in these letters"
        }
        if isNested { position = endOfRestricted(field, from: position) }
        guard position < field.count, field[position] == ASCII.semicolon else {
            return "Content-Type has other text than a semicolon after the media type"
        }
        position += 1
        if position < field.count, field[position] == ASCII.space { position += 1 }
        let parameter: StaticString = "boundary="
        guard ASCII.begins(field, at: position, with: parameter) else {
            return "Content-Type has another parameter than the boundary, or white space around its equals sign"
        }
        let value = position + parameter.utf8CodeUnitCount
        let end = endOfValue(field, from: value)
        guard end > value else {
            return
                "the boundary is neither a quoted string nor a token of letters, digits, hyphens, dots and underscores"
        }
        guard end == field.count else {
            return "Content-Type has other text after its boundary, such as a charset, where some parsers read no part"
        }
        let text = field[value] == ASCII.quote ? value + 1..<end - 1 : value..<end
        guard !ASCII.isWhitespace(field[text.upperBound - 1]) else { return "the boundary ends with white space" }
        return namesBoundary(field.extracting(text)) ? "the \(reasonNamesBoundary)" : nil
    }

    /// The reason to refuse a boundary for which ``namesBoundary(_:)`` is true.
    static let reasonNamesBoundary = "boundary has \"boundary=\" in it, and parsers use the first or the last"

    /// Whether a boundary contains `boundary=` in any letter case, with or without white space before the equals sign.
    static func namesBoundary(_ boundary: Span<UInt8>) -> Bool {
        // Each iteration checks the text before one equals sign.
        var equals = ASCII.firstOffset(of: ASCII.equals, in: boundary, from: 0)
        while equals < boundary.count {
            let name = ASCII.trimmingWhitespace(boundary, 0..<equals).upperBound
            if name >= 8, ASCII.matches(boundary, name - 8..<name, "boundary") { return true }
            equals = ASCII.firstOffset(of: ASCII.equals, in: boundary, from: equals + 1)
        }
        return false
    }
}
