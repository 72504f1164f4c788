/// Writes the parts of an encoded value to a form, and their names.
struct PartWriter {
    /// The form, which is of no use after an error.
    private(set) var form: MultipartFormData

    private let options: FormDataEncoder
    /// The containers around the value being written, and its place in each.
    private var trail: [(node: EncodedNode, index: Int)] = []

    init(_ options: FormDataEncoder, _ boundary: Boundary) {
        self.options = options
        form = MultipartFormData(boundary: boundary)
    }

    /// Writes a value under its whole name; the root has an empty one.
    mutating func write(_ value: EncodedValue, named name: String = "") throws {
        switch value {
        case .nothing: break
        case .text(let text): form.append(text, withName: name)
        case .part(let make):
            form.append(try make(name).named(name))
            if let error = form.firstError { throw self.error(CodingProblem(.unencodable, underlying: error), name) }
        case .container(let node):
            switch node.kind {
            case .nothing: break
            case .single: try write(node.members[0].value, named: name)
            case .keyed: try writeMembers(of: node, name)
            case .array: try writeElements(of: node, name)
            }
        }
    }

    private mutating func writeMembers(of node: EncodedNode, _ name: String) throws {
        try checkNames(of: node, name)
        if options.alphabetizeKeyValuePairs {
            for index in Self.order(of: node) { try writeMember(index, of: node, name) }
        } else if node.hasDictionary {
            // A dictionary has no order; equal ones are written alike, after what the type has encoded beside them.
            let order = Self.order(of: node).filter { node.members[$0].isDictionary }
            for index in node.members.indices where !node.members[index].isDictionary {
                try writeMember(index, of: node, name)
            }
            for index in order { try writeMember(index, of: node, name) }
        } else {
            for index in node.members.indices { try writeMember(index, of: node, name) }
        }
    }

    private mutating func writeMember(_ index: Int, of node: EncodedNode, _ name: String) throws {
        trail.append((node, index))
        let text = node.members[index].text
        let name = trail.count == 1 ? text : options.keyPathEncoding.name(text, in: name)
        try write(node.members[index].value, named: name, mustHaveParts: node.members[index].isDictionary)
        trail.removeLast()
    }

    private mutating func writeElements(of node: EncodedNode, _ name: String) throws {
        let areValues = !node.members.indices.contains { node.members[$0].value.resolved.isContainer }
        for index in node.members.indices {
            trail.append((node, index))
            let elementName =
                switch options.arrayEncoding.kind {
                case .brackets where areValues: name + "[]"
                case .noBrackets where areValues: name
                case .brackets, .noBrackets, .indexInBrackets: name + "[\(index)]"
                case .custom(let encode): try checked(encode(name, index))
                }
            try write(node.members[index].value, named: elementName, mustHaveParts: true)
            trail.removeLast()
        }
    }

    /// Writes a value; fails if it has no part although its place would be lost without one.
    private mutating func write(_ value: EncodedValue, named name: String, mustHaveParts: Bool) throws {
        let count = form.count
        try write(value, named: name)
        guard !mustHaveParts || form.count > count else { throw error(CodingProblem(.emptyElement), name) }
    }

    // Checks.

    /// The members in the order of their names' bytes.
    private static func order(of node: EncodedNode) -> [Int] {
        node.members.indices.sorted { node.members[$0].text.utf8.lexicographicallyPrecedes(node.members[$1].text.utf8) }
    }

    /// Fails if two keys of a container have the same name.
    private mutating func checkNames(of node: EncodedNode, _ name: String) throws {
        let members = node.members
        // Equal strings may differ in their bytes, but not the other way round, and are found sooner.
        func areSame(_ left: Int, _ right: Int) -> Bool {
            members[left].text == members[right].text && members[left].text.utf8.elementsEqual(members[right].text.utf8)
        }
        let second: Int?
        if members.count < 16 {
            second = members.indices.first { index in (0..<index).contains { areSame($0, index) } }
        } else {
            let order = Self.order(of: node)
            second = zip(order, order.dropFirst()).first(where: areSame)?.1
        }
        guard let second else { return }
        let text = members[second].text
        let fullName = trail.isEmpty ? text : options.keyPathEncoding.name(text, in: name)
        trail.append((node, second))
        throw error(CodingProblem(.invalidKey), fullName)
    }

    /// Fails if an array element's name cannot be sent as it is.
    private func checked(_ name: String) throws -> String {
        let isValid = !name.isEmpty && name.utf8.allSatisfy { !ASCII.isControl($0) && $0 != ASCII.quote }
        guard isValid else { throw error(CodingProblem(.invalidKey), name) }
        return name
    }

    private func error(_ problem: CodingProblem, _ name: String) -> EncodingError {
        problem.encodingError(nil, trail.map { $0.node.members[$0.index].key }, name)
    }
}
