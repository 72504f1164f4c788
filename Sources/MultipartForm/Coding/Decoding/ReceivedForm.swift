#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A received form while a value is decoded from it: its names, its parts, and which of them have been read.
final class ReceivedForm {
    /// What is to be decoded.
    enum Value {
        /// A node of the tree of names, with what is below it.
        case node(NameTree.Index)
        /// An element of an array that is a part by itself.
        case part(NameTree.Index)
        /// No part has the name.
        case absent
    }

    let parts: ReceivedParts
    let tree: NameTree
    var options: FormDataDecoder { parts.options }
    /// The decoder's user info, as the standard library requires it.
    let userInfo: [CodingUserInfoKey: Any]
    /// Whether a value below the root is JSON if its type is not one part.
    let readsJSON: Bool

    private(set) lazy var jsonDecoder: JSONDecoder = {
        let decoder = JSONDecoder()
        options.configureJSON(decoder)
        return decoder
    }()

    private var budget: DecodingBudget
    /// Whether each part has been read.
    private var isRead: ContiguousArray<Bool>
    /// The type of the dictionary that is decoded next.
    var dictionaryType: (any DictionaryType.Type)?
    private var typeNames: [ObjectIdentifier: String] = [:]
    /// The kinds of types that have been decoded. They are kept, because a look-up is faster than casting the type.
    private var kinds: [ObjectIdentifier: TypeKind] = [:]

    init(_ form: MultipartFormData, _ options: FormDataDecoder) throws {
        parts = ReceivedParts(form.list, options)
        userInfo = options.userInfo.mapValues { $0 as Any }
        readsJSON = options.keyPathEncoding.isJSON
        do throws(FormDataCodingIssue) {
            let limits = NameTree.Limits(
                parts: options.maxParts,
                nameBytes: options.maxNameBytes,
                depth: options.depthLimit
            )
            tree = try NameTree(form.list, options.keyPathEncoding.grammar, limits)
        } catch {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: Self.keys(of: error, options),
                    debugDescription: CodingReason(error.code).message(name: error.name, type: nil),
                    underlyingError: error
                )
            )
        }
        budget = DecodingBudget(nodes: tree.nodes.count, parts: form.list.count)
        isRead = ContiguousArray(repeating: false, count: form.list.count)
    }

    /// The first keys of a name that is too deep, as many as are allowed; none for another issue.
    private static func keys(of issue: FormDataCodingIssue, _ options: FormDataDecoder) -> [any CodingKey] {
        guard issue.code == CodingCode.tooDeep, let name = issue.name else { return [] }
        let bytes = ContiguousArray(name.utf8)
        let keys = options.keyPathEncoding.grammar.keys(of: bytes.span)
        return keys.prefix(max(0, options.depthLimit)).map { TextKey($0) }
    }

    func part(_ index: NameTree.Index) -> ReceivedPart { ReceivedPart(parts, Int(index)) }

    // Types.

    func kind(of type: Any.Type) -> TypeKind {
        let identifier = ObjectIdentifier(type)
        if let kind = kinds[identifier] { return kind }
        let kind = TypeKind(decoding: type)
        kinds[identifier] = kind
        return kind
    }

    /// The name of a type. Names are kept, because making one takes long, and some types fail once for each shape that
    /// they try.
    private func name(of type: Any.Type) -> String {
        let identifier = ObjectIdentifier(type)
        if let name = typeNames[identifier] { return name }
        let name = "\(type)"
        typeNames[identifier] = name
        return name
    }
}

// Decodes leaves, the values of one part, for the three kinds of containers.
extension ReceivedForm {
    /// Decodes a leaf. The path is evaluated only for an error.
    func decodeLeaf<T: SinglePartValue>(
        _ type: T.Type,
        at path: @autoclosure () -> CodingPath?,
        _ value: Value
    ) throws -> T {
        try spend(at: path(), value)
        var place = value
        do throws(CodingReason) {
            let part = try singlePart(of: value)
            place = .part(NameTree.Index(part.index))
            let result = try T.read(part)
            markRead(value)
            return result
        } catch {
            if error.code == .missingValue, let absent = T.absent(options) { return absent }
            throw self.error(error, type, at: path(), place)
        }
    }
}

// The budget, which a type cannot exceed by catching the error.
extension ReceivedForm {
    /// Spends the costs of a request. Throws if this request exceeds the budget, or an earlier one did.
    func spend(_ cost: Int = 1, at path: @autoclosure () -> CodingPath?, _ value: Value) throws {
        guard !budget.spend(cost) else { return }
        throw budget.error ?? error(CodingReason(CodingCode.tooManyAttempts), Any.self, at: path(), value)
    }

