/// Decodes values by key. The values are the children of one node in the form's ``NameTree``.
///
/// The generic `decode` method for types that conform to `SinglePartValue` implements the protocol's `decode` methods
/// for `Bool`, `String` and numbers of up to 64 bits.
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

    /// The type's keys that occur in the form, in the order of the parts. If reading the keys exceeds the
    /// ``DecodingBudget``, the array is empty, because the property cannot throw.
    var allKeys: [Key] {
        guard let node, (try? owner.spendOnMembers(of: node)) != nil else { return [] }
        return form.tree.children(of: node).compactMap { key(of: form.tree.key(of: $0)) }
    }

    /// Returns the type's key for a name in the form. Returns nil if the type has no key for the name.
    private func key(of name: String) -> Key? {
        guard !isDictionary else { return Key(stringValue: name) }
        return key(name, of: name) ?? form.options.keyEncoding.otherKey(of: name).flatMap { key($0, of: name) }
    }

    /// Returns the type's key whose text is `text`. Returns nil if the type has no such key, or if the key's spelling
    /// is not `name`.
    private func key(_ text: String, of name: String) -> Key? {
        guard let key = Key(stringValue: text), self.name(of: key).utf8.elementsEqual(name.utf8) else { return nil }
        return key
    }

    /// Returns the value of a key. Throws if no name can contain the key. The key `tags[]`, for instance, would be
    /// split.
    private func value(of key: some CodingKey, _ name: String) throws -> ReceivedForm.Value {
        let value = node.map { form.child(of: $0, name) } ?? .absent
        if case .node = value { return value }
        guard form.tree.canHaveChild(name) else {
            let reason = CodingReason(ErrorCode.invalidKey, "the style of the names would split the key")
            throw form.error(reason, Any.self, at: child(key, name), .absent)
        }
        return value
    }

    private func child(_ key: some CodingKey, _ name: String) -> CodingPath {
        CodingPath(key, name, in: path, isName: isDictionary)
    }

    private func decoder(_ key: some CodingKey) throws -> FormNodeDecoder {
        let name = name(of: key)
        return try owner.child(child(key, name), value(of: key, name))
    }

    /// Whether the form may have a value for a key.
    ///
    /// Also true if no name can contain the key, such as `tags[]`. The type then decodes the value, and gets an error.
    func contains(_ key: Key) -> Bool {
        let name = name(of: key)
        guard let value = try? value(of: key, name) else { return true }
        form.markRead(value, andAppended: true)
        return if case .absent = value { false } else { true }
    }

    func decodeNil(forKey key: Key) throws -> Bool {
        let name = name(of: key)
        let value = try value(of: key, name)
        form.markRead(value, andAppended: true)
        return form.isNil(value, for: nil)
    }

    func decode<T: Decodable & SinglePartValue>(_ type: T.Type, forKey key: Key) throws -> T {
        try decodeLeaf(type, key)
    }

    func decodeLeaf<T: SinglePartValue>(_ type: T.Type, _ key: Key) throws -> T {
        let name = name(of: key)
        return try form.decodeLeaf(type, at: child(key, name), value(of: key, name))
    }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try decoder(key).decoded(type)
    }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        let name = name(of: key)
        let value = try value(of: key, name)
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

    func superDecoder() throws -> any Decoder { try decoder(TextKey("super")) }

    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }
}

// These methods replace default implementations of the standard library:
// - The default `decodeIfPresent` calls `decodeNil`, which does not know the type and by default reads an empty field
//   as nil. For `Bool` and numbers, this is correct. For `String`, an empty field is an empty string.
// - The default `decode` throws for integers of 128 bits.
extension FormKeyedDecodingContainer {
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        let name = name(of: key)
        let value = try value(of: key, name)
        return form.isNil(value, for: type) ? nil : try form.decodeLeaf(type, at: child(key, name), value)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try decodeLeaf(type, key) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try decodeLeaf(type, key) }
}
