/// A position in a text, which the productions of a grammar advance.
///
/// The text is a parameter of each method, since a struct that can be stored cannot hold a span.
struct TextCursor {
    private(set) var index = 0

    func isAtEnd(_ text: Span<UInt8>) -> Bool { index == text.count }

    /// Skips `character` if it is next; returns false if it is not.
    mutating func skip(_ character: Unicode.Scalar, _ text: Span<UInt8>) -> Bool {
        guard index < text.count, text[index] == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    /// Skips a plus or a minus, and returns whether it was a minus; nil for neither.
    mutating func skipSign(_ text: Span<UInt8>) -> Bool? {
        if skip("-", text) { return true }
        return skip("+", text) ? false : nil
    }

    /// Skips as many digits as there are, and returns their range.
    mutating func skipDigits(_ text: Span<UInt8>) -> Range<Int> {
        let start = index
        while index < text.count, ASCII.isDigit(text[index]) { index += 1 }
        return start..<index
    }

    /// Skips exactly `count` digits, and returns their number; nil if there are fewer.
    mutating func number(digits count: Int, _ text: Span<UInt8>) -> Int64? {
        let end = index + count
        guard end <= text.count else { return nil }
        var value: Int64 = 0
        while index < end {
            guard ASCII.isDigit(text[index]) else { return nil }
            value = value * 10 + Int64(text[index] - UInt8(ascii: "0"))
            index += 1
        }
        return value
    }
}
