/// The names of a form's parts as a tree of keys.
///
/// - Input: names, and the limits on them.
/// - Output: nodes, of which 0 is the root. What a node is, the type decides that is decoded from it.
/// - Invariant: at most one node for each segment of each name; nothing is allocated by the value of an index.
/// - Cost: linear in the bytes of the names. Keys are found by a seeded hash of their bytes.
struct NameTree {
    /// The index of a node or of a part.
    typealias Index = Int32

    /// Nodes or parts in the order of their arrival, linked by their indices.
    struct List {
        fileprivate(set) var first: Index = -1
        fileprivate(set) var last: Index = -1
        fileprivate(set) var count = 0

        var isEmpty: Bool { count == 0 }
    }

    struct Node {
        fileprivate let parent: Index
        fileprivate let hash: Int
        /// The place of the key in the tree's bytes.
        fileprivate let key: Range<Int>
        /// The end of the node's name in the tree's bytes.
        fileprivate let nameEnd: Int
        /// The first part whose name begins with the node's; -1 for the root.
        let part: Index
        /// The parts with exactly this name.
        fileprivate(set) var values = List()
        /// The parts whose name has `[]` after this one.
        fileprivate(set) var appended = List()
        fileprivate(set) var children = List()
        fileprivate var sibling: Index = -1
        /// Whether a name has `[]` after this one, and then something else.
        fileprivate(set) var isAmbiguous = false
    }

    /// A limit on names that a part exceeds.
    struct Excess: Error {
        let problem: CodingProblem
        let part: Int?
        let name: String?
        let keys: [String]
    }

    private(set) var nodes: ContiguousArray<Node>
    /// The node of each part; -1 for a part without a name.
    private(set) var owners: ContiguousArray<Index> = []
    /// The next part in the list of each.
    private var followers: ContiguousArray<Index> = []
    /// The names, one after the other.
    private var bytes: ContiguousArray<UInt8> = []
    private var starts: ContiguousArray<Int> = []
    /// An open hash table of the nodes but the root; its size is a power of two.
    private var table = ContiguousArray<Index>(repeating: -1, count: 64)

    init(_ parts: PartList, _ options: FormDataDecoder) throws(Excess) {
        nodes = [Node(parent: -1, hash: 0, key: 0..<0, nameEnd: 0, part: -1)]
        guard parts.count <= options.maxParts else {
            throw Excess(problem: CodingProblem(.tooManyParts), part: nil, name: nil, keys: [])
        }
        let grammar = NameGrammar(options.keyPathEncoding)
        var segments: ContiguousArray<NameGrammar.Segment> = []
        owners.reserveCapacity(parts.count)
        followers.reserveCapacity(parts.count)
        starts.reserveCapacity(parts.count)
        for index in parts.indices {
            let start = bytes.count
            owners.append(-1)
            followers.append(-1)
            starts.append(start)
            guard let name = parts.name(at: index) else { continue }
            guard name.utf8.count <= options.maxNameBytes else {
                throw Excess(problem: CodingProblem(.nameTooLong), part: index, name: name, keys: [])
            }
            bytes.append(contentsOf: name.utf8)
            grammar.split(bytes.span.extracting(start..<bytes.count), into: &segments)
            guard segments.count <= options.maxDepth else {
                let keys = segments.prefix(max(0, options.maxDepth)).map { text($0.key, from: start) }
                throw Excess(problem: CodingProblem(.tooDeep), part: index, name: name, keys: keys)
            }
            insert(Index(index), segments, from: start)
        }
    }

    private func text(_ range: Range<Int>, from start: Int = 0) -> String {
        String(decoding: bytes[start + range.lowerBound..<start + range.upperBound], as: UTF8.self)
    }

    private mutating func insert(_ part: Index, _ segments: ContiguousArray<NameGrammar.Segment>, from start: Int) {
        var node: Index = 0
        for segment in segments {
            guard !segment.key.isEmpty || segments.count == 1 else {
                owners[Int(part)] = node
                if segment == segments.last {
                    Self.append(part, to: &nodes[Int(node)].appended, &followers)
                } else {
                    nodes[Int(node)].isAmbiguous = true
                }
                return
            }
            let key = start + segment.key.lowerBound..<start + segment.key.upperBound
            node = child(of: node, at: key, part, nameEnd: start + segment.end)
        }
        owners[Int(part)] = node
        Self.append(part, to: &nodes[Int(node)].values, &followers)
    }

