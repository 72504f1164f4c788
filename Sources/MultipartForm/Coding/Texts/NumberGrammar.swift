/// The grammar of decimal numbers: `[+-]?(d+(.d*)?|.d+)([eE][+-]?d+)?`.
enum NumberGrammar {
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

extension FixedWidthInteger {
    /// The number of a text `[+-]?[0-9]+`; nil if it has another form or is out of range.
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

/// A decimal number as its digits, without zeros at either end, and a power of ten.
struct ScientificNumber: Equatable, CustomStringConvertible {
    /// The most digits that a `Decimal` has.
    private static let mostDigits = 39
    /// The greatest power of ten that a `Decimal` has.
    private static let greatestExponent = 127
    private static let zero = UInt8(ascii: "0")

    private let isNegative: Bool
    private var digits: [UInt8] = []
    private var exponent = 0

    /// The number of a text for which ``NumberGrammar/isDecimal(_:)`` is true; nil if it has more digits than a
    /// `Decimal`, or its exponent does not fit in `Int`.
    init?(_ text: Span<UInt8>) {
        let end = Self.endOfSignificand(text)
        guard let (digits, exponent) = Self.significand(text, 0..<end) else { return nil }
        // Zero is zero, whatever its sign and exponent.
        guard !digits.isEmpty else {
            isNegative = false
            return
        }
        guard let power = Self.power(text, from: end) else { return nil }
        let (sum, overflows) = exponent.addingReportingOverflow(power)
        guard !overflows else { return nil }
        isNegative = text[0] == UInt8(ascii: "-")
        self.digits = digits
        self.exponent = sum
    }

    /// The index of the `e`, or the end.
    private static func endOfSignificand(_ text: Span<UInt8>) -> Int {
        text.indices.first { text[$0] == UInt8(ascii: "e") || text[$0] == UInt8(ascii: "E") } ?? text.count
    }

    /// The digits without zeros at either end, and their power of ten; nil if there are too many.
    private static func significand(_ text: Span<UInt8>, _ range: Range<Int>) -> (digits: [UInt8], exponent: Int)? {
        var digits: [UInt8] = []
        var exponent = 0
        // The zeros since the last other digit.
        var zeros = 0
        var isFraction = false
        for index in range {
            let byte = text[index]
            if byte == UInt8(ascii: ".") { isFraction = true }
            guard ASCII.isDigit(byte) else { continue }
            if isFraction { exponent -= 1 }
            if byte == zero {
                zeros += 1
                continue
            }
            if !digits.isEmpty { digits += repeatElement(zero, count: min(zeros, mostDigits)) }
            digits.append(byte)
            zeros = 0
            guard digits.count <= mostDigits else { return nil }
        }
        return (digits, exponent + zeros)
    }

    /// The number after an `e`, or 0; nil if it does not fit.
    private static func power(_ text: Span<UInt8>, from mark: Int) -> Int? {
        guard mark < text.count else { return 0 }
        return Int(decimal: text.extracting(droppingFirst: mark + 1))
    }

    /// A short text of the number, with an exponent in the range of a `Decimal` if there is one.
    var description: String {
        guard !digits.isEmpty else { return "0" }
        // The difference from a great negative exponent would overflow.
        let isTooGreat = exponent > Self.greatestExponent
        let excess = isTooGreat ? min(exponent - Self.greatestExponent, Self.mostDigits) : 0
        let zeros = String(repeating: "0", count: excess)
        return "\(isNegative ? "-" : "")\(String(decoding: digits, as: UTF8.self))\(zeros)e\(exponent - excess)"
    }
}
