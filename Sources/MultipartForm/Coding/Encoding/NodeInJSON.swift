/// A node of a form's tree that is encoded as JSON.
///
/// A `JSONEncoder` encodes whole values only, but the root of a form may encode the value of a key in several calls: to
/// a nested container, or to the encoder for a superclass. A node collects this value. Its members are encoded only
/// when the node is encoded.
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
            guard node.repeatedMember == nil else { throw CodingReason(CodingCode.invalidKey, "key is used twice") }
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
        // Cannot occur, because the members of a node in JSON are encoded only with the node.
        case .single, .nothing: throw CodingReason(CodingCode.unencodable)
        }
    }
}

/// A copy of a key of any type.
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
