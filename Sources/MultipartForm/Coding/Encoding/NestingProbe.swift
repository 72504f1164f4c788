/// An encoder that writes nothing, and fails if values are nested too deep. It also finds the type of a value's keys.
///
/// `JSONEncoder` has no limit, and the sender of a received value chooses how deep it is nested.
struct NestingProbe: Encoder, SingleValueEncodingContainer {
    /// Whether a value was too deep, even if its type caught that error.
    private final class Result {
        var isTooDeep = false
        /// The type of the keys that were used first.
        var keyType: ObjectIdentifier?
    }

    private let result: Result
    private let depth: Int
    /// Whether the value is an optional. It has counted the step of the value that it encodes in its place.
    private let isOptional: Bool
    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any]

    private init(
        _ result: Result,
        depth: Int,
        isOptional: Bool,
        _ codingPath: [any CodingKey],
        _ userInfo: [CodingUserInfoKey: Any]
    ) {
        self.result = result
        self.depth = depth
        self.isOptional = isOptional
        self.codingPath = codingPath
        self.userInfo = userInfo
    }

    /// Fails if a value is nested too deep to be encoded to JSON.
    static func check<T: Encodable>(_ value: T, _ userInfo: [CodingUserInfoKey: Any]) throws(CodingProblem) {
        let result = Result()
        let isOptional = T.self is any OptionalValue.Type
        // Other errors of the type are thrown again when it is encoded.
        try? value.encode(to: NestingProbe(result, depth: 0, isOptional: isOptional, [], userInfo))
        if result.isTooDeep { throw CodingProblem(.tooDeep) }
    }

    /// The type of the keys with which a value encodes itself; nil if it has none.
    static func keyType(of value: some Encodable) -> ObjectIdentifier? {
        let result = Result()
        try? value.encode(to: NestingProbe(result, depth: 0, isOptional: false, [], [:]))
        return result.keyType
    }

    /// An encoder of a key or an element.
    fileprivate func child(_ key: some CodingKey) -> NestingProbe { probe(steps: 1, codingPath + [key]) }

    /// An encoder of a key or an element whose value has a type; nil if no other value can be in it. Fails if it is too
    /// deep.
    fileprivate func checkedChild(_ key: some CodingKey, of type: Any.Type) throws -> NestingProbe? {
        try checkedProbe(of: type, steps: 1, codingPath + [key])
    }

    private func checkedProbe(
        of type: Any.Type,
        steps: Int,
        _ path: @autoclosure () -> [any CodingKey]
    ) throws -> NestingProbe? {
        guard depth + steps <= CodingPath.longest else {
            result.isTooDeep = true
            throw CodingProblem(.tooDeep)
        }
        switch (type as? any HasCodingRole.Type)?.codingRole {
        case .leaf?: return nil
        case .optional?: return probe(steps: steps, path(), isOptional: true)
        case .part?, .dictionary?, .collection?, .identifier?, .ordinary?, nil: return probe(steps: steps, path())
        }
    }

    private func probe(steps: Int, _ path: [any CodingKey], isOptional: Bool = false) -> NestingProbe {
        NestingProbe(result, depth: depth + steps, isOptional: isOptional, path, userInfo)
    }

    /// Remembers a container that is too deep, even if it stays empty.
    private func checkContainer() {
        if depth >= CodingPath.longest { result.isTooDeep = true }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        checkContainer()
        result.keyType = result.keyType ?? ObjectIdentifier(type)
        return KeyedEncodingContainer(ProbedKeys(owner: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        checkContainer()
        return ProbedElements(owner: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    func encodeNil() {}

    func encode<T: Encodable>(_ value: T) throws {
        let isStep = !isOptional && CodingRole(T.self).isStep
        guard let probe = try checkedProbe(of: T.self, steps: isStep ? 1 : 0, codingPath) else { return }
        try value.encode(to: probe)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: Int128) {}

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: UInt128) {}
}

private struct ProbedKeys<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let owner: NestingProbe

    var codingPath: [any CodingKey] { owner.codingPath }

    func encodeNil(forKey key: Key) {}

    func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        guard let child = try owner.checkedChild(key, of: T.self) else { return }
        try value.encode(to: child)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: Int128, forKey key: Key) {}

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: UInt128, forKey key: Key) {}

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        owner.child(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        owner.child(key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { owner.child(TextKey("super")) }

    func superEncoder(forKey key: Key) -> any Encoder { owner.child(key) }
}

private struct ProbedElements: UnkeyedEncodingContainer {
    let owner: NestingProbe
    private(set) var count = 0

    init(owner: NestingProbe) {
        self.owner = owner
    }

    var codingPath: [any CodingKey] { owner.codingPath }

    /// An encoder of the next element.
    private mutating func next() -> NestingProbe {
        defer { count += 1 }
        return owner.child(IndexKey(count))
    }

    mutating func encodeNil() { count += 1 }

    mutating func encode<T: Encodable>(_ value: T) throws {
        defer { count += 1 }
        guard let child = try owner.checkedChild(IndexKey(count), of: T.self) else { return }
        try value.encode(to: child)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func encode(_ value: Int128) { count += 1 }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func encode(_ value: UInt128) { count += 1 }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        next().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { next().unkeyedContainer() }

    mutating func superEncoder() -> any Encoder { next() }
}
