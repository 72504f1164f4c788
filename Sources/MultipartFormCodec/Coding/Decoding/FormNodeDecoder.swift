/// Decodes one value of a form. An `any Decoder` stores this small struct inline, without an allocation.
struct FormNodeDecoder: Decoder, SingleValueDecodingContainer {
    /// What the methods that create containers need to know about the decoded type.
    enum Hint {
        case none
        /// A dictionary. ``ReceivedForm/dictionaryType`` is its type.
        case isDictionary
        /// An array of files.
        case isArrayOfFiles
        /// An array whose elements are parts of any kind, such as `[BodyPart]`. Used only if the key path encoding is
        /// `.json`, where most other arrays are JSON.
        case isArrayOfParts
    }

    let form: ReceivedForm
    let path: CodingPath?
    let value: ReceivedForm.Value
    private var hint = Hint.none
    /// The number of levels from the root to the value. Each of these is a level:
    /// - a key
    /// - an array element
    /// - a value, such as a struct, that another type decodes from a single-value container (see
    ///   ``TypeKind/countsInPlace``)
    private let depth: UInt8

    init(_ form: ReceivedForm, _ path: CodingPath?, _ value: ReceivedForm.Value, depth: UInt8 = 0) {
        self.form = form
        self.path = path
        self.value = value
        self.depth = depth
    }

    var codingPath: [any CodingKey] { path.keys }
    var userInfo: [CodingUserInfoKey: Any] { form.userInfo }

    /// Whether the decoder reads keys and elements from JSON. True if the key path encoding is `.json` and the value is
    /// not the root.
    ///
    /// An array of parts is never JSON. The property does not check for such an array, but `decoded` and
    /// `unkeyedContainer` do.
    private var isJSON: Bool { form.readsJSON && path != nil }

    /// Decodes the value as `type`.
    ///
    /// `inPlace` is true if another type decodes the value from a single-value container. Each level of a nested value
    /// adds a stack frame of this method, so the frame is kept small.
    func decoded<T: Decodable>(_ type: T.Type, inPlace: Bool = false) throws -> T {
        let kind = TypeKind(decoding: type)
        if let part = try decodedPart(kind, inPlace: inPlace), let value = part as? T { return value }
        // If an optional would read the value as nil, the value is not decoded as JSON. The type may be a wrapper of an
        // optional, so it decodes the value itself.
        if isJSON, !kind.isArrayOfParts, !form.isNil(value, for: nil) { return try decodedJSON(type) }
        let decoder = try decoder(kind, inPlace: inPlace)
        do {
            return try T(from: decoder)
        } catch {
            throw form.located(error, type, at: path, value)
        }
    }

    /// Decodes the value if its type is a leaf such as `Int`, a part type such as ``FormFile``, or an optional. Returns
    /// nil for any other type.
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

    /// Decodes the value as an optional of `type`.
    func decodedOptional<T: Decodable>(_ type: T.Type, inPlace: Bool) throws -> T? {
        form.isNil(value, for: type) ? nil : try decoded(type, inPlace: inPlace)
    }

    /// Returns the decoder to pass to a type's `init(from:)`.
    private func decoder(_ kind: TypeKind, inPlace: Bool) throws -> FormNodeDecoder {
        var decoder = inPlace && kind.countsInPlace ? try child(path, value) : self
        switch kind {
        case .dictionary(let type):
            decoder.hint = .isDictionary
            form.dictionaryType = type
        case .array(let element):
            let expectsFile = TypeKind(decoding: element).expectsFile
            decoder.hint = expectsFile ? .isArrayOfFiles : isJSON && kind.isArrayOfParts ? .isArrayOfParts : .none
        case .leaf, .part, .optional, .other: decoder.hint = .none
        }
        return decoder
    }

    /// Returns a decoder for a value that is one level deeper. Throws if the value is nested too deep, or if the
    /// ``DecodingBudget`` is exceeded.
    func child(_ path: CodingPath?, _ value: ReceivedForm.Value) throws -> FormNodeDecoder {
        try locatingReasons(of: Any.self) { () throws(CodingReason) in
            guard depth < form.options.depthLimit else {
                throw CodingReason(ErrorCode.tooDeep, limit: form.options.depthLimit)
            }
            try form.spend(1)
        }
        return FormNodeDecoder(form, path, value, depth: depth + 1)
    }

    // Decoding values that are one part.

    /// Decodes a leaf, which is a text, a number or any other `SinglePartValue`.
    func decodeLeaf<T: SinglePartValue>(_ type: T.Type) throws -> T {
        try form.decodeLeaf(type, at: path, value)
    }

