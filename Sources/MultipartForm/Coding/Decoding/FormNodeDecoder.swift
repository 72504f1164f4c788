/// Decodes one value of a form. It is small enough to become an `any Decoder` without an allocation.
struct FormNodeDecoder: Decoder, SingleValueDecodingContainer {
    /// What the decoder knows about the type that is decoding itself.
    enum Hint {
        case none
        /// The type is the form's ``ReceivedForm/dictionaryType``.
        case isDictionary
        /// The type is an array of files.
        case isArrayOfFiles
        /// The type is an array of parts, which is never JSON.
        case isArrayOfParts
    }

    let form: ReceivedForm
    let path: CodingPath?
    let value: ReceivedForm.Value
    private var hint = Hint.none
    /// The number of levels from the root: keys, elements, and values that other values decode in place of themselves.
    private let depth: UInt8

    init(_ form: ReceivedForm, _ path: CodingPath?, _ value: ReceivedForm.Value, depth: UInt8 = 0) {
        self.form = form
        self.path = path
        self.value = value
        self.depth = depth
    }

    var codingPath: [any CodingKey] { path.keys }
    var userInfo: [CodingUserInfoKey: Any] { form.userInfo }

    /// Whether this value is JSON if its type is not one part.
    private var isJSON: Bool { form.readsJSON && path != nil }

    /// Decodes the value as any type. `inPlace` is true if another type decodes this one in place of itself, from a
    /// single-value container.
    ///
    /// Nested values nest calls of this method, so its stack frame is kept small.
    func decoded<T: Decodable>(_ type: T.Type, inPlace: Bool = false) throws -> T {
        let kind = form.kind(of: type)
        if let part = try decodedPart(kind, inPlace: inPlace), let value = part as? T { return value }
        if isJSON, !kind.isArrayOfParts { return try decodedJSON(type) }
        return try T(from: try prepared(kind, inPlace: inPlace))
    }

    /// The value of a type that is one part, or of an optional; nil for any other type.
    private func decodedPart(_ kind: TypeKind, inPlace: Bool) throws -> Any? {
        switch kind {
        case .leaf(let type): return try decodeLeaf(type)
        case .part(let type as any FormPartDecodable.Type): return try decodePart(type)
        case .part(let type as any JSONPartDecodable.Type): return try decodeJSONPart(type)
        case .optional(let type as any Decodable.Type):
            let value: Any = try decodedOptional(type, inPlace: inPlace) as Any
            return value
        case .part, .optional, .dictionary, .array, .other: return nil
        }
    }

    /// Decodes an optional of a type.
    func decodedOptional<T: Decodable>(_ type: T.Type, inPlace: Bool = false) throws -> T? {
        form.isNil(value, for: type) ? nil : try decoded(type, inPlace: inPlace)
    }

    /// The decoder for a type that decodes itself. Throws if the value is too deep.
    private func prepared(_ kind: TypeKind, inPlace: Bool) throws -> FormNodeDecoder {
        try spend()
        var decoder = inPlace && kind.countsInPlace ? try child(path, value) : self
        switch kind {
        case .dictionary(let type):
            decoder.hint = .isDictionary
            form.dictionaryType = type
        case .array(let element):
            let expectsFile = form.kind(of: element).expectsFile
            decoder.hint = expectsFile ? .isArrayOfFiles : isJSON ? .isArrayOfParts : .none
        case .leaf, .part, .optional, .other: decoder.hint = .none
        }
        return decoder
    }

    /// A decoder that is one level deeper. Throws if that is too deep.
    func child(_ path: CodingPath?, _ value: ReceivedForm.Value) throws -> FormNodeDecoder {
        guard depth < form.options.depthLimit else { throw error(CodingReason(CodingCode.tooDeep), Any.self) }
        return FormNodeDecoder(form, path, value, depth: depth + 1)
    }

    // Single values.

    /// Decodes a leaf: a text, a number or another value that is one part.
    func decodeLeaf<T: SinglePartValue>(_ type: T.Type) throws -> T {
        try form.decodeLeaf(type, at: path, value)
    }

