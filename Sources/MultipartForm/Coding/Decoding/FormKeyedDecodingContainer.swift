/// The values under a node of a form's names, by key.
///
/// The compiler prefers the `FormLeaf` overload.
struct FormKeyedDecodingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    /// The decoder of the value with the keys.
    private let owner: FormNodeDecoder
    /// Nil if nothing has the name.
    private let node: NameTree.Index?
    private let isDictionary: Bool
    /// How a dictionary compares keys; nil: as text.
    private let identity: ((any CodingKey) -> AnyHashable?)?

    init(_ owner: FormNodeDecoder, _ node: NameTree.Index?, _ identity: ((any CodingKey) -> AnyHashable?)?) {
        self.owner = owner
        self.node = node
        isDictionary = ObjectIdentifier(Key.self) == CodingRole.dictionaryKeys
        self.identity = isDictionary ? identity : nil
    }

    private var form: ReceivedForm { owner.form }
    private var path: CodingPath? { owner.path }

    var codingPath: [any CodingKey] { path.keys }

    private func name(of key: some CodingKey) -> String {
        isDictionary ? key.stringValue : form.options.keyEncoding.name(of: key.stringValue)
    }

    /// The keys in the order of their arrival. If the type maps two to one, the next call throws: this cannot.
    var allKeys: [Key] {
        guard let node else { return [] }
        var result: [Key] = []
        var children: [NameTree.Index] = []
        var isASCII = true
        for child in form.tree.children(of: node) {
            guard let key = key(of: form.tree.key(of: child)) else { continue }
            result.append(key)
            children.append(child)
            if isASCII { isASCII = form.tree.isASCII(child) }
        }
        // Different texts in ASCII are different strings.
        let repeatedText = isASCII ? nil : lastRepeated(result.map { $0.stringValue })
        let repeatedIdentity = identity.flatMap { lastRepeated(result.map($0)) }
        if let repeated = [repeatedText, repeatedIdentity].compactMap({ $0 }).max() {
            form.markCollision(in: node, at: children[repeated])
        }
        return result
    }

    /// The type's key for a name; nil if it has none.
    private func key(of name: String) -> Key? {
        guard !isDictionary else { return Key(stringValue: name) }
        for text in form.options.keyEncoding.keys(of: name) {
            guard let key = Key(stringValue: text) else { continue }
            if self.name(of: key).utf8.elementsEqual(name.utf8) { return key }
        }
        return nil
    }

    private func value(of key: some CodingKey, _ name: String) throws -> ReceivedForm.Value {
        guard let node else { return .absent }
        if let child = form.reportCollision(in: node) {
            throw form.error(CodingProblem(.duplicateName), [String: Any].self, at: path, .node(child))
        }
        return form.child(of: node, name)
    }

    private func decoder(_ key: some CodingKey) throws -> FormNodeDecoder {
        let name = name(of: key)
        return owner.child(child(key, name), try value(of: key, name))
    }

    private func child(_ key: some CodingKey, _ name: String) -> CodingPath {
        CodingPath(key, name, in: path, isName: isDictionary)
    }

    func contains(_ key: Key) -> Bool {
        guard let node, case .node = form.child(of: node, name(of: key)) else { return false }
        return true
    }

    func decodeNil(forKey key: Key) throws -> Bool {
        form.isNil(try value(of: key, name(of: key)), for: Int.self)
    }

    func decode<T: Decodable & FormLeaf>(_ type: T.Type, forKey key: Key) throws -> T {
        try decodeRequired(type, key)
    }

    func decodeRequired<T: FormLeaf>(_ type: T.Type, _ key: Key) throws -> T {
        let name = name(of: key)
        // The path is created only for an error.
        return try form.read(type, at: child(key, name), value(of: key, name))
    }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try decoder(key).decoded(type)
    }

    func decodeLeaf<T: FormLeaf>(_ type: T.Type, _ key: Key) throws -> T? {
        let name = name(of: key)
        let value = try value(of: key, name)
        return form.isNil(value, for: type) ? nil : try form.read(type, at: child(key, name), value)
    }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        let decoder = try decoder(key)
        guard !form.isNil(decoder.value, for: type) else { return nil }
        guard form.isNilUnlessContainer(decoder.value, for: type) else { return try decoder.decoded(type) }
        return try decoder.decodedContainer(type)
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

/// The index of the last key that is equal to one before it; nil if all differ.
private func lastRepeated<Key: Hashable>(_ keys: [Key?]) -> Int? {
    var found: Set<Key> = []
    found.reserveCapacity(keys.count)
    var result: Int?
    for (index, key) in keys.enumerated() {
        guard let key else { continue }
        let isNew = found.insert(key).inserted
        if !isNew { result = index }
    }
    return result
}

// The standard library's methods for these types call `decodeNil`, which does not know the type, and refuse integers of
// 128 bits.
extension FormKeyedDecodingContainer {
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try decodeLeaf(type, key) }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try decodeLeaf(type, key) }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try decodeLeaf(type, key) }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { try decodeLeaf(type, key) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try decodeLeaf(type, key) }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try decodeLeaf(type, key) }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try decodeLeaf(type, key) }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try decodeLeaf(type, key) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try decodeLeaf(type, key) }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try decodeLeaf(type, key) }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try decodeLeaf(type, key) }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try decodeLeaf(type, key) }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try decodeLeaf(type, key) }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try decodeLeaf(type, key) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? { try decodeLeaf(type, key) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? { try decodeLeaf(type, key) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try decodeRequired(type, key) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try decodeRequired(type, key) }
}
