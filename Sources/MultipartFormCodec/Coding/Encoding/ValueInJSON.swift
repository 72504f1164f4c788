/// A wrapper that lets `JSONEncoder` encode a node, or a member of one.
///
/// `JSONEncoder` needs the whole value of a key at once. But a type may encode the value in several calls, with a
/// nested container or with the encoder for a superclass. The node first collects the results of these calls.
/// `JSONEncoder` then encodes the node.
struct ValueInJSON: Encodable {
    let value: EncodedValue

    func encode(to encoder: any Encoder) throws {
        switch value {
        case .container(let node): try encode(node, to: encoder)
        case .unencoded(let value):
            var container = encoder.singleValueContainer()
            try container.encode(value)
        // Unreachable, because every member of a JSON node is `.container` or `.unencoded`.
        case .single, .nothing: throw CodingReason(ErrorCode.unencodable)
        }
    }

    private func encode(_ node: EncodedNode, to encoder: any Encoder) throws {
        switch node.kind {
        case .nothing: _ = encoder.container(keyedBy: KeyInJSON.self)
        case .single: try ValueInJSON(value: node.members[0].value).encode(to: encoder)
        case .keyed:
            guard node.repeatedMember == nil else { throw CodingReason(ErrorCode.invalidKey, "key is used twice") }
            var container = encoder.container(keyedBy: KeyInJSON.self)
            for member in node.members {
                try container.encode(ValueInJSON(value: member.value), forKey: KeyInJSON(member.key))
            }
        case .array:
            var container = encoder.unkeyedContainer()
            for member in node.members { try container.encode(ValueInJSON(value: member.value)) }
        }
    }
}

/// A coding key that copies the text and the number of another key.
private struct KeyInJSON: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ key: any CodingKey) {
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
