// Finds the shape of a value: whether it has keys, has elements, is one part or is nil. The comment in `TypeKind.swift`
// has the tables.
extension ReceivedForm {
    // Keys.

    /// The node of a value with keys; nil if no part has the value's name. Throws if the value has another shape.
    func nodeWithKeys(_ value: Value) throws(CodingReason) -> NameTree.Index? {
        switch value {
        case .absent: return nil
        case .part: throw CodingReason(CodingCode.expectedKeys)
        case .node(let index):
            let node = tree.nodes[Int(index)]
            try checkStyle(value)
            guard node.values.isEmpty, node.appended.isEmpty else {
                throw CodingReason(node.children.isEmpty ? CodingCode.expectedKeys : CodingCode.mixedShapes)
            }
            return index
        }
    }

    /// Throws if a value's keys or elements are ambiguous, or if they may be in a name of another style, such as `a.b`
    /// with brackets.
    func checkStyle(_ value: Value) throws(CodingReason) {
        guard case .node(let index) = value else { return }
        guard !tree.nodes[Int(index)].isAmbiguous else { throw CodingReason(CodingCode.ambiguousArray) }
        guard tree.otherStylePart(of: index) == nil else { throw CodingReason(CodingCode.malformedName) }
    }

    /// The second of two children whose keys are equal in a dictionary of `type`; nil if all keys differ. `type` is nil
    /// if the dictionary's type is unknown, because another type has called its initializer. Then keys are compared as
    /// texts and as numbers.
    func repeatedKey<Key: CodingKey>(
        of node: NameTree.Index,
        as key: Key.Type,
        in type: (any DictionaryType.Type)?
    ) -> NameTree.Index? {
        // In ASCII, different texts are different strings, so the keys' texts cannot be equal.
        let mayBeEqualTexts = !tree.children(of: node).allSatisfy(tree.isASCII)
        var texts: Set<String> = []
        var identities: Set<AnyHashable> = []
        for child in tree.children(of: node) {
            guard let key = Key(stringValue: tree.key(of: child)) else { continue }
            if mayBeEqualTexts, !texts.insert(key.stringValue).inserted { return child }
            let identity = type.map { $0.identity(of: key) } ?? key.intValue.map { AnyHashable($0) }
            if let identity, !identities.insert(identity).inserted { return child }
        }
        return nil
    }

    // Elements.

    /// An element of an array.
    struct Element {
        let value: Value
        let key: IndexKey
    }

    /// The elements of an array, in order. Empty file inputs are left out, and marked as read.
    func elements(_ value: Value, areFiles: Bool) throws(CodingReason) -> [Element] {
        switch value {
        case .absent: return []
        // An element that is a part is not an array with itself as its element, because a recursive type would then
        // never end.
        case .part: throw CodingReason(CodingCode.expectedArray)
        case .node(let index):
            try checkStyle(value)
            var result = try elements(of: index)
            result.removeAll { element in
                guard onlyPart(of: element.value)?.isEmptyFileInput(whereExpected: areFiles) == true else {
                    return false
                }
                markRead(element.value)
                return true
            }
            return result
        }
    }

    private func elements(of index: NameTree.Index) throws(CodingReason) -> [Element] {
        let node = tree.nodes[Int(index)]
        switch (node.values.isEmpty, node.appended.isEmpty, node.children.isEmpty) {
        case (_, true, true): return elements(node.values)
        case (true, false, true): return elements(node.appended)
        case (true, true, false): return try indexedElements(of: index)
        default: throw CodingReason(CodingCode.mixedShapes)
        }
    }

    private func elements(_ parts: NameTree.List) -> [Element] {
        tree.parts(parts).enumerated().map { Element(value: .part($1), key: IndexKey($0)) }
    }

    /// The children of a node, sorted by their keys. Throws if the keys are not the indices from 0 on without a gap.
    private func indexedElements(of parent: NameTree.Index) throws(CodingReason) -> [Element] {
        var found: [(index: Range<Int>, node: NameTree.Index)] = []
        for child in tree.children(of: parent) {
            guard let index = tree.index(of: child) else { throw CodingReason(CodingCode.expectedArray) }
            found.append((index, child))
        }
        found.sort { tree.isIndex($0.index, before: $1.index) }
        // No index occurs twice. So there is no gap if the last index equals the number of indices before it.
        guard let last = found.last, tree.isIndex(last.index, found.count - 1) else {
            throw CodingReason(CodingCode.sparseArray)
        }
        return found.enumerated().map { Element(value: .node($1.node), key: IndexKey($0)) }
    }

    // Single values.

    /// The part of a value that is one part. Throws if the value has no part, several parts, keys or elements.
    func singlePart(of value: Value) throws(CodingReason) -> ReceivedPart {
        switch value {
        case .absent: throw CodingReason(.missingValue)
        case .part(let index): return part(index)
        case .node(let index):
            let node = tree.nodes[Int(index)]
            guard !node.isAmbiguous else { throw CodingReason(CodingCode.ambiguousArray) }
            guard node.appended.isEmpty, node.children.isEmpty else { throw CodingReason(CodingCode.expectedValue) }
            guard !node.values.isEmpty else { throw CodingReason(.missingValue) }
            guard let index = chosenValue(of: node) else { throw CodingReason(.duplicateName) }
            return part(index)
        }
    }

    /// The part that `duplicates` takes from the parts with a node's name; nil if there is none, or if several are an
    /// error.
    private func chosenValue(of node: NameTree.Node) -> NameTree.Index? {
        guard !node.values.isEmpty else { return nil }
        switch options.duplicates.kind {
        case .first: return node.values.first
        case .last: return node.values.last
        case .reject: return node.values.count == 1 ? node.values.first : nil
        }
    }

    /// The part that `singlePart(of:)` returns; nil if that throws.
    private func onlyPart(of value: Value) -> ReceivedPart? { try? singlePart(of: value) }

    // Optionals.

    /// Whether a value is nil for an optional of `type`; pass nil if the type is unknown. If the value is nil, its part
    /// is marked as read. The root is never nil.
    func isNil(_ value: Value, for type: Any.Type?) -> Bool {
        if case .node(NameTree.root) = value { return false }
        guard !isAbsent(value, for: type) else { return true }
        guard let part = onlyPart(of: value), !hasOtherStyle(value, for: type) else { return false }
        let isNil =
            part.isEmptyFileInput(whereExpected: type.map { kind(of: $0).expectsFile } ?? false)
            || (part.isEmptyText && options.nilDecoding.kind == .emptyValue && type != String.self)
            || (readsJSON && part.isJSONNull)
        if isNil { markRead(value) }
        return isNil
    }

    /// Whether no part has the value's name, nor a name that may belong to the value in another style.
    func isAbsent(_ value: Value, for type: Any.Type?) -> Bool {
        switch value {
        case .absent: true
        case .part: false
        case .node(let index): tree.nodes[Int(index)].isEmpty && !hasOtherStyle(value, for: type)
        }
    }

    /// Whether a name in another style may belong to a value, and a type may request keys or elements from it.
    private func hasOtherStyle(_ value: Value, for type: Any.Type?) -> Bool {
        guard case .node(let index) = value, let type, tree.otherStylePart(of: index) != nil else { return false }
        return !kind(of: type).isOnePart
    }
}
