#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The state of one encoding: the options, the caches, and the first error of a call that cannot throw.
final class FormEncoding {
    let options: FormDataEncoder
    /// The user info of the ``FormDataEncoder``, converted to the dictionary that the protocol `Encoder` requires.
    let userInfo: [CodingUserInfoKey: Any]
    /// Whether the key path encoding is `.json`.
    let writesJSON: Bool
    private(set) lazy var jsonEncoder: JSONEncoder = {
        let encoder = JSONEncoder()
        options.configureJSON(encoder)
        return encoder
    }()
    private(set) var failure: (any Error)?
    /// The last type that encoded itself with `encode(to:)`. This cache avoids most checks of a type's kind, because
    /// most arrays have elements of one type.
    private var plainType: Any.Type?
    /// The last type that created its own part. This cache avoids most checks of a type's kind, like `plainType`.
    private var partType: Any.Type?

    init(_ options: FormDataEncoder) {
        self.options = options
        userInfo = options.userInfo.mapValues { $0 as Any }
        writesJSON = options.keyPathEncoding.isJSON
    }

    /// Encodes a value of any type at level `depth`.
    ///
    /// `inPlace` is true if another value encodes this value in a single-value container. Each level of a nested value
    /// adds a stack frame of this method, so the frame is kept small.
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
            // If the key path encoding is `.json`, `plainType` is not set. A type may then need its `encode(to:)` at
            // the root, but become JSON below the root.
            if !writesJSON, !(T.self is AnyClass) { plainType = T.self }
        }
        let countsInPlace = inPlace && TypeKind(encoding: T.self).countsInPlace
        if countsInPlace { try checkDepth(value, at: path, depth) }
        let node = EncodedNode(depth: countsInPlace ? depth + 1 : depth)
        do {
            try value.encode(to: FormNodeEncoder(self, node, path))
        } catch {
            throw EncodingError.located(error, at: path, options)
        }
        return node.value
    }

    /// Encodes a value that is one part or JSON. Returns nil for any other value.
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

    /// Whether values of a type make their own parts. If not, the encoder ignores the conformance to
    /// ``FormPartEncodable``. ``TypeKind/mayBePart(_:)`` has the rules.
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
            // Printing the error prints its value. Foundation on Linux traps when it prints a date that is not finite,
            // so the error contains a number in place of a date.
            throw self.error(error, (leaf as? Date)?.timeIntervalSinceReferenceDate ?? leaf, at: path())
        }
    }

    /// Encodes a value whose type is always JSON, such as ``FormJSON``.
    private func encoded(_ value: some JSONPartEncodable, at path: CodingPath?) throws -> EncodedPart {
        let json = try locatingReasons(of: value, at: path) { try value.json(by: jsonEncoder) }
        return .part { BodyPart(json.data, name: $0, contentType: "application/json") }
    }

    /// Encodes a value as JSON in a field, or as ``encodedNil`` if the JSON is `null`.
    ///
    /// If `JSONEncoder` throws an `EncodingError`, throws a `CodingReason` instead. Rethrows any other error.
    func encodedJSON(_ value: some Encodable) throws -> EncodedValue {
        let json = try JSONText(value, by: jsonEncoder)
        guard !json.isNull else { return encodedNil }
        return .single(json.fieldText.map(EncodedPart.text) ?? .part { BodyPart(json.data, name: $0) })
    }

    /// The encoding of nil: a field with the text of the option `nilEncoding`, or no part.
    var encodedNil: EncodedValue {
        options.nilEncoding.text.map { .single(.text($0)) } ?? .nothing
    }

    // Methods for errors.

    func error(_ reason: CodingReason, _ value: Any, at path: CodingPath?) -> EncodingError {
        // Printing the error prints its value. Printing a value that is nested too deep would overflow the stack, so
        // the error contains the value's type instead.
        let shown = reason.code == ErrorCode.tooDeep ? type(of: value) : value
        return EncodingError(
            reason,
            shown,
            type(of: value),
            path.keys,
            path.name(options.keyPathEncoding.grammar)
        )
    }

    /// Calls `body`. If `body` throws a `CodingReason`, throws an `EncodingError` about `value` instead.
    private func locatingReasons<T>(of value: Any, at path: CodingPath?, _ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let reason as CodingReason {
            throw error(reason, value, at: path)
        }
    }

    /// Stores the first error of a call that cannot throw. Ignores later errors.
    func fail(_ error: any Error) {
        failure = failure ?? error
    }

    /// Throws an error about `value` if `value` would be nested too deep at level `depth + 1`.
    func checkDepth(_ value: Any, at path: CodingPath?, _ depth: Int) throws {
        guard depth < options.depthLimit else {
            throw error(CodingReason(ErrorCode.tooDeep, limit: options.depthLimit), value, at: path)
        }
    }
}

/// An optional whose wrapped type is unknown to the caller.
protocol OptionalType {
    /// Whether the optional or a nested optional is nil.
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
