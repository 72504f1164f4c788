/// An encoded value, before the names of its parts are known.
enum EncodedValue {
    /// No part.
    case nothing
    case text(String)
    /// A part that a closure makes with its name.
    case part((_ name: String) throws -> BodyPart)
    case container(EncodedNode)
    /// A field with JSON.
    case json(JSONRecord)

    var isContainer: Bool {
        if case .container = self { true } else { false }
    }

    /// The value itself, without the node of a nested encoder that encoded a single one.
    var resolved: EncodedValue {
        if case .container(let node) = self { node.value } else { self }
    }
}

/// What a value has encoded so far.
final class EncodedNode {
    /// What a value has encoded itself as.
    enum Kind {
        case nothing, single, keyed, array
    }

    struct Member {
        let value: EncodedValue
        /// The key as it is spelt in a name; empty for an element of an array.
        let spelling: String
        let key: any CodingKey
        let owner: Owner

        /// The error if the value has no part, and the receiver would miss its key or index; nil if it may have none.
        var codeIfEmpty: FormDataCodingIssue.Code? {
            switch owner {
            case .value: nil
            case .dictionary, .array: .emptyElement
            case .container: .unencodable
            }
        }
    }

    /// What encoded a member.
    enum Owner {
        /// A type that encoded the value for a key.
        case value
        /// A dictionary, whose keys have no order of their own.
        case dictionary
        /// An array.
        case array
        /// A type that requested a nested container, as an enum does for the values of a case.
        case container
    }

    /// The number of steps that the value is nested in.
    let depth: Int

    private(set) var kind = Kind.nothing
    /// Whether any key is a dictionary's.
    private(set) var hasDictionary = false
    /// The values of the keys, the elements, or the single value.
    private(set) var members: [Member] = []
    /// The nested containers of JSON, by the bytes of their keys: a type that requests one again goes on with it.
    private var containers: [ContiguousArray<UInt8>: EncodedNode] = [:]

    init(depth: Int) {
        self.depth = depth
    }

    /// The value that was encoded.
    var value: EncodedValue {
        switch kind {
        case .nothing: .nothing
        case .single: members[0].value.resolved
        case .keyed, .array: .container(self)
        }
    }

    /// Makes this a kind of container; false if it is something else.
    func become(_ kind: Kind) -> Bool {
        if self.kind == .nothing {
            self.kind = kind
            members.reserveCapacity(8)
        }
        return self.kind == kind
    }

    /// What was encoded of a value that is JSON; nil for any other.
    var record: JSONRecord? {
        guard kind == .single, case .json(let record) = members[0].value else { return nil }
        return record
    }

    /// Makes this a single value; false if it is anything already.
    func become(_ value: EncodedValue) -> Bool {
        guard kind == .nothing else { return false }
        kind = .single
        append(value)
        return true
    }

    func append(_ value: EncodedValue, _ key: some CodingKey, _ spelling: String, _ owner: Owner) {
        members.append(Member(value: value, spelling: spelling, key: key, owner: owner))
        if owner == .dictionary { hasDictionary = true }
    }

    /// The node of a nested container of JSON for a key; the same for the same key.
    func container(_ key: some CodingKey, _ spelling: String) -> EncodedNode {
        let bytes = ContiguousArray(key.stringValue.utf8)
        if let container = containers[bytes] { return container }
        let container = EncodedNode(depth: depth + 1)
        append(.container(container), key, spelling, .container)
        containers[bytes] = container
        return container
    }

    func append(_ element: EncodedValue) {
        members.append(Member(value: element, spelling: "", key: IndexKey(members.count), owner: .array))
    }
}
