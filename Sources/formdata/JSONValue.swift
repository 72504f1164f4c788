/// A JSON value whose objects keep the order of their keys (RFC 8259).
enum JSONValue {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A whole number.
    case number(UInt64)
    /// A text.
    case string(String)
    /// Values in order.
    case array([JSONValue])
    /// Keys and values in order.
    case object([(key: String, value: JSONValue)])

    /// A text, or null.
    static func optional(_ text: String?) -> JSONValue {
        text.map(JSONValue.string) ?? .null
    }

    /// The value as JSON in UTF-8, without white space.
    var bytes: [UInt8] {
        var output: [UInt8] = []
        append(to: &output)
        return output
    }

    private func append(to output: inout [UInt8]) {
        switch self {
        case .null: output += "null".utf8
        case .bool(let value): output += (value ? "true" : "false").utf8
        case .number(let value): output += String(value).utf8
        case .string(let text): Self.append(text, to: &output)
        case .array(let values):
            output.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                value.append(to: &output)
            }
            output.append(UInt8(ascii: "]"))
        case .object(let members):
            output.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                Self.append(member.key, to: &output)
                output.append(UInt8(ascii: ":"))
                member.value.append(to: &output)
            }
            output.append(UInt8(ascii: "}"))
        }
    }

    /// Appends a text in quotes. What a terminal might obey is escaped too.
    private static func append(_ text: String, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": output += "\\\"".utf8
            case "\\": output += "\\\\".utf8
            case "\n": output += "\\n".utf8
            case "\r": output += "\\r".utf8
            case "\t": output += "\\t".utf8
            case " "..."~": output.append(UInt8(truncatingIfNeeded: scalar.value))
            case _ where TerminalText.isPlain(scalar): output += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
            default:
                for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
                    let digits = String(unit, radix: 16)
                    output += "\\u".utf8
                    output += String(repeating: "0", count: 4 - digits.count).utf8
                    output += digits.utf8
                }
            }
        }
        output.append(UInt8(ascii: "\""))
    }
}
