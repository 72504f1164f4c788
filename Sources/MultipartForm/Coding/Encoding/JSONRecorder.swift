/// Encodes to a record. Nothing is encoded further, so nothing nests here.
struct JSONRecorder: Encoder {
    let record: JSONRecord
    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any]
    /// The state of the encoding, for errors of calls that cannot throw.
    let encoding: FormEncoding

    /// A recorder of a key or an element, whose place is the next of this one.
    fileprivate func child(_ key: some CodingKey) -> JSONRecorder {
        let child = JSONRecord()
        record.append(child, key)
        return recorder(child, key)
    }

    /// A recorder of a nested container for a key; for the same key, it is the same.
    fileprivate func container(_ key: some CodingKey) -> JSONRecorder { recorder(record.container(key), key) }

    private func recorder(_ child: JSONRecord, _ key: some CodingKey) -> JSONRecorder {
        JSONRecorder(record: child, codingPath: codingPath + [key], userInfo: userInfo, encoding: encoding)
    }

    private func become(_ kind: EncodedNode.Kind) {
        guard !record.become(kind) else { return }
        encoding.fail(CodingProblem(.unencodable).encodingError(nil, nil, codingPath, nil))
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        become(.keyed)
        return KeyedEncodingContainer(RecordedKeys(owner: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        become(.array)
        return RecordedElements(owner: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { RecordedValue(owner: self) }

    /// Encodes a single value, once.
    fileprivate func encodeSingle(_ value: some Encodable) throws {
        guard record.become(.single) else {
            throw CodingProblem(.unencodable).encodingError(value, type(of: value), codingPath, nil)
        }
        record.append(value, IndexKey(0))
    }
}

/// What is encoded for nil.
private let null: Bool? = nil

private struct RecordedKeys<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let owner: JSONRecorder

    var codingPath: [any CodingKey] { owner.codingPath }

    func encodeNil(forKey key: Key) { owner.record.append(null, key) }

    func encode<T: Encodable>(_ value: T, forKey key: Key) { owner.record.append(value, key) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: Int128, forKey key: Key) { owner.record.append(value, key) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: UInt128, forKey key: Key) { owner.record.append(value, key) }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        owner.container(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        owner.container(key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { owner.child(TextKey("super")) }

    func superEncoder(forKey key: Key) -> any Encoder { owner.child(key) }
}

private struct RecordedElements: UnkeyedEncodingContainer {
    let owner: JSONRecorder

    var codingPath: [any CodingKey] { owner.codingPath }
    var count: Int { owner.record.count }

    private var next: IndexKey { IndexKey(count) }

    func encodeNil() { owner.record.append(null, next) }

    func encode<T: Encodable>(_ value: T) { owner.record.append(value, next) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: Int128) { owner.record.append(value, next) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: UInt128) { owner.record.append(value, next) }

    func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
        owner.child(next).container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { owner.child(next).unkeyedContainer() }

    func superEncoder() -> any Encoder { owner.child(next) }
}

private struct RecordedValue: SingleValueEncodingContainer {
    let owner: JSONRecorder

    var codingPath: [any CodingKey] { owner.codingPath }

    func encodeNil() throws { try owner.encodeSingle(null) }

    func encode<T: Encodable>(_ value: T) throws { try owner.encodeSingle(value) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: Int128) throws { try owner.encodeSingle(value) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: UInt128) throws { try owner.encodeSingle(value) }
}

/// A value below the root of a form, as it encoded itself so far, to be written as JSON.
///
/// A `JSONEncoder` encodes whole values only, and the value of a key may be encoded in steps: by a nested container, or
/// by the encoder of a superclass. So it is recorded first, one level of it: the values in it are encoded later, as
/// JSON.
final class JSONRecord: Encodable {
    private var kind = EncodedNode.Kind.nothing
    private var members: [(key: RecordedKey, value: any Encodable)] = []
    /// The records of nested containers, by key: a type that requests one again goes on with it.
    private var containers: [String: JSONRecord] = [:]

    init() {}

    /// A record of a whole value.
    init(_ value: some Encodable) {
        kind = .single
        append(value, IndexKey(0))
    }

    /// The number of elements.
    var count: Int { members.count }

    /// Makes this a kind of container, or a single value; false if it is something else.
    func become(_ kind: EncodedNode.Kind) -> Bool {
        guard self.kind == .nothing || (self.kind == kind && kind != .single) else { return false }
        self.kind = kind
        return true
    }

    func append(_ value: any Encodable, _ key: some CodingKey) {
        members.append((RecordedKey(key), value))
        if kind == .keyed { containers[key.stringValue] = nil }
    }

    /// The record of a nested container for a key.
    func container(_ key: some CodingKey) -> JSONRecord {
        if let container = containers[key.stringValue] { return container }
        let container = JSONRecord()
        append(container, key)
        containers[key.stringValue] = container
        return container
    }

    func encode(to encoder: any Encoder) throws {
        switch kind {
        case .nothing:
            _ = encoder.container(keyedBy: RecordedKey.self)
        case .single:
            var container = encoder.singleValueContainer()
            for member in members { try container.encode(member.value) }
        case .keyed:
            var container = encoder.container(keyedBy: RecordedKey.self)
            for member in members { try container.encode(member.value, forKey: member.key) }
        case .array:
            var container = encoder.unkeyedContainer()
            for member in members { try container.encode(member.value) }
        }
    }
}

/// A key of any type.
private struct RecordedKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ key: some CodingKey) {
        stringValue = key.stringValue
        intValue = key.intValue
    }

    init?(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init?(intValue: Int) {
        stringValue = String(intValue)
        self.intValue = intValue
    }
}
