// The shapes of values: which have keys, elements or one part, and which are nil.
extension ReceivedForm {
    /// The node of a value with keys; nil if nothing has the name.
    func nodeWithKeys(_ value: Value) throws(CodingProblem) -> NameTree.Index? {
        try countRequest(of: value)
        switch value {
        case .absent: return nil
        case .part: throw CodingProblem(.expectedKeys)
        case .node(let index):
            let node = tree.nodes[Int(index)]
            try checkContainer(index)
            guard node.values.isEmpty, node.appended.isEmpty else {
                throw CodingProblem(node.children.isEmpty ? .expectedKeys : .mixedShapes)
            }
            mark(index, isArray: false)
            clearCollision(in: index)
            return index
        }
    }

    /// Fails if the keys or elements of a node are ambiguous, or joined in another style.
    func checkContainer(_ index: NameTree.Index) throws(CodingProblem) {
        guard !tree.nodes[Int(index)].isAmbiguous else { throw CodingProblem(.ambiguousArray) }
        guard tree.strayPart(of: index) == nil else {
            markMalformed(index)
            throw CodingProblem(.malformedName)
        }
    }

    // Arrays.

    /// An element of an array.
    struct Element {
        let value: Value
        let key: IndexKey
    }

    /// The elements of an array in their order, without those that are left out.
    func elements(_ value: Value, areFiles: Bool) throws(CodingProblem) -> [Element] {
        try countRequest(of: value)
        switch value {
        case .absent: return []
        // A lone part is not a one-element array: a recursive type would never end.
        case .part: throw CodingProblem(.expectedArray)
        case .node(let index):
            try checkContainer(index)
            let result = try elements(of: index)
            mark(index, isArray: true)
            return areFiles ? result.filter { !leavesOutFile($0) } : result
        }
    }

    private func elements(of index: NameTree.Index) throws(CodingProblem) -> [Element] {
        let node = tree.nodes[Int(index)]
        let shapes = [node.values, node.appended, node.children].filter { !$0.isEmpty }
        guard shapes.count < 2 else { throw CodingProblem(.mixedShapes) }
        guard node.children.isEmpty else { return try indexedElements(of: index) }
        return elements(node.values.isEmpty ? node.appended : node.values)
    }

    private func elements(_ parts: NameTree.List) -> [Element] {
        var result: [Element] = []
        result.reserveCapacity(parts.count)
        for (position, part) in tree.parts(parts).enumerated() where !ReceivedPart(self, part).isNoFile {
            result.append(Element(value: .part(part), key: IndexKey(position)))
        }
        return result
    }

    /// The children of a node whose keys are indices, sorted by these.
    private func indexedElements(of parent: NameTree.Index) throws(CodingProblem) -> [Element] {
        var found: [(index: Range<Int>, node: NameTree.Index)] = []
        for child in tree.children(of: parent) {
            guard let index = tree.index(of: child) else { throw CodingProblem(.expectedArray) }
            found.append((index, child))
        }
        found.sort { tree.isIndex($0.index, before: $1.index) }
        // No key occurs twice, so without a gap the last is the greatest.
        guard let last = found.last, tree.isIndex(last.index, found.count - 1) else {
            throw CodingProblem(.sparseArray)
        }
        var result: [Element] = []
        for (position, child) in found.enumerated() {
            let element = Element(value: .node(child.node), key: IndexKey(position))
            if isNoFile(child.node) { markRead(element) } else { result.append(element) }
        }
        return result
    }

    /// Whether an element is no file where one is expected; it is then read.
    private func leavesOutFile(_ element: Element) -> Bool {
        let part: ReceivedPart? =
            switch element.value {
            case .absent: nil
            case .part(let index): ReceivedPart(self, index)
            case .node(let index): onlyPart(of: index, isSingle: false)
            }
        guard part?.isNoExpectedFile == true else { return false }
        markRead(element)
        return true
    }

