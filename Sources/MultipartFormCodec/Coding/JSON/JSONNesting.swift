/// Checks how deep a JSON text is nested, before the text is decoded.
///
/// `JSONDecoder` descends up to 512 levels, and each level takes stack frames of the decoded type. A small stack cannot
/// hold 512 levels.
///
/// - Input: a text, which may be invalid JSON.
/// - Output: throws a reason if the text is nested too deep, or if it is UTF-16 or UTF-32 instead of UTF-8 (RFC 8259
///   §8.1).
/// - Invariant: skips everything that `JSONDecoder` reads as a string or a comment. This includes the comments and the
///   single-quoted strings of JSON5. Standard JSON is not affected, because it has a slash or a single quote only
///   within a string.
/// - Cost: reads each byte once.
enum JSONNesting {
    static func check(_ text: Span<UInt8>, maxDepth: Int) throws(CodingReason) {
        var depth = 0
        var index = 0
        while index < text.count {
            let byte = text[index]
            index += 1
            switch byte {
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                guard depth <= maxDepth else { throw CodingReason(ErrorCode.tooDeep, limit: maxDepth) }
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            case ASCII.quote, ASCII.apostrophe: index = endOfString(text, from: index, quote: byte)
            case ASCII.slash: index = endOfComment(text, from: index)
            // Valid JSON in UTF-8 contains no NUL byte. In UTF-16 and UTF-32, each ASCII character contains a NUL byte.
            case ASCII.null: throw CodingReason(ErrorCode.invalidText)
            default: break
            }
        }
    }

    /// Returns the index after a string's closing quote. If the quote is missing, the index is greater than
    /// `text.count`.
    private static func endOfString(_ text: Span<UInt8>, from start: Int, quote: UInt8) -> Int {
        let escape = 2
        var index = start
        while index < text.count, text[index] != quote { index += text[index] == ASCII.backslash ? escape : 1 }
        return index + 1
    }

    /// Returns the index at which a comment ends. The returned index may be greater than `text.count` if the comment is
    /// not closed.
    ///
    /// `start` is the index after a slash. If the slash does not begin a comment, returns `start`.
    private static func endOfComment(_ text: Span<UInt8>, from start: Int) -> Int {
        guard start < text.count else { return start }
        switch text[start] {
        case ASCII.slash: return endOfLine(text, from: start + 1)
        case ASCII.asterisk: return endOfBlock(text, from: start + 1)
        default: return start
        }
    }

    private static func endOfLine(_ text: Span<UInt8>, from start: Int) -> Int {
        var index = start
        while index < text.count, text[index] != ASCII.lineFeed, text[index] != ASCII.carriageReturn { index += 1 }
        return index
    }

    /// Returns the index after the next `*/`. If no `*/` follows, the index is greater than `text.count`.
    private static func endOfBlock(_ text: Span<UInt8>, from start: Int) -> Int {
        var index = start
        while index + 1 < text.count, text[index] != ASCII.asterisk || text[index + 1] != ASCII.slash { index += 1 }
        return index + "*/".utf8.count
    }
}
