/// The values under a node of a form's names, by key.
///
/// The generic methods are those of all types: the compiler prefers the one for parts where it knows the type.
struct KeyedDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let form: DecodedForm
    private let path: CodingPath?
    /// Nil where nothing has the name.
    private let node: NameTree.Index?
    /// What a dictionary makes of a key, if not its text.
    private let identity: ((any CodingKey) -> AnyHashable?)?

    init(
        _ form: DecodedForm,
        _ path: CodingPath?,
        _ node: NameTree.Index?,
        _ identity: ((any CodingKey) -> AnyHashable?)?
    ) {
        self.form = form
        self.path = path
        self.node = node
        self.identity = identity
    }

    var codingPath: [any CodingKey] { path.keys }

    private var isDictionary: Bool { Key.self == DictionaryKey.type }

    private func name(of key: some CodingKey) -> String {
        isDictionary ? key.stringValue : form.options.keyEncoding.name(of: key.stringValue)
    }

    /// The keys in the order of their arrival. Those that a type takes for the same are an error of the next call.
    var allKeys: [Key] {
        guard let node else { return [] }
        var result: [Key] = []
        var children: [NameTree.Index] = []
        var isASCII = true
        for child in form.tree.children(of: node) {
            let name = form.tree.key(of: child)
            guard let key = key(of: name) else { continue }
            result.append(key)
            children.append(child)
            isASCII = isASCII && form.tree.isASCII(child)
        }
        // Texts of ASCII that differ are different strings.
        var texts: Set<String> = [], identities: Set<AnyHashable> = []
        for (key, child) in zip(result, children) where !isASCII || identity != nil {
            let isNew = texts.insert(key.stringValue).inserted
            let isNewKey = identity?(key).map { identities.insert($0).inserted } ?? true
            if !isNew || !isNewKey { form.markCollision(in: node, at: child) }
        }
        return result
    }

    private func key(of name: String) -> Key? {
        guard !isDictionary else { return Key(stringValue: name) }
        for text in form.options.keyEncoding.keys(of: name) {
            guard let key = Key(stringValue: text) else { continue }
            if self.name(of: key).utf8.elementsEqual(name.utf8) { return key }
        }
        return nil
    }

    private func place(of key: some CodingKey, _ name: String) throws -> DecodedForm.Place {
        guard let node else { return .absent }
        if let child = form.collision(in: node) {
            throw form.error(CodingProblem(.duplicateName), [String: Any].self, at: path, .node(child))
        }
        return form.child(of: node, name)
    }

    private func decoder(_ key: some CodingKey) throws -> NodeDecoder {
        let name = name(of: key)
        return NodeDecoder(form, CodingPath(key, name, in: path), try place(of: key, name))
    }

    func contains(_ key: Key) -> Bool {
        guard let node, case .node = form.child(of: node, name(of: key)) else { return false }
        return true
    }

    func decodeNil(forKey key: Key) throws -> Bool {
        form.isNil(try place(of: key, name(of: key)), for: Int.self)
    }

    func decode<T: Decodable & FormLeaf>(_ type: T.Type, forKey key: Key) throws -> T {
        try decodeRequired(type, key)
    }

    func decodeRequired<T: FormLeaf>(_ type: T.Type, _ key: Key) throws -> T {
        let name = name(of: key)
        let place = try place(of: key, name)
        return try leaf(type, key, name, place)
    }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try decoder(key).value(type)
    }

    func decodeLeaf<T: FormLeaf>(_ type: T.Type, _ key: Key) throws -> T? {
        let name = name(of: key)
        let place = try place(of: key, name)
        return form.isNil(place, for: type) ? nil : try leaf(type, key, name, place)
    }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        let decoder = try decoder(key)
        return form.isNil(decoder.place, for: type) ? nil : try decoder.value(type)
    }

    /// Decodes a part without a path, which only an error needs.
    private func leaf<T: FormLeaf>(_ type: T.Type, _ key: Key, _ name: String, _ place: DecodedForm.Place) throws -> T {
        if case .absent = place, let value = type.absent(form.options) { return value }
        return try form.read(type, at: CodingPath(key, name, in: path), place)
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
