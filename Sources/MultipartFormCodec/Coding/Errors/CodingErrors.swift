// The `MultipartError` beneath the errors of the standard library's coders.

extension MultipartError {
    /// The text of a coder's error that has this error beneath it: the name of the part and the reason, without the
    /// value.
    var codingDescription: String { "\(partName.map { "\"\($0.printable(upTo: 64))\": " } ?? "")\(reason)" }
}

extension EncodingError {
    /// Creates the error of a value that cannot be encoded. An `EncodingError` must have a value: if it is nil, the
    /// name takes its place.
    init(_ reason: CodingReason, _ value: Any?, _ type: Any.Type?, _ keys: [any CodingKey], _ name: String?) {
        let error = reason.encoderError(name, type: type.map { "\($0)" })
        self = .invalidValue(
            value ?? (name ?? ""),
            Context(codingPath: keys, debugDescription: error.codingDescription, underlyingError: error)
        )
    }

    /// Returns the error to throw for one of a value's own `encode(to:)`. An `EncodingError` without a
    /// ``MultipartError`` gets one: `unencodable`, with the name for the coding path of the error. Any other error is
    /// returned unchanged.
    static func located(_ error: any Error, at path: CodingPath?, _ options: FormDataEncoder) -> any Error {
        guard case EncodingError.invalidValue(let value, let context) = error, MultipartError(error) == nil else {
            return error
        }
        let codingPath = path.absolute(context.codingPath)
        let place = codingPath.dropFirst(path.keys.count).reduce(path) { place, key in
            let isIndex = key.stringValue == "Index \(key.intValue ?? 0)" || key is IndexKey
            return CodingPath(key, isIndex ? nil : options.keyEncoding.name(of: key.stringValue), in: place)
        }
        let reason = CodingReason(ErrorCode.unencodable, underlyingError: error)
        let cause = reason.encoderError(place.name(options.keyPathEncoding.grammar), type: "\(type(of: value))")
        return EncodingError.invalidValue(
            value,
            Context(codingPath: codingPath, debugDescription: context.debugDescription, underlyingError: cause)
        )
    }
}

extension DecodingError {
    /// The coding path, the text and the underlying error.
    var context: Context {
        switch self {
        case .keyNotFound(_, let context), .valueNotFound(_, let context), .typeMismatch(_, let context): context
        case .dataCorrupted(let context): context
        @unknown default: Context(codingPath: [], debugDescription: "\(self)")
        }
    }

    /// Returns a copy with another cause and another coding path.
    func with(_ cause: MultipartError, _ codingPath: [any CodingKey]) -> DecodingError {
        let context = Context(
            codingPath: codingPath,
            debugDescription: context.debugDescription,
            underlyingError: cause
        )
        return switch self {
        case .keyNotFound(let key, _): .keyNotFound(key, context)
        case .valueNotFound(let type, _): .valueNotFound(type, context)
        case .typeMismatch(let type, _): .typeMismatch(type, context)
        case .dataCorrupted: .dataCorrupted(context)
        @unknown default: .dataCorrupted(context)
        }
    }
}
