// Determines the shape of a value: whether the value has keys, has elements, is one part or is nil. Tables in
// `TypeKind.swift` list the rules.
extension ReceivedForm {
    // Methods for values with keys.

    /// Returns the node of a value with keys. Returns nil if the value is `.absent`. Throws if the value has another
    /// shape.
    func nodeWithKeys(_ value: Value) throws(CodingReason) -> NameTree.Index? {
        try checkStyle(value)
        switch value {
        case .absent, .otherStyle: return nil
        case .part: throw CodingReason(ErrorCode.expectedKeys)
        case .node(let index):
            let node = tree.nodes[Int(index)]
            guard node.values.isEmpty, node.appended.isEmpty else {
                throw CodingReason(node.children.isEmpty ? ErrorCode.expectedKeys : ErrorCode.mixedShapes)
            }
            return index
        }
    }

    /// Throws if the names of the value's keys or elements are ambiguous:
    /// - A name has `[]` before its end, such as `a[][b]`.
    /// - A name is possibly in another style than the key path encoding, such as `a.b` if the encoding is `.brackets`.
    func checkStyle(_ value: Value) throws(CodingReason) {
        if case .node(let index) = value, tree.nodes[Int(index)].isAmbiguous {
            throw CodingReason(ErrorCode.ambiguousArray)
        }
        guard otherStylePart(of: value) == nil else { throw CodingReason(ErrorCode.malformedName) }
    }

    /// Returns a part whose name may be in another style and begins with the value's key, such as `a.b` for the key
    /// `a`. Returns nil if the form has no such part.
    func otherStylePart(of value: Value) -> NameTree.Index? {
        switch value {
        case .absent, .part: nil
        case .otherStyle(let part): part
        case .node(let node): tree.otherStylePart(of: node)
        }
    }

    /// Returns the second of two children whose keys are the same in a dictionary, such as `1` and `01` in
    /// `[Int: String]`. Returns nil if all keys differ.
    ///
    /// `type` is the dictionary's type. `type` is nil if another type passes its own decoder to the dictionary, as in
    /// `Dictionary(from: decoder)`. Two keys are then the same if they have the same text or the same number.
    func repeatedKey<Key: CodingKey>(
        of node: NameTree.Index,
        as key: Key.Type,
        in type: (any DictionaryType.Type)?
    ) -> NameTree.Index? {
        // Keys with different bytes can be equal strings, but only if at least one byte is not ASCII.
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

    // Elements of arrays.

    struct Element {
        let value: Value
        let key: IndexKey
    }

    /// Returns the elements of an array in order. Throws if the value is not an array.
    ///
    /// The method omits empty file inputs, but marks the omitted parts as read. If `areFiles` is true, an empty part
    /// without a file name counts as an empty file input.
    func elements(_ value: Value, areFiles: Bool) throws(CodingReason) -> [Element] {
        try checkStyle(value)
        switch value {
        case .absent, .otherStyle: return []
        // A part must not be read as an array of one element. Otherwise, a type that contains an array of itself would
        // be decoded forever.
        case .part: throw CodingReason(ErrorCode.expectedArray)
        case .node(let index):
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
        default: throw CodingReason(ErrorCode.mixedShapes)
        }
    }

    private func elements(_ parts: NameTree.List) -> [Element] {
        tree.parts(parts).enumerated().map { Element(value: .part($1), key: IndexKey($0)) }
    }

    /// Returns the children of a node, sorted by index. Throws if a key is not an index, or if an index is missing.
    private func indexedElements(of parent: NameTree.Index) throws(CodingReason) -> [Element] {
        var found: [(index: Range<Int>, node: NameTree.Index)] = []
        let digits = "\(tree.nodes[Int(parent)].children.count)".utf8.count
        for child in tree.children(of: parent) {
            guard let index = tree.index(of: child) else { throw CodingReason(ErrorCode.expectedArray) }
            found.append((index, child))
        }
        // If there are 20 children, no index may have more than two digits. The check precedes the sort, because
        // comparing longer indices could take quadratic time.
        guard found.allSatisfy({ $0.index.count <= digits }) else { throw CodingReason(ErrorCode.sparseArray) }
        found.sort { tree.isIndex($0.index, before: $1.index) }
        // The indices in `found` are sorted, and all differ. If the last index is `found.count - 1`, no index is
        // missing.
        guard let last = found.last, tree.isIndex(last.index, found.count - 1) else {
            throw CodingReason(ErrorCode.sparseArray)
        }
        return found.enumerated().map { Element(value: .node($1.node), key: IndexKey($0)) }
    }

    // Methods for values that are one part.

    /// Returns the part of a value. If several parts have the value's name, the option `duplicates` selects one part.
    ///
    /// Throws in these cases:
    /// - The value has no part.
    /// - The value has keys or elements.
    /// - Several parts have the value's name, and `duplicates` is `.reject`.
    func singlePart(of value: Value) throws(CodingReason) -> ReceivedPart {
        switch value {
        case .absent, .otherStyle: throw CodingReason(.missingValue)
        case .part(let index): return part(index)
        case .node(let index):
            let node = tree.nodes[Int(index)]
            guard !node.isAmbiguous else { throw CodingReason(ErrorCode.ambiguousArray) }
            guard node.appended.isEmpty, node.children.isEmpty else { throw CodingReason(ErrorCode.expectedValue) }
            guard !node.values.isEmpty else { throw CodingReason(.missingValue) }
            guard let index = chosenValue(of: node) else { throw CodingReason(.duplicateName) }
            return part(index)
        }
    }

    /// Returns the part of a node that the option `duplicates` selects. Returns nil if the node has no part, or if the
    /// node has several parts and `duplicates` is `.reject`.
    private func chosenValue(of node: NameTree.Node) -> NameTree.Index? {
        guard !node.values.isEmpty else { return nil }
        switch options.duplicates.kind {
        case .first: return node.values.first
        case .last: return node.values.last
        case .reject: return node.values.count == 1 ? node.values.first : nil
        }
    }

    private func onlyPart(of value: Value) -> ReceivedPart? { try? singlePart(of: value) }

    // Methods for optionals.

    /// Whether an optional of `type` reads a value as nil. Always false for the root.
    ///
    /// `type` is nil if the caller does not know the type. The method then applies the rules for `Int`. If the value
    /// has a part that means nil, such as an empty field, the method marks the part as read.
    func isNil(_ value: Value, for type: Any.Type?) -> Bool {
        if let type, otherStylePart(of: value) != nil, mayHaveMembers(type) { return false }
        switch value {
        case .absent, .otherStyle: return true
        case .node(NameTree.root): return false
        case .node, .part:
            guard let part = onlyPart(of: value), isNil(part, for: type) else { return false }
            markRead(value)
            return true
        }
    }

    private func isNil(_ part: ReceivedPart, for type: Any.Type?) -> Bool {
        part.isEmptyFileInput(whereExpected: type.map { TypeKind(decoding: $0).expectsFile } ?? false)
            || (part.isEmptyText && options.nilDecoding.kind == .emptyValue && type != String.self)
            || (readsJSON && part.isJSONNull)
    }

    /// Whether a type may read keys or elements. A name in another style may then belong to the value, such as `a.b` to
    /// the value of the key `a`.
    private func mayHaveMembers(_ type: Any.Type) -> Bool {
        !TypeKind(decoding: type).isOnePart && !(type is any RawRepresentable.Type)
    }
}
