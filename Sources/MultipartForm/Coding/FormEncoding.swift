internal import Foundation

/// The options of an encoding, and its first failure that could not be thrown where it happened.
final class FormEncoding {
    let options: FormDataEncoder
    /// What values may ask for, as the standard library wants it.
    let userInfo: [CodingUserInfoKey: Any]
    private(set) var failure: (any Error)?
    /// The last type that encodes itself; most arrays have elements of one type.
    private var plainType: Any.Type?

    init(_ options: FormDataEncoder) {
        self.options = options
        userInfo = options.userInfo.mapValues { $0 as Any }
    }

    /// Encodes a value of any type.
    func encoded<T: Encodable>(_ value: T, at path: CodingPath?) throws -> EncodedValue {
        if T.self != plainType {
            if let value = value as? any FormPartEncodable { return .part(value.formPart) }
            if let leaf = value as? any FormLeaf { return try encoded(leaf: leaf, at: path) }
            if !(T.self is AnyClass) { plainType = T.self }
        }
        let node = EncodedNode()
        try value.encode(to: NodeEncoder(self, node, path))
        return node.value
    }

    func encoded(leaf: some FormLeaf, at path: @autoclosure () -> CodingPath?) throws -> EncodedValue {
        do throws(CodingProblem) {
            return try leaf.encoded(options)
        } catch {
            // Foundation on Linux traps when it describes a date that is not finite, as in this error's description.
            throw self.error(error, (leaf as? Date)?.timeIntervalSinceReferenceDate ?? leaf, at: path())
        }
    }

    /// What nil is encoded as.
    var encodedNil: EncodedValue {
        options.nilEncoding.text.map(EncodedValue.text) ?? .nothing
    }

    func error(_ problem: CodingProblem, _ value: Any, at path: CodingPath?) -> EncodingError {
        problem.encodingError(value, path.keys, path.name(options.keyPathEncoding))
    }

    /// Remembers an error of a call that cannot throw.
    func fail(_ error: any Error) {
        failure = failure ?? error
    }

    /// Fails if a path has no room for another key.
    func checkDepth(_ value: Any, at path: CodingPath?) throws {
        guard path.depth < options.maxDepth else { throw error(CodingProblem(.tooDeep), value, at: path) }
    }
}

extension CodingProblem {
    func encodingError(_ value: Any?, _ keys: [any CodingKey], _ name: String?) -> EncodingError {
        .invalidValue(
            value as Any,
            EncodingError.Context(
                codingPath: keys,
                debugDescription: text(name, value.map { "\(Swift.type(of: $0))" }),
                underlyingError: issue(name, nil)
            )
        )
    }
}
