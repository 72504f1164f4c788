/// Encodes keys and their values to a node.
///
/// The generic `encode` method for types that conform to `SinglePartValue` implements the protocol's `encode` methods
/// for `Bool`, `String` and numbers of up to 64 bits.
struct FormKeyedEncodingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    private let encoding: FormEncoding
    private let node: EncodedNode
    private let path: CodingPath?
    private let isDictionary: Bool

    init(_ encoder: FormNodeEncoder, isDictionary: Bool) {
        encoding = encoder.encoding
        node = encoder.node
        path = encoder.path
        self.isDictionary = isDictionary
        if !node.become(.keyed) {
            encoding.fail(encoding.error(CodingReason(ErrorCode.unencodable), [String: Any](), at: path))
        }
    }

    var codingPath: [any CodingKey] { path.keys }

    /// Returns the spelling of a key in a name. Within JSON, returns the key unchanged.
    ///
    /// Throws if a name cannot contain the key, or if the key's value is nested too deep.
    private func spelling(of key: some CodingKey, for value: @autoclosure () -> Any) throws -> String {
        try encoding.checkDepth(value(), at: path, node.depth)
        guard !node.isJSON else { return key.stringValue }
        let spelling = isDictionary ? key.stringValue : encoding.options.keyEncoding.name(of: key.stringValue)
        guard encoding.options.keyPathEncoding.grammar.canHold(spelling) else {
            let text = spelling.isEmpty ? "key is empty" : "key has a character that no key may have, such as a bracket"
            throw encoding.error(
                CodingReason(ErrorCode.invalidKey, text),
                value(),
                at: CodingPath(key, spelling, in: path)
            )
        }
        return spelling
    }

    /// Appends a value for a key.
    ///
    /// If a dictionary has nil for the key and the option `nilEncoding` creates no part for nil, omits the key. Each
    /// appended key of a dictionary needs a part, so a nil without a part would be an error.
    private func append(_ value: EncodedValue, _ key: some CodingKey, _ spelling: String) {
        if isDictionary, case .nothing = value { return }
        node.append(value, key, spelling, isDictionary ? .dictionary : .value)
    }

    func encodeNil(forKey key: Key) throws {
        let spelling = try spelling(of: key, for: Any?.none as Any)
        append(node.isJSON ? .null : encoding.encodedNil, key, spelling)
    }

    func encode<T: Encodable & SinglePartValue>(_ value: T, forKey key: Key) throws {
        try encodeRequired(value, key)
    }

    func encodeRequired<T: Encodable & SinglePartValue>(_ value: T, _ key: Key) throws {
        let spelling = try spelling(of: key, for: value)
        guard !node.isJSON else { return append(.unencoded(value), key, spelling) }
        let encoded = try encoding.encoded(leaf: value, at: CodingPath(key, spelling, in: path))
        append(.single(encoded), key, spelling)
    }

    func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        let spelling = try spelling(of: key, for: value)
        guard !node.isJSON else { return append(.unencoded(value), key, spelling) }
        let child = CodingPath(key, spelling, in: path)
        append(try encoding.encoded(value, at: child, depth: node.depth + 1), key, spelling)
    }

    func encodeLeaf<T: Encodable & SinglePartValue>(_ value: T?, _ key: Key) throws {
        if let value { try encodeRequired(value, key) } else { try encodeNil(forKey: key) }
    }

    func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) } else { try encodeNil(forKey: key) }
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        nested(key, .container).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        nested(key, .container).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { nested(TextKey("super"), .value) }

    func superEncoder(forKey key: Key) -> any Encoder { nested(key, .value) }

    /// Appends a member for a key. Returns the encoder for the member's value. The caller may encode the value later.
    private func nested(_ key: some CodingKey, _ owner: EncodedNode.Owner) -> FormNodeEncoder {
        do {
            let spelling = try spelling(of: key, for: [String: Any]())
            let child = node.child(key, spelling, owner, isJSON: encoding.writesJSON)
            return FormNodeEncoder(encoding, child, CodingPath(key, spelling, in: path))
        } catch {
            encoding.fail(error)
            return FormNodeEncoder(encoding, EncodedNode(depth: node.depth + 1, isJSON: encoding.writesJSON), path)
        }
    }
}

// These methods replace default implementations of the standard library:
// - The default `encodeIfPresent` omits nil.
// - The default `encode` throws for integers of 128 bits.
extension FormKeyedEncodingContainer {
    func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try encodeLeaf(value, key) }
    func encodeIfPresent(_ value: String?, forKey key: Key) throws { try encodeLeaf(value, key) }
    func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try encodeLeaf(value, key) }
    func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try encodeLeaf(value, key) }
    func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try encodeLeaf(value, key) }
    func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try encodeLeaf(value, key) }
    func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try encodeLeaf(value, key) }
    func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try encodeLeaf(value, key) }
    func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try encodeLeaf(value, key) }
    func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try encodeLeaf(value, key) }
    func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try encodeLeaf(value, key) }
    func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try encodeLeaf(value, key) }
    func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try encodeLeaf(value, key) }
    func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try encodeLeaf(value, key) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encodeIfPresent(_ value: Int128?, forKey key: Key) throws { try encodeLeaf(value, key) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encodeIfPresent(_ value: UInt128?, forKey key: Key) throws { try encodeLeaf(value, key) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: Int128, forKey key: Key) throws { try encodeRequired(value, key) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: UInt128, forKey key: Key) throws { try encodeRequired(value, key) }
}
