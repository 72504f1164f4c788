/// The reason why a value cannot be encoded or decoded.
///
/// The function that catches a reason knows the type and the part, and creates a ``MultipartError``.
struct CodingReason: Error {
    let code: MultipartError.Code
    let underlyingError: (any Error)?
    /// A reason in words that is more specific than the code, such as `key is used twice`. Nil if there is none.
    private let text: String?
    /// The limit that the value exceeds. Nil if the value exceeds no limit.
    private let limit: Int?

    init(
        _ code: MultipartError.Code,
        _ text: String? = nil,
        limit: Int? = nil,
        underlyingError: (any Error)? = nil
    ) {
        self.code = code
        self.text = text
        self.limit = limit
        self.underlyingError = underlyingError
    }

    /// Calls `body`. Rethrows a `CodingReason`. Any other error becomes the underlying error of a new `CodingReason`.
    static func wrap<Value>(
        _ code: MultipartError.Code,
        _ body: () throws -> Value
    ) throws(CodingReason) -> Value {
        do {
            return try body()
        } catch let reason as CodingReason {
            throw reason
        } catch {
            throw CodingReason(code, underlyingError: error)
        }
    }

    /// Returns the ``MultipartError`` of the decoder for this reason.
    ///
    /// - Parameters:
    ///   - name: The name of the part, or the name that the missing part would have.
    ///   - partIndex: The index of the part; nil if the error concerns no part or several parts.
    ///   - type: The name of the type that is decoded; nil if there is none.
    /// - Returns: The error.
    func decoderError(_ name: String?, _ partIndex: Int?, type: String?) -> MultipartError {
        error(name, partIndex, type, isOfForm: true)
    }

    /// Returns the ``MultipartError`` of the encoder for this reason.
    func encoderError(_ name: String?, type: String?) -> MultipartError { error(name, nil, type, isOfForm: false) }

    private func error(_ name: String?, _ partIndex: Int?, _ type: String?, isOfForm: Bool) -> MultipartError {
        MultipartError(
            code,
            text ?? underlyingText ?? (limit == nil ? ErrorDetails.of(code)?.reason(ofType: type) : nil),
            isOfForm: isOfForm,
            partIndex: partIndex,
            partName: name,
            limit: limit,
            underlyingError: underlyingError
        )
    }

    /// The text of the underlying error. Nil except for these errors:
    /// - the error of a part that cannot be sent or read
    /// - the error of a ``FormPartOnly`` type within JSON
    private var underlyingText: String? {
        if [ErrorCode.unencodable, ErrorCode.unreadablePart].contains(code),
            let error = underlyingError as? MultipartError
        {
            return error.reason
        }
        guard let underlyingError, MultipartError(underlyingError) != nil else { return nil }
        return switch underlyingError {
        case EncodingError.invalidValue(_, let context): context.debugDescription
        case DecodingError.typeMismatch(_, let context): context.debugDescription
        default: nil
        }
    }
}
