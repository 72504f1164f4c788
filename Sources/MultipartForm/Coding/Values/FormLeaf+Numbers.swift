#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension FormLeaf where Self: FixedWidthInteger {
    static func read(_ part: DecodedPart) throws(CodingProblem) -> Self {
        let text = try part.nonEmptyText()
        guard let value = Self(decimal: text.utf8.span) else { throw text.problem }
        return value
    }

    func encoded(_ options: FormDataEncoder) -> EncodedValue { .text(description) }
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
        guard NumberGrammar.isDecimal(text.utf8.span), let value = Self(try text.string()), value.isFinite else {
            throw text.problem
        }
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
        // Foundation ignores what follows a number, and drops the digits that it cannot hold.
        guard NumberGrammar.isDecimal(text.utf8.span), let number = ScientificNumber(text.utf8.span),
            let value = Decimal(string: number.description)
        else { throw text.problem }
        let written = ContiguousArray(value.description.utf8)
        guard ScientificNumber(written.span) == number else { throw text.problem }
        return value
    }

    func encoded(_ options: FormDataEncoder) throws(CodingProblem) -> EncodedValue {
        guard isFinite else { throw CodingProblem(.nonFiniteNumber) }
        return .text(description)
    }
}