    func decodePart<T: FormPartDecodable>(_ type: T.Type) throws -> T {
        let part = try locatingReasons(of: type) { () throws(CodingReason) in
            try form.singlePart(of: value).bodyPart(for: type)
        }
        do {
            let result = try T(formPart: part)
            form.markRead(value)
            return result
        } catch {
            throw form.located(error, type, at: path, value)
        }
    }

    /// Decodes a type whose part always contains JSON, such as ``FormJSON``.
    private func decodeJSONPart<T: JSONPartDecodable>(_ type: T.Type) throws -> T {
        try decodeJSON(type, isField: false) { try T($0, by: form.jsonDecoder) }
    }

    /// Passes the JSON in the value's part to `body`, and returns the result of `body`.
    ///
    /// `isField` is false for a type that is always JSON, such as ``FormJSON``. `isField` is true for any other type,
    /// which is JSON only because the key path encoding is `.json`.
    ///
    /// If `body` throws a `DecodingError`, throws a new error with the `DecodingError` as its
    /// ``MultipartError/underlyingError``. Rethrows any other error of `body`.
    private func decodeJSON<Value>(
        _ type: Any.Type,
        isField: Bool,
        _ body: (JSONText) throws -> Value
    ) throws -> Value {
        let data = try locatingReasons(of: type) { () throws(CodingReason) in
            if isField { try form.checkStyle(value) }
            return try form.singlePartToRead(of: value).json(isTranscoded: isField)
        }
        do {
            let result = try body(JSONText(data: data))
            form.markRead(value)
            return result
        } catch let error as DecodingError {
            throw self.error(CodingReason(.invalidValue, underlyingError: error), type)
        }
    }

    /// Decodes a type from JSON in a field. Called only if the key path encoding is `.json`.
    private func decodedJSON<T: Decodable>(_ type: T.Type) throws -> T {
        try decodeJSON(type, isField: true) { try $0.decodedField(type, by: form.jsonDecoder) }
    }

    /// Calls `body`. If `body` throws a `CodingReason`, throws a `DecodingError` with this reason and this decoder's
    /// coding path instead.
    private func locatingReasons<T>(of type: Any.Type, _ body: () throws(CodingReason) -> T) throws -> T {
        do throws(CodingReason) {
            return try body()
        } catch {
            throw self.error(error, type)
        }
    }

    func spendOnMembers(of node: NameTree.Index) throws {
        try locatingReasons(of: Any.self) { () throws(CodingReason) in try form.spendOnMembers(of: node) }
    }

    /// Calls `body`, which decodes a value within the JSON in this decoder's part. If `body` throws an error, adds the
    /// part and the part's coding path to the error.
    func locatingJSON<T>(_ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch {
            throw form.locatedJSON(error, at: path, value)
        }
    }

    func error(_ reason: CodingReason, _ type: Any.Type) -> DecodingError {
        form.error(reason, type, at: path, value)
    }

    // Requirements of `Decoder`.

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard !isJSON else {
            return try decodeJSON([String: Any].self, isField: true) {
                try JSONNodeDecoder($0.decoder(by: form.jsonDecoder), self).container(keyedBy: type)
            }
        }
        let isDictionary = KeyTypeProbe.isDictionary(type)
        let node = try locatingReasons(of: [String: Any].self) { () throws(CodingReason) in
            let node = try form.nodeWithKeys(value)
            if isDictionary, let node { try form.spendOnMembers(of: node) }
            return node
        }
        if isDictionary, let node { try checkKeys(of: node, type) }
        return KeyedDecodingContainer(FormKeyedDecodingContainer(self, node, isDictionary: isDictionary))
    }

    /// Throws if a dictionary has two equal keys.
    private func checkKeys<Key: CodingKey>(of node: NameTree.Index, _ type: Key.Type) throws {
        let dictionary = hint == .isDictionary ? form.dictionaryType : nil
        guard let child = form.repeatedKey(of: node, as: type, in: dictionary) else { return }
        let reason = CodingReason(.duplicateName, "another name is the same key of the dictionary")
        throw form.error(reason, [String: Any].self, at: path, .node(child))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard !isJSON || hint == .isArrayOfFiles || hint == .isArrayOfParts else {
            return try decodeJSON([Any].self, isField: true) {
                try JSONNodeDecoder($0.decoder(by: form.jsonDecoder), self).unkeyedContainer()
            }
        }
        let elements = try locatingReasons(of: [Any].self) { () throws(CodingReason) in
            if case .node(let node) = value { try form.spendOnMembers(of: node) }
            return try form.elements(value, areFiles: hint == .isArrayOfFiles)
        }
        return FormUnkeyedDecodingContainer(self, elements)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    // Requirements of `SingleValueDecodingContainer`.

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
