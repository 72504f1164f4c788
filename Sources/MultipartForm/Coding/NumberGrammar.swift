internal import Foundation

extension FormLeaf where Self: FixedWidthInteger {
    static func read(_ part: DecodedPart) throws(CodingProblem) -> Self {
        let text = try part.nonEmptyText()
        guard let value = Self(decimal: text.utf8.span) else { throw text.problem }
        return value
    }

    func encoded(_ options: FormDataEncoder) -> EncodedValue { .text(description) }
}

extension FixedWidthInteger {
    /// An integer in range: `[+-]?[0-9]+`.
    fileprivate init?(decimal text: Span<UInt8>) {
        let isNegative = text[0] == UInt8(ascii: "-")
        var index = isNegative || text[0] == UInt8(ascii: "+") ? 1 : 0
        guard index < text.count else { return nil }
        self = 0
        while index < text.count {
            guard ASCII.isDigit(text[index]) else { return nil }
            let digit = Self(truncatingIfNeeded: text[index] - UInt8(ascii: "0"))
            let (product, isTooLarge) = multipliedReportingOverflow(by: 10)
            let (sum, overflows) =
                isNegative ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
            guard !isTooLarge, !overflows else { return nil }
            self = sum
            index += 1
        }
    }
}

extension Int: FormLeaf {}
extension Int8: FormLeaf {}
extension Int16: FormLeaf {}
extension Int32: FormLeaf {}
extension Int64: FormLeaf {}
extension UInt: FormLeaf {}
extension UInt8: FormLeaf {}
extension UInt16: FormLeaf {}
extension UInt32: FormLeaf {}
extension UInt64: FormLeaf {}
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension Int128: FormLeaf {}
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension UInt128: FormLeaf {}

extension FormLeaf where Self: BinaryFloatingPoint & LosslessStringConvertible {
    static func read(_ part: DecodedPart) throws(CodingProblem) -> Self {
        let text = try part.nonEmptyText()
        guard text.isDecimalNumber, let value = Self(try text.string()), value.isFinite else { throw text.problem }
        return value
    }

    func encoded(_ options: FormDataEncoder) throws(CodingProblem) -> EncodedValue {
        guard isFinite else { throw CodingProblem(.nonFiniteNumber) }
        return .text(description)
    }
}

extension Double: FormLeaf {}
extension Float: FormLeaf {}

extension Decimal: FormLeaf {
    static func read(_ part: DecodedPart) throws(CodingProblem) -> Decimal {
        let text = try part.nonEmptyText()
        // Foundation ignores what follows a number.
        guard text.isDecimalNumber, let value = Decimal(string: try text.string()), value.isFinite else {
            throw text.problem
        }
        return value
    }

    func encoded(_ options: FormDataEncoder) throws(CodingProblem) -> EncodedValue {
        guard isFinite else { throw CodingProblem(.nonFiniteNumber) }
        return .text(description)
    }
}

extension DecodedText {
    /// Whether the text is `[+-]?(d+(.d*)?|.d+)([eE][+-]?d+)?`.
    var isDecimalNumber: Bool {
        let bytes = utf8.span
        var index = 0

        func skip(_ characters: StaticString) -> Bool {
            guard index < bytes.count else { return false }
            // SAFETY: a StaticString's bytes are never freed.
            let isThere = unsafe UnsafeBufferPointer(start: characters.utf8Start, count: characters.utf8CodeUnitCount)
                .contains(bytes[index])
            if isThere { index += 1 }
            return isThere
        }
        func skipDigits() -> Bool {
            let start = index
            while index < bytes.count, ASCII.isDigit(bytes[index]) { index += 1 }
            return index > start
        }

        _ = skip("+-")
        let hasWhole = skipDigits()
        let hasFraction = skip(".") && skipDigits()
        guard hasWhole || hasFraction else { return false }
        if skip("eE") {
            _ = skip("+-")
            guard skipDigits() else { return false }
        }
        return index == bytes.count
    }
}
