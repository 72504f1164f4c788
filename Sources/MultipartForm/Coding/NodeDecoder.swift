/// Decodes the value at a place of a form. Small enough to be passed as any decoder without an allocation.
struct NodeDecoder: Decoder, SingleValueDecodingContainer {
    /// What is known of the type.
    enum Hint {
        case none
        /// It is an optional, which is nil.
        case isNil
        /// It is an optional, which is not nil.
        case isPresent
        /// It is a dictionary; the form knows which of its keys are the same.
        case isDictionary
    }

    let form: DecodedForm
    let path: CodingPath?
    let place: DecodedForm.Place
    private var hint = Hint.none

    init(_ form: DecodedForm, _ path: CodingPath?, _ place: DecodedForm.Place) {
        self.form = form
        self.path = path
        self.place = place
    }

    var codingPath: [any CodingKey] { path.keys }
    var userInfo: [CodingUserInfoKey: Any] { form.userInfo }

    /// Decodes a value of any type.
    func value<T: Decodable>(_ type: T.Type) throws -> T {
        var decoder = self
        decoder.hint = .none
        guard !form.isPlain(type) else { return try T(from: decoder) }
        if let type = type as? any FormPartDecodable.Type, let value = try part(type) as? T { return value }
        switch (type as? any FormSpecial.Type)?.special {
        case .leaf(let leaf):
            if let value = try self.leaf(leaf) as? T { return value }
        case .optional(let wrapped):
            decoder.hint = form.isNil(place, for: wrapped) ? .isNil : .isPresent
        case .dictionary(let identity):
            decoder.hint = .isDictionary
            form.keyIdentity = identity
        case nil:
            if !(type is any FormPartDecodable.Type) { form.markPlain(type) }
        }
        return try T(from: decoder)
    }

    /// Decodes the value of a single part.
    func leaf<T: FormLeaf>(_ type: T.Type) throws -> T {
        if case .absent = place, let value = type.absent(form.options) { return value }
        return try form.read(type, at: path, place)
    }

    private func part<T: FormPartDecodable>(_ type: T.Type) throws -> T {
        guard !type.requiresFile else { return try T(formPart: file(type)) }
        return try T(formPart: checked(type) { () throws(CodingProblem) in try form.part(place).whole })
    }

    /// The part of a file.
    func file(_ type: Any.Type) throws -> BodyPart {
        try checked(type) { () throws(CodingProblem) in
            let part = try form.part(place)
            try part.checkFile()
            return part.whole
        }
    }

    /// Calls `body`, whose problem becomes an error at this place.
    func checked<T>(_ type: Any.Type, _ body: () throws(CodingProblem) -> T) throws -> T {
        do throws(CodingProblem) {
            return try body()
        } catch {
            throw self.error(error, type)
        }
    }

    func error(_ problem: CodingProblem, _ type: Any.Type) -> DecodingError {
        form.error(problem, type, at: path, place)
    }

    // Decoder.

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        let identity = hint == .isDictionary ? form.keyIdentity : nil
        let node = try checked([String: Any].self) { () throws(CodingProblem) in
            try checkDepth()
            return try form.keyed(place)
        }
        return KeyedDecodingContainer(KeyedDecoding(form, path, node, identity))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let elements = try checked([Any].self) { () throws(CodingProblem) in
            try checkDepth()
            return try form.elements(place)
        }
        return UnkeyedDecoding(form, path, elements)
    }

    /// Fails where a type has needed itself too often: nothing has the name, so its names are not too deep.
    private func checkDepth() throws(CodingProblem) {
        guard path.depth <= form.options.maxDepth else { throw CodingProblem(.tooDeep) }
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    // SingleValueDecodingContainer.

    func decodeNil() -> Bool {
        switch hint {
        case .isNil: true
        case .isPresent: false
        // Without a type, as for any but a string.
        case .none, .isDictionary: form.isNil(place, for: Int.self)
        }
    }

    func decode<T: Decodable & FormLeaf>(_ type: T.Type) throws -> T { try leaf(type) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: Int128.Type) throws -> Int128 { try leaf(type) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: UInt128.Type) throws -> UInt128 { try leaf(type) }

    func decode<T: Decodable>(_ type: T.Type) throws -> T { try value(type) }
}
