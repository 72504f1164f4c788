/// Encodes one value to a node. An `any Encoder` stores this small struct inline, without an allocation.
struct FormNodeEncoder: Encoder, SingleValueEncodingContainer {
    let encoding: FormEncoding
    let node: EncodedNode
    let path: CodingPath?

    init(_ encoding: FormEncoding, _ node: EncodedNode, _ path: CodingPath?) {
        self.encoding = encoding
        self.node = node
        self.path = path
    }

    var codingPath: [any CodingKey] { path.keys }
    var userInfo: [CodingUserInfoKey: Any] { encoding.userInfo }

    /// Makes `value` the single value of the node. `value` is the encoded form of `source`. Throws an error about
    /// `source` if the node already has a value or is a container.
    private func encode(_ value: EncodedValue, of source: Any) throws {
        guard node.become(value) else { throw encoding.error(CodingReason(ErrorCode.unencodable), source, at: path) }
    }

    // Requirements of `Encoder`.

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(FormKeyedEncodingContainer(self, isDictionary: KeyTypeProbe.isDictionary(type)))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { FormUnkeyedEncodingContainer(encoding, node, path) }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    // Requirements of `SingleValueEncodingContainer`.

    func encodeNil() throws { try encode(node.isJSON ? .null : encoding.encodedNil, of: Any?.none as Any) }

    func encode<T: Encodable & SinglePartValue>(_ value: T) throws { try encodeLeaf(value) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: Int128) throws { try encodeLeaf(value) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: UInt128) throws { try encodeLeaf(value) }

    private func encodeLeaf(_ value: some Encodable & SinglePartValue) throws {
        guard !node.isJSON else { return try encode(.unencoded(value), of: value) }
        try encode(.single(try encoding.encoded(leaf: value, at: path)), of: value)
    }

    func encode<T: Encodable>(_ value: T) throws {
        guard !node.isJSON else { return try encode(.unencoded(value), of: value) }
        try encode(try encoding.encoded(value, at: path, depth: node.depth, inPlace: true), of: value)
    }
}
