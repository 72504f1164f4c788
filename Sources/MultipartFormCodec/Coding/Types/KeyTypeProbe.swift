#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A decoder that records which type of coding keys a type requests, and then fails. The coders use it to identify the
/// keys of dictionaries, `Decimal` and `URL`, because the types of these keys are not public.
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

    /// Whether `keys` is the type of coding keys that the standard library uses for dictionaries.
    static func isDictionary(_ keys: Any.Type) -> Bool { ObjectIdentifier(keys) == dictionaryKeys }

    /// Returns the type whose coding keys are of the type `keys`: `Decimal` or `URL`. Returns nil for any other `keys`.
    static func leaf(withKeys keys: Any.Type) -> Any.Type? {
        switch ObjectIdentifier(keys) {
        case decimalKeys: Decimal.self
        case urlKeys: URL.self
        default: nil
        }
    }
}
