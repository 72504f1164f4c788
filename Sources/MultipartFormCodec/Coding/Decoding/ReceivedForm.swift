#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The state of one decoding: the parts of the form, the tree of the parts' names, and which parts have been read.
final class ReceivedForm {
    /// What the form has for a value: a node of the tree of names, a part, or nothing.
    enum Value {
        /// A node in the tree of names, with all its descendants.
        case node(NameTree.Index)
        /// A part that is an array element, such as a part with the name `a[]`.
        case part(NameTree.Index)
        /// The form has no part for the value's key, but it has a name that begins with the key and may be in another
        /// style. For example, `a.b` begins with the key `a` in the dots style. The associated value is the index of
        /// the part with this name.
        case otherStyle(NameTree.Index)
        /// The form has no part for the value.
        case absent
    }

    let parts: ReceivedParts
    let tree: NameTree
    var options: FormDataDecoder { parts.options }
    /// The user info of the ``FormDataDecoder``, converted to the dictionary that the protocol `Decoder` requires.
    let userInfo: [CodingUserInfoKey: Any]
    /// Whether the key path encoding is `.json`.
    let readsJSON: Bool

    private(set) lazy var jsonDecoder: JSONDecoder = {
        let decoder = JSONDecoder()
        options.configureJSON(decoder)
        return decoder
    }()

    private var budget: DecodingBudget
    /// The error for the first value that exceeded the budget. The decoder throws the same error for all later values.
    private var budgetError: DecodingError?
    /// For each part of the form, whether a type has read the part.
    private var isRead: ContiguousArray<Bool>
    /// The type of the dictionary that the decoder started to decode last.
    var dictionaryType: (any DictionaryType.Type)?

    init(_ form: MultipartFormData, _ options: FormDataDecoder) throws {
        parts = ReceivedParts(form.list, options)
        userInfo = options.userInfo.mapValues { $0 as Any }
        readsJSON = options.keyPathEncoding.isJSON
        do throws(MultipartError) {
            let limits = NameTree.Limits(
                parts: options.maxParts,
                nameBytes: options.maxNameBytes,
                depth: options.depthLimit
            )
            tree = try NameTree(form.list, options.keyPathEncoding.grammar, limits)
        } catch {
            throw DecodingError.dataCorrupted(DecodingError.Context(error, at: Self.keys(of: error, options)))
        }
        var valueBytes = 0
        for index in form.list.indices { valueBytes += parts.readableLength(at: index) }
        budget = DecodingBudget(
            nodes: tree.nodes.count,
            parts: form.list.count,
            nameBytes: tree.bytes.count,
            valueBytes: valueBytes
        )
        isRead = ContiguousArray(repeating: false, count: form.list.count)
    }

    /// Returns the coding path for an error that ``NameTree`` has thrown. If a name has too many keys, the path
    /// consists of the first keys, up to the max depth. For any other error, the path is empty.
    private static func keys(of error: MultipartError, _ options: FormDataDecoder) -> [any CodingKey] {
        guard error.code == ErrorCode.tooDeep, let name = error.partName else { return [] }
        let bytes = ContiguousArray(name.utf8)
        let keys = options.keyPathEncoding.grammar.keys(of: bytes.span)
        return keys.prefix(max(0, options.depthLimit)).map { TextKey($0) }
    }

    func part(_ index: NameTree.Index) -> ReceivedPart { ReceivedPart(parts, Int(index)) }

    /// Returns the value of a key of a node.
    // Never inlined: a container that called the tree's methods itself would copy the tree. The copy would take 4% of
    // the instructions for decoding a value.
    @inline(never)
    func child(of node: NameTree.Index, _ key: String) -> Value {
        if let child = tree.child(of: node, key) { return .node(child) }
        guard node == NameTree.root, let part = tree.otherStylePart(ofRootKey: key) else { return .absent }
        return .otherStyle(part)
    }
}

