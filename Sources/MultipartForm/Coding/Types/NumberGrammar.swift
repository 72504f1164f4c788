/// The grammar of decimal numbers: `[+-]?(d+(.d*)?|.d+)([eE][+-]?d+)?`.
package enum NumberGrammar {
    static func isDecimal(_ text: Span<UInt8>) -> Bool {
        var cursor = TextCursor()
        _ = cursor.skipSign(text)
        let whole = cursor.skipDigits(text)
        let hasPoint = cursor.skip(".", text)
        let fraction = hasPoint ? cursor.skipDigits(text) : 0..<0
        guard !whole.isEmpty || !fraction.isEmpty else { return false }
        let hasExponent = Self.skipExponentMark(&cursor, text)
        if hasExponent {
            _ = cursor.skipSign(text)
            guard !cursor.skipDigits(text).isEmpty else { return false }
        }
        return cursor.isAtEnd(text)
    }

    private static func skipExponentMark(_ cursor: inout TextCursor, _ text: Span<UInt8>) -> Bool {
        if cursor.skip("e", text) { return true }
        return cursor.skip("E", text)
    }
}

// The numbers that a `Decimal` holds.
extension NumberGrammar {
    /// The maximum significand of a `Decimal`, which has 128 bits.
    private static let maxSignificand = "340282366920938463463374607431768211455".utf8
    /// The exponents of ten that a `Decimal` can have.
    private static let exponents = -128...127
    private static let zero = UInt8(ascii: "0")

    /// A short text for the decimal number in `text`, with an exponent in the range of a `Decimal`. Nil if `text` has
    /// another form, or if a `Decimal` cannot hold the number exactly.
    package static func exactDecimal(_ text: Span<UInt8>) -> String? {
        guard isDecimal(text) else { return nil }
        let mark = text.indices.first { ASCII.lowercased(text[$0]) == UInt8(ascii: "e") } ?? text.count
        guard var (digits, exponent) = significand(text.extracting(first: mark)) else { return nil }
        // Zero is zero, whatever its sign and exponent.
        guard !digits.isEmpty else { return "0" }
        let power = mark < text.count ? Int(decimal: text.extracting(droppingFirst: mark + 1)) : 0
        guard let (sum, overflows) = power.map(exponent.addingReportingOverflow), !overflows else { return nil }
        guard exponents.lowerBound <= sum, sum <= exponents.upperBound + maxSignificand.count else { return nil }
        exponent = min(sum, exponents.upperBound)
        digits += repeatElement(zero, count: sum - exponent)
        guard isSignificand(digits) else { return nil }
        return "\(text[0] == UInt8(ascii: "-") ? "-" : "")\(String(decoding: digits, as: UTF8.self))e\(exponent)"
    }

    /// Whether digits without leading zeros are at most the maximum significand.
    private static func isSignificand(_ digits: [UInt8]) -> Bool {
        guard digits.count == maxSignificand.count else { return digits.count < maxSignificand.count }
        return !maxSignificand.lexicographicallyPrecedes(digits)
    }

    /// The digits without zeros at either end, and their power of ten; nil if there are too many digits.
    private static func significand(_ text: Span<UInt8>) -> (digits: [UInt8], exponent: Int)? {
        var digits: [UInt8] = []
        var exponent = 0
        // The number of zeros since the last digit that is not zero.
        var zeros = 0
        var isFraction = false
        for index in text.indices {
            let byte = text[index]
            if byte == UInt8(ascii: ".") { isFraction = true }
            guard ASCII.isDigit(byte) else { continue }
            if isFraction { exponent -= 1 }
            zeros += 1
            guard byte != zero else { continue }
            let count = digits.isEmpty ? 1 : zeros
            guard digits.count + count <= maxSignificand.count else { return nil }
            digits += repeatElement(zero, count: count - 1)
            digits.append(byte)
            zeros = 0
        }
        return (digits, exponent + zeros)
    }
}

extension FixedWidthInteger {
    /// Creates the number of a text `[+-]?[0-9]+`; nil if the text has another form, or if the number is out of range.
    init?(decimal text: Span<UInt8>) {
        var cursor = TextCursor()
        let isNegative = cursor.skipSign(text) ?? false
        guard !cursor.isAtEnd(text) else { return nil }
        self = 0
        for index in cursor.index..<text.count {
            guard ASCII.isDigit(text[index]) else { return nil }
            let digit = Self(truncatingIfNeeded: text[index] - UInt8(ascii: "0"))
            let (product, isTooLarge) = multipliedReportingOverflow(by: 10)
            let (sum, overflows) =
                isNegative ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
            guard !isTooLarge, !overflows else { return nil }
            self = sum
        }
    }
}
