internal import Foundation

/// A type that the coders treat specially.
protocol FormSpecial {
    static var special: SpecialType { get }
}

enum SpecialType {
    case leaf(any FormLeaf.Type)
    /// An optional of a type.
    case optional(Any.Type)
    /// A dictionary, with the key that it makes of a coding key; nil if that is the text.
    case dictionary(identity: ((any CodingKey) -> AnyHashable?)?)
}

/// A type whose value is the content of one part.
protocol FormLeaf: FormSpecial {
    /// The value of a part.
    static func read(_ part: DecodedPart) throws(CodingProblem) -> Self

    /// The value of a name without a part; nil if it needs one.
    static func absent(_ options: FormDataDecoder) -> Self?

    func encoded(_ options: FormDataEncoder) throws(CodingProblem) -> EncodedValue
}

extension FormLeaf {
    static var special: SpecialType { .leaf(Self.self) }

    static func absent(_ options: FormDataDecoder) -> Self? { nil }
}

extension Optional: FormSpecial {
    static var special: SpecialType { .optional(Wrapped.self) }
}

extension Dictionary: FormSpecial {
    static var special: SpecialType {
        if Key.self == String.self { return .dictionary(identity: nil) }
        if Key.self == Int.self { return .dictionary { $0.intValue } }
        guard #available(macOS 12.3, iOS 15.4, tvOS 15.4, watchOS 8.5, visionOS 1, *),
            let type = Key.self as? any CodingKeyRepresentable.Type
        else { return .dictionary(identity: nil) }
        return .dictionary { type.init(codingKey: $0) as? AnyHashable }
    }
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
        let bytes = text.utf8.span
        for word in part.options.boolDecoding.words where bytes.count == word.text.utf8CodeUnitCount {
            if ASCII.matches(bytes, 0..<bytes.count, word.text) { return word.value }
        }
        throw text.problem
    }

    static func absent(_ options: FormDataDecoder) -> Bool? { options.absentBoolsAreFalse ? false : nil }

    func encoded(_ options: FormDataEncoder) -> EncodedValue {
        .text(options.boolEncoding.isNumeric ? self ? "1" : "0" : self ? "true" : "false")
    }
}

extension Data: FormLeaf {
    static func read(_ part: DecodedPart) throws(CodingProblem) -> Data {
        guard !part.isNoFile else { throw CodingProblem(.noFile) }
        switch part.options.dataDecoding.kind {
        case .contents:
            return try part.data()
        case .base64:
            guard let data = Data(base64Encoded: try part.data()) else { throw CodingProblem(.invalidValue) }
            return data
        case .custom(let decode):
            let text = try part.text(try part.data()).string()
            return try CodingProblem.wrap(.invalidValue) { try decode(text) }
        }
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

extension CodingProblem {
    /// Calls `body`; what it throws becomes the underlying error of a problem.
    static func wrap<Value>(_ code: FormDataCodingIssue.Code, _ body: () throws -> Value) throws(CodingProblem) -> Value
    {
        do {
            return try body()
        } catch let problem as CodingProblem {
            throw problem
        } catch {
            throw CodingProblem(code, underlying: error)
        }
    }
}
