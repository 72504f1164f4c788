/// The grammar of decimal numbers: `[+-]?(d+(\.d*)?|\.d+)([eE][+-]?d+)?`, where `d` is a digit.
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

// Numbers that a `Decimal` can hold exactly.
extension NumberGrammar {
    /// The maximum significand of a `Decimal`, 2^128 - 1.
    private static let maxSignificand = "340282366920938463463374607431768211455".utf8
    /// The range of the power of ten in a `Decimal`.
    private static let exponents = -128...127
    private static let zero = UInt8(ascii: "0")

    /// Returns the decimal number in `text` as a short text that `Decimal` parses exactly. Returns nil if `text` is not
    /// a decimal number, or if a `Decimal` cannot hold the number exactly.
    package static func exactDecimal(_ text: Span<UInt8>) -> String? {
        guard isDecimal(text) else { return nil }
        let mark = text.indices.first { ASCII.lowercased(text[$0]) == UInt8(ascii: "e") } ?? text.count
        guard var (digits, exponent) = significand(text.extracting(first: mark)) else { return nil }
        // A number without nonzero digits is zero, whatever its sign and exponent.
        guard !digits.isEmpty else { return "0" }
        let power = mark < text.count ? Int(decimal: text.extracting(droppingFirst: mark + 1)) : 0
        guard let (sum, overflows) = power.map(exponent.addingReportingOverflow), !overflows else { return nil }
        guard exponents.lowerBound <= sum, sum <= exponents.upperBound + maxSignificand.count else { return nil }
        exponent = min(sum, exponents.upperBound)
        digits += repeatElement(zero, count: sum - exponent)
        guard isSignificand(digits) else { return nil }
        return "\(text[0] == UInt8(ascii: "-") ? "-" : "")\(String(decoding: digits, as: UTF8.self))e\(exponent)"
    }

    /// Whether the number with these digits is at most ``maxSignificand``. The first digit must not be zero.
    private static func isSignificand(_ digits: [UInt8]) -> Bool {
        guard digits.count == maxSignificand.count else { return digits.count < maxSignificand.count }
        return !maxSignificand.lexicographicallyPrecedes(digits)
    }

    /// Returns the digits of `text` without leading and trailing zeros, and the power of ten of the last digit. Returns
    /// nil if a `Decimal` cannot hold so many digits.
    private static func significand(_ text: Span<UInt8>) -> (digits: [UInt8], exponent: Int)? {
        var digits: [UInt8] = []
        var exponent = 0
        // The number of zeros after the last nonzero digit.
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
    /// Creates an integer from a text of the form `[+-]?[0-9]+`. Returns nil for any other text, or if the integer is
    /// out of range.
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
