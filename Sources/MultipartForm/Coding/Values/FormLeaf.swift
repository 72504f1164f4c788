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
    static func read(_ part: DecodedPart) throws(CodingProblem) -> Bool {
        let text = try part.nonEmptyText()
        if let value = value(of: text.utf8.span) { return value }
        throw text.problem
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
