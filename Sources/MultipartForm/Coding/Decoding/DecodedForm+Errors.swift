// Values of one part, and the errors of all.
extension DecodedForm {
    /// Reads the value of a single part.
    func read<T: FormLeaf>(_ type: T.Type, at path: @autoclosure () -> CodingPath?, _ value: NamedValue) throws -> T {
        var value = value
        do throws(CodingProblem) {
            let part = try part(value)
            value = .part(part.index)
            return try T.read(part)
        } catch {
            if error.code == .missingValue, let absent = T.absent(input.options) { return absent }
            throw self.error(error, type, at: path(), value)
        }
    }

    /// The error of a value: one of a key in a container, or the decoder's own.
    func error(_ problem: CodingProblem, _ type: Any.Type, at path: CodingPath?, _ value: NamedValue) -> DecodingError {
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
            if problem.code == .tooManyAttempts { exhaust(error) }
            return error
        }
    }

    private func issue(_ problem: CodingProblem, at path: CodingPath?, _ value: NamedValue) -> FormDataCodingIssue {
        switch value {
        case .absent: problem.issue(path.name(tree.grammar), nil)
        case .part(let index): problem.issue(input.parts.name(at: Int(index)), Int(index))
        case .node(let index):
            if problem.code == .malformedName, let part = tree.strayPart(of: index) {
                problem.issue(input.parts.name(at: Int(part)), Int(part))
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
