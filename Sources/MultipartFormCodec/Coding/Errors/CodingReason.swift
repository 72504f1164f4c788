/// The reason why a value cannot be encoded or decoded.
///
/// The function that catches a reason adds the name and the index of the part, to create a ``FormDataCodingIssue``.
struct CodingReason: Error {
    let code: FormDataCodingIssue.Code
    let underlyingError: (any Error)?
    /// A reason in words that is more specific than the code, such as `key is used twice`. Nil if there is none.
    private let text: String?

    init(_ code: FormDataCodingIssue.Code, _ text: String? = nil, underlyingError: (any Error)? = nil) {
        self.code = code
        self.text = text
        self.underlyingError = underlyingError
    }

    /// Returns the reason for rejecting a direct call such as `data.encode(to: encoder)`.
    ///
    /// The encoder of a form handles a type such as `Data` without calling its `encode(to:)`, which is only for other
    /// encoders.
    static func encodedItself(_ type: Any.Type) -> CodingReason {
        CodingReason(CodingCode.unencodable, "pass \(type) to a container: its own encode(to:) is for other encoders")
    }

    /// Calls `body`. Rethrows a `CodingReason`. Any other error becomes the underlying error of a new `CodingReason`.
    static func wrap<Value>(
        _ code: FormDataCodingIssue.Code,
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

    /// Returns the issue for a decoding error.
    func issue(_ name: String?, _ partIndex: Int?) -> FormDataCodingIssue {
        FormDataCodingIssue(code, name, partIndex, underlyingError, isOfEncoder: false)
    }

    /// Returns the issue for an encoding error.
    func encodingIssue(_ name: String?) -> FormDataCodingIssue {
        FormDataCodingIssue(code, name, nil, underlyingError, isOfEncoder: true)
    }

    /// Returns the message of an error, with the name and the reason, but without the value.
    func message(name: String?, type: String?) -> String {
        let prefix = name.map { "\"\($0.printable(upTo: 64))\": " } ?? ""
        return prefix + (text ?? underlyingText ?? CodingDetails.of(code)?.reason(for: type) ?? code.rawValue)
    }

    /// The text of the underlying error. Nil except for these errors:
    /// - the error of a part that cannot be sent or read
    /// - the error of a ``FormPartOnly`` type within JSON
    private var underlyingText: String? {
        if [CodingCode.unencodable, CodingCode.unreadablePart].contains(code),
            let error = underlyingError as? MultipartError
        {
            return error.reason
        }
        guard let underlyingError, FormDataCodingIssue(underlyingError) != nil else { return nil }
        return switch underlyingError {
        case EncodingError.invalidValue(_, let context): context.debugDescription
        case DecodingError.typeMismatch(_, let context): context.debugDescription
        default: nil
        }
    }

    func encodingError(
        _ value: Any?,
        _ type: Any.Type?,
        _ keys: [any CodingKey],
        _ name: String?
    ) -> EncodingError {
        .invalidValue(
            // An `EncodingError` must have a value. If `value` is nil, the name takes the place of the value.
            value ?? (name ?? ""),
            EncodingError.Context(
                codingPath: keys,
                debugDescription: message(name: name, type: type.map { "\($0)" }),
                underlyingError: encodingIssue(name)
            )
        )
    }
}