    private static func append(_ part: Index, to list: inout List, _ followers: inout ContiguousArray<Index>) {
        if list.last < 0 { list.first = part } else { followers[Int(list.last)] = part }
        list.last = part
        list.count += 1
    }

    /// The child with the key at a place, which is created if there is none.
    private mutating func child(of parent: Index, at key: Range<Int>, _ part: Index, nameEnd: Int) -> Index {
        let hash = Self.hash(parent, bytes.span.extracting(key))
        let bucket = bucket(of: parent, bytes.span.extracting(key), hash)
        guard table[bucket] < 0 else { return table[bucket] }
        let index = Index(nodes.count)
        table[bucket] = index
        nodes.append(Node(parent: parent, hash: hash, key: key, nameEnd: nameEnd, part: part))
        let last = nodes[Int(parent)].children.last
        if last < 0 { nodes[Int(parent)].children.first = index } else { nodes[Int(last)].sibling = index }
        nodes[Int(parent)].children.last = index
        nodes[Int(parent)].children.count += 1
        if 2 * nodes.count > table.count { grow() }
        return index
    }

    private mutating func grow() {
        let mask = 2 * table.count - 1
        table = ContiguousArray(repeating: -1, count: mask + 1)
        for index in nodes.indices.dropFirst() {
            var bucket = nodes[index].hash & mask
            while table[bucket] >= 0 { bucket = (bucket + 1) & mask }
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

    /// The bucket of a child, or the empty one where it would be. Half of the buckets are empty.
    private func bucket(of parent: Index, _ key: Span<UInt8>, _ hash: Int) -> Int {
        var bucket = hash & (table.count - 1)
        while table[bucket] >= 0 {
            let node = nodes[Int(table[bucket])]
            if node.hash == hash, node.parent == parent, isEqual(node.key, key) { break }
            bucket = (bucket + 1) & (table.count - 1)
        }
        return bucket
    }

    private func isEqual(_ place: Range<Int>, _ key: Span<UInt8>) -> Bool {
        place.count == key.count && key.indices.allSatisfy { key[$0] == bytes[place.lowerBound + $0] }
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
        return index < 0 ? nil : index
    }

    func children(of node: Index) -> some Sequence<Index> {
        let first = nodes[Int(node)].children.first
        return sequence(state: first) { next in
            guard next >= 0 else { return nil }
            defer { next = nodes[Int(next)].sibling }
            return next
        }
    }

    /// The parts of a list, in order.
    func parts(_ list: List) -> some Sequence<Index> {
        sequence(state: list.first) { next in
            guard next >= 0 else { return nil }
            defer { next = followers[Int(next)] }
            return next
        }
    }

    func key(of node: Index) -> String { text(nodes[Int(node)].key) }

    func isASCII(_ node: Index) -> Bool {
        var bits: UInt8 = 0
        for index in nodes[Int(node)].key { bits |= bytes[index] }
        return bits < 0x80
    }

    /// The name of a node as it was sent; nil for the root.
    func name(of node: Index) -> String? {
        let node = nodes[Int(node)]
        return node.part < 0 ? nil : text(starts[Int(node.part)]..<node.nameEnd)
    }

    func parent(of node: Index) -> Index { nodes[Int(node)].parent }

    /// The nodes from one up to the root, which is left out.
    func ancestors(of node: Index) -> some Sequence<Index> {
        sequence(state: node) { next in
            guard next > 0 else { return nil }
            defer { next = nodes[Int(next)].parent }
            return next
        }
    }

    /// The digits of a child's key if it is an index in its only form, such as `0` or `12`; else nil.
    func index(of node: Index) -> Range<Int>? {
        let key = nodes[Int(node)].key
        guard !key.isEmpty, key.allSatisfy({ ASCII.isDigit(bytes[$0]) }) else { return nil }
        return key.count > 1 && bytes[key.lowerBound] == UInt8(ascii: "0") ? nil : key
    }

    /// Whether the number of one index is less than that of another; they may be of any length.
    func isIndex(_ left: Range<Int>, before right: Range<Int>) -> Bool {
        left.count == right.count ? bytes[left].lexicographicallyPrecedes(bytes[right]) : left.count < right.count
    }

    /// Whether an index is a number.
    func isIndex(_ index: Range<Int>, _ number: Int) -> Bool {
        bytes[index].elementsEqual(String(number).utf8)
    }
}
