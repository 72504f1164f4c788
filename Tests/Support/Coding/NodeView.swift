internal import Foundation
internal import MultipartFormCodec

/// What a type sees of a name, whichever way it asks.
package struct NodeView: Decodable {
    /// A key of any text.
    package struct Key: CodingKey {
        package let stringValue: String
        package var intValue: Int? { nil }

        package init(stringValue: String) {
            self.stringValue = stringValue
        }

        package init?(intValue: Int) { nil }
    }

    /// The keys in order, or the code of the error.
    package let keys: Result<[String], Refusal>
    /// The number of elements.
    package let elements: Result<Int, Refusal>
    /// The content of the single part.
    package let value: Result<String, Refusal>
    /// The values of the keys.
    package let children: Result<[NodeView], Refusal>

    /// The code of an error.
    package struct Refusal: Error, Equatable {
        package let code: String

        package init(_ code: String) {
            self.code = code
        }

        init(_ error: any Error) {
            code = MultipartError(error)?.code.description ?? "\(error)"
        }
    }

    package init(from decoder: any Decoder) throws {
        func attempt<Value>(_ body: () throws -> Value) -> Result<Value, Refusal> {
            Result(catching: body).mapError(Refusal.init)
        }
        let keyed = attempt { try decoder.container(keyedBy: Key.self) }
        let keys = keyed.map(\.allKeys)
        self.keys = keys.map { $0.map(\.stringValue) }
        elements = attempt { try decoder.unkeyedContainer().count ?? -1 }
        value = attempt {
            let part = try decoder.singleValueContainer().decode(BodyPart.self)
            return String(decoding: try part.data(), as: UTF8.self)
        }
        children = attempt {
            let container = try keyed.get()
            return try keys.get().map { try container.decode(NodeView.self, forKey: $0) }
        }
    }
}