// Decodes leaves for keyed, unkeyed and single-value containers. A leaf is a text, a number or any other
// `SinglePartValue`.
extension ReceivedForm {
    /// Decodes a leaf. Evaluates `path` only if an error occurs.
    func decodeLeaf<T: SinglePartValue>(
        _ type: T.Type,
        at path: @autoclosure () -> CodingPath?,
        _ value: Value
    ) throws -> T {
        var place = value
        do throws(CodingReason) {
            let part = try singlePartToRead(of: value)
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

// The decoding budget limits the work that a type may cause. A type may catch the error for an exceeded budget. But
// each later request that costs anything throws the same error, and so does `checkBudget` after the decoding.
extension ReceivedForm {
    /// Subtracts `cost` from the decoding budget. Throws if the budget is exceeded.
    func spend(_ cost: Int) throws(CodingReason) {
        guard budget.spend(cost) else { throw CodingReason(ErrorCode.tooManyAttempts) }
    }

    /// Subtracts the cost of reading the keys or the elements of a node from the decoding budget.
    func spendOnMembers(of index: NameTree.Index) throws(CodingReason) {
        let node = tree.nodes[Int(index)]
        try spend(
            tree.children(of: index).reduce(node.values.count + node.appended.count) { cost, child in
                cost + DecodingBudget.cost(ofBytes: tree.nodes[Int(child)].key.count)
            }
        )
    }

    /// Returns the part of a value, as ``singlePart(of:)`` does. Subtracts the cost of reading the part's content from
    /// the decoding budget.
    func singlePartToRead(of value: Value) throws(CodingReason) -> ReceivedPart {
        let part = try singlePart(of: value)
        try spend(DecodingBudget.cost(ofBytes: parts.readableLength(at: part.index)))
        return part
    }

    /// If decoding a value exceeded the budget, throws the error again, because the type may have caught the error.
    func checkBudget() throws {
        if let budgetError { throw budgetError }
    }
}

// Finds parts whose names the decoded type does not declare.
extension ReceivedForm {
    func markRead(_ part: NameTree.Index) { isRead[Int(part)] = true }

    /// Marks the parts of a value as read. If `andAppended` is true, also marks the parts whose names are the value's
    /// name followed by `[]`.
    func markRead(_ value: Value, andAppended: Bool = false) {
        switch value {
        case .absent, .otherStyle: break
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

    /// Throws an error about the first unread part if the option `unknownNames` is `.reject`.
    func checkNames() throws {
        guard options.unknownNames.kind == .reject, let index = isRead.firstIndex(of: false) else { return }
        let error = CodingReason(.unknownName).decoderError(parts.list.name(at: index), index, type: nil)
        throw DecodingError.dataCorrupted(DecodingError.Context(error, at: keys(ofPart: NameTree.Index(index))))
    }

    /// Returns all keys in the name of a part. Returns an empty array if the part has no name.
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

// Creates errors.
extension ReceivedForm {
    /// Creates the error for a value that cannot be decoded as `type`. Subtracts the cost of an error from the decoding
    /// budget.
    func error(_ reason: CodingReason, _ type: Any.Type, at path: CodingPath?, _ value: Value) -> DecodingError {
        guard reason.code == ErrorCode.tooManyAttempts else { return newError(reason, type, at: path, value) }
        let error = budgetError ?? newError(reason, Any.self, at: path, value)
        budgetError = error
        return error
    }

    private func newError(_ reason: CodingReason, _ type: Any.Type, at path: CodingPath?, _ value: Value)
        -> DecodingError
    {
        let cause = multipartError(reason, "\(type)", at: path, value)
        switch reason.code {
        case .missingValue:
            guard let path, !(path.key is IndexKey) else { fallthrough }
            return .keyNotFound(path.key, DecodingError.Context(cause, at: path.parent.keys))
        case .emptyValue, .noFile: return .valueNotFound(type, DecodingError.Context(cause, at: path.keys))
        case ErrorCode.expectedValue, ErrorCode.expectedKeys, ErrorCode.expectedArray, .expectedFile,
            ErrorCode.unexpectedFile, ErrorCode.expectedJSON:
            return .typeMismatch(type, DecodingError.Context(cause, at: path.keys))
        default: return .dataCorrupted(DecodingError.Context(cause, at: path.keys))
        }
    }

    /// Returns the error to throw after a type's own `init(from:)` has thrown `error`. An enum, for instance, throws an
    /// error for a raw value that none of its cases has.
    ///
    /// A `DecodingError` without a ``MultipartError`` gets one. The new ``MultipartError`` has the code
    /// `invalid-value`, and the part name that belongs to the error's coding path. Any other error is returned
    /// unchanged.
    func located(_ error: any Error, _ type: Any.Type, at path: CodingPath?, _ value: Value) -> any Error {
        guard let error = error as? DecodingError, MultipartError(error) == nil else { return error }
        let codingPath = path.absolute(error.context.codingPath)
        var missing: [any CodingKey] = []
        if case .keyNotFound(let key, _) = error { missing = [key] }
        var place = path, value = value
        for key in codingPath.dropFirst(path.keys.count) + missing {
            guard case .node(let node) = value else { break }
            let spelling = options.keyEncoding.spelling(of: key)
            let child = tree.child(of: node, spelling ?? "\(key.intValue ?? 0)")
            // An index without a node ends the loop. The elements may be parts that all have the array's name, so the
            // error names the array. A key without a node stands for a missing part, so the error has a name made of
            // the keys.
            guard child != nil || spelling != nil else { break }
            place = CodingPath(key, spelling, in: place)
            value = child.map { .node($0) } ?? .absent
        }
        let reason = CodingReason(.invalidValue, underlyingError: error)
        return error.with(multipartError(reason, "\(type)", at: place, value), codingPath)
    }

    /// Returns the error to throw after a `JSONDecoder` has thrown `error` about a value within the JSON in the part at
    /// `path`.
    ///
    /// A `DecodingError` gets a ``MultipartError``, and the keys of `path` before its own coding path. Any other error
    /// is returned unchanged.
    ///
    /// For a number that is too large, the containers of a `JSONDecoder` throw a `JSONError` of Foundation. The method
    /// turns this error into a `DecodingError`. `JSONError` is not public, so the method compares the name of the
    /// error's type.
    func locatedJSON(_ error: any Error, at path: CodingPath?, _ value: Value) -> any Error {
        let isOfFoundation = ["FoundationEssentials.JSONError", "Foundation.JSONError"]
            .contains(String(reflecting: type(of: error)))
        let decodingError =
            isOfFoundation
            ? DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "\(error)", underlyingError: error))
            : error as? DecodingError
        guard let error = decodingError else { return error }
        let reason = CodingReason(.invalidValue, underlyingError: error)
        return error.with(multipartError(reason, nil, at: path, value), path.keys + error.context.codingPath)
    }

    /// Creates the underlying error of a `DecodingError` about a value. Subtracts the cost of an error from the
    /// decoding budget.
    private func multipartError(
        _ reason: CodingReason,
        _ type: String?,
        at path: CodingPath?,
        _ value: Value
    ) -> MultipartError {
        func error(aboutPart index: NameTree.Index) -> MultipartError {
            reason.decoderError(parts.list.name(at: Int(index)), Int(index), type: type)
        }
        let other = reason.code == ErrorCode.malformedName ? otherStylePart(of: value) : nil
        let error =
            switch other.map({ .part($0) }) ?? value {
            case .absent, .otherStyle: reason.decoderError(path.name(tree.grammar), nil, type: type)
            case .part(let index): error(aboutPart: index)
            case .node(let index):
                reason.decoderError(tree.name(of: index), part(toBlameFor: reason.code, index), type: type)
            }
        _ = budget.spend(DecodingBudget.cost(ofErrorNaming: error.partName?.utf8.count ?? 0))
        return error
    }

    /// Returns the index of the part to which an error about a node refers. Returns nil if the error refers to no part
    /// or to several parts.
    private func part(toBlameFor code: MultipartError.Code, _ index: NameTree.Index) -> Int? {
        let part = tree.nodes[Int(index)].part
        let isOfNoneOrSeveral = [.missingValue, .duplicateName, ErrorCode.mixedShapes, ErrorCode.sparseArray]
            .contains(code)
        return isOfNoneOrSeveral || part == NameTree.none ? nil : Int(part)
    }
}

/// Limits the work that a type may cause while it is decoded. Costs are counted in units: each request of the type
/// costs one unit, and one more for every 32 bytes that the request reads.
///
/// The limit prevents exponential time. For example, a recursive type may try to decode each value first as an array
/// and, after an error, as a dictionary. Both attempts can decode the next level of `a[0][0][0]`, because each `0` can
/// be an index or a key. If the innermost value is invalid, the number of attempts doubles with each level.
///
/// The limit grows with the bytes of the form. A type that tries a few shapes for each value stays below the limit.
struct DecodingBudget {
    private static let base = 10_000
    private static let perNameOrPart = 64
    /// The number of bytes of a value or a key that a request reads for one unit.
    private static let bytesPerUnit = 32

    private var rest: Int

    /// Creates the budget for a form.
    ///
    /// - Parameters:
    ///   - nodes: The number of nodes in the form's ``NameTree``.
    ///   - parts: The number of parts in the form.
    ///   - nameBytes: The length of all names, in bytes.
    ///   - valueBytes: The length of all values that may be read, in bytes.
    init(nodes: Int, parts: Int, nameBytes: Int, valueBytes: Int) {
        rest = Self.base + Self.perNameOrPart * (nodes + parts) + nameBytes / 8 + valueBytes / 4
    }

    /// Returns the cost of a request that reads `count` bytes.
    static func cost(ofBytes count: Int) -> Int { 1 + count / bytesPerUnit }

    /// Returns the cost of an error with a name of `count` bytes. Errors have a cost, because a type may catch an error
    /// and try another shape.
    static func cost(ofErrorNaming count: Int) -> Int { 4 + count / 16 }

    /// Subtracts `cost` from the budget. Returns false if the budget is exceeded.
    mutating func spend(_ cost: Int) -> Bool {
        rest -= min(rest + 1, cost)
        return rest >= 0
    }
}
