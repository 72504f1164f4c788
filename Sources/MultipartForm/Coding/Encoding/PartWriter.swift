/// Writes the parts of an encoded value to a form, and makes their names.
struct PartWriter {
    /// The form; incomplete after an error.
    private(set) var form: MultipartFormData

    private let encoding: FormEncoding
    private var options: FormDataEncoder { encoding.options }
    private var grammar: NameGrammar { options.keyPathEncoding.grammar }
    /// The containers around the value being written, and the index in each of the member that leads to it.
    private var trail: [(node: EncodedNode, index: Int)] = []

    init(_ encoding: FormEncoding, _ boundary: Boundary) {
        self.encoding = encoding
        form = MultipartFormData(boundary: boundary)
    }

    /// Writes a value under its whole name; the root has an empty one.
    mutating func write(_ value: EncodedValue, named name: String = "") throws {
        switch value {
        case .nothing: break
        case .text(let text): form.append(text, withName: name)
        case .json(let value): try writeJSON(value, name)
        case .part(let make):
            form.append(try make(name).named(name))
            if let error = form.firstError {
                throw self.error(CodingProblem(.unencodable, underlyingError: error), name)
            }
        case .container(let node):
            switch node.kind {
            case .nothing: break
            case .single: try write(node.members[0].value, named: name)
            case .keyed: try writeMembers(of: node, name)
            case .array: try writeElements(of: node, name)
            }
        }
    }

    private mutating func writeJSON(_ value: JSONRecord, _ name: String) throws {
        do {
            form.append(try encoding.jsonField(of: value, name))
        } catch let problem as CodingProblem {
            throw error(problem, name)
        }
    }

    private mutating func writeMembers(of node: EncodedNode, _ name: String) throws {
        try checkNames(of: node, name)
        trail.append((node, 0))
        if options.alphabetizeKeyValuePairs {
            for index in Self.order(of: node) { try writeMember(index, of: node, name) }
        } else if node.hasDictionary {
            // A dictionary has no order. Sorting writes equal ones alike, after what the type has encoded beside them.
            let order = Self.order(of: node).filter { node.members[$0].owner == .dictionary }
            for index in node.members.indices where node.members[index].owner != .dictionary {
                try writeMember(index, of: node, name)
            }
            for index in order { try writeMember(index, of: node, name) }
        } else {
            for index in node.members.indices { try writeMember(index, of: node, name) }
        }
        trail.removeLast()
    }

    private mutating func writeMember(_ index: Int, of node: EncodedNode, _ name: String) throws {
        let spelling = node.members[index].spelling
        try writeMember(index, of: node, named: trail.count == 1 ? spelling : grammar.join(name, spelling))
    }

    private mutating func writeElements(of node: EncodedNode, _ name: String) throws {
        guard !node.members.isEmpty else { return try writeEmptyArray(name) }
        let areValues = !node.members.indices.contains { node.members[$0].value.resolved.isContainer }
        trail.append((node, 0))
        for index in node.members.indices {
            // An element's name may also be refused.
            trail[trail.count - 1].index = index
            try writeMember(index, of: node, named: elementName(index, of: name, areValues: areValues))
        }
        trail.removeLast()
    }

    /// The name of an element in the array with a name.
    private func elementName(_ index: Int, of name: String, areValues: Bool) throws -> String {
        switch options.arrayEncoding.kind {
        case .brackets where areValues: name + "[]"
        case .noBrackets where areValues: name
        case .brackets, .noBrackets, .indexInBrackets: name + "[\(index)]"
        case .custom(let encode): try checked(encode(name, index))
        }
    }

    /// Writes an empty part for an array without elements, if the options want one.
    private mutating func writeEmptyArray(_ name: String) throws {
        guard options.emptyArrayEncoding.kind == .dropValue else { return }
        // An array in another already has the name of an element, which must not be taken for an empty one.
        let isIndexed = options.arrayEncoding.isBare && trail.last?.node.kind == .array
        form.append("", withName: try elementName(0, of: name, areValues: !isIndexed))
    }

    /// Writes a member of the innermost container under its whole name. Fails if it has no part, unless it may have
    /// none.
    private mutating func writeMember(_ index: Int, of node: EncodedNode, named name: String) throws {
        trail[trail.count - 1].index = index
        let count = form.count
        try write(node.members[index].value, named: name)
        guard form.count == count, let code = node.members[index].codeIfEmpty else { return }
        throw error(CodingProblem(code), name)
    }

    // Checks.

    /// The members in the order of their names' bytes.
    private static func order(of node: EncodedNode) -> [Int] {
        let members = node.members
        return members.indices.sorted {
            members[$0].spelling.utf8.lexicographicallyPrecedes(members[$1].spelling.utf8)
        }
    }

    /// So few members that comparing all with each other is faster than sorting.
    private static let fewMembers = 16

    /// Fails if two keys of a container have the same name.
    private mutating func checkNames(of node: EncodedNode, _ name: String) throws {
        let members = node.members
        func areSame(_ left: Int, _ right: Int) -> Bool {
            let left = members[left].spelling, right = members[right].spelling
            // Strings can be equal without having the same bytes.
            return left.utf8.count == right.utf8.count && left == right && left.utf8.elementsEqual(right.utf8)
        }
        let second: Int?
        if members.count < Self.fewMembers {
            second = members.indices.first { index in (0..<index).contains { areSame($0, index) } }
        } else {
            let order = Self.order(of: node)
            second = zip(order, order.dropFirst()).first(where: areSame)?.1
        }
        guard let second else { return }
        let spelling = members[second].spelling
        let fullName = trail.isEmpty ? spelling : grammar.join(name, spelling)
        trail.append((node, second))
        throw error(CodingProblem(.invalidKey, "key is used twice"), fullName)
    }

    /// The name of an array's element. Fails if it cannot be sent as it is.
    private func checked(_ name: String) throws -> String {
        let isValid = !name.isEmpty && name.utf8.allSatisfy { !ASCII.isControl($0) && $0 != ASCII.quote }
        guard isValid else {
            let fact = name.isEmpty ? "name is empty" : "name has a quote or a control character"
            throw error(CodingProblem(.invalidKey, fact), name)
        }
        return name
    }

    private func error(_ problem: CodingProblem, _ name: String) -> EncodingError {
        problem.encodingError(nil, nil, trail.map { $0.node.members[$0.index].key }, name)
    }
}
