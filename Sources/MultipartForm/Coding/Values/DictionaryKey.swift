/// The type of the keys with which the standard library encodes and decodes a dictionary; it has no public name.
enum DictionaryKey {
    static let type: Any.Type? = {
        let probe = Probe()
        _ = try? [String: String](from: probe)
        return probe.keyType
    }()

    /// A decoder that records the type of the keys, and decodes nothing.
    private final class Probe: Decoder {
        private(set) var keyType: Any.Type?

        let codingPath: [any CodingKey] = []
        let userInfo: [CodingUserInfoKey: Any] = [:]

        func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
            keyType = type
            throw CodingProblem(.expectedKeys)
        }

        func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw CodingProblem(.expectedArray) }

        func singleValueContainer() throws -> any SingleValueDecodingContainer { throw CodingProblem(.expectedValue) }
    }
}
