#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Decodes one value of a form. Small enough to be passed as any decoder without an allocation.
struct FormNodeDecoder: Decoder, SingleValueDecodingContainer {
    /// What is known of the type that decodes itself.
    enum Hint {
        case none
        /// It is an optional, which is nil.
        case isNil
        /// It is an optional, which is not nil.
        case isPresent
        /// It is a dictionary; the form knows how it compares keys.
        case isDictionary
        /// It is an array of files.
        case isArrayOfFiles
        /// It is a UUID.
        case isIdentifier
    }

    let form: ReceivedForm
    let path: CodingPath?
    let value: ReceivedForm.Value
    private var hint = Hint.none
    /// The steps from the root: keys, elements, and values that replace others in single-value containers.
    private(set) var depth: UInt8

    init(_ form: ReceivedForm, _ path: CodingPath?, _ value: ReceivedForm.Value, depth: UInt8) {
        self.form = form
        self.path = path
        self.value = value
        self.depth = depth
    }

    var codingPath: [any CodingKey] { path.keys }
    var userInfo: [CodingUserInfoKey: Any] { isJSON ? form.jsonDecoder.userInfo : form.userInfo }

    /// Decodes the value as any type; with `isReplacement`, for another type in this decoder's single-value container.
    ///
    /// Nested values nest calls of this method, so its frame is kept small.
    func decoded<T: Decodable>(_ type: T.Type, isReplacement: Bool = false) throws -> T {
        let role = form.role(of: type)
        if let single = try decodedPart(type, role, isReplacement), let value = single as? T { return value }
        let decoder = try prepared(for: type, role, isReplacement)
        if case .absent = value, role.isStep { return try decoder.decodedAbsent(type) }
        do {
            let result = try isJSON ? decoder.decodedWithJSON(type, role) : T(from: decoder)
            try checkKeys(type)
            return result
        } catch {
            form.attempts.fail(decoder.attempt(type), at: path, error, isContainer: form.isContainer(value))
            throw error
        }
    }

    /// Fails if a type has asked for all keys, and for nothing after that, and has one key for two names.
    private func checkKeys(_ type: Any.Type) throws {
        guard case .node(let index) = value, let child = form.reportNewCollision(in: index) else { return }
        throw form.error(CodingProblem(.duplicateName), type, at: path, .node(child))
    }

    /// Decodes a type from nothing.
    private func decodedAbsent<T: Decodable>(_ type: T.Type) throws -> T {
        guard form.attempts.begin(type) else { throw error(CodingProblem(.missingValue), type) }
        defer { form.attempts.end() }
        return try T(from: self)
    }

    /// The value of a type that is one part, or of an optional that is nil unless its type asks for a container; nil
    /// for any other type.
    private func decodedPart(_ type: Any.Type, _ role: CodingRole, _ isReplacement: Bool) throws -> Any? {
        switch role {
        case .part(let type): return try decodePart(type)
        case .leaf(let type): return try decodeLeaf(type)
        case .optional(let wrapped):
            guard form.isNilUnlessContainer(value, for: wrapped) else { return nil }
            let decoder = isReplacement ? try replacement(type) : self
            return try (wrapped as? any Decodable.Type).map { try decoder.decodedAnyContainer($0) }
        case .dictionary, .collection, .identifier, .ordinary: return nil
        }
    }

    /// Decodes an optional of a type, if the value is nil unless the type decodes itself from several parts, or asks
    /// for what names of another style would be: nil whatever error it has otherwise.
    func decodedContainer<T: Decodable>(_ type: T.Type) throws -> T? {
        guard form.attempts.begin(type) else { return nil }
        defer { form.attempts.end() }
        // An error that is remembered comes without another attempt.
        let hasFailed = form.attempts.isContainer(attempt(type))
        form.forgetContainer(value)
        let result = Result { try decoded(type) }
        return hasFailed || form.isContainer(value) ? try result.get() : nil
    }

    /// As ``decodedContainer(_:)``, with the optional in `Any`.
    private func decodedAnyContainer<T: Decodable>(_ type: T.Type) throws -> Any { try decodedContainer(type) as Any }

    /// The decoder for a type that decodes itself. Fails if it has failed before, or the value is too deep.
    private func prepared(for type: Any.Type, _ role: CodingRole, _ isReplacement: Bool) throws -> FormNodeDecoder {
        var decoder = isReplacement && role.isStep ? try replacement(type) : self
        decoder.hint = .none
        switch role {
        case .optional(let wrapped): decoder.hint = form.isNil(value, for: wrapped) ? .isNil : .isPresent
        case .dictionary(let identity):
            decoder.hint = .isDictionary
            form.keyIdentity = identity
        case .collection(let element) where form.role(of: element).isFile: decoder.hint = .isArrayOfFiles
        case .identifier: decoder.hint = .isIdentifier
        case .part, .leaf, .collection, .ordinary: break
        }
        if let error = form.attempts.error(of: decoder.attempt(type), at: path) { throw error }
        return decoder
    }

    /// A decoder, a step deeper, of a type that replaces another one. Fails if that is too deep.
    private func replacement(_ type: Any.Type) throws -> FormNodeDecoder {
        guard depth < form.options.depthLimit else { throw error(CodingProblem(.tooDeep), type) }
        var decoder = self
        decoder.depth += 1
        return decoder
    }

    private func attempt(_ type: Any.Type) -> DecodingAttempts.Key {
        DecodingAttempts.Key(value: value, type: ObjectIdentifier(type), depth: depth)
    }

    private static let identifierLength = "00000000-0000-0000-0000-000000000000".utf8.count

