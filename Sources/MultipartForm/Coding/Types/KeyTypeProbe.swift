#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A decoder that always fails, but records the type of the coding keys that a type requests. So it finds the key types
/// of the standard library and Foundation, which have no public names.
final class KeyTypeProbe: Decoder {
    private struct Found: Error {}

    private var keyType: ObjectIdentifier?
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    private init() {}

    private static func keyType(of type: (some Decodable).Type) -> ObjectIdentifier? {
        let probe = KeyTypeProbe()
        _ = try? type.init(from: probe)
        return probe.keyType
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        keyType = keyType ?? ObjectIdentifier(type)
        throw Found()
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Found() }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw Found() }
}

extension KeyTypeProbe {
    private static let dictionaryKeys = keyType(of: [String: String].self)
    private static let decimalKeys = keyType(of: Decimal.self)
    private static let urlKeys = keyType(of: URL.self)

    /// Whether the standard library codes dictionaries with this type of keys.
    static func isDictionary(_ keys: Any.Type) -> Bool { ObjectIdentifier(keys) == dictionaryKeys }

    /// The leaf whose own `encode(to:)`, for other encoders, uses this type of keys; nil if there is none.
    static func leaf(withKeys keys: Any.Type) -> Any.Type? {
        switch ObjectIdentifier(keys) {
        case decimalKeys: Decimal.self
        case urlKeys: URL.self
        default: nil
        }
    }
}
