#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A leaf: a type whose values are one part each, such as a text or a number. All conformances are in this file, except
/// that of `Date`.
protocol SinglePartValue: HasTypeKind {
    /// Reads a value from a part.
    static func read(_ part: ReceivedPart) throws(CodingReason) -> Self

    /// Returns the value for a missing part; nil if a missing part is an error.
    static func absent(_ options: FormDataDecoder) -> Self?

    func encoded(_ options: FormDataEncoder) throws(CodingReason) -> EncodedPart
}

extension SinglePartValue {
    static var typeKind: TypeKind { .leaf(Self.self) }

    static func absent(_ options: FormDataDecoder) -> Self? { nil }
}

/// A part that has no name yet.
enum EncodedPart {
    case text(String)
    /// A part that the closure creates when the name is known.
    case part((_ name: String) throws -> BodyPart)
}

extension String: SinglePartValue {
    static func read(_ part: ReceivedPart) throws(CodingReason) -> String {
        try part.text()
    }

    func encoded(_ options: FormDataEncoder) -> EncodedPart { .text(self) }
}

extension Bool: SinglePartValue {
    static func read(_ part: ReceivedPart) throws(CodingReason) -> Bool {
        try part.value(value)
    }

    /// Parses a word that forms use for a `Bool`, such as `on` or `no`, in any letter case. Returns nil for any other
    /// text.
    private static func value(of text: Span<UInt8>) -> Bool? {
        func isWord(_ word: StaticString) -> Bool { ASCII.matches(text, 0..<text.count, word) }
        if isWord("true") || isWord("on") || isWord("yes") || isWord("1") { return true }
        if isWord("false") || isWord("off") || isWord("no") || isWord("0") { return false }
        return nil
    }

    static func absent(_ options: FormDataDecoder) -> Bool? { options.absentBoolsAreFalse ? false : nil }

    func encoded(_ options: FormDataEncoder) -> EncodedPart {
        switch options.boolEncoding.kind {
        case .literal: .text(self ? "true" : "false")
        case .numeric: .text(self ? "1" : "0")
        }
    }
}

extension Data: SinglePartValue {
    static func read(_ part: ReceivedPart) throws(CodingReason) -> Data {
        guard !part.isEmptyFileInput(whereExpected: false) else { throw CodingReason(.noFile) }
        return try part.data()
    }

    func encoded(_ options: FormDataEncoder) throws(CodingReason) -> EncodedPart {
        switch options.dataEncoding.kind {
        case .file(let filename, let contentType):
            return .part { BodyPart(self, name: $0, filename: filename, contentType: contentType) }
        case .field:
            return .part { BodyPart(self, name: $0) }
        case .base64:
            return .text(base64EncodedString())
        case .custom(let encode):
            return .text(try CodingReason.wrap(ErrorCode.unencodable) { try encode(self) })
        }
    }
}

extension URL: SinglePartValue {
    static func read(_ part: ReceivedPart) throws(CodingReason) -> URL {
        guard let url = URL(string: try part.nonEmptyText()) else { throw CodingReason(.invalidValue) }
        return url
    }

    func encoded(_ options: FormDataEncoder) -> EncodedPart { .text(absoluteString) }
}

extension UUID: SinglePartValue {
    /// The length of a UUID's text. Foundation does not check the length: it ignores a NUL after a UUID, and the text
    /// after the NUL.
    private static let length = "00000000-0000-0000-0000-000000000000".utf8.count

    static func read(_ part: ReceivedPart) throws(CodingReason) -> UUID {
        let text = try part.nonEmptyText()
        guard text.utf8.count == length, let value = UUID(uuidString: text) else { throw CodingReason(.invalidValue) }
        return value
    }

    func encoded(_ options: FormDataEncoder) -> EncodedPart { .text(uuidString) }
}

extension SinglePartValue where Self: FixedWidthInteger {
    static func read(_ part: ReceivedPart) throws(CodingReason) -> Self {
        try part.value { Self(decimal: $0) }
    }

    func encoded(_ options: FormDataEncoder) -> EncodedPart { .text(description) }
}

extension Int: SinglePartValue {}
extension Int8: SinglePartValue {}
extension Int16: SinglePartValue {}
extension Int32: SinglePartValue {}
extension Int64: SinglePartValue {}
extension UInt: SinglePartValue {}
extension UInt8: SinglePartValue {}
extension UInt16: SinglePartValue {}
extension UInt32: SinglePartValue {}
extension UInt64: SinglePartValue {}
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension Int128: SinglePartValue {}
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension UInt128: SinglePartValue {}

extension SinglePartValue where Self: BinaryFloatingPoint & LosslessStringConvertible {
    static func read(_ part: ReceivedPart) throws(CodingReason) -> Self {
        try part.value { text in
            guard NumberGrammar.isDecimal(text), let value = Self(String(repairing: text)), value.isFinite else {
                return nil
            }
            return value
        }
    }

    func encoded(_ options: FormDataEncoder) throws(CodingReason) -> EncodedPart {
        guard isFinite else { throw CodingReason(ErrorCode.nonFiniteNumber) }
        return .text(description)
    }
}

extension Double: SinglePartValue {}
extension Float: SinglePartValue {}

extension Decimal: SinglePartValue {
    static func read(_ part: ReceivedPart) throws(CodingReason) -> Decimal {
        // `NumberGrammar` checks the text first. `Decimal(string:)` ignores anything after a number, and drops digits
        // that a `Decimal` cannot hold.
        try part.value { text in NumberGrammar.exactDecimal(text).flatMap { Decimal(string: $0) } }
    }

    func encoded(_ options: FormDataEncoder) throws(CodingReason) -> EncodedPart {
        guard isFinite else { throw CodingReason(ErrorCode.nonFiniteNumber) }
        return .text(description)
    }
}
