/// The type of the keys by which the standard library encodes and decodes a dictionary; it has no public name.
enum DictionaryKey {
    static let type: Any.Type? = {
        let probe = Probe()
        try? ["": ""].encode(to: probe)
        return probe.keyType
    }()

    /// An encoder that looks at the type of the keys.
    private final class Probe: Encoder {
        private(set) var keyType: Any.Type?
        private var encoder: NodeEncoder { NodeEncoder(FormEncoding(FormDataEncoder()), EncodedNode(), nil) }

        let codingPath: [any CodingKey] = []
        let userInfo: [CodingUserInfoKey: Any] = [:]

        func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
            keyType = type
            return KeyedEncodingContainer(KeyedEncoding(encoder, isDictionary: true))
        }

        func unkeyedContainer() -> any UnkeyedEncodingContainer { encoder.unkeyedContainer() }

        func singleValueContainer() -> any SingleValueEncodingContainer { encoder }
    }
}
