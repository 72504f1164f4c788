import MultipartFormCodec

/// The JSON that `inspect` prints and `decode` writes to its manifest.
enum Report {
    static func members(_ headers: HeaderFields) -> [String: JSONValue] {
        [
            "name": JSONValue(headers.name), "filename": JSONValue(headers.filename),
            "contentType": JSONValue(headers.contentType),
            "headers": .array(headers.map { .array([.text($0.name), .text($0.value)]) }),
        ]
    }

    /// Returns an object as one line of JSON, with sorted keys and escaped for a terminal.
    static func json(_ object: [String: JSONValue]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let data = try encoder.encode(object)
        // Only strings can have characters to escape, because all other characters of JSON are printable ASCII.
        return TerminalText.escaped(String(decoding: data, as: UTF8.self)) { scalar in
            String(scalar).utf16.map { "\\u\(String(0x1_0000 + Int($0), radix: 16).dropFirst())" }.joined()
        }
    }
}

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
