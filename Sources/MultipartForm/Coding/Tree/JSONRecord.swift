/// What a value below the root of a form has encoded that is to be JSON.
///
/// A `JSONEncoder` encodes whole values only, and the value of a key may be encoded in steps: by a nested container, or by
/// the encoder of a superclass. So it is recorded first, one level of it: the values in it are encoded later, as JSON.
final class JSONRecord: Encodable {
    enum Kind {
        case nothing, single, keyed, array
    }

    private var kind = Kind.nothing
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
    func become(_ kind: Kind) -> Bool {
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
