// What a tree of names has in it.
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

    /// The nodes from one up to the root, which is left out.
    func ancestors(of node: Index) -> some Sequence<Index> {
        sequence(state: node) { next in
            guard next > Self.root else { return nil }
            defer { next = nodes[Int(next)].parent }
            return next
        }
    }

    /// Whether only names of another style belong to a node.
    func isStray(_ node: Index) -> Bool { node != Self.root && !nodes[Int(node)].isListed }

    /// The part whose name belongs to a node in another style, so that its keys or elements cannot be told; nil if there is
    /// none.
    func strayPart(of node: Index) -> Index? {
        let part = nodes[Int(node)].strayPart
        guard part == Self.none else { return part }
        return isStray(node) ? nodes[Int(node)].part : nil
    }

    // Names and keys.

    func key(of node: Index) -> String { text(nodes[Int(node)].key) }

    /// The name of a node as it was sent; nil for the root.
    func name(of node: Index) -> String? {
        let node = nodes[Int(node)]
        return node.part == Self.none ? nil : text(starts[Int(node.part)]..<node.nameEnd)
    }

    /// The keys of a part's name after those of its node: nothing, unless `[]` is before the end.
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

    /// The digits of a child's key if it is an index in its only form, such as `0` or `12`; else nil.
    func index(of node: Index) -> Range<Int>? {
        let key = nodes[Int(node)].key
        guard !key.isEmpty, key.allSatisfy({ ASCII.isDigit(bytes[$0]) }) else { return nil }
        let hasLeadingZero = key.count > 1 && bytes[key.lowerBound] == UInt8(ascii: "0")
        return hasLeadingZero ? nil : key
    }

    /// Whether the number of one index is less than that of another; they may be of any length.
    func isIndex(_ left: Range<Int>, before right: Range<Int>) -> Bool {
        guard left.count == right.count else { return left.count < right.count }
        return bytes[left].lexicographicallyPrecedes(bytes[right])
    }

    /// Whether an index is a number.
    func isIndex(_ index: Range<Int>, _ number: Int) -> Bool {
        bytes[index].elementsEqual(String(number).utf8)
    }
}
