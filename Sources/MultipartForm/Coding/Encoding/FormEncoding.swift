#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The state of one encoding: its options, and its first error that could not be thrown where it happened.
final class FormEncoding {
    let options: FormDataEncoder
    /// The encoder's user info, as the standard library wants it.
    let userInfo: [CodingUserInfoKey: Any]
    /// Whether values below the root that have keys or elements are JSON.
    let writesJSON: Bool
    private(set) lazy var jsonEncoder: JSONEncoder = {
        let encoder = JSONEncoder()
        options.configureJSON(encoder)
        return encoder
    }()
    private(set) var failure: (any Error)?
    /// The last type found to encode itself. Most arrays have elements of one type, so this saves most look-ups.
    private var plainType: Any.Type?
    /// The last type found to make its own part.
    private var partType: Any.Type?

    init(_ options: FormDataEncoder) {
        self.options = options
        userInfo = options.userInfo.mapValues { $0 as Any }
        writesJSON = options.keyPathEncoding.isJSON
    }

    /// Encodes a value of any type that is nested in `depth` steps.
    ///
    /// Nested values nest calls of this method, so its frame is kept small.
    func encoded<T: Encodable>(_ value: T, at path: CodingPath?, depth: Int) throws -> EncodedValue {
        if T.self != plainType, let single = try single(value, at: path) { return single }
        // An optional's value counts the step instead, unless it is a collection, whose elements are steps.
        let isCounted = (T.self as? any OptionalValue.Type)?.isValueStep ?? false
        let node = EncodedNode(depth: isCounted ? depth - 1 : depth)
        try value.encode(to: FormNodeEncoder(self, node, path))
        return node.value
    }

    /// The value of a type that is one part; nil for any other type, which is remembered.
    private func single<T: Encodable>(_ value: T, at path: CodingPath?) throws -> EncodedValue? {
        if let leaf = value as? any FormLeaf { return try encoded(leaf: leaf, at: path) }
        if let part = value as? any FormPartEncodable, isPart(type(of: part)) { return .part(part.formPart) }
        if writesJSON, CodingRole(T.self).isCollection { return path == nil ? nil : .json(JSONRecord(value)) }
        if !(T.self is AnyClass) { plainType = T.self }
        return nil
    }

    /// Whether a type that says so makes its own part.
    private func isPart(_ type: Any.Type) -> Bool {
        guard type != partType else { return true }
        guard CodingRole.mayBePart(type) else { return false }
        partType = type
        return true
    }

    func encoded(leaf: some FormLeaf, at path: @autoclosure () -> CodingPath?) throws -> EncodedValue {
        do throws(CodingProblem) {
            return try leaf.encoded(options)
        } catch {
            // The error describes the value, and Foundation on Linux traps when it describes a date that is not finite.
            throw self.error(error, (leaf as? Date)?.timeIntervalSinceReferenceDate ?? leaf, at: path())
        }
    }

    /// The value that nil is encoded as.
    var encodedNil: EncodedValue {
        options.nilEncoding.text.map(EncodedValue.text) ?? .nothing
    }

    func error(_ problem: CodingProblem, _ value: Any, at path: CodingPath?) -> EncodingError {
        // Printing the error prints the value, which would overflow the stack if it is too deep.
        let shown = problem.code == .tooDeep ? type(of: value) : value
        return problem.encodingError(shown, type(of: value), path.keys, path.name(options.keyPathEncoding.grammar))
    }

    /// Remembers an error of a call that cannot throw.
    func fail(_ error: any Error) {
        failure = failure ?? error
    }

    /// Fails if a value that is nested in `depth` steps cannot have another in it.
    func checkDepth(_ value: Any, at path: CodingPath?, _ depth: Int) throws {
        guard depth < options.depthLimit else { throw error(CodingProblem(.tooDeep), value, at: path) }
    }
}

extension FormEncoding {
    /// The JSON of a value. Throws a problem if it is nested too deep or is not JSON; errors of a type's own pass
    /// unchanged.
    func json(_ value: some Encodable) throws -> Data {
        try NestingProbe.check(value, jsonEncoder.userInfo)
        do {
            return try jsonEncoder.encode(value)
        } catch let error as EncodingError {
            throw CodingProblem(.unencodable, underlyingError: error)
        }
    }

    /// A field with the JSON of a value.
    func jsonField(of value: some Encodable, _ name: String) throws -> BodyPart {
        BodyPart(try json(value), name: name)
    }
}
