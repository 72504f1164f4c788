/// Encodes the elements of an array to a node.
struct FormUnkeyedEncodingContainer: UnkeyedEncodingContainer {
    private let encoding: FormEncoding
    private let node: EncodedNode
    private let path: CodingPath?

    init(_ encoding: FormEncoding, _ node: EncodedNode, _ path: CodingPath?) {
        self.encoding = encoding
        self.node = node
        self.path = path
        if !node.become(.array) {
            encoding.fail(encoding.error(CodingReason(ErrorCode.unencodable), [Any](), at: path))
        }
    }

    var codingPath: [any CodingKey] { path.keys }
    var count: Int { node.members.count }

    private var next: CodingPath { CodingPath(IndexKey(count), in: path) }

    func encodeNil() throws {
        try encoding.checkDepth(Any?.none as Any, at: path, node.depth)
        node.append(node.isJSON ? .null : encoding.encodedNil)
    }

    func encode<T: Encodable & SinglePartValue>(_ value: T) throws { try encodeLeaf(value) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: Int128) throws { try encodeLeaf(value) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: UInt128) throws { try encodeLeaf(value) }

    private func encodeLeaf(_ value: some Encodable & SinglePartValue) throws {
        try encoding.checkDepth(value, at: path, node.depth)
        guard !node.isJSON else { return node.append(.unencoded(value)) }
        node.append(.single(try encoding.encoded(leaf: value, at: next)))
    }

    func encode<T: Encodable>(_ value: T) throws {
        try encoding.checkDepth(value, at: path, node.depth)
        guard !node.isJSON else { return node.append(.unencoded(value)) }
        node.append(try encoding.encoded(value, at: next, depth: node.depth + 1))
    }

    func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
        nested().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }

    func superEncoder() -> any Encoder { nested() }

    /// Appends an element. Returns the encoder for the element. The caller may encode the element later.
    private func nested() -> FormNodeEncoder {
        let child = EncodedNode(depth: node.depth + 1, isJSON: node.isJSON)
        let path = next
        do {
            try encoding.checkDepth([Any](), at: self.path, node.depth)
        } catch {
            encoding.fail(error)
        }
        node.append(.container(child))
        return FormNodeEncoder(encoding, child, path)
    }
}
