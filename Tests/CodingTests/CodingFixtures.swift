import Foundation
import MultipartFormCodec

struct User: Codable, Equatable {
    var name: String
    var age: Int
    var admin: Bool
}

struct Opt: Codable, Equatable {
    var nick: String?
    var n: Int?
}

struct Tags: Codable, Equatable {
    var tags: [String]
}

struct Address: Codable, Equatable {
    var street: String
    var zip: String
}

struct Home: Codable, Equatable {
    var address: Address
}

struct Item: Codable, Equatable {
    var id: Int
    var qty: Int
}

struct Cart: Codable, Equatable {
    var items: [Item]
}

struct Matrix: Codable, Equatable {
    var m: [[Int]]
}

/// A type of JSON, which another file makes a part.
struct CachedImage: Codable, Equatable {
    var title: String
    var pixels: Data
}

/// One value under the key `d`.
struct D<Value> {
    var d: Value
}

extension D: Encodable where Value: Encodable {}
extension D: Decodable where Value: Decodable {}
extension D: Equatable where Value: Equatable {}

enum Shape: Codable, Equatable {
    case circle(radius: Double)
    case dot
}

enum Color: String, Codable, CaseIterable {
    case red, green
}

/// A part of a form, as a row of a table writes it.
struct Part: ExpressibleByStringLiteral, Equatable, CustomStringConvertible {
    var name: String
    var content: Data
    var filename: String?
    var contentType: String?

    /// A field: `name=value`.
    init(stringLiteral text: String) {
        let pieces = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        name = String(pieces[0])
        content = Data(pieces.dropFirst().joined().utf8)
    }

    init(_ name: String, _ content: Data, filename: String? = nil, contentType: String? = nil) {
        self.name = name
        self.content = content
        self.filename = filename
        self.contentType = contentType
    }

    init(_ part: BodyPart) throws {
        self.init(part.name ?? "", try part.data(), filename: part.filename, contentType: part.contentType)
    }

    var description: String {
        let file = filename.map { "<\($0);\(contentType ?? "")>" } ?? contentType.map { "<\($0)>" } ?? ""
        return "\(name)\(file)=\(String(decoding: content, as: UTF8.self))"
    }

    var part: BodyPart {
        BodyPart(content, name: name, filename: filename, contentType: contentType)
    }
}

extension MultipartFormData {
    /// A form of parts that is received: encoded and parsed.
    init(receiving parts: [Part]) throws {
        self = try MultipartFormData(sending: parts).received
    }

    /// A form of parts in memory.
    init(sending parts: [Part]) {
        self.init()
        for part in parts { append(part.part) }
    }

    /// The form after a journey.
    var received: MultipartFormData {
        get throws { try MultipartFormData(parsing: encode(), contentType: contentType) }
    }

    var table: [Part] {
        get throws { try map(Part.init) }
    }
}

extension FormDataDecoder {
    /// Decodes parts, both as they were made and as they are received.
    func decode<T: Decodable>(_ type: T.Type, _ parts: Part...) throws -> T {
        let made = Result { try decode(type, from: MultipartFormData(sending: parts)) }
        let received = Result { try decode(type, from: MultipartFormData(receiving: parts)) }
        switch (made, received) {
        case (.success, .success(let value)): return value
        case (.failure(let error), .failure(let other)):
            guard Failure(error) == Failure(other) else { throw Difference(text: "\(error)\n\(other)") }
            throw error
        default: throw Difference(text: "\(made)\n\(received)")
        }
    }
}

struct Difference: Error {
    let text: String
}

extension FormDataEncoder {
    func parts(_ value: some Encodable) throws -> [Part] {
        try encode(value).table
    }
}

/// Options that differ from the defaults in one place.
func options<Coder>(_ coder: Coder, _ change: (inout Coder) -> Void) -> Coder {
    var coder = coder
    change(&coder)
    return coder
}

/// A coding error as the tables write it: its kind, its path and its code.
struct Failure: Equatable, CustomStringConvertible {
    enum Kind: Equatable {
        case keyNotFound(String), valueNotFound, typeMismatch, dataCorrupted, invalidValue
        case other(String)
    }

    var kind: Kind
    var path: [String] = []
    var code: MultipartError.Code?
    var cause: MultipartError?
    var text = ""

    init(_ kind: Kind, _ path: [String] = [], _ code: MultipartError.Code?) {
        self.kind = kind
        self.path = path
        self.code = code
    }

    init(_ error: any Error) {
        cause = MultipartError(error)
        code = cause?.code
        func take(_ kind: Kind, _ keys: [any CodingKey], _ text: String) {
            self.kind = kind
            path = keys.map(\.stringValue)
            self.text = text
        }
        kind = .other("\(error)")
        switch error {
        case DecodingError.keyNotFound(let key, let context):
            take(.keyNotFound(key.stringValue), context.codingPath, context.debugDescription)
        case DecodingError.valueNotFound(_, let context):
            take(.valueNotFound, context.codingPath, context.debugDescription)
        case DecodingError.typeMismatch(_, let context):
            take(.typeMismatch, context.codingPath, context.debugDescription)
        case DecodingError.dataCorrupted(let context):
            take(.dataCorrupted, context.codingPath, context.debugDescription)
        case EncodingError.invalidValue(_, let context):
            take(.invalidValue, context.codingPath, context.debugDescription)
        default: break
        }
    }

    static func == (left: Failure, right: Failure) -> Bool {
        left.kind == right.kind && left.path == right.path && left.code == right.code
    }

    var description: String { "\(kind) [\(path.joined(separator: ", "))] \(code?.description ?? "no code") \(text)" }

    /// What a call throws; nil if it returns.
    static func of<Value>(_ call: () throws -> Value) -> Failure? {
        do {
            _ = try call()
            return nil
        } catch {
            return Failure(error)
        }
    }
}

extension CodingUserInfoKey {
    /// The key with a name; every text is one.
    static func named(_ name: String) -> CodingUserInfoKey {
        guard let key = CodingUserInfoKey(rawValue: name) else { preconditionFailure("no key") }
        return key
    }
}
