/// Checks how deep JSON text is nested, before anything is decoded from it.
///
/// The check is needed because `JSONDecoder` descends up to 512 levels, with stack frames of the type at each level. A
/// small stack does not hold so many.
///
/// - Input: a text, which need not be valid.
/// - Output: a reason if it is nested too deep, or not UTF-8 (RFC 8259 §8.1).
/// - Invariant: skips what `JSONDecoder` reads as strings and comments, also if it reads JSON5. So it skips strings in
///   single quotes, and comments, in any text; outside of strings, only JSON5 has single quotes and slashes.
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
            // UTF-16 and UTF-32 have a NUL in each character of JSON's syntax.
            case ASCII.null: throw CodingReason(CodingCode.invalidText)
            default: break
            }
        }
    }

    /// The index after a string's closing quote. If there is no closing quote, the index may be after the end of the
    /// text.
    private static func endOfString(_ text: Span<UInt8>, from start: Int, quote: UInt8) -> Int {
        let escape = 2
        var index = start
        while index < text.count, text[index] != quote { index += text[index] == ASCII.backslash ? escape : 1 }
        return index + 1
    }

    /// The index after the comment that begins with the slash right before `start`; or `start`, if no comment begins
    /// there. The index may be after the end of the text.
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

    /// The index after the next `*/`. If there is none, the index may be after the end of the text.
    private static func endOfBlock(_ text: Span<UInt8>, from start: Int) -> Int {
        var index = start
        while index + 1 < text.count, text[index] != ASCII.asterisk || text[index + 1] != ASCII.slash { index += 1 }
        return index + "*/".utf8.count
    }
}
