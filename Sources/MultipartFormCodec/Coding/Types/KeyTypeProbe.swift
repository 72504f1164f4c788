/// A decoder that records which type of coding keys a type requests, and then fails. The coders use it to identify the
/// keys of dictionaries, because the type of these keys is not public.
final class KeyTypeProbe: Decoder {
    private struct Found: Error {}

    /// The type of coding keys that the standard library uses for dictionaries.
    private static let dictionaryKeys: ObjectIdentifier? = {
        let probe = KeyTypeProbe()
        _ = try? [String: String](from: probe)
        return probe.keyType
    }()

    private var keyType: ObjectIdentifier?
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    private init() {}

    /// Whether `keys` is the type of coding keys that the standard library uses for dictionaries.
    static func isDictionary(_ keys: Any.Type) -> Bool { ObjectIdentifier(keys) == dictionaryKeys }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        keyType = ObjectIdentifier(type)
        throw Found()
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Found() }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw Found() }
}
