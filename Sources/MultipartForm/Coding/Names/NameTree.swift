/// The names of a form's parts as a tree of keys.
///
/// - Input: names, and the limits on them.
/// - Output: nodes, the first of which is the root. The decoded type decides what a node is.
/// - Invariant: each name adds at most one node for each of its segments, and two for keys that it may have in other
///   styles. No allocation depends on the value of an index. The ranges of a node are in `bytes`, which only grows.
///   Keys may be any bytes, and are compared as bytes.
/// - Cost: linear in the bytes of the names. Keys are found by a seeded hash of their bytes.
struct NameTree {
    /// The index of a node or of a part.
    typealias Index = Int32

    static let root: Index = 0
    /// The value that means no node or no part.
    static let none: Index = -1

    /// The limits on names.
    struct Limits {
        let parts: Int
        let nameBytes: Int
        /// The maximum number of segments in a name.
        let depth: Int
    }

    /// Nodes or parts in the order of their arrival, linked by their indices.
    struct List {
        fileprivate(set) var first = NameTree.none
        fileprivate(set) var last = NameTree.none
        fileprivate(set) var count = 0

        var isEmpty: Bool { count == 0 }
    }

    struct Node {
        let parent: Index
        fileprivate let hash: Int
        /// The range of the key in the tree's bytes.
        let key: Range<Int>
        /// The end of the node's name in the tree's bytes.
        fileprivate(set) var nameEnd: Int
        /// The first part whose name begins with the node's name; none for the root.
        fileprivate(set) var part: Index
        /// The parts with exactly this name.
        fileprivate(set) var values = List()
        /// The parts whose name is the node's name followed by `[]`.
        fileprivate(set) var appended = List()
        fileprivate(set) var children = List()
        fileprivate(set) var sibling = NameTree.none
        /// Whether the node is one of its parent's children; if not, only names of another style may belong to it.
        fileprivate(set) var isListed = false
        /// The first part whose name may belong to this node in another style; none if there is none.
        fileprivate var otherStylePart = NameTree.none
        /// Whether the name of `otherStylePart` is certain to be in another style; otherwise it counts only if the node
        /// gets nothing else.
        fileprivate var isOtherStyle = false
        /// Whether a part's name is the node's name followed by `[]` and something else.
        fileprivate(set) var isAmbiguous = false

        /// Whether no part has the node's name, or a name that begins with it.
        var isEmpty: Bool { values.isEmpty && appended.isEmpty && children.isEmpty && !isAmbiguous }
    }

    let grammar: NameGrammar
    private(set) var nodes: ContiguousArray<Node>
    /// The node of each part; none for a part without a name.
    private(set) var owners: ContiguousArray<Index> = []
    /// For each part, the next one in its list.
    private(set) var followers: ContiguousArray<Index> = []
    /// The names, one after the other.
    private(set) var bytes: ContiguousArray<UInt8> = []
    /// Where the name of each part begins in `bytes`.
    private(set) var starts: ContiguousArray<Int> = []
    /// An open hash table of the nodes except the root; its size is a power of two.
    private var table = ContiguousArray(repeating: NameTree.none, count: 64)

    init(_ parts: PartList, _ grammar: NameGrammar, _ limits: Limits) throws(FormDataCodingIssue) {
        self.grammar = grammar
        nodes = [Node(parent: Self.none, hash: 0, key: 0..<0, nameEnd: 0, part: Self.none)]
        guard parts.count <= limits.parts else { throw CodingReason(CodingCode.tooManyParts).issue(nil, nil) }
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
                throw error.issue(parts.name(at: index), index)
            }
        }
    }

    /// Adds the nodes of the last part so far, whose name is at the end of `bytes`.
    private mutating func addLastName(
        _ part: Index,
        _ limits: Limits,
        _ segments: inout ContiguousArray<NameGrammar.Segment>
    ) throws(CodingReason) {
        let start = starts[Int(part)]
        let range = start..<bytes.count
        guard range.count <= limits.nameBytes else { throw CodingReason(CodingCode.nameTooLong) }
        guard !CombiningMarks.exceedLimit(bytes.span.extracting(range)) else {
            throw CodingReason(CodingCode.tooManyCombiningMarks)
        }
        let isWellFormed = grammar.split(bytes.span.extracting(range), into: &segments)
        guard segments.count <= limits.depth else { throw CodingReason(CodingCode.tooDeep) }
        if let other = grammar.otherStyle(of: bytes.span.extracting(range), isWellFormed: isWellFormed) {
            for end in other.ends { mark(part, keyUpTo: end, from: start, isCertain: other.isCertain) }
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
            node = child(of: node, segment, part, from: start, isListed: true)
        }
        owners[Int(part)] = node
        Self.append(part, to: &nodes[Int(node)].values, &followers)
    }

    /// Adds a part whose name is a node's name followed by `[]` and, unless `isLast`, by something else.
    private mutating func append(_ part: Index, toArray node: Index, isLast: Bool) {
        owners[Int(part)] = node
        if isLast {
            Self.append(part, to: &nodes[Int(node)].appended, &followers)
        } else {
            nodes[Int(node)].isAmbiguous = true
        }
    }

    /// Marks the node of a key that a part's name may have in another style. Creates the node if no part has the key.
    private mutating func mark(_ part: Index, keyUpTo end: Int, from start: Int, isCertain: Bool) {
        let segment = NameGrammar.Segment(key: 0..<end, end: end)
        let node = Int(child(of: Self.root, segment, part, from: start, isListed: false))
        guard !nodes[node].isOtherStyle, isCertain || nodes[node].otherStylePart == Self.none else { return }
        nodes[node].otherStylePart = part
        nodes[node].isOtherStyle = isCertain
    }

    private static func append(_ part: Index, to list: inout List, _ followers: inout ContiguousArray<Index>) {
        if list.isEmpty { list.first = part } else { followers[Int(list.last)] = part }
        list.last = part
        list.count += 1
    }

    /// Returns the child of a node with the key of a segment; creates it if there is none. The segment's name begins at
    /// `start` in `bytes`.
    private mutating func child(
        of parent: Index,
        _ segment: NameGrammar.Segment,
        _ part: Index,
        from start: Int,
        isListed: Bool
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
        }
        if isListed, !nodes[Int(index)].isListed {
            nodes[Int(index)].part = part
            nodes[Int(index)].nameEnd = start + segment.end
            list(index, under: parent)
        }
        return index
    }

    /// Appends a node to its parent's children.
    private mutating func list(_ index: Index, under parent: Index) {
        nodes[Int(index)].isListed = true
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
        // SAFETY: the bytes are read inside the closure only.
        unsafe key.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        return hasher.finalize()
    }

    /// The bucket of a child or, if there is no such child, the empty bucket for it. The search ends, because at least
    /// half of the buckets are empty.
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
    /// The child with a key, compared by its bytes; nil if there is none.
    func child(of parent: Index, _ key: String) -> Index? {
        var key = key
        // SAFETY: the bytes are read inside the closure only.
        let index = key.withUTF8 { bytes in
            let key = unsafe bytes.span
            return table[bucket(of: parent, key, Self.hash(parent, key))]
        }
        return index == Self.none ? nil : index
    }
}

