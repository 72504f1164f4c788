/// Encodes values by key to a node.
///
/// The generic methods are those of all types: the compiler prefers the one for leaves where it knows the type.
struct KeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
    private let encoding: FormEncoding
    private let node: EncodedNode
    private let path: CodingPath?
    private let isDictionary: Bool

    init(_ encoder: NodeEncoder, isDictionary: Bool) {
        encoding = encoder.encoding
        node = encoder.node
        path = encoder.path
        self.isDictionary = isDictionary
        if !node.become(.keyed) {
            encoding.fail(encoding.error(CodingProblem(.unencodable), [String: Any](), at: path))
        }
    }

    var codingPath: [any CodingKey] { path.keys }

    /// A key as it stands in a name, if the name can hold it.
    private func text(of key: some CodingKey, for value: Any) throws -> String {
        try encoding.checkDepth(value, at: path)
        let text = isDictionary ? key.stringValue : encoding.options.keyEncoding.name(of: key.stringValue)
        guard encoding.options.keyPathEncoding.canHold(text) else {
            throw encoding.error(CodingProblem(.invalidKey), value, at: CodingPath(key, text, in: path))
        }
        return text
    }

    private func append(_ value: EncodedValue, _ key: some CodingKey, _ text: String) {
        node.append(value, key, text, isDictionary: isDictionary)
    }

    func encodeNil(forKey key: Key) throws {
        let text = try text(of: key, for: Any?.none as Any)
        append(encoding.encodedNil, key, text)
    }

    func encode<T: Encodable & FormLeaf>(_ value: T, forKey key: Key) throws {
        try encodeRequired(value, key)
    }

    @inline(__always)
    func encodeRequired<T: FormLeaf>(_ value: T, _ key: Key) throws {
        let text = try text(of: key, for: value)
        append(try encoding.encoded(leaf: value, at: CodingPath(key, text, in: path)), key, text)
    }

    func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        let text = try text(of: key, for: value)
        append(try encoding.encoded(value, at: CodingPath(key, text, in: path)), key, text)
    }

    func encodeLeaf<T: Encodable & FormLeaf>(_ value: T?, _ key: Key) throws {
        if let value { try encodeRequired(value, key) } else { try encodeNil(forKey: key) }
    }

    func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) } else { try encodeNil(forKey: key) }
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        nested(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        nested(key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { nested(TextKey("super")) }

    func superEncoder(forKey key: Key) -> any Encoder { nested(key) }

    /// An encoder of the value of a key, which may encode it later.
    private func nested(_ key: some CodingKey) -> NodeEncoder {
        let child = EncodedNode()
        do {
            let text = try text(of: key, for: [String: Any]())
            append(.container(child), key, text)
            return NodeEncoder(encoding, child, CodingPath(key, text, in: path))
        } catch {
            encoding.fail(error)
            return NodeEncoder(encoding, child, path)
        }
    }
}

extension FormDataEncoder.KeyPathEncoding {
    /// Whether a key can be read from a name that has it, and no quoted string changes it.
    func canHold(_ key: String) -> Bool {
        !key.isEmpty
            && key.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "["), UInt8(ascii: "]"), ASCII.quote: false
                case UInt8(ascii: "."): !usesDots
                default: !ASCII.isControl(byte)
                }
            }
    }
}
