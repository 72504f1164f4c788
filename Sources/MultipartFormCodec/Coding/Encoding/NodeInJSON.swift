/// A wrapper that lets `JSONEncoder` encode a node.
///
/// `JSONEncoder` needs the whole value of a key at once. But a type may encode the value in several calls, with a
/// nested container or with the encoder for a superclass. The node first collects the results of these calls.
/// `JSONEncoder` then encodes the node.
struct NodeInJSON: Encodable {
    private let node: EncodedNode

    init(_ node: EncodedNode) {
        self.node = node
    }

    func encode(to encoder: any Encoder) throws {
        switch node.kind {
        case .nothing: _ = encoder.container(keyedBy: KeyInJSON.self)
        case .single:
            var container = encoder.singleValueContainer()
            try container.encode(MemberInJSON(node.members[0]))
        case .keyed:
            guard node.repeatedMember == nil else { throw CodingReason(ErrorCode.invalidKey, "key is used twice") }
            var container = encoder.container(keyedBy: KeyInJSON.self)
            for member in node.members { try container.encode(MemberInJSON(member), forKey: KeyInJSON(member.key)) }
        case .array:
            var container = encoder.unkeyedContainer()
            for member in node.members { try container.encode(MemberInJSON(member)) }
        }
    }
}

private struct MemberInJSON: Encodable {
    private let member: EncodedNode.Member

    init(_ member: EncodedNode.Member) {
        self.member = member
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch member.value {
        case .container(let node): try container.encode(NodeInJSON(node))
        case .unencoded(let value): try container.encode(value)
        // Unreachable, because every member of a JSON node is `.container` or `.unencoded`.
        case .single, .nothing: throw CodingReason(ErrorCode.unencodable)
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
