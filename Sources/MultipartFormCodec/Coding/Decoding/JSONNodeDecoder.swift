/// Decodes the JSON in a part, for a type that requests a container for the keys or elements in the JSON.
///
/// `JSONDecoder` does not know the part. So the containers add the part to errors, and the part's coding path to coding
/// paths.
struct JSONNodeDecoder: Decoder {
    private let base: any Decoder
    private let owner: FormNodeDecoder

    init(_ base: any Decoder, _ owner: FormNodeDecoder) {
        self.base = base
        self.owner = owner
    }

    var codingPath: [any CodingKey] { owner.codingPath + base.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        let container = try owner.locatingJSON { try base.container(keyedBy: type) }
        return KeyedDecodingContainer(JSONKeyedDecodingContainer(container, owner))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        JSONUnkeyedDecodingContainer(try owner.locatingJSON { try base.unkeyedContainer() }, owner)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        try owner.locatingJSON { try base.singleValueContainer() }
    }
}

private struct JSONKeyedDecodingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let base: KeyedDecodingContainer<Key>
    private let owner: FormNodeDecoder

    init(_ base: KeyedDecodingContainer<Key>, _ owner: FormNodeDecoder) {
        self.base = base
        self.owner = owner
    }

    var codingPath: [any CodingKey] { owner.codingPath + base.codingPath }
    var allKeys: [Key] { base.allKeys }

    func contains(_ key: Key) -> Bool { base.contains(key) }

    func decodeNil(forKey key: Key) throws -> Bool { try owner.locatingJSON { try base.decodeNil(forKey: key) } }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try owner.locatingJSON { try base.decode(type, forKey: key) }
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        let container = try owner.locatingJSON { try base.nestedContainer(keyedBy: type, forKey: key) }
        return KeyedDecodingContainer(JSONKeyedDecodingContainer<NestedKey>(container, owner))
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        JSONUnkeyedDecodingContainer(try owner.locatingJSON { try base.nestedUnkeyedContainer(forKey: key) }, owner)
    }

    func superDecoder() throws -> any Decoder {
        JSONNodeDecoder(try owner.locatingJSON { try base.superDecoder() }, owner)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        JSONNodeDecoder(try owner.locatingJSON { try base.superDecoder(forKey: key) }, owner)
    }
}

// The default implementations throw for integers of 128 bits.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension JSONKeyedDecodingContainer {
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
        try owner.locatingJSON { try base.decode(type, forKey: key) }
    }

    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
        try owner.locatingJSON { try base.decode(type, forKey: key) }
    }
}

private struct JSONUnkeyedDecodingContainer: UnkeyedDecodingContainer {
    private var base: any UnkeyedDecodingContainer
    private let owner: FormNodeDecoder

    init(_ base: any UnkeyedDecodingContainer, _ owner: FormNodeDecoder) {
        self.base = base
        self.owner = owner
    }

    var codingPath: [any CodingKey] { owner.codingPath + base.codingPath }
    var count: Int? { base.count }
    var isAtEnd: Bool { base.isAtEnd }
    var currentIndex: Int { base.currentIndex }

    mutating func decodeNil() throws -> Bool { try owner.locatingJSON { try base.decodeNil() } }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        try owner.locatingJSON { try base.decode(type) }
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        let container = try owner.locatingJSON { try base.nestedContainer(keyedBy: type) }
        return KeyedDecodingContainer(JSONKeyedDecodingContainer(container, owner))
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        JSONUnkeyedDecodingContainer(try owner.locatingJSON { try base.nestedUnkeyedContainer() }, owner)
    }

    mutating func superDecoder() throws -> any Decoder {
        JSONNodeDecoder(try owner.locatingJSON { try base.superDecoder() }, owner)
    }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension JSONUnkeyedDecodingContainer {
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try owner.locatingJSON { try base.decode(type) } }

    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try owner.locatingJSON { try base.decode(type) } }
}
