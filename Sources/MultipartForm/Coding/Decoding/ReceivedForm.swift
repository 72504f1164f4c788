#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A received form while a value is decoded from it: its names, its parts, and which of them have been read.
///
/// - Invariant: a part is read by at most one value of the result, unless its type asks for it again.
final class ReceivedForm {
    /// What is to be decoded.
    enum Value: Hashable {
        /// A node of the tree of names, with what is below it.
        case node(NameTree.Index)
        /// An element of an array that is a part by itself.
        case part(NameTree.Index)
        /// Nothing has the name.
        case absent
    }

    /// What has been requested of a node or a part.
    private struct Marks {
        /// Whether it was requested.
        var isRead = false
        /// Whether it is a node that was decoded as an array, whose elements are marked as read one by one.
        var isArray = false
        /// Whether it is a node of which keys or elements were requested beside names of another style.
        var isMalformed = false
        /// How often it was requested.
        var requests: UInt16 = 0
    }

    let parts: PartList
    let options: FormDataDecoder
    let tree: NameTree
    /// The decoder's user info, as the standard library wants it.
    let userInfo: [CodingUserInfoKey: Any]

    private(set) lazy var jsonDecoder: JSONDecoder = {
        let decoder = JSONDecoder()
        options.configureJSON(decoder)
        return decoder
    }()

    /// Whether values below the root that have keys or elements are JSON.
    let readsJSON: Bool
    /// The values of which a type reads keys or elements from JSON.
    private var jsonValues: Set<Value> = []

    private var nodeMarks: ContiguousArray<Marks>
    private var partMarks: ContiguousArray<Marks>
    /// Nodes with keys that the type maps to one, the second of these, and whether the type has got the error.
    private var collisions: [NameTree.Index: (child: NameTree.Index, isReported: Bool)] = [:]
    /// How the next dictionary compares keys; nil: as text.
    var keyIdentity: ((any CodingKey) -> AnyHashable?)?
    private var typeNames: [ObjectIdentifier: String] = [:]
    /// Looking up a type's role is faster than asking the type.
    private var roles: [ObjectIdentifier: CodingRole] = [:]
    /// How often types have failed, and values were requested.
    var attempts = DecodingAttempts()

    init(_ form: MultipartFormData, _ options: FormDataDecoder) throws {
        parts = form.list
        self.options = options
        userInfo = options.userInfo.mapValues { $0 as Any }
        readsJSON = options.keyPathEncoding.isJSON
        do throws(FormDataCodingIssue) {
            let limits = NameTree.Limits(
                parts: options.maxParts,
                nameBytes: options.maxNameBytes,
                depth: options.depthLimit
            )
            tree = try NameTree(parts, options.keyPathEncoding.grammar, limits)
        } catch {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: Self.keys(of: error, options),
                    debugDescription: CodingProblem(error.code).message(error.name, nil),
                    underlyingError: error
                )
            )
        }
        nodeMarks = ContiguousArray(repeating: Marks(), count: tree.nodes.count)
        partMarks = ContiguousArray(repeating: Marks(), count: parts.count)
    }

    /// The first keys of a name that is too deep, as many as are allowed; none for another issue.
    private static func keys(of issue: FormDataCodingIssue, _ options: FormDataDecoder) -> [any CodingKey] {
        guard issue.code == .tooDeep, let name = issue.name else { return [] }
        let bytes = ContiguousArray(name.utf8)
        let keys = options.keyPathEncoding.grammar.keys(of: bytes.span)
        return keys.prefix(max(0, options.depthLimit)).map { TextKey($0) }
    }

    // Marks.

    /// Requests the value of a key, which is marked as read.
    func child(of node: NameTree.Index, _ name: String) -> Value {
        guard let child = tree.child(of: node, name) else { return .absent }
        nodeMarks[Int(child)].isRead = true
        return .node(child)
    }

    func markRead(_ element: Element) {
        switch element.value {
        case .node(let index): nodeMarks[Int(index)].isRead = true
        case .part(let index): partMarks[Int(index)].isRead = true
        case .absent: break
        }
    }

    /// Records whether a node was decoded as an array; the last type that tried decides.
    func mark(_ node: NameTree.Index, isArray: Bool) {
        if nodeMarks[Int(node)].isArray != isArray { nodeMarks[Int(node)].isArray = isArray }
    }

    /// Records that keys or elements of a node were requested, which are an error.
    func markMalformed(_ node: NameTree.Index) {
        nodeMarks[Int(node)].isMalformed = true
    }

    /// Whether elements of a value were decoded since ``forgetContainer(_:)``, or keys or elements of it refused.
    func isContainer(_ value: Value) -> Bool {
        guard case .node(let index) = value else { return false }
        return nodeMarks[Int(index)].isArray || nodeMarks[Int(index)].isMalformed
    }

    /// Forgets whether an earlier type has tried elements or keys of a value.
    func forgetContainer(_ value: Value) {
        guard case .node(let index) = value else { return }
        (nodeMarks[Int(index)].isArray, nodeMarks[Int(index)].isMalformed) = (false, false)
    }

    /// Records two keys that the type maps to one. `allKeys` finds them, and cannot throw.
    func markCollision(in node: NameTree.Index, at child: NameTree.Index) {
        collisions[node] = (child, false)
    }

    /// The second of two children whose keys the type maps to one, for an error; nil if there are none.
    func reportCollision(in node: NameTree.Index) -> NameTree.Index? {
        guard !collisions.isEmpty, let collision = collisions[node] else { return nil }
        collisions[node] = (collision.child, true)
        return collision.child
    }

    /// As ``reportCollision(in:)``, but nil if the type has got the error.
    func reportNewCollision(in node: NameTree.Index) -> NameTree.Index? {
        guard !collisions.isEmpty, collisions[node]?.isReported == false else { return nil }
        return reportCollision(in: node)
    }

    /// Forgets a collision of keys: another type may map them to different ones.
    func clearCollision(in node: NameTree.Index) {
        if !collisions.isEmpty { collisions[node] = nil }
    }

    /// Records that a type reads keys or elements of a value from JSON.
    func markJSON(_ value: Value) {
        jsonValues.insert(value)
    }

    /// Whether a type has read keys or elements of a value from JSON.
    func isJSON(_ value: Value) -> Bool { jsonValues.contains(value) }

    /// Counts a request of a value; fails if that or another was requested too often.
    func countRequest(of value: Value) throws(CodingProblem) {
        switch value {
        case .node(let index): try attempts.count(&nodeMarks[Int(index)].requests)
        case .part(let index): try attempts.count(&partMarks[Int(index)].requests)
        case .absent: try attempts.countAbsent(names: nodeMarks.count)
        }
    }

    // Types.

    func role(of type: Any.Type) -> CodingRole {
        let identifier = ObjectIdentifier(type)
        if let role = roles[identifier] { return role }
        let role = CodingRole(type)
        roles[identifier] = role
        return role
    }

    /// The name of a type, which takes long to make: some types fail once for each shape that they try.
    func name(of type: Any.Type) -> String {
        let identifier = ObjectIdentifier(type)
        if let name = typeNames[identifier] { return name }
        let name = "\(type)"
        typeNames[identifier] = name
        return name
    }
}

