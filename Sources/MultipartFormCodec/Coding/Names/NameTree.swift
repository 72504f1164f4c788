/// The names of a form's parts as a tree of keys.
///
/// Keys may be any bytes, and are compared as bytes. ``NameHeads`` finds names that may be in another style, such as
/// `a.b` if the style is `.brackets`.
///
/// - Input: the names of the parts, and the limits on them.
/// - Output: a node for each key. The first node is the root. The decoded type decides whether a node is a value, an
///   array or a container with keys.
/// - Invariant: a name adds at most one node for each of its keys. The numeric value of an array index has no effect on
///   allocations. `bytes` only grows, so the ranges in a node stay valid.
/// - Cost: linear in the bytes of the names. A hash table with a random seed finds a node by its key.
struct NameTree {
    /// The index of a node or of a part.
    typealias Index = Int32

    static let root: Index = 0
    /// The index that means "no node" or "no part".
    static let none: Index = -1

    struct Limits {
        let parts: Int
        let nameBytes: Int
        /// The max number of keys that a name may have.
        let depth: Int
    }

    /// A linked list of nodes or parts, in the order of their arrival. ``Node/sibling`` links nodes, and
    /// ``NameTree/followers`` links parts.
    struct List {
        fileprivate(set) var first = NameTree.none
        fileprivate(set) var last = NameTree.none
        fileprivate(set) var count = 0

        var isEmpty: Bool { count == 0 }
    }

    struct Node {
        let parent: Index
        fileprivate let hash: Int
        /// The range of the node's key in the tree's bytes.
        let key: Range<Int>
        /// The end of the node's name in the tree's bytes. In `a[b][c]`, the name of the node `b` is `a[b]`.
        let nameEnd: Int
        /// The first part whose name begins with the node's keys; ``NameTree/none`` for the root.
        let part: Index
        /// The parts with exactly the node's name.
        fileprivate(set) var values = List()
        /// The parts whose name is the node's name followed by `[]`.
        fileprivate(set) var appended = List()
        fileprivate(set) var children = List()
        fileprivate(set) var sibling = NameTree.none
        /// Whether the name of a part is the node's name followed by `[]` and more keys, as in `a[][b]`.
        fileprivate(set) var isAmbiguous = false
    }

    let grammar: NameGrammar
    /// The first keys of names that may be in another style.
    private var heads = NameHeads()
    private(set) var nodes: ContiguousArray<Node>
    /// For each part, its node; ``none`` for a part without a name.
    private(set) var owners: ContiguousArray<Index> = []
    /// For each part, the next part in its list; ``none`` for the last part of a list.
    private(set) var followers: ContiguousArray<Index> = []
    /// The names of all parts, one after the other.
    private(set) var bytes: ContiguousArray<UInt8> = []
    /// For each part, the index in `bytes` at which its name begins.
    private(set) var starts: ContiguousArray<Int> = []
    /// A hash table of all nodes except the root, with open addressing. Its size is a power of two. With a `Dictionary`
    /// instead, decoding would take 40% more instructions, because each key would need an allocation.
    private var table = ContiguousArray(repeating: NameTree.none, count: 64)

    init(_ parts: PartList, _ grammar: NameGrammar, _ limits: Limits) throws(MultipartError) {
        self.grammar = grammar
        nodes = [Node(parent: Self.none, hash: 0, key: 0..<0, nameEnd: 0, part: Self.none)]
        guard parts.count <= limits.parts else {
            throw CodingReason(ErrorCode.tooManyParts, limit: limits.parts).decoderError(nil, nil, type: nil)
        }
        var segments: ContiguousArray<NameGrammar.Segment> = []
        owners.reserveCapacity(parts.count)
        followers.reserveCapacity(parts.count)
        starts.reserveCapacity(parts.count)
        for index in parts.indices {
            owners.append(Self.none)
            followers.append(Self.none)
            starts.append(bytes.count)
            guard parts.appendName(at: index, to: &bytes) else { continue }
            do throws(CodingReason) {
                try addLastName(Index(index), limits, &segments)
            } catch {
                throw error.decoderError(parts.name(at: index), index, type: nil)
            }
        }
    }

    /// Adds a part, whose name must be the last name in `bytes`. Throws if the name exceeds a limit.
    private mutating func addLastName(
        _ part: Index,
        _ limits: Limits,
        _ segments: inout ContiguousArray<NameGrammar.Segment>
    ) throws(CodingReason) {
        let start = starts[Int(part)]
        let range = start..<bytes.count
        guard range.count <= limits.nameBytes else {
            throw CodingReason(ErrorCode.nameTooLong, limit: limits.nameBytes)
        }
        guard !CombiningMarks.exceedLimit(bytes.span.extracting(range)) else {
            throw CodingReason(ErrorCode.tooManyCombiningMarks)
        }
        let isWellFormed = grammar.split(bytes.span.extracting(range), into: &segments)
        guard segments.count <= limits.depth else { throw CodingReason(ErrorCode.tooDeep, limit: limits.depth) }
        if let other = grammar.otherStyle(of: bytes.span.extracting(range), isWellFormed: isWellFormed) {
            for end in other.ends { heads.insert(bytes[start..<start + end], of: part, isCertain: other.isCertain) }
        }
        insert(part, segments, from: start)
    }

