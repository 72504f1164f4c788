/// A value in a report.
enum JSONValue: Encodable {
    case null
    case boolean(Bool)
    case number(UInt64)
    case text(String)
    case array([JSONValue])
    case object([String: JSONValue])

    init(_ text: String?) {
        self = text.map(Self.text) ?? .null
    }

    init(_ number: UInt64?) {
        self = number.map(Self.number) ?? .null
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .boolean(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        case .array(let values): try container.encode(values)
        case .object(let members): try container.encode(members)
        }
    }
}