// Parts that the type does not declare.
extension ReceivedForm {
    /// Fails at the first part that was not read, if that is an error.
    func checkNames() throws {
        guard options.unknownNames.kind == .reject else { return }
        for index in parts.indices {
            let part = NameTree.Index(index)
            let owner = tree.owners[index]
            guard owner == NameTree.none || !isRead(part, of: owner) else { continue }
            let problem = CodingProblem(.unknownName)
            let issue = problem.issue(parts.name(at: index), index)
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: owner == NameTree.none ? [] : keys(of: part, owner),
                    debugDescription: problem.message(issue.name, nil),
                    underlyingError: issue
                )
            )
        }
    }

    private func isRead(_ part: NameTree.Index, of owner: NameTree.Index) -> Bool {
        guard tree.ancestors(of: owner).allSatisfy({ nodeMarks[Int($0)].isRead }) else { return false }
        guard nodeMarks[Int(owner)].isArray else { return true }
        return partMarks[Int(part)].isRead || ReceivedPart(self, part).isNoFile
    }

    /// The keys of a part's node, and those after it.
    private func keys(of part: NameTree.Index, _ owner: NameTree.Index) -> [any CodingKey] {
        let keys = Array(tree.ancestors(of: owner).map(pathKey).reversed())
        return keys + tree.keys(ofPart: part, after: owner).map { key -> any CodingKey in TextKey(key) }
    }

    private func pathKey(of node: NameTree.Index) -> any CodingKey {
        let key = tree.key(of: node)
        let isElement = nodeMarks[Int(tree.parent(of: node))].isArray
        return isElement ? IndexKey(digits: key, position: 0) : TextKey(key)
    }
}

// Values of one part, and the errors of all.
extension ReceivedForm {
    /// Reads the value of a single part.
    func read<T: FormLeaf>(_ type: T.Type, at path: @autoclosure () -> CodingPath?, _ value: Value) throws -> T {
        var value = value
        do throws(CodingProblem) {
            let part = try part(of: value)
            value = .part(part.index)
            return try T.read(part)
        } catch {
            if error.code == .missingValue, let absent = T.absent(options) { return absent }
            throw self.error(error, type, at: path(), value)
        }
    }

    /// The error of a value: one of a key in a container, or the decoder's own.
    func error(_ problem: CodingProblem, _ type: Any.Type, at path: CodingPath?, _ value: Value) -> DecodingError {
        let issue = issue(problem, at: path, value)
        func context(_ path: CodingPath?) -> DecodingError.Context {
            DecodingError.Context(
                codingPath: path.keys,
                debugDescription: problem.message(issue.name, name(of: type)),
                underlyingError: issue
            )
        }
        switch problem.code.kind {
        case .notFound:
            guard let path, !(path.key is IndexKey) else { return .valueNotFound(type, context(path)) }
            return .keyNotFound(path.key, context(path.parent))
        case .valueNotFound: return .valueNotFound(type, context(path))
        case .typeMismatch: return .typeMismatch(type, context(path))
        case .dataCorrupted:
            let error = DecodingError.dataCorrupted(context(path))
            if problem.code == .tooManyAttempts { attempts.exhaust(error) }
            return error
        }
    }

    private func issue(_ problem: CodingProblem, at path: CodingPath?, _ value: Value) -> FormDataCodingIssue {
        switch value {
        case .absent: problem.issue(path.name(tree.grammar), nil)
        case .part(let index): problem.issue(parts.name(at: Int(index)), Int(index))
        case .node(let index):
            if problem.code == .malformedName, let part = tree.strayPart(of: index) {
                problem.issue(parts.name(at: Int(part)), Int(part))
            } else {
                problem.issue(tree.name(of: index), part(toBlameFor: problem.code, index))
            }
        }
    }

    /// The index of the part that a problem of a node is about; nil for several or none.
    private func part(toBlameFor code: FormDataCodingIssue.Code, _ index: NameTree.Index) -> Int? {
        let part = tree.nodes[Int(index)].part
        let isOfSeveral = [.duplicateName, .mixedShapes, .sparseArray].contains(code)
        return isOfSeveral || part == NameTree.none ? nil : Int(part)
    }
}
