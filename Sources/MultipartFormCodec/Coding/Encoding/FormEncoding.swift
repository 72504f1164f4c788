#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The state of one encoding: the options, the JSON encoder, and the first error of a call that cannot throw.
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
        let kind = TypeKind(encoding: type(of: value))
        if let whole = try encodedWhole(value, kind, at: path) { return whole }
        if case .optional = kind, let optional = value as? any OptionalType {
            return try optional.encoded(by: self, at: path, depth: depth, inPlace: inPlace)
        }
        let countsInPlace = inPlace && kind.countsInPlace
        if countsInPlace { try checkDepth(value, at: path, depth) }
        let node = EncodedNode(depth: countsInPlace ? depth + 1 : depth)
        do {
            try value.encode(to: FormNodeEncoder(self, node, path))
        } catch {
            throw located(error, at: path)
        }
        return .container(node)
    }

    /// Encodes a value that is one part or JSON. Returns nil for any other value.
    private func encodedWhole(_ value: some Encodable, _ kind: TypeKind, at path: CodingPath?) throws -> EncodedValue? {
        switch kind {
        case .leaf:
            return try (value as? any SinglePartValue).map { .single(try encoded(leaf: $0, at: path)) }
        case .part:
            if let part = value as? any JSONPartEncodable { return .single(try encoded(part, at: path)) }
            return (value as? any FormPartEncodable).map { .single(.part($0.formPart)) }
        case .optional: return nil
        case .dictionary, .array, .other:
            guard writesJSON, path != nil, !kind.isArrayOfParts else { return nil }
            return try locatingReasons(of: value, at: path) { try encodedJSON(value) }
        }
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

    /// Returns the error to throw after a value's own `encode(to:)` has thrown `error`.
    ///
    /// An `EncodingError` without a ``MultipartError`` gets one. The new ``MultipartError`` has the code `unencodable`,
    /// and the part name that belongs to the error's coding path. Any other error is returned unchanged.
    func located(_ error: any Error, at path: CodingPath?) -> any Error {
        guard case EncodingError.invalidValue(let value, let context) = error, MultipartError(error) == nil else {
            return error
        }
        let codingPath = path.absolute(context.codingPath)
        let place = codingPath.dropFirst(path.keys.count).reduce(path) { place, key in
            CodingPath(key, options.keyEncoding.spelling(of: key), in: place)
        }
        let reason = CodingReason(ErrorCode.unencodable, underlyingError: error)
        let cause = reason.encoderError(place.name(options.keyPathEncoding.grammar), type: "\(type(of: value))")
        return EncodingError.invalidValue(
            value,
            EncodingError.Context(
                codingPath: codingPath,
                debugDescription: context.debugDescription,
                underlyingError: cause
            )
        )
    }

    /// Stores the first error of a call that cannot throw. Ignores later errors.
    func fail(_ error: any Error) {
        failure = failure ?? error
    }

    /// Throws an error about `value` if its level, which is `depth + 1`, exceeds the depth limit.
    func checkDepth(_ value: @autoclosure () -> Any, at path: CodingPath?, _ depth: Int) throws {
        guard depth < options.depthLimit else {
            throw error(CodingReason(ErrorCode.tooDeep, limit: options.depthLimit), value(), at: path)
        }
    }
}

/// An optional whose wrapped type is unknown to the caller.
protocol OptionalType {
    func encoded(by encoding: FormEncoding, at path: CodingPath?, depth: Int, inPlace: Bool) throws -> EncodedValue
}

extension Optional: OptionalType where Wrapped: Encodable {
    func encoded(by encoding: FormEncoding, at path: CodingPath?, depth: Int, inPlace: Bool) throws -> EncodedValue {
        guard let value = self else { return encoding.encodedNil }
        return try encoding.encoded(value, at: path, depth: depth, inPlace: inPlace)
    }
}
