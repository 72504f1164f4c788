/// Writes the parts of an encoded value to a form, and makes their names.
struct PartWriter {
    /// The form; incomplete after an error.
    private(set) var form: MultipartFormData

    private let encoding: FormEncoding
    private var options: FormDataEncoder { encoding.options }
    private var grammar: NameGrammar { options.keyPathEncoding.grammar }
    /// The containers around the value that is being written, from the root on. Each comes with the index of its member
    /// that is, or contains, this value.
    private var trail: [(node: EncodedNode, index: Int)] = []

    init(_ encoding: FormEncoding, _ boundary: Boundary) {
        self.encoding = encoding
        form = MultipartFormData(boundary: boundary)
    }

    /// Writes a value under its whole name; the root's name is empty.
    mutating func write(_ value: EncodedValue, named name: String = "") throws {
        switch value {
        case .nothing: break
        case .single(.text(let text)): form.append(text, withName: name)
        case .single(.part(let make)):
            form.append(try make(name).formPart(named: name))
            if let error = form.firstError {
                throw self.error(CodingReason(CodingCode.unencodable, underlyingError: error), name)
            }
        case .unencoded(let value): try writeJSON(of: value, name)
        case .container(let node) where node.isJSON && node.kind != .nothing: try writeJSON(of: NodeInJSON(node), name)
        case .container(let node):
            switch node.kind {
            case .nothing: break
            case .single: try write(node.members[0].value, named: name)
            case .keyed: try writeMembers(of: node, name)
            case .array: try writeElements(of: node, name)
            }
        }
    }

    /// Writes a value as JSON in one part.
    private mutating func writeJSON(of value: some Encodable, _ name: String) throws {
        let json: EncodedValue
        do {
            json = try encoding.encodedJSON(value)
        } catch let reason as CodingReason {
            throw error(reason, name)
        }
        try write(json, named: name)
    }

    private mutating func writeMembers(of node: EncodedNode, _ name: String) throws {
        try checkNames(of: node, name)
        trail.append((node, 0))
        if options.alphabetizeKeyValuePairs {
            for index in node.order { try writeMember(index, of: node, name) }
        } else if node.hasDictionary {
            // A dictionary has no order, so its keys are sorted: equal dictionaries are then written alike. If a type
            // encodes keys of its own beside a dictionary's, the dictionary's keys come last.
            let order = node.order.filter { node.members[$0].owner == .dictionary }
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
        try writeMember(index, of: node, named: trail.count == 1 ? spelling : grammar.join(name, with: spelling))
    }

    private mutating func writeElements(of node: EncodedNode, _ name: String) throws {
        guard !node.members.isEmpty else { return try writeEmptyArray(name) }
        let areValues = !node.members.contains { member in
            if case .container = member.value.resolved { true } else { false }
        }
        trail.append((node, 0))
        for index in node.members.indices {
            // Set first, because making the name may throw an error, whose path includes this index.
            trail[trail.count - 1].index = index
            try writeMember(index, of: node, named: elementName(index, of: name, areValues: areValues))
        }
        trail.removeLast()
    }

    /// The name of an element of the array `name`.
    private func elementName(_ index: Int, of name: String, areValues: Bool) throws -> String {
        // Under `.json`, all arrays are JSON except arrays of parts. All elements of these have the name of the array.
        guard !options.keyPathEncoding.isJSON else { return name }
        return switch options.arrayEncoding.kind {
        case .brackets where areValues: name + "[]"
        case .noBrackets where areValues: name
        case .brackets, .noBrackets, .indexInBrackets: name + "[\(index)]"
        case .custom(let encode): try checked(encode(name, index))
        }
    }

    /// Writes an empty part for an array without elements, if `emptyArrayEncoding` is `.dropValue`.
    private mutating func writeEmptyArray(_ name: String) throws {
        guard options.emptyArrayEncoding.kind == .dropValue else { return }
        // An array within an array has the name of an element. An empty part with just this name would be read as an
        // empty element of the outer array, so the part's name gets an index.
        let isIndexed = options.arrayEncoding.isBare && trail.last?.node.kind == .array
        form.append("", withName: try elementName(0, of: name, areValues: !isIndexed))
    }

    /// Writes a member of the innermost container under its whole name. Throws if the member has no part but must have
    /// one.
    private mutating func writeMember(_ index: Int, of node: EncodedNode, named name: String) throws {
        trail[trail.count - 1].index = index
        let count = form.count
        try write(node.members[index].value, named: name)
        guard form.count == count, let code = node.members[index].codeIfEmpty else { return }
        throw error(CodingReason(code), name)
    }

    // Checks.

    /// Throws if two keys of a container have the same name.
    private mutating func checkNames(of node: EncodedNode, _ name: String) throws {
        guard let second = node.repeatedMember else { return }
        let spelling = node.members[second].spelling
        let fullName = trail.isEmpty ? spelling : grammar.join(name, with: spelling)
        trail.append((node, second))
        throw error(CodingReason(CodingCode.invalidKey, "key is used twice"), fullName)
    }

    /// Returns the name of an array's element. Throws if it cannot be sent as it is.
    private func checked(_ name: String) throws -> String {
        let isValid = !name.isEmpty && name.utf8.allSatisfy { !ASCII.isControl($0) && $0 != ASCII.quote }
        guard isValid else {
            let reason = name.isEmpty ? "name is empty" : "name has a quote or a control character"
            throw error(CodingReason(CodingCode.invalidKey, reason), name)
        }
        return name
    }

    private func error(_ reason: CodingReason, _ name: String) -> EncodingError {
        reason.encodingError(nil, nil, trail.map { $0.node.members[$0.index].key }, name)
    }
}
