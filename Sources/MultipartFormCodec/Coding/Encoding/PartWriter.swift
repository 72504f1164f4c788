/// Writes an encoded value to a form as named parts.
struct PartWriter {
    /// The form with all parts written so far.
    private(set) var form: MultipartFormData

    private let encoding: FormEncoding
    private var options: FormDataEncoder { encoding.options }
    private var grammar: NameGrammar { options.keyPathEncoding.grammar }
    /// The path from the root to the value that is being written. Each step is a container and the index of a member in
    /// the container.
    private var trail: [(node: EncodedNode, index: Int)] = []

    init(_ encoding: FormEncoding, _ boundary: Boundary) {
        self.encoding = encoding
        form = MultipartFormData(boundary: boundary)
    }

    /// Writes a value under its full name. The name of the root is empty.
    mutating func write(_ value: EncodedValue, named name: String = "") throws {
        switch value {
        case .nothing: break
        case .single(.text(let text)): form.append(text, withName: name)
        case .single(.part(let make)):
            form.append(try part(make, name))
            if let error = form.firstError {
                throw self.error(CodingReason(ErrorCode.unencodable, underlyingError: error), name)
            }
        case .unencoded(let value): try writeJSON(of: value, name)
        case .container(let node) where node.isJSON && node.kind != .nothing:
            try writeJSON(of: ValueInJSON(value: value), name)
        case .container(let node):
            switch node.kind {
            case .nothing: break
            case .single: try write(node.members[0].value, named: name)
            case .keyed: try writeMembers(of: node, name)
            case .array: try writeElements(of: node, name)
            }
        }
    }

    /// Returns the part that `make` creates for a value, with the value's full name.
    private func part(_ make: (String) throws -> BodyPart, _ name: String) throws -> BodyPart {
        do {
            return try make(name).formPart(named: name)
        } catch {
            let path = trail.reduce(nil) { path, step -> CodingPath? in
                let member = step.node.members[step.index]
                return CodingPath(member.key, step.node.kind == .array ? nil : member.spelling, in: path)
            }
            throw encoding.located(error, at: path)
        }
    }

    /// Writes a value as one part with JSON.
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
        // A type may encode its properties and a dictionary to the same encoder. The properties then come first.
        for index in node.members.indices where !isSorted(node.members[index].owner) {
            try writeMember(index, of: node, name)
        }
        for index in node.order(where: isSorted) { try writeMember(index, of: node, name) }
        trail.removeLast()
    }

    /// Whether a member of a container is written in the order of the keys. A dictionary has no order, so its keys are
    /// always sorted. Equal dictionaries then become the same parts in the same order.
    private func isSorted(_ owner: EncodedNode.Owner) -> Bool {
        options.alphabetizeKeyValuePairs || owner == .dictionary
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
            // Sets the index before the call of `elementName`, because an error from `elementName` has this index in
            // its path.
            trail[trail.count - 1].index = index
            try writeMember(index, of: node, named: elementName(index, of: name, areValues: areValues))
        }
        trail.removeLast()
    }

    /// Returns the name of an element of the array that is named `name`. `areValues` is true if all elements are single
    /// values.
    private func elementName(_ index: Int, of name: String, areValues: Bool) throws -> String {
        // If the key path encoding is `.json`, each element of an array of parts has the name of the array. Any other
        // array is one part with JSON, so its elements need no names.
        guard !options.keyPathEncoding.isJSON else { return name }
        return switch options.arrayEncoding.kind {
        case .brackets where areValues: name + "[]"
        case .noBrackets where areValues: name
        case .brackets, .noBrackets, .indexInBrackets: name + "[\(index)]"
        case .custom(let encode): try checked(encode(name, index))
        }
    }

    /// If the option `emptyArrayEncoding` is `.dropValue`, writes an array without elements as one empty part, such as
    /// `a[]`. Otherwise writes nothing.
    private mutating func writeEmptyArray(_ name: String) throws {
        guard options.emptyArrayEncoding.kind == .dropValue else { return }
        // With `.noBrackets`, the empty part has the name of the array. But if the array is an element of an outer
        // array, such as `a[0]`, the name needs an index: `a[0][0]`. Otherwise, a receiver would read the part `a[0]`
        // as an empty element of `a`.
        let isIndexed =
            if case .noBrackets = options.arrayEncoding.kind { trail.last?.node.kind == .array } else { false }
        form.append("", withName: try elementName(0, of: name, areValues: !isIndexed))
    }

    /// Writes a member of `node` under the member's full name.
    ///
    /// Some members need a part, such as the elements of an array. Throws if such a member becomes no part.
    private mutating func writeMember(_ index: Int, of node: EncodedNode, named name: String) throws {
        trail[trail.count - 1].index = index
        let count = form.count
        try write(node.members[index].value, named: name)
        guard form.count == count, let reason = node.members[index].reasonIfEmpty else { return }
        throw error(reason, name)
    }

    // Methods that check keys and names.

    /// Throws if a container has the same key twice.
    private mutating func checkNames(of node: EncodedNode, _ name: String) throws {
        guard let second = node.repeatedMember else { return }
        let spelling = node.members[second].spelling
        let fullName = trail.isEmpty ? spelling : grammar.join(name, with: spelling)
        trail.append((node, second))
        throw error(CodingReason(ErrorCode.invalidKey, "key is used twice"), fullName)
    }

    /// Returns `name`. Throws if `name` is empty, or if it has a quote or a control character.
    private func checked(_ name: String) throws -> String {
        let isValid = !name.isEmpty && name.utf8.allSatisfy { !ASCII.isControl($0) && $0 != ASCII.quote }
        guard isValid else {
            let reason = name.isEmpty ? "name is empty" : "name has a quote or a control character"
            throw error(CodingReason(ErrorCode.invalidKey, reason), name)
        }
        return name
    }

    private func error(_ reason: CodingReason, _ name: String) -> EncodingError {
        EncodingError(reason, nil, nil, trail.map { $0.node.members[$0.index].key }, name)
    }
}