    /// Decodes a type that is made from the part itself.
    func decodePart<T: FormPartDecodable>(_ type: T.Type) throws -> T {
        try spend()
        let part = try locatingReasons(of: type) { () throws(CodingReason) in
            try form.singlePart(of: value).bodyPart(for: type)
        }
        let result = try T(formPart: part)
        form.markRead(value)
        return result
    }

    /// Decodes a type that is JSON in a part.
    private func decodeJSONPart<T: JSONPartDecodable>(_ type: T.Type) throws -> T {
        try decodeJSON(type, isField: false) { try T($0, by: form.jsonDecoder) }
    }

    /// Calls `body` with the JSON in the value's part. `isField` is true if another key path encoding than `.json`
    /// would read several parts instead, one for each key or element. A `DecodingError` becomes the underlying error of
    /// an issue; any other error of a type passes unchanged.
    private func decodeJSON<Value>(
        _ type: Any.Type,
        isField: Bool,
        _ body: (JSONText) throws -> Value
    ) throws -> Value {
        try spend()
        let data = try locatingReasons(of: type) { () throws(CodingReason) in
            if isField { try form.checkStyle(value) }
            return try form.singlePart(of: value).json(isTranscoded: isField)
        }
        do {
            let result = try body(JSONText(data: data))
            form.markRead(value)
            return result
        } catch let error as DecodingError {
            throw self.error(CodingReason(.invalidValue, underlyingError: error), type)
        }
    }

    /// Decodes a type that is not one part from the JSON of a field.
    private func decodedJSON<T: Decodable>(_ type: T.Type) throws -> T {
        try decodeJSON(type, isField: true) { try $0.decodedField(type, by: form.jsonDecoder) }
    }

    func spend(_ cost: Int = 1) throws { try form.spend(cost, at: path, value) }

    /// Calls `body`. A `CodingReason` that it throws becomes a `DecodingError` with this decoder's path.
    private func locatingReasons<T>(of type: Any.Type, _ body: () throws(CodingReason) -> T) throws -> T {
        do throws(CodingReason) {
            return try body()
        } catch {
            throw self.error(error, type)
        }
    }

    func error(_ reason: CodingReason, _ type: Any.Type) -> DecodingError {
        form.error(reason, type, at: path, value)
    }

    // Decoder.

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard !isJSON else {
            return try decodeJSON([String: Any].self, isField: true) {
                try $0.decoder(by: form.jsonDecoder).container(keyedBy: type)
            }
        }
        try spend()
        let isDictionary = KeyTypeProbe.isDictionary(type)
        let node = try locatingReasons(of: [String: Any].self) { () throws(CodingReason) in
            try form.nodeWithKeys(value)
        }
        if isDictionary, let node { try checkKeys(of: node, type) }
        return KeyedDecodingContainer(FormKeyedDecodingContainer(self, node, isDictionary: isDictionary))
    }

    /// Throws if two keys of a dictionary are equal.
    private func checkKeys<Key: CodingKey>(of node: NameTree.Index, _ type: Key.Type) throws {
        let dictionary = hint == .isDictionary ? form.dictionaryType : nil
        guard let child = form.repeatedKey(of: node, as: type, in: dictionary) else { return }
        throw form.error(CodingReason(.duplicateName), [String: Any].self, at: path, .node(child))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard !isJSON || hint == .isArrayOfFiles || hint == .isArrayOfParts else {
            return try decodeJSON([Any].self, isField: true) {
                try $0.decoder(by: form.jsonDecoder).unkeyedContainer()
            }
        }
        try spend()
        let elements = try locatingReasons(of: [Any].self) { () throws(CodingReason) in
            try form.elements(value, areFiles: hint == .isArrayOfFiles)
        }
        try spend(elements.count)
        return FormUnkeyedDecodingContainer(self, elements)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    // SingleValueDecodingContainer.

    func decodeNil() -> Bool {
        form.markRead(value, andAppended: true)
        return form.isNil(value, for: nil)
    }

    func decode<T: Decodable & SinglePartValue>(_ type: T.Type) throws -> T { try decodeLeaf(type) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: Int128.Type) throws -> Int128 { try decodeLeaf(type) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: UInt128.Type) throws -> UInt128 { try decodeLeaf(type) }

    func decode<T: Decodable>(_ type: T.Type) throws -> T { try decoded(type, inPlace: true) }
}