    /// Does what ``spend(_:at:_:)`` does, in a call that cannot throw; returns false if the budget is exceeded.
    func spendSilently(_ cost: Int, at path: CodingPath?, _ value: Value) -> Bool {
        (try? spend(cost, at: path, value)) != nil
    }

    /// Throws if the budget was exceeded, even if the type caught that error.
    func checkBudget() throws {
        if let error = budget.error { throw error }
    }
}

// Finds parts that the type does not declare.
extension ReceivedForm {
    func markRead(_ part: NameTree.Index) { isRead[Int(part)] = true }

    /// Marks as read the parts whose name is the value's. With `andAppended`, also those whose name is the value's
    /// followed by `[]`.
    func markRead(_ value: Value, andAppended: Bool = false) {
        switch value {
        case .absent: break
        case .part(let part): markRead(part)
        case .node(let index):
            markRead(tree.nodes[Int(index)].values)
            if andAppended { markRead(tree.nodes[Int(index)].appended) }
        }
    }

    private func markRead(_ list: NameTree.List) {
        var part = list.first
        while part != NameTree.none {
            markRead(part)
            part = tree.followers[Int(part)]
        }
    }

    /// Throws for the first part that was not read, if `unknownNames` makes that an error.
    func checkNames() throws {
        guard options.unknownNames.kind == .reject, let index = isRead.firstIndex(of: false) else { return }
        let reason = CodingReason(.unknownName)
        let issue = reason.issue(parts.list.name(at: index), index)
        throw DecodingError.dataCorrupted(
            DecodingError.Context(
                codingPath: keys(ofPart: NameTree.Index(index)),
                debugDescription: reason.message(name: issue.name, type: nil),
                underlyingError: issue
            )
        )
    }

    /// All keys in a part's name: those of its node, and those after the node's. Empty for a part without a name.
    private func keys(ofPart part: NameTree.Index) -> [any CodingKey] {
        let owner = tree.owners[Int(part)]
        guard owner != NameTree.none else { return [] }
        let keys = tree.ancestors(of: owner).map { node -> any CodingKey in
            let key = tree.key(of: node)
            return tree.index(of: node) == nil ? TextKey(key) : IndexKey(digits: key, position: 0)
        }
        return keys.reversed() + tree.keys(ofPart: part, after: owner).map { key -> any CodingKey in TextKey(key) }
    }
}

// Errors.
extension ReceivedForm {
    /// The error of a value, for a reason.
    func error(_ reason: CodingReason, _ type: Any.Type, at path: CodingPath?, _ value: Value) -> DecodingError {
        budget.spendOnError()
        let issue = issue(reason, at: path, value)
        func context(_ path: CodingPath?) -> DecodingError.Context {
            DecodingError.Context(
                codingPath: path.keys,
                debugDescription: reason.message(name: issue.name, type: name(of: type)),
                underlyingError: issue
            )
        }
        switch CodingDetails.of(reason.code)?.kind ?? .dataCorrupted {
        case .notFound:
            guard let path, !(path.key is IndexKey) else { return .valueNotFound(type, context(path)) }
            return .keyNotFound(path.key, context(path.parent))
        case .valueNotFound: return .valueNotFound(type, context(path))
        case .typeMismatch: return .typeMismatch(type, context(path))
        case .dataCorrupted:
            let error = DecodingError.dataCorrupted(context(path))
            if reason.code == CodingCode.tooManyAttempts { budget.fail(error) }
            return error
        }
    }

    private func issue(_ reason: CodingReason, at path: CodingPath?, _ value: Value) -> FormDataCodingIssue {
        switch value {
        case .absent: return reason.issue(path.name(tree.grammar), nil)
        case .part(let part): return reason.issue(parts.list.name(at: Int(part)), Int(part))
        case .node(let index):
            if reason.code == CodingCode.malformedName, let part = tree.otherStylePart(of: index) {
                return reason.issue(parts.list.name(at: Int(part)), Int(part))
            }
            return reason.issue(tree.name(of: index), part(toBlameFor: reason.code, index))
        }
    }

    /// The index of the part that an error about a node gives; nil if the error is about no part or several.
    private func part(toBlameFor code: FormDataCodingIssue.Code, _ index: NameTree.Index) -> Int? {
        let part = tree.nodes[Int(index)].part
        let isOfNoneOrSeveral = [.missingValue, .duplicateName, CodingCode.mixedShapes, CodingCode.sparseArray]
            .contains(code)
        return isOfNoneOrSeveral || part == NameTree.none ? nil : Int(part)
    }
}
