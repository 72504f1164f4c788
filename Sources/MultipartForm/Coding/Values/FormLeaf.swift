#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A type whose value is the content of one part.
protocol FormLeaf: HasCodingRole {
    /// Reads the value from a part.
    static func read(_ part: DecodedPart) throws(CodingProblem) -> Self

    /// The value when no part has the name; nil if required.
    static func absent(_ options: FormDataDecoder) -> Self?

    func encoded(_ options: FormDataEncoder) throws(CodingProblem) -> EncodedValue
}

extension FormLeaf {
    static var codingRole: CodingRole { .leaf(Self.self) }

    static func absent(_ options: FormDataDecoder) -> Self? { nil }
}

extension String: FormLeaf {
    static func read(_ part: DecodedPart) throws(CodingProblem) -> String {
        try part.text().string()
    }

    func encoded(_ options: FormDataEncoder) -> EncodedValue { .text(self) }
}

extension Bool: FormLeaf {
    /// The texts of forms, in any letter case.
    private static let words: [(text: StaticString, value: Bool)] = [
        ("true", true), ("false", false), ("on", true), ("off", false), ("yes", true), ("no", false), ("1", true),
        ("0", false),
    ]

    static func read(_ part: DecodedPart) throws(CodingProblem) -> Bool {
        let text = try part.nonEmptyText()
        let bytes = text.utf8.span
        for word in words where bytes.count == word.text.utf8CodeUnitCount {
            if ASCII.matches(bytes, 0..<bytes.count, word.text) { return word.value }
        }
        throw text.problem
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
    static func read(_ part: DecodedPart) throws(CodingProblem) -> Data {
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
    static func read(_ part: DecodedPart) throws(CodingProblem) -> URL {
        let text = try part.nonEmptyText()
        guard let url = URL(string: try text.string()) else { throw CodingProblem(.invalidValue) }
        return url
    }

    func encoded(_ options: FormDataEncoder) -> EncodedValue { .text(absoluteString) }
}
