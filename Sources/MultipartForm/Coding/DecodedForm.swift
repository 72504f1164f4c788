/// A form while a value is decoded from it: its names, its parts, and which of them have been read.
///
/// - Invariant: a part is read by at most one value of the result, unless its type asks for it again.
final class DecodedForm {
    /// Where a value is.
    enum Place {
        case node(NameTree.Index)
        /// An element of an array that is a part by itself.
        case part(NameTree.Index)
        /// Nothing has the name.
        case absent
    }

    let parts: PartList
    let options: FormDataDecoder
    let tree: NameTree
    /// What types may ask for, as the standard library wants it.
    let userInfo: [CodingUserInfoKey: Any]

    /// The nodes that were asked for.
    private var readNodes: ContiguousArray<Bool>
    /// The nodes that were decoded as arrays, whose elements count as read one by one.
    private var arrays: ContiguousArray<Bool>
    private var readParts: ContiguousArray<Bool>
    /// Nodes with keys that their type takes for the same, and the second of these.
    private var collisions: [NameTree.Index: NameTree.Index] = [:]
    /// What the dictionary that is decoded next makes of a key, if not its text.
    var keyIdentity: ((any CodingKey) -> AnyHashable?)?
    private var typeNames: [ObjectIdentifier: String] = [:]
    /// The types that decode themselves; to ask a type what it is takes longer than to look it up.
    private var plainTypes: Set<ObjectIdentifier> = []

