/// Decodes values by key. The values are the children of one node in the form's ``NameTree``.
///
/// One generic `decode` method, for types that conform to `SinglePartValue`, implements all the protocol's `decode`
/// methods for `Bool`, `String` and numbers of up to 64 bits.
struct FormKeyedDecodingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let owner: FormNodeDecoder
    /// The node whose children this container decodes. Nil if the form has no part for the container.
    private let node: NameTree.Index?
    private let isDictionary: Bool

    init(_ owner: FormNodeDecoder, _ node: NameTree.Index?, isDictionary: Bool) {
        self.owner = owner
        self.node = node
        self.isDictionary = isDictionary
    }

    private var form: ReceivedForm { owner.form }
    private var path: CodingPath? { owner.path }

    var codingPath: [any CodingKey] { path.keys }

    private func name(of key: some CodingKey) -> String {
        isDictionary ? key.stringValue : form.options.keyEncoding.name(of: key.stringValue)
    }

    /// The type's keys that occur in the form, in the order of the parts. If the decoding budget is exceeded, the array
    /// is empty, because the property cannot throw.
    var allKeys: [Key] {
        guard let node, form.spendSilently(form.tree.nodes[Int(node)].children.count, at: path, .node(node)) else {
            return []
        }
        return form.tree.children(of: node).compactMap { key(of: form.tree.key(of: $0)) }
    }

    /// Returns the type's key for a name in the form. Returns nil if the type has no key for the name.
    private func key(of name: String) -> Key? {
        guard !isDictionary else { return Key(stringValue: name) }
        for text in form.options.keyEncoding.keys(of: name) {
            guard let key = Key(stringValue: text) else { continue }
            if self.name(of: key).utf8.elementsEqual(name.utf8) { return key }
        }
        return nil
    }

    private func value(_ name: String) -> ReceivedForm.Value {
        guard let node, let child = form.tree.child(of: node, name) else { return .absent }
        return .node(child)
    }

    private func child(_ key: some CodingKey, _ name: String) -> CodingPath {
        CodingPath(key, name, in: path, isName: isDictionary)
    }

    private func decoder(_ key: some CodingKey) throws -> FormNodeDecoder {
        let name = name(of: key)
        return try owner.child(child(key, name), value(name))
    }

    func contains(_ key: Key) -> Bool {
        let value = value(name(of: key))
        form.markRead(value, andAppended: true)
        return !form.isAbsent(value, for: Any.self)
    }

    func decodeNil(forKey key: Key) -> Bool {
        let value = value(name(of: key))
        form.markRead(value, andAppended: true)
        return form.isNil(value, for: nil)
    }

    func decode<T: Decodable & SinglePartValue>(_ type: T.Type, forKey key: Key) throws -> T {
        try decodeLeaf(type, key)
    }

    func decodeLeaf<T: SinglePartValue>(_ type: T.Type, _ key: Key) throws -> T {
        let name = name(of: key)
        return try form.decodeLeaf(type, at: child(key, name), value(name))
    }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try decoder(key).decoded(type)
    }

    func decodeOptionalLeaf<T: SinglePartValue>(_ type: T.Type, _ key: Key) throws -> T? {
        let name = name(of: key)
        let value = value(name)
        return form.isNil(value, for: type) ? nil : try form.decodeLeaf(type, at: child(key, name), value)
    }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        let name = name(of: key)
        let value = value(name)
        return form.isNil(value, for: type) ? nil : try owner.child(child(key, name), value).decoded(type)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try decoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { try superDecoder(TextKey("super")) }

    func superDecoder(forKey key: Key) throws -> any Decoder { try superDecoder(key) }

    private func superDecoder(_ key: some CodingKey) throws -> FormNodeDecoder {
        let decoder = try decoder(key)
        try decoder.spend()
        return decoder
    }
}

// These methods replace default implementations of the standard library:
// - The default `decodeIfPresent` calls `decodeNil`, which does not know the type.
// - The default `decode` throws for integers of 128 bits.
extension FormKeyedDecodingContainer {
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try decodeOptionalLeaf(type, key) }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try decodeOptionalLeaf(type, key) }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try decodeOptionalLeaf(type, key) }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { try decodeOptionalLeaf(type, key) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try decodeOptionalLeaf(type, key) }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try decodeOptionalLeaf(type, key) }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try decodeOptionalLeaf(type, key) }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try decodeOptionalLeaf(type, key) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try decodeOptionalLeaf(type, key) }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try decodeOptionalLeaf(type, key) }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try decodeOptionalLeaf(type, key) }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try decodeOptionalLeaf(type, key) }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try decodeOptionalLeaf(type, key) }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try decodeOptionalLeaf(type, key) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? { try decodeOptionalLeaf(type, key) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? { try decodeOptionalLeaf(type, key) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try decodeLeaf(type, key) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try decodeLeaf(type, key) }
}