    private mutating func insert(_ part: Index, _ segments: ContiguousArray<NameGrammar.Segment>, from start: Int) {
        var node = Self.root
        for segment in segments {
            guard !segment.key.isEmpty || segments.count == 1 else {
                append(part, toArray: node, isLast: segment == segments.last)
                return
            }
            node = child(of: node, segment, part, from: start)
        }
        owners[Int(part)] = node
        Self.append(part, to: &nodes[Int(node)].values, &followers)
    }

    /// Adds a part whose name has `[]` after the node's name. `isLast` is true if the part's name ends with this `[]`.
    private mutating func append(_ part: Index, toArray node: Index, isLast: Bool) {
        owners[Int(part)] = node
        if isLast {
            Self.append(part, to: &nodes[Int(node)].appended, &followers)
        } else {
            nodes[Int(node)].isAmbiguous = true
        }
    }

    private static func append(_ part: Index, to list: inout List, _ followers: inout ContiguousArray<Index>) {
        if list.isEmpty { list.first = part } else { followers[Int(list.last)] = part }
        list.last = part
        list.count += 1
    }

    /// Returns the child of `parent` with the key of `segment`. Creates the child if it does not exist. `start` is the
    /// index in `bytes` at which the name of `part` begins.
    private mutating func child(
        of parent: Index,
        _ segment: NameGrammar.Segment,
        _ part: Index,
        from start: Int
    ) -> Index {
        let key = start + segment.key.lowerBound..<start + segment.key.upperBound
        let hash = Self.hash(parent, bytes.span.extracting(key))
        let bucket = bucket(of: parent, bytes.span.extracting(key), hash)
        var index = table[bucket]
        if index == Self.none {
            index = Index(nodes.count)
            table[bucket] = index
            nodes.append(Node(parent: parent, hash: hash, key: key, nameEnd: start + segment.end, part: part))
            if 2 * nodes.count > table.count { grow() }
            list(index, under: parent)
        }
        return index
    }

    /// Appends a node to its parent's children.
    private mutating func list(_ index: Index, under parent: Index) {
        let last = nodes[Int(parent)].children.last
        if last == Self.none { nodes[Int(parent)].children.first = index } else { nodes[Int(last)].sibling = index }
        nodes[Int(parent)].children.last = index
        nodes[Int(parent)].children.count += 1
    }

    private mutating func grow() {
        let size = 2 * table.count
        table = ContiguousArray(repeating: Self.none, count: size)
        let mask = size - 1
        for index in nodes.indices.dropFirst() {
            var bucket = nodes[index].hash & mask
            while table[bucket] != Self.none { bucket = (bucket + 1) & mask }
            table[bucket] = Index(index)
        }
    }

    private static func hash(_ parent: Index, _ key: Span<UInt8>) -> Int {
        var hasher = Hasher()
        hasher.combine(parent)
        // SAFETY: the bytes are read only inside the closure.
        unsafe key.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        return hasher.finalize()
    }

    /// Returns the bucket of a child or, if the child does not exist, the empty bucket in which it belongs. The search
    /// ends because at least half of the buckets are empty.
    private func bucket(of parent: Index, _ key: Span<UInt8>, _ hash: Int) -> Int {
        let mask = table.count - 1
        var bucket = hash & mask
        while table[bucket] != Self.none {
            let node = nodes[Int(table[bucket])]
            if node.hash == hash, node.parent == parent, bytes.span.extracting(node.key).equals(key) { break }
            bucket = (bucket + 1) & mask
        }
        return bucket
    }
}

extension NameTree {
    /// Returns the child with a key; nil if there is no such child. Compares keys by their bytes.
    func child(of parent: Index, _ key: String) -> Index? {
        var key = key
        // SAFETY: the bytes are read only inside the closure.
        let index = key.withUTF8 { bytes in
            let key = unsafe bytes.span
            return table[bucket(of: parent, key, Self.hash(parent, key))]
        }
        return index == Self.none ? nil : index
    }
}

// Methods that read the tree.
extension NameTree {
    func children(of node: Index) -> some Sequence<Index> {
        sequence(state: nodes[Int(node)].children.first) { next in
            guard next != Self.none else { return nil }
            defer { next = nodes[Int(next)].sibling }
            return next
        }
    }

    func parts(_ list: List) -> some Sequence<Index> {
        sequence(state: list.first) { next in
            guard next != Self.none else { return nil }
            defer { next = followers[Int(next)] }
            return next
        }
    }

    /// Returns the node and its ancestors except the root, from the node up.
    func ancestors(of node: Index) -> some Sequence<Index> {
        sequence(state: node) { next in
            guard next > Self.root else { return nil }
            defer { next = nodes[Int(next)].parent }
            return next
        }
    }

    /// Returns a part whose name may be in another style and begins with a node's key in that style. For example, `a.b`
    /// begins with the key `a` in the dots style. Returns nil if there is no such part, or if the node is not a child
    /// of the root.
    func otherStylePart(of index: Index) -> Index? {
        let node = nodes[Int(index)]
        return node.parent == Self.root ? heads.part(bytes[node.key], isInTree: true) : nil
    }