    init(_ form: MultipartFormData, _ options: FormDataDecoder) throws {
        parts = form.list
        self.options = options
        userInfo = options.userInfo.mapValues { $0 as Any }
        do throws(NameTree.Excess) {
            tree = try NameTree(parts, options)
        } catch {
            let issue = error.problem.issue(error.name, error.part)
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: error.keys.map(TextKey.init),
                    debugDescription: issue.description,
                    underlyingError: issue
                )
            )
        }
        readNodes = ContiguousArray(repeating: false, count: tree.nodes.count)
        arrays = readNodes
        readParts = ContiguousArray(repeating: false, count: parts.count)
    }

    // Shapes.

    /// The node of a value with keys; nil if nothing has the name.
    func keyed(_ place: Place) throws(CodingProblem) -> NameTree.Index? {
        switch place {
        case .absent: return nil
        case .part: throw CodingProblem(.expectedKeys)
        case .node(let index):
            let node = tree.nodes[Int(index)]
            guard !node.isAmbiguous else { throw CodingProblem(.ambiguousArray) }
            guard node.values.isEmpty, node.appended.isEmpty else {
                throw CodingProblem(node.children.isEmpty ? .expectedKeys : .mixedShapes)
            }
            return index
        }
    }

    /// An element of an array.
    struct Element {
        let place: Place
        let key: IndexKey
    }

    /// The elements of an array in their order, without file inputs that have no file.
    func elements(_ place: Place) throws(CodingProblem) -> [Element] {
        guard case .node(let index) = place else {
            if case .absent = place { return [] }
            // An element is no array of one: a type could go on without end.
            throw CodingProblem(.expectedArray)
        }
        let node = tree.nodes[Int(index)]
        guard !node.isAmbiguous else { throw CodingProblem(.ambiguousArray) }
        let forms = [node.values, node.appended, node.children].filter { !$0.isEmpty }
        guard forms.count < 2 else { throw CodingProblem(.mixedShapes) }
        let result =
            node.children.isEmpty
            ? elements(tree.parts(node.values.isEmpty ? node.appended : node.values).map(Place.part))
            : try indexedElements(of: index)
        arrays[Int(index)] = true
        return result
    }

    private func elements(_ places: [Place]) -> [Element] {
        places.enumerated().lazy.filter { !self.isNoFile($0.element) }.map { index, place in
            Element(place: place, key: IndexKey(index))
        }
    }

    /// The children of a node whose keys are indices, sorted by these.
    private func indexedElements(of parent: NameTree.Index) throws(CodingProblem) -> [Element] {
        var found: [(index: Range<Int>, node: NameTree.Index)] = []
        for child in tree.children(of: parent) {
            guard let index = tree.index(of: child) else { throw CodingProblem(.expectedArray) }
            found.append((index, child))
        }
        found.sort { tree.isIndex($0.index, before: $1.index) }
        if !options.arrayIndices.allowsGaps {
            // No key occurs twice, so without a gap the last is the greatest.
            guard let last = found.last, tree.isIndex(last.index, found.count - 1) else {
                throw CodingProblem(.sparseArray)
            }
        }
        var result: [Element] = []
        for (position, element) in found.enumerated() {
            let key =
                options.arrayIndices.allowsGaps
                ? IndexKey(digits: tree.key(of: element.node), position: position) : IndexKey(position)
            let element = Element(place: .node(element.node), key: key)
            if isNoFile(element.place) { markRead(element) } else { result.append(element) }
        }
        return result
    }

    /// The part of a single value.
    func part(_ place: Place) throws(CodingProblem) -> DecodedPart {
        switch place {
        case .absent: throw CodingProblem(.missingValue)
        case .part(let index): return DecodedPart(self, index)
        case .node(let index):
            let node = tree.nodes[Int(index)]
            guard !node.isAmbiguous else { throw CodingProblem(.ambiguousArray) }
            guard node.appended.isEmpty, node.children.isEmpty else { throw CodingProblem(.expectedValue) }
            // Only the root of an empty form has nothing.
            guard !node.values.isEmpty else { throw CodingProblem(.missingValue) }
            // A type may have tried an array before.
            arrays[Int(index)] = false
            switch options.duplicates.kind {
            case .first: return DecodedPart(self, node.values.first)
            case .last: return DecodedPart(self, node.values.last)
            case .reject:
                guard node.values.count == 1 else { throw CodingProblem(.duplicateName) }
                return DecodedPart(self, node.values.first)
            }
        }
    }

    /// The part of a place that is one part and nothing else; nil if it is not.
    private func onlyPart(_ place: Place) -> DecodedPart? {
        switch place {
        case .absent: return nil
        case .part(let index): return DecodedPart(self, index)
        case .node(let index):
            let node = tree.nodes[Int(index)]
            guard node.values.count == 1, node.appended.isEmpty, node.children.isEmpty, !node.isAmbiguous else {
                return nil
            }
            return DecodedPart(self, node.values.first)
        }
    }

    private func isNoFile(_ place: Place) -> Bool {
        onlyPart(place)?.isNoFile == true
    }

    /// Whether a place is nil for an optional of a type.
    func isNil(_ place: Place, for type: Any.Type) -> Bool {
        if case .absent = place { return true }
        return onlyPart(place)?.isNil(for: type) == true
    }

    // What has been read.

    /// The value under a key, which then counts as read.
    func child(of node: NameTree.Index, _ name: String) -> Place {
        guard let child = tree.child(of: node, name) else { return .absent }
        readNodes[Int(child)] = true
        return .node(child)
    }

    func markRead(_ element: Element) {
        switch element.place {
        case .node(let index): readNodes[Int(index)] = true
        case .part(let index): readParts[Int(index)] = true
        case .absent: break
        }
    }

    /// Remembers that two keys of a node are one for their type, which cannot be told until it asks for a value.
    func markCollision(in node: NameTree.Index, at child: NameTree.Index) {
        collisions[node] = child
    }

    /// The second of two children whose keys are one for their type; nil if there are none.
    func collision(in node: NameTree.Index) -> NameTree.Index? {
        collisions.isEmpty ? nil : collisions[node]
    }

    /// Fails at the first part that was not read, if that is an error.
    func checkNames() throws {
        guard options.unknownNames.areErrors else { return }
        for index in parts.indices {
            let owner = tree.owners[index]
            if owner >= 0, isRead(NameTree.Index(index), of: owner) { continue }
            let issue = CodingProblem(.unknownName).issue(parts.name(at: index), index)
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: owner < 0 ? [] : keys(of: owner),
                    debugDescription: issue.description,
                    underlyingError: issue
                )
            )
        }
    }

    private func keys(of node: NameTree.Index) -> [any CodingKey] {
        tree.ancestors(of: node).map { node -> any CodingKey in
            let key = tree.key(of: node)
            return arrays[Int(tree.parent(of: node))] ? IndexKey(digits: key, position: 0) : TextKey(key)
        }
        .reversed()
    }

    private func isRead(_ part: NameTree.Index, of owner: NameTree.Index) -> Bool {
        // A file input without a file is left out of an array.
        guard !arrays[Int(owner)] || readParts[Int(part)] || DecodedPart(self, part).isNoFile else { return false }
        return tree.ancestors(of: owner).allSatisfy { readNodes[Int($0)] }
    }

    // Values and errors.

    func isPlain(_ type: Any.Type) -> Bool { plainTypes.contains(ObjectIdentifier(type)) }

    func markPlain(_ type: Any.Type) {
        plainTypes.insert(ObjectIdentifier(type))
    }

    /// Reads the value of a single part.
    func read<T: FormLeaf>(_ type: T.Type, at path: @autoclosure () -> CodingPath?, _ place: Place) throws -> T {
        var place = place
        do throws(CodingProblem) {
            let part = try part(place)
            place = .part(part.index)
            return try T.read(part)
        } catch {
            throw self.error(error, type, at: path(), place)
        }
    }

    /// The name of a type, which takes long to make: some types try one after the other what they are.
    private func name(of type: Any.Type) -> String {
        let identifier = ObjectIdentifier(type)
        if let name = typeNames[identifier] { return name }
        let name = "\(type)"
        typeNames[identifier] = name
        return name
    }

    /// The error of a value: a key in a container, or a place itself.
    func error(_ problem: CodingProblem, _ type: Any.Type, at path: CodingPath?, _ place: Place) -> DecodingError {
        let issue: FormDataCodingIssue
        switch place {
        case .absent:
            issue = problem.issue(path.name(options.keyPathEncoding), nil)
        case .part(let index):
            issue = problem.issue(parts.name(at: Int(index)), Int(index))
        case .node(let index):
            let part = tree.nodes[Int(index)].part
            let hasSeveral = [.duplicateName, .mixedShapes, .sparseArray].contains(problem.code)
            issue = problem.issue(tree.name(of: index), part < 0 || hasSeveral ? nil : Int(part))
        }
        func context(_ path: CodingPath?) -> DecodingError.Context {
            DecodingError.Context(
                codingPath: path.keys,
                debugDescription: problem.text(issue.name, name(of: type)),
                underlyingError: issue
            )
        }
        switch problem.code.kind {
        case .notFound:
            guard let path, !(path.key is IndexKey) else { return .valueNotFound(type, context(path)) }
            return .keyNotFound(path.key, context(path.parent))
        case .valueNotFound: return .valueNotFound(type, context(path))
        case .typeMismatch: return .typeMismatch(type, context(path))
        case .dataCorrupted: return .dataCorrupted(context(path))
        }
    }
}
