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
    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any]

    /// Fails if a value is nested too deep to be encoded to JSON.
    static func check(_ value: some Encodable, _ userInfo: [CodingUserInfoKey: Any]) throws(CodingProblem) {
        let result = Result()
        // Other errors of the type are thrown again when it is encoded.
        try? value.encode(to: NestingProbe(result: result, depth: 0, codingPath: [], userInfo: userInfo))
        if result.isTooDeep { throw CodingProblem(.tooDeep) }
    }

    /// The type of the keys with which a value encodes itself; nil if it has none.
    static func keyType(of value: some Encodable) -> ObjectIdentifier? {
        let result = Result()
        try? value.encode(to: NestingProbe(result: result, depth: 0, codingPath: [], userInfo: [:]))
        return result.keyType
    }

    /// An encoder of a key or an element.
    fileprivate func child(_ key: some CodingKey) -> NestingProbe {
        NestingProbe(result: result, depth: depth + 1, codingPath: codingPath + [key], userInfo: userInfo)
    }

    /// Whether a value has others in it. Fails if it is too deep, `steps` below this encoder.
    fileprivate func isNested(_ type: Any.Type, steps: Int) throws -> Bool {
        guard depth + steps <= CodingPath.longest else {
            result.isTooDeep = true
            throw CodingProblem(.tooDeep)
        }
        if case .leaf = (type as? any HasCodingRole.Type)?.codingRole { return false }
        return true
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        result.keyType = result.keyType ?? ObjectIdentifier(type)
        return KeyedEncodingContainer(ProbedKeys(owner: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { ProbedElements(owner: self) }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    func encodeNil() {}

    func encode<T: Encodable>(_ value: T) throws {
        let step = CodingRole(T.self).isStep ? 1 : 0
        guard try isNested(T.self, steps: step) else { return }
        let probe = NestingProbe(result: result, depth: depth + step, codingPath: codingPath, userInfo: userInfo)
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
        guard try owner.isNested(T.self, steps: 1) else { return }
        try value.encode(to: owner.child(key))
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
        guard try owner.isNested(T.self, steps: 1) else { return count += 1 }
        try value.encode(to: next())
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
