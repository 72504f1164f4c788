/// Checks how deep a JSON text is nested, before the text is decoded.
///
/// `JSONDecoder` descends up to 512 levels, and each level takes stack frames of the decoded type. A small stack cannot
/// hold 512 levels.
///
/// - Input: a text, which may be invalid JSON.
/// - Output: throws a reason if the text is nested too deep, or if it is UTF-16 or UTF-32 instead of UTF-8 (RFC 8259
///   §8.1).
/// - Invariant: skips everything that `JSONDecoder` reads as a string or a comment, including the comments and
///   single-quoted strings of JSON5. Other JSON has slashes and single quotes only within strings.
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
                guard depth <= maxDepth else { throw CodingReason(CodingCode.tooDeep) }
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            case ASCII.quote, ASCII.apostrophe: index = endOfString(text, from: index, quote: byte)
            case ASCII.slash: index = endOfComment(text, from: index)
            // In UTF-16 and UTF-32, each ASCII character contains a NUL byte.
            case ASCII.null: throw CodingReason(CodingCode.invalidText)
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

    /// Returns the index after a comment. `start` is the index after the comment's first slash. Returns `start` if the
    /// slash does not begin a comment. If the comment has no end, the index may be greater than `text.count`.
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
