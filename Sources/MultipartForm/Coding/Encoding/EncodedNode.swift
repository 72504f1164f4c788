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

        /// The error to throw if the value has no part, since the receiver would miss the key or index. Nil if the
        /// value may have no part.
        var codeIfEmpty: FormDataCodingIssue.Code? {
            switch owner {
            case .value: nil
            case .dictionary, .array: CodingCode.emptyElement
            case .container: CodingCode.unencodable
            }
        }
    }

    /// What encoded a member.
    enum Owner {
        /// A type that encoded the value for a key.
        case value
        /// A dictionary, whose keys are unordered.
        case dictionary
        /// An array.
        case array
        /// A type that requested a nested container, as an enum does for the values of a case.
        case container
    }

    /// The number of levels in which the value is nested.
    let depth: Int
    /// Whether the node is JSON, or within JSON. If so, its members are encoded only when the JSON is written.
    let isJSON: Bool

    private(set) var kind = Kind.nothing
    /// Whether a dictionary has encoded any member.
    private(set) var hasDictionary = false
    /// The values of the keys, the elements, or the single value.
    private(set) var members: [Member] = []

    init(depth: Int, isJSON: Bool = false) {
        self.depth = depth
        self.isJSON = isJSON
    }

    /// The value that was encoded.
    var value: EncodedValue {
        switch kind {
        case .nothing: .nothing
        case .single: members[0].value.resolved
        case .keyed, .array: .container(self)
        }
    }

    /// Makes the node a container of this kind; returns false if the node is something else already.
    func become(_ kind: Kind) -> Bool {
        if self.kind == .nothing {
            self.kind = kind
            members.reserveCapacity(8)
        }
        return self.kind == kind
    }

    /// Makes the node a single value; returns false if the node is anything already.
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

    func append(_ element: EncodedValue) {
        members.append(Member(value: element, spelling: "", key: IndexKey(members.count), owner: .array))
    }

    // Keys.

    /// The indices of the members, in the order of their keys' bytes.
    var order: [Int] {
        members.indices.sorted { members[$0].spelling.utf8.lexicographicallyPrecedes(members[$1].spelling.utf8) }
    }

    /// With fewer members than this, comparing all keys with each other is faster than sorting them.
    private static let fewMembers = 16

    /// The index of a member whose key has been used before; nil if there is none.
    var repeatedMember: Int? {
        guard members.count >= Self.fewMembers else {
            return members.indices.first { index in (0..<index).contains { haveSameKey($0, and: index) } }
        }
        let order = order
        return zip(order, order.dropFirst()).first(where: haveSameKey)?.1
    }

    private func haveSameKey(_ left: Int, and right: Int) -> Bool {
        let left = members[left].spelling, right = members[right].spelling
        // Compares the bytes too, because strings can be equal without having the same bytes.
        return left.utf8.count == right.utf8.count && left == right && left.utf8.elementsEqual(right.utf8)
    }
}