// Reading the tree.
extension NameTree {
    func children(of node: Index) -> some Sequence<Index> {
        sequence(state: nodes[Int(node)].children.first) { next in
            guard next != Self.none else { return nil }
            defer { next = nodes[Int(next)].sibling }
            return next
        }
    }

    /// The parts of a list, in order.
    func parts(_ list: List) -> some Sequence<Index> {
        sequence(state: list.first) { next in
            guard next != Self.none else { return nil }
            defer { next = followers[Int(next)] }
            return next
        }
    }

    func parent(of node: Index) -> Index { nodes[Int(node)].parent }

    /// A node and its ancestors, without the root.
    func ancestors(of node: Index) -> some Sequence<Index> {
        sequence(state: node) { next in
            guard next > Self.root else { return nil }
            defer { next = nodes[Int(next)].parent }
            return next
        }
    }

    /// The part whose name may begin with a node's key in another style, so that the node's keys or elements are
    /// unknown; nil if there is none. A name that fits the tree's style counts only if nothing else is under the key.
    func otherStylePart(of index: Index) -> Index? {
        let node = nodes[Int(index)]
        guard node.otherStylePart != Self.none, node.isOtherStyle || node.isEmpty else { return nil }
        return node.otherStylePart
    }

    // Names and keys.

    func key(of node: Index) -> String { text(nodes[Int(node)].key) }

    /// The name of a node as it was sent; nil for the root.
    func name(of node: Index) -> String? {
        let node = nodes[Int(node)]
        return node.part == Self.none ? nil : text(starts[Int(node.part)]..<node.nameEnd)
    }

    /// The keys in a part's name after the keys of its node. Empty, unless the name has `[]` before its end.
    func keys(ofPart part: Index, after node: Index) -> [String] {
        guard nodes[Int(node)].isAmbiguous else { return [] }
        var keys = grammar.keys(of: bytes.span.extracting(name(ofPart: Int(part))))
        if keys.last?.isEmpty == true { keys.removeLast() }
        return Array(keys.dropFirst(ancestors(of: node).reduce(0) { count, _ in count + 1 }))
    }

    /// The range of a part's name.
    private func name(ofPart part: Int) -> Range<Int> {
        let next = part + 1
        return starts[part]..<(next < starts.count ? starts[next] : bytes.count)
    }

    private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    func isASCII(_ node: Index) -> Bool {
        let key = bytes.span.extracting(nodes[Int(node)].key)
        return ASCII.endOfASCII(key, from: 0) == key.count
    }

    // Indices of arrays.

    /// The digits of a child's key if it is an index without leading zeros, such as `0` or `12`; else nil.
    func index(of node: Index) -> Range<Int>? {
        let key = nodes[Int(node)].key
        guard !key.isEmpty, key.allSatisfy({ ASCII.isDigit(bytes[$0]) }) else { return nil }
        let hasLeadingZero = key.count > 1 && bytes[key.lowerBound] == UInt8(ascii: "0")
        return hasLeadingZero ? nil : key
    }

    /// Whether the number `left` is less than the number `right`. Both are given as the ranges of their digits, which
    /// may be of any length.
    func isIndex(_ left: Range<Int>, before right: Range<Int>) -> Bool {
        guard left.count == right.count else { return left.count < right.count }
        return bytes[left].lexicographicallyPrecedes(bytes[right])
    }

    /// Whether the digits at `index` are those of `number`.
    func isIndex(_ index: Range<Int>, _ number: Int) -> Bool {
        bytes[index].elementsEqual(String(number).utf8)
    }
}
