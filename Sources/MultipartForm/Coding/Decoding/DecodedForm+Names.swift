// Parts that the type does not declare.
extension DecodedForm {
    /// Fails at the first part that was not read, if that is an error.
    func checkNames() throws {
        guard input.options.unknownNames.kind == .reject else { return }
        for index in input.parts.indices {
            let part = NameTree.Index(index)
            let owner = tree.owners[index]
            guard owner == NameTree.none || !isRead(part, of: owner) else { continue }
            let problem = CodingProblem(.unknownName)
            let issue = problem.issue(input.parts.name(at: index), index)
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
        return partMarks[Int(part)].isRead || DecodedPart(input, part).isNoFile
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