    /// Returns a part whose name begins with `key` if the name is read in another style. For example, `a.b` begins with
    /// `a` in the style with dots. The root must have no child with the key `key`.
    func otherStylePart(ofRootKey key: String) -> Index? { heads.part(key.utf8, isInTree: false) }

    // Methods that return names and keys.

    /// Whether a key can be the key of a node. A key that the style would split, such as `tags[]`, cannot.
    func canHaveChild(_ key: String) -> Bool {
        // A fast path for nearly every key.
        if grammar.canHold(key) { return true }
        let bytes = ContiguousArray(key.utf8)
        return !grammar.splits(bytes.span)
    }

    func key(of node: Index) -> String { text(nodes[Int(node)].key) }

    /// Returns the name of a node as the client sent it; nil for the root.
    func name(of node: Index) -> String? {
        let node = nodes[Int(node)]
        return node.part == Self.none ? nil : text(starts[Int(node.part)]..<node.nameEnd)
    }

    /// Returns the keys of a part's name from the first `[]` on, such as `["", "b"]` for the name `a[][b]`. These keys
    /// have no nodes. `node` is the last node of the name, such as `a`. A `[]` at the end of the name is ignored.
    func keys(ofPart part: Index, after node: Index) -> [String] {
        guard nodes[Int(node)].isAmbiguous else { return [] }
        var keys = grammar.keys(of: bytes.span.extracting(name(ofPart: Int(part))))
        if keys.last?.isEmpty == true { keys.removeLast() }
        return Array(keys.dropFirst(ancestors(of: node).reduce(0) { count, _ in count + 1 }))
    }

    /// Returns the range of a part's name in `bytes`.
    private func name(ofPart part: Int) -> Range<Int> {
        let next = part + 1
        return starts[part]..<(next < starts.count ? starts[next] : bytes.count)
    }

    private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    func isASCII(_ node: Index) -> Bool {
        let key = bytes.span.extracting(nodes[Int(node)].key)
        return ASCII.endOfASCII(key, from: 0) == key.count
    }

    // Methods for array indices.

    /// Returns the range of a node's key in `bytes` if the key is an array index without leading zeros, such as `0` or
    /// `12`. Returns nil for any other key.
    func index(of node: Index) -> Range<Int>? {
        let key = nodes[Int(node)].key
        guard !key.isEmpty, key.allSatisfy({ ASCII.isDigit(bytes[$0]) }) else { return nil }
        let hasLeadingZero = key.count > 1 && bytes[key.lowerBound] == UInt8(ascii: "0")
        return hasLeadingZero ? nil : key
    }

    /// Whether the array index at `left` is less than the array index at `right`. Each range contains the digits of an
    /// index, and may have any length.
    func isIndex(_ left: Range<Int>, before right: Range<Int>) -> Bool {
        guard left.count == right.count else { return left.count < right.count }
        return bytes[left].lexicographicallyPrecedes(bytes[right])
    }

    /// Whether the array index at `index` equals `number`.
    func isIndex(_ index: Range<Int>, _ number: Int) -> Bool {
        bytes[index].elementsEqual(String(number).utf8)
    }
}

/// The first keys of the names in a form that may be in another style than the form's ``NameTree``.
///
/// The decoder refuses to read keys or elements of a value if such a name begins with the value's key. Otherwise, the
/// decoder would ignore the name silently. For example, if the style is `.brackets`, a type with an array under `items`
/// would miss the name `items[0].id`.
///
/// - Input: for each name that may be in another style, the text before its first dot and before its first bracket.
/// - Output: for a key of the root, one part with a name that begins with the key.
/// - Cost: linear in the bytes of the names.
struct NameHeads {
    private struct Head {
        var part: NameTree.Index
        /// Whether the part's name does not fit the grammar. A name that fits may have dots or brackets that belong to
        /// a key.
        var isCertain: Bool
    }

    private var heads: [ContiguousArray<UInt8>: Head] = [:]

    /// Adds `key`, a first key of a part's name. If several names begin with the same key, only one of them is kept:
    /// the first name that does not fit the grammar or, if all names fit, the first name.
    mutating func insert(_ key: ArraySlice<UInt8>, of part: NameTree.Index, isCertain: Bool) {
        let new = Head(part: part, isCertain: isCertain)
        let head = heads[ContiguousArray(key), default: new]
        heads[ContiguousArray(key)] = isCertain && !head.isCertain ? new : head
    }

    /// Returns the part whose name may be in another style and begins with `key`. Returns nil if there is no such part.
    ///
    /// `isInTree` is true if the root has a child with this key. A name that fits the grammar is then ignored, because
    /// the form's own style applies. In the brackets style, for instance, `a.b` is one key.
    func part(_ key: some Collection<UInt8>, isInTree: Bool) -> NameTree.Index? {
        guard !heads.isEmpty, let head = heads[ContiguousArray(key)] else { return nil }
        return isInTree && !head.isCertain ? nil : head.part
    }
}