    /// Whether a node is a file input without a file, which an array leaves out, and nothing else.
    private func isNoFile(_ node: NameTree.Index) -> Bool {
        onlyPart(of: node, isSingle: false)?.isNoFile == true
    }

    // Single values.

    /// The part of a single value.
    func part(of value: Value) throws(CodingProblem) -> ReceivedPart {
        try countRequest(of: value)
        switch value {
        case .absent: throw CodingProblem(.missingValue)
        case .part(let index): return ReceivedPart(self, index)
        case .node(let index):
            let node = tree.nodes[Int(index)]
            guard !node.isAmbiguous else { throw CodingProblem(.ambiguousArray) }
            guard node.appended.isEmpty, node.children.isEmpty else { throw CodingProblem(.expectedValue) }
            // The root of an empty form, or a node that only names of another style belong to.
            guard !node.values.isEmpty else { throw CodingProblem(.missingValue) }
            mark(index, isArray: false)
            guard let part = onlyValue(of: node) else { throw CodingProblem(.duplicateName) }
            return ReceivedPart(self, part)
        }
    }

    /// The value of a node that is decoded; nil if it has none, or several are an error.
    private func onlyValue(of node: NameTree.Node) -> NameTree.Index? {
        guard !node.values.isEmpty else { return nil }
        switch options.duplicates.kind {
        case .first: return node.values.first
        case .last: return node.values.last
        case .reject: return node.values.count == 1 ? node.values.first : nil
        }
    }

    /// The part of a node that is one part and nothing else; nil if it is not. With `isSingle`, one of several parts is
    /// chosen, as for a single value.
    private func onlyPart(of index: NameTree.Index, isSingle: Bool) -> ReceivedPart? {
        let node = tree.nodes[Int(index)]
        guard node.appended.isEmpty, node.children.isEmpty, !node.isAmbiguous else { return nil }
        guard isSingle || node.values.count == 1 else { return nil }
        return onlyValue(of: node).map { ReceivedPart(self, $0) }
    }

    // Optionals.

    /// Whether a value is nil for an optional of a type; false if ``isNilUnlessContainer(_:for:)`` is true.
    func isNil(_ value: Value, for type: Any.Type) -> Bool {
        switch value {
        case .absent: return true
        case .part(let index): return ReceivedPart(self, index).isNil(for: type)
        case .node(let index):
            // A single value is as if names of another style were not there. No other value is nil beside them.
            guard tree.strayPart(of: index) == nil || CodingRole.isSingle(type) else { return false }
            guard !tree.isStray(index) else { return true }
            let isSingle = hasSeveralParts(index) && (readsJSON || parts(of: type) == .one)
            return onlyPart(of: index, isSingle: isSingle)?.isNil(for: type) == true
        }
    }

    /// Whether a value is nil if it is single, but the type may ask for elements of several parts, or for keys or
    /// elements beside names of another style, which are an error.
    func isNilUnlessContainer(_ value: Value, for type: Any.Type) -> Bool {
        guard case .node(let index) = value, parts(of: type) == .unknown else { return false }
        let isMalformed = tree.strayPart(of: index) != nil && !CodingRole.isSingle(type)
        guard isMalformed || hasSeveralParts(index) && !readsJSON else { return false }
        return tree.isStray(index) || onlyPart(of: index, isSingle: true)?.isNil(for: type) == true
    }

    private func hasSeveralParts(_ node: NameTree.Index) -> Bool { tree.nodes[Int(node)].values.count > 1 }

    /// How many parts a value has.
    private enum PartCount {
        case one
        case any
        /// The type decodes itself, and may ask for one value or for elements.
        case unknown
    }

    /// How many parts a value of a type has, or one of an optional of it.
    private func parts(of type: Any.Type) -> PartCount {
        switch role(of: type) {
        case .leaf, .part, .identifier: .one
        case .dictionary, .collection: .any
        case .optional(let wrapped): parts(of: wrapped)
        case .ordinary: .unknown
        }
    }
}
