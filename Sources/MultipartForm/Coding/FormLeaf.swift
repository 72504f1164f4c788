#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A type whose value is the content of one part.
protocol FormLeaf: HasCodingRole {
    /// Reads the value from a part.
    static func read(_ part: ReceivedPart) throws(CodingProblem) -> Self

    /// The value when no part has the name; nil if required.
    static func absent(_ options: FormDataDecoder) -> Self?

    func encoded(_ options: FormDataEncoder) throws(CodingProblem) -> EncodedValue
}

extension FormLeaf {
    static var codingRole: CodingRole { .leaf(Self.self) }

    static func absent(_ options: FormDataDecoder) -> Self? { nil }
}

extension String: FormLeaf {
    static func read(_ part: ReceivedPart) throws(CodingProblem) -> String {
        try part.text()
    }

    func encoded(_ options: FormDataEncoder) -> EncodedValue { .text(self) }
}

extension Bool: FormLeaf {
    static func read(_ part: ReceivedPart) throws(CodingProblem) -> Bool {
        try part.value(value)
    }

    /// The value of one of the texts that forms have, in any letter case.
    private static func value(of text: Span<UInt8>) -> Bool? {
        func isWord(_ word: StaticString) -> Bool { ASCII.matches(text, 0..<text.count, word) }
        if isWord("true") || isWord("on") || isWord("yes") || isWord("1") { return true }
        if isWord("false") || isWord("off") || isWord("no") || isWord("0") { return false }
        return nil
    }

    static func absent(_ options: FormDataDecoder) -> Bool? { options.absentBoolsAreFalse ? false : nil }

    func encoded(_ options: FormDataEncoder) -> EncodedValue {
        switch options.boolEncoding.kind {
        case .literal: .text(self ? "true" : "false")
        case .numeric: .text(self ? "1" : "0")
        }
    }
}

extension Data: FormLeaf {
    static func read(_ part: ReceivedPart) throws(CodingProblem) -> Data {
        guard !part.isNoFile else { throw CodingProblem(.noFile) }
        return try part.data()
    }

    func encoded(_ options: FormDataEncoder) throws(CodingProblem) -> EncodedValue {
        switch options.dataEncoding.kind {
        case .file(let filename, let contentType):
            return .part { BodyPart(self, name: $0, filename: filename, contentType: contentType) }
        case .field:
            return .part { BodyPart(self, name: $0) }
        case .base64:
            return .text(base64EncodedString())
        case .custom(let encode):
            return .text(try CodingProblem.wrap(.unencodable) { try encode(self) })
        }
    }
}

extension URL: FormLeaf {
    static func read(_ part: ReceivedPart) throws(CodingProblem) -> URL {
        guard let url = URL(string: try part.nonEmptyText()) else { throw CodingProblem(.invalidValue) }
        return url
    }

    func encoded(_ options: FormDataEncoder) -> EncodedValue { .text(absoluteString) }
}

extension FormLeaf where Self: FixedWidthInteger {
    static func read(_ part: ReceivedPart) throws(CodingProblem) -> Self {
        try part.value { Self(decimal: $0) }
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
    static func read(_ part: ReceivedPart) throws(CodingProblem) -> Self {
        try part.value { text in
            guard NumberGrammar.isDecimal(text), let value = Self(String(repairing: text)), value.isFinite else {
                return nil
            }
            return value
        }
    }

    func encoded(_ options: FormDataEncoder) throws(CodingProblem) -> EncodedValue {
        guard isFinite else { throw CodingProblem(.nonFiniteNumber) }
        return .text(description)
    }
}

extension Double: FormLeaf {}
extension Float: FormLeaf {}

extension Decimal: FormLeaf {
    static func read(_ part: ReceivedPart) throws(CodingProblem) -> Decimal {
        // Foundation ignores what follows a number, and drops the digits that it cannot hold.
        try part.value { text in NumberGrammar.exactDecimal(text).flatMap { Decimal(string: $0) } }
    }

    func encoded(_ options: FormDataEncoder) throws(CodingProblem) -> EncodedValue {
        guard isFinite else { throw CodingProblem(.nonFiniteNumber) }
        return .text(description)
    }
}
