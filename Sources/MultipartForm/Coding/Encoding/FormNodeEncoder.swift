#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Encodes one value to a node. Small enough to be passed as any encoder without an allocation.
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
    var userInfo: [CodingUserInfoKey: Any] { isJSON ? encoding.jsonEncoder.userInfo : encoding.userInfo }

    /// Whether keys or elements of the value are JSON.
    private var isJSON: Bool { encoding.writesJSON && path != nil }

    /// Encodes a single value, once.
    func encode(_ value: EncodedValue, of source: Any) throws {
        guard node.become(value) else { throw encoding.error(CodingProblem(.unencodable), source, at: path) }
    }

    // Encoder.

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        guard !isJSON else { return recorder().container(keyedBy: type) }
        if let leaf = Self.leaf(withKeys: type) {
            encoding.fail(encoding.error(CodingProblem.encodedItself(leaf), [String: Any](), at: path))
        }
        let isDictionary = ObjectIdentifier(type) == CodingRole.dictionaryKeys
        return KeyedEncodingContainer(FormKeyedEncodingContainer(self, isDictionary: isDictionary))
    }

    /// The keys with which single values of Foundation encode themselves for other encoders. They are Foundation's own.
    private static let decimalKeys = NestingProbe.keyType(of: Decimal(0))
    private static let urlKeys = NestingProbe.keyType(of: URL(fileURLWithPath: "/"))

    /// The type of a single value that encodes itself with such keys; nil for other keys.
    private static func leaf(withKeys type: Any.Type) -> Any.Type? {
        switch ObjectIdentifier(type) {
        case decimalKeys: Decimal.self
        case urlKeys: URL.self
        default: nil
        }
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        guard !isJSON else { return recorder().unkeyedContainer() }
        return FormUnkeyedEncodingContainer(encoding, node, path)
    }

    /// An encoder of the value as JSON; the same for each call.
    private func recorder() -> JSONRecorder {
        let record = node.record ?? JSONRecord()
        if node.record == nil, !node.become(.json(record)) {
            encoding.fail(encoding.error(CodingProblem(.unencodable), [String: Any](), at: path))
        }
        return JSONRecorder(record: record, codingPath: codingPath, userInfo: userInfo, encoding: encoding)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    // SingleValueEncodingContainer.

    func encodeNil() throws { try encode(encoding.encodedNil, of: Any?.none as Any) }

    func encode<T: Encodable & FormLeaf>(_ value: T) throws { try encodeLeaf(value) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: Int128) throws { try encodeLeaf(value) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: UInt128) throws { try encodeLeaf(value) }

    private func encodeLeaf(_ value: some FormLeaf) throws {
        try encode(try encoding.encoded(leaf: value, at: path), of: value)
    }

    func encode<T: Encodable>(_ value: T) throws {
        let isStep = CodingRole(T.self).isStep
        if isStep { try encoding.checkDepth(value, at: path, node.depth) }
        let depth = isStep ? node.depth + 1 : node.depth
        try encode(try encoding.encoded(value, at: path, depth: depth), of: value)
    }
}
