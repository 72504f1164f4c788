// The `MultipartError` that is the underlying error of an `EncodingError` or a `DecodingError`.

extension MultipartError {
    /// The text of an `EncodingError` or a `DecodingError` that has this error as its underlying error. The text
    /// contains the name of the part and the reason, but not the value.
    var codingDescription: String { "\(partName.map { "\"\($0.printable(upTo: 64))\": " } ?? "")\(reason)" }
}

extension EncodingError {
    /// Creates the error for a value that cannot be encoded. An `EncodingError` must contain a value. If `value` is
    /// nil, the error contains `name` instead.
    init(_ reason: CodingReason, _ value: Any?, _ type: Any.Type?, _ keys: [any CodingKey], _ name: String?) {
        let error = reason.encoderError(name, type: type.map { "\($0)" })
        self = .invalidValue(
            value ?? (name ?? ""),
            Context(codingPath: keys, debugDescription: error.codingDescription, underlyingError: error)
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

    /// Returns a copy of the error with `cause` as its underlying error, and with another coding path.
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

extension DecodingError.Context {
    /// Creates a context with `cause` as the underlying error, and with the text of `cause`.
    init(_ cause: MultipartError, at codingPath: [any CodingKey]) {
        self.init(codingPath: codingPath, debugDescription: cause.codingDescription, underlyingError: cause)
    }
}
