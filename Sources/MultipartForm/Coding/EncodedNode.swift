/// A value as the parts it will be, before their names are known.
enum EncodedValue {
    /// No part.
    case nothing
    case text(String)
    /// What a closure makes with the part's name.
    case part((_ name: String) throws -> BodyPart)
    case container(EncodedNode)

    var isContainer: Bool {
        if case .container = self { true } else { false }
    }

    /// The value itself, if a nested encoder has encoded a single one.
    var resolved: EncodedValue {
        if case .container(let node) = self { node.value } else { self }
    }
}

/// What a value has encoded so far.
final class EncodedNode {
    enum Kind {
        case nothing, single, keyed, array
    }

    struct Member {
        let value: EncodedValue
        /// The key as it stands in a name; empty for an element of an array.
        let text: String
        let key: any CodingKey
        /// Whether a dictionary has the key, which then has no order of its own.
        var isDictionary = false
    }

    private(set) var kind = Kind.nothing
    /// Whether a key is that of a dictionary.
    private(set) var hasDictionary = false
    /// The values of the keys, the elements, or the single value.
    private(set) var members: [Member] = []

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

    /// Makes this a single value; false if it is something already.
    func become(_ value: EncodedValue) -> Bool {
        guard kind == .nothing else { return false }
        kind = .single
        append(value)
        return true
    }

    func append(_ value: EncodedValue, _ key: some CodingKey, _ text: String, isDictionary: Bool) {
        members.append(Member(value: value, text: text, key: key, isDictionary: isDictionary))
        if isDictionary { hasDictionary = true }
    }

    func append(_ element: EncodedValue) {
        members.append(Member(value: element, text: "", key: IndexKey(members.count)))
    }
}
