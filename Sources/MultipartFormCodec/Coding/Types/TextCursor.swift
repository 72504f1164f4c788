/// A position in a text. Parsers advance the position from left to right.
///
/// Each method has the text as a parameter, because an escapable struct cannot store a `Span`.
struct TextCursor {
    private(set) var index = 0

    func isAtEnd(_ text: Span<UInt8>) -> Bool { index == text.count }

    /// If the next character is `character`, skips it and returns true. Otherwise returns false.
    mutating func skip(_ character: Unicode.Scalar, _ text: Span<UInt8>) -> Bool {
        guard index < text.count, text[index] == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    /// Skips a sign. Returns true for a minus, false for a plus, and nil if there is no sign.
    mutating func skipSign(_ text: Span<UInt8>) -> Bool? {
        if skip("-", text) { return true }
        return skip("+", text) ? false : nil
    }

    /// Skips all digits up to the next character that is not a digit. Returns the range of the digits, which may be
    /// empty.
    mutating func skipDigits(_ text: Span<UInt8>) -> Range<Int> {
        let start = index
        while index < text.count, ASCII.isDigit(text[index]) { index += 1 }
        return start..<index
    }

    /// Skips `count` digits, and returns the number that they form; nil if there are fewer digits.
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
