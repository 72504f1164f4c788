/// Collects the output of a value's `encode(to:)`.
final class EncodedNode {
    /// The shape of the output.
    enum Kind {
        case nothing, single, keyed, array
    }

    struct Member {
        let value: EncodedValue
        /// The member's key as it appears in the name of a part. Empty for an array element.
        let spelling: String
        let key: any CodingKey
        let owner: Owner

        /// The reason for the error to throw if the value has no part. Nil if the value needs no part.
        ///
        /// A value needs a part if the receiver would otherwise miss a key of a dictionary, an index of an array, or a
        /// case of an enum.
        var reasonIfEmpty: CodingReason? {
            switch owner {
            case .value: nil
            case .dictionary, .array: CodingReason(ErrorCode.emptyElement)
            case .container:
                CodingReason(
                    ErrorCode.unencodable,
                    "\"\(key.stringValue)\" has no part, as an enum case without associated values has none"
                )
            }
        }
    }

    /// What a member of a node is, for instance an element of an array.
    enum Owner {
        /// The member is the value of a type's key, such as a property of a struct.
        case value
        /// The member is the value of a dictionary's key. These keys have no order.
        case dictionary
        /// The member is an element of an array.
        case array
        /// The member is a nested container, such as the container for the associated values of an enum case.
        case container
    }

    /// The number of levels from the root to the value.
    let depth: Int
    /// Whether the node is JSON or a value within JSON. The members of a JSON node are encoded when `PartWriter` writes
    /// the JSON.
    let isJSON: Bool

    private(set) var kind = Kind.nothing
    /// The values of the keys, the elements, or the single value, depending on `kind`.
    private(set) var members: [Member] = []
    /// The nested containers that a type has requested, by the UTF-8 bytes of their keys' spellings.
    private var containers: [ContiguousArray<UInt8>: EncodedNode] = [:]

    init(depth: Int, isJSON: Bool = false) {
        self.depth = depth
        self.isJSON = isJSON
    }

    /// Makes the node a container of the given kind. Returns false if the node is already a single value or another
    /// kind of container.
    func become(_ kind: Kind) -> Bool {
        if self.kind == .nothing {
            self.kind = kind
            members.reserveCapacity(8)
        }
        return self.kind == kind
    }

    /// Makes the node a single value. Returns false if the node already has a value or is a container.
    func become(_ value: EncodedValue) -> Bool {
        guard kind == .nothing else { return false }
        kind = .single
        append(value)
        return true
    }

    func append(_ value: EncodedValue, _ key: some CodingKey, _ spelling: String, _ owner: Owner) {
        members.append(Member(value: value, spelling: spelling, key: key, owner: owner))
    }

    /// Appends a new node for a key, and returns the node. If a type requests a nested container again, returns the
    /// existing node of the container.
    func child(_ key: some CodingKey, _ spelling: String, _ owner: Owner, isJSON: Bool) -> EncodedNode {
        let bytes = ContiguousArray(spelling.utf8)
        if owner == .container, let child = containers[bytes] { return child }
        let child = EncodedNode(depth: depth + 1, isJSON: isJSON)
        append(.container(child), key, spelling, owner)
        containers[bytes] = child
        return child
    }

    func append(_ element: EncodedValue) {
        members.append(Member(value: element, spelling: "", key: IndexKey(members.count), owner: .array))
    }

    // Sorting keys, and finding repeated keys.

    /// Returns the indices of the members whose owners `isIncluded` accepts. The indices are sorted by the UTF-8 bytes
    /// of the members' spellings.
    func order(where isIncluded: (Owner) -> Bool = { _ in true }) -> [Int] {
        members.indices.filter { isIncluded(members[$0].owner) }
            .sorted { members[$0].spelling.utf8.lexicographicallyPrecedes(members[$1].spelling.utf8) }
    }

    /// The number of members from which sorting the keys is faster than comparing all pairs of keys. For eight keys,
    /// comparing all pairs takes half as many instructions as sorting.
    private static let fewMembers = 16

    /// The index of a member that repeats the key of another member. Nil if all keys differ.
    var repeatedMember: Int? {
        guard members.count >= Self.fewMembers else {
            return members.indices.first { index in (0..<index).contains { haveSameKey($0, and: index) } }
        }
        let order = order()
        return zip(order, order.dropFirst()).first(where: haveSameKey)?.1
    }

    private func haveSameKey(_ left: Int, and right: Int) -> Bool {
        let left = members[left].spelling, right = members[right].spelling
        // `==` is also true for different bytes that Unicode treats as equivalent, so the bytes must be equal, too.
        return left.utf8.count == right.utf8.count && left == right && left.utf8.elementsEqual(right.utf8)
    }
}
