/// Decodes the value at a place of a form. Small enough to be passed as any decoder without an allocation.
struct NodeDecoder: Decoder, SingleValueDecodingContainer {
    /// What is known of the type.
    enum Hint {
        case none
        /// It is an optional, which is nil.
        case isNil
        /// It is an optional, which is not nil.
        case isPresent
        /// It is a dictionary with integer keys.
        case hasIntegerKeys
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
        switch (type as? any FormSpecial.Type)?.special {
        case .leaf(let leaf):
            if let value = try self.leaf(leaf) as? T { return value }
        case .optional(let wrapped):
            decoder.hint = form.isNil(place, for: wrapped) ? .isNil : .isPresent
        case .dictionary(let hasIntegerKeys):
            if hasIntegerKeys { decoder.hint = .hasIntegerKeys }
        case nil:
            if let type = type as? any FormPartDecodable.Type, let value = try part(type) as? T { return value }
            // A type may need itself without end where nothing has the name.
            guard path.depth <= form.options.maxDepth else { throw error(CodingProblem(.tooDeep), type) }
        }
        return try T(from: decoder)
    }

    /// Decodes the value of a single part.
    func leaf<T: FormLeaf>(_ type: T.Type) throws -> T {
        if case .absent = place, let value = type.absent(form.options) { return value }
        return try checked(type) { () throws(CodingProblem) in try T.read(try form.part(place)) }
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
        let node = try checked([String: Any].self) { () throws(CodingProblem) in try form.keyed(place) }
        return KeyedDecodingContainer(KeyedDecoding(form, path, node, hasIntegerKeys: hint == .hasIntegerKeys))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let elements = try checked([Any].self) { () throws(CodingProblem) in try form.elements(place) }
        return UnkeyedDecoding(form, path, elements)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    // SingleValueDecodingContainer.

    func decodeNil() -> Bool {
        switch hint {
        case .isNil: true
        case .isPresent: false
        // Without a type, as for any but a string.
        case .none, .hasIntegerKeys: form.isNil(place, for: Int.self)
        }
    }

    func decode<T: Decodable & FormLeaf>(_ type: T.Type) throws -> T { try leaf(type) }

    func decode<T: Decodable>(_ type: T.Type) throws -> T { try value(type) }
}