    /// Decodes the value of a single part.
    func decodeLeaf<T: FormLeaf>(_ type: T.Type) throws -> T {
        let result = try form.read(type, at: path, value)
        // Foundation ignores a NUL after the characters of a UUID, with all that follows it. It refuses other texts
        // itself.
        if hint == .isIdentifier, let text = result as? String, text.utf8.count > Self.identifierLength {
            throw error(CodingProblem(.invalidValue), UUID.self)
        }
        return result
    }

    /// Decodes a type that is made from a part as it came.
    func decodePart<T: FormPartDecodable>(_ type: T.Type) throws -> T {
        let part = try locatingProblems(of: type) { () throws(CodingProblem) in
            let part = try form.part(of: value)
            if type.requiresFile { try part.checkFile() }
            return part.bodyPart
        }
        return try T(formPart: part)
    }

    /// Calls `body`; a problem that it throws becomes an error of this decoder.
    func locatingProblems<T>(of type: Any.Type, _ body: () throws(CodingProblem) -> T) throws -> T {
        do throws(CodingProblem) {
            return try body()
        } catch {
            throw self.error(error, type)
        }
    }

    func error(_ problem: CodingProblem, _ type: Any.Type) -> DecodingError {
        form.error(problem, type, at: path, value)
    }

    // Decoder.

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard !isJSON else { return try jsonContainer([String: Any].self) { try $0.container(keyedBy: type) } }
        let identity = hint == .isDictionary ? form.keyIdentity : Self.unknownIdentity
        let node = try locatingProblems(of: [String: Any].self) { () throws(CodingProblem) in
            try checkDepth()
            return try form.nodeWithKeys(value)
        }
        return KeyedDecodingContainer(FormKeyedDecodingContainer(self, node, identity))
    }

    /// How a dictionary compares keys that a type creates itself: as numbers, in case its keys are numbers.
    private static func unknownIdentity(_ key: any CodingKey) -> AnyHashable? { key.intValue }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard !isJSON else { return try jsonContainer([Any].self) { try $0.unkeyedContainer() } }
        let elements = try locatingProblems(of: [Any].self) { () throws(CodingProblem) in
            try checkDepth()
            return try form.elements(value, areFiles: hint == .isArrayOfFiles)
        }
        return FormUnkeyedDecodingContainer(self, elements)
    }

    /// Fails when a recursive type exceeds `maxDepth`; names that are too deep have failed before.
    private func checkDepth() throws(CodingProblem) {
        guard depth <= form.options.depthLimit else { throw CodingProblem(.tooDeep) }
    }

    /// A decoder of a key or an element of this one's value.
    func child(_ path: CodingPath, _ value: ReceivedForm.Value) -> FormNodeDecoder {
        FormNodeDecoder(form, path, value, depth: depth + 1)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    // SingleValueDecodingContainer.

    func decodeNil() -> Bool {
        switch hint {
        case .isNil: true
        case .isPresent: false
        // The type is unknown. Only String decides differently.
        case .none, .isDictionary, .isArrayOfFiles, .isIdentifier: form.isNil(value, for: Int.self)
        }
    }

    func decode<T: Decodable & FormLeaf>(_ type: T.Type) throws -> T { try decodeLeaf(type) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: Int128.Type) throws -> Int128 { try decodeLeaf(type) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: UInt128.Type) throws -> UInt128 { try decodeLeaf(type) }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        // An optional has counted the step already.
        try decoded(type, isReplacement: hint != .isPresent)
    }
}

// Values below the root that are JSON text, if the names of the form are not joined.
extension FormNodeDecoder {
    /// Whether keys or elements of the value are JSON.
    var isJSON: Bool { form.readsJSON && path != nil }

    /// Decodes a type from JSON if it has keys or elements, else from this decoder.
    func decodedWithJSON<T: Decodable>(_ type: T.Type, _ role: CodingRole) throws -> T {
        guard !role.isCollection else {
            return try json(type) { decoder, data in try decoder.decode(type, from: data) }
        }
        do {
            return try T(from: self)
        } catch let error as DecodingError {
            guard form.isJSON(value), FormDataCodingIssue(error) == nil else { throw error }
            throw self.error(ofJSON: error, type)
        }
    }

    /// The error of a value whose JSON could not be decoded: the containers of JSON do not know where that is.
    private func error(ofJSON error: DecodingError, _ type: Any.Type) -> DecodingError {
        self.error(CodingProblem(.invalidValue, underlyingError: error), type)
    }

    /// A container of the value's JSON.
    func jsonContainer<Container>(_ type: Any.Type, _ body: (any Decoder) throws -> Container) throws -> Container {
        let container = try json(type) { decoder, data in try body(decoder.decode(JSONNode.self, from: data).decoder) }
        form.markJSON(value)
        return container
    }

    private func json<Value>(_ type: Any.Type, _ body: (JSONDecoder, Data) throws -> Value) throws -> Value {
        let data = try locatingProblems(of: type) { () throws(CodingProblem) in
            if case .node(let index) = value { try form.checkContainer(index) }
            return try form.part(of: value).json(mayBeText: true)
        }
        return try decodingJSON(as: type) { try body(form.jsonDecoder, data) }
    }

    /// Calls `body`, which decodes the value's JSON. Errors of a type's own pass unchanged.
    func decodingJSON<Value>(as type: Any.Type, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as DecodingError {
            throw self.error(ofJSON: error, type)
        }
    }
}

/// The decoder of a JSON text. It outlives the call that creates it, as Foundation allows.
private struct JSONNode: Decodable {
    let decoder: any Decoder

    init(from decoder: any Decoder) {
        self.decoder = decoder
    }
}
