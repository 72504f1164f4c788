#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The state of one encoding: its options, and its first error that could not be thrown where it happened.
final class FormEncoding {
    let options: FormDataEncoder
    /// The encoder's user info, as the standard library requires it.
    let userInfo: [CodingUserInfoKey: Any]
    /// Whether a value below the root is JSON if it has keys or elements, and so is not one part.
    let writesJSON: Bool
    private(set) lazy var jsonEncoder: JSONEncoder = {
        let encoder = JSONEncoder()
        options.configureJSON(encoder)
        return encoder
    }()
    private(set) var failure: (any Error)?
    /// The last type that was found to encode itself. Most arrays have elements of one type, so this saves most
    /// look-ups.
    private var plainType: Any.Type?
    /// The last type that was found to make its own part.
    private var partType: Any.Type?

    init(_ options: FormDataEncoder) {
        self.options = options
        userInfo = options.userInfo.mapValues { $0 as Any }
        writesJSON = options.keyPathEncoding.isJSON
    }

    /// Encodes a value of any type that is nested in `depth` levels. `inPlace` is true if another value encodes this
    /// one in place of itself, in a single-value container.
    ///
    /// Nested values nest calls of this method, so its stack frame is kept small.
    func encoded<T: Encodable>(
        _ value: T,
        at path: CodingPath?,
        depth: Int,
        inPlace: Bool = false
    ) throws -> EncodedValue {
        if T.self != plainType {
            if let whole = try encodedWhole(value, at: path) { return whole }
            if let optional = value as? any OptionalType {
                return try optional.encoded(by: self, at: path, depth: depth, inPlace: inPlace)
            }
            // Under `.json` nothing is remembered, because a type encodes itself as the root but is JSON elsewhere.
            if !writesJSON, !(T.self is AnyClass) { plainType = T.self }
        }
        let countsInPlace = inPlace && TypeKind(encoding: T.self).countsInPlace
        if countsInPlace { try checkDepth(value, at: path, depth) }
        let node = EncodedNode(depth: countsInPlace ? depth + 1 : depth)
        try value.encode(to: FormNodeEncoder(self, node, path))
        return node.value
    }

    /// The value of a type that is one part, or JSON; nil for any other type.
    private func encodedWhole<T: Encodable>(_ value: T, at path: CodingPath?) throws -> EncodedValue? {
        if let leaf = value as? any SinglePartValue { return .single(try encoded(leaf: leaf, at: path)) }
        if let part = value as? any FormPartEncodable, isPart(type(of: part)) { return .single(.part(part.formPart)) }
        if let part = value as? any JSONPartEncodable { return .single(try encoded(part, at: path)) }
        guard writesJSON, path != nil else { return nil }
        switch TypeKind(encoding: T.self) {
        case .optional: return nil
        case let kind where kind.isArrayOfParts: return nil
        case .leaf, .part, .dictionary, .array, .other:
            return try locatingReasons(of: value, at: path) { try encodedJSON(value) }
        }
    }

    /// Whether a type that conforms to ``FormPartEncodable`` makes its own part.
    private func isPart(_ type: Any.Type) -> Bool {
        guard type != partType else { return true }
        guard TypeKind.mayBePart(type) else { return false }
        partType = type
        return true
    }

    func encoded(leaf: some SinglePartValue, at path: @autoclosure () -> CodingPath?) throws -> EncodedPart {
        do throws(CodingReason) {
            return try leaf.encoded(options)
        } catch {
            // The error keeps the value, and printing the error prints it. In place of a date, the error gets a number,
            // because Foundation on Linux traps when it prints a date that is not finite.
            throw self.error(error, (leaf as? Date)?.timeIntervalSinceReferenceDate ?? leaf, at: path())
        }
    }

    /// Encodes a value whose type is always JSON in a part, such as ``FormJSON``.
    private func encoded(_ value: some JSONPartEncodable, at path: CodingPath?) throws -> EncodedPart {
        let json = try locatingReasons(of: value, at: path) { try value.json(by: jsonEncoder) }
        return .part { BodyPart(json.data, name: $0, contentType: "application/json") }
    }

    /// Encodes a value as a field with JSON. Errors that the value's type throws are rethrown unchanged.
    func encodedJSON(_ value: some Encodable) throws -> EncodedValue {
        let json = try JSONText(value, by: jsonEncoder)
        guard !json.isNull else { return encodedNil }
        return .single(json.fieldText.map(EncodedPart.text) ?? .part { BodyPart(json.data, name: $0) })
    }

    /// The value that nil is encoded as: no part, or a field with the text of `nilEncoding`.
    var encodedNil: EncodedValue {
        options.nilEncoding.text.map { .single(.text($0)) } ?? .nothing
    }

    // Errors.

    func error(_ reason: CodingReason, _ value: Any, at path: CodingPath?) -> EncodingError {
        // Printing the error prints the value, which would overflow the stack if it is too deep.
        let shown = reason.code == CodingCode.tooDeep ? type(of: value) : value
        return reason.encodingError(shown, type(of: value), path.keys, path.name(options.keyPathEncoding.grammar))
    }

    /// Calls `body`. A `CodingReason` that it throws becomes an `EncodingError` about `value`.
    private func locatingReasons<T>(of value: Any, at path: CodingPath?, _ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let reason as CodingReason {
            throw error(reason, value, at: path)
        }
    }

    /// Remembers an error of a call that cannot throw.
    func fail(_ error: any Error) {
        failure = failure ?? error
    }

    /// Throws if a value that is nested in `depth` levels is too deep to contain another value.
    func checkDepth(_ value: Any, at path: CodingPath?, _ depth: Int) throws {
        guard depth < options.depthLimit else { throw error(CodingReason(CodingCode.tooDeep), value, at: path) }
    }
}

/// An optional of any type.
protocol OptionalType {
    /// Whether the optional is nil, or wraps a nil optional at any depth.
    var isNil: Bool { get }

    func encoded(by encoding: FormEncoding, at path: CodingPath?, depth: Int, inPlace: Bool) throws -> EncodedValue
}

extension Optional: OptionalType where Wrapped: Encodable {
    var isNil: Bool {
        guard let value = self else { return true }
        return (value as? any OptionalType)?.isNil == true
    }

    func encoded(by encoding: FormEncoding, at path: CodingPath?, depth: Int, inPlace: Bool) throws -> EncodedValue {
        guard let value = self else { return encoding.encodedNil }
        return try encoding.encoded(value, at: path, depth: depth, inPlace: inPlace)
    }
}
