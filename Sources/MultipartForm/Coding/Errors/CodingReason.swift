/// Why a value cannot be coded: an issue without its name and part, which the function that catches it adds.
struct CodingReason: Error {
    let code: FormDataCodingIssue.Code
    let underlyingError: (any Error)?
    /// The text to use instead of the code's reason; nil to use the code's reason.
    private let text: String?

    init(_ code: FormDataCodingIssue.Code, _ text: String? = nil, underlyingError: (any Error)? = nil) {
        self.code = code
        self.text = text
        self.underlyingError = underlyingError
    }

    /// The reason if a program calls `encode(to:)` of a type such as `Data`. The form's encoder handles these types
    /// itself; their `encode(to:)` is for other encoders.
    static func encodedItself(_ type: Any.Type) -> CodingReason {
        CodingReason(CodingCode.unencodable, "pass \(type) to a container: its own encode(to:) is for other encoders")
    }

    /// Calls `body`. An error that it throws becomes the underlying error of a reason; a reason is rethrown.
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

    /// The issue of a part to decode.
    func issue(_ name: String?, _ partIndex: Int?) -> FormDataCodingIssue {
        FormDataCodingIssue(code, name, partIndex, underlyingError, isOfEncoder: false)
    }

    /// The issue of a value to encode.
    func encodingIssue(_ name: String?) -> FormDataCodingIssue {
        FormDataCodingIssue(code, name, nil, underlyingError, isOfEncoder: true)
    }

    /// The message about a value of a type, without the value.
    func message(name: String?, type: String?) -> String {
        let prefix = name.map { "\"\($0.printable(upTo: 64))\": " } ?? ""
        return prefix + (text ?? underlyingText ?? CodingDetails.of(code)?.reason(for: type) ?? code.rawValue)
    }

    /// Why a part cannot be sent or read, or the message of a ``FormPartOnly`` type that is within JSON; nil for any
    /// other underlying error.
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
            // If there is no value, its name, which the message has as well. Not nil, because nil in `Any` would print
            // as an optional.
            value ?? (name ?? ""),
            EncodingError.Context(
                codingPath: keys,
                debugDescription: message(name: name, type: type.map { "\($0)" }),
                underlyingError: encodingIssue(name)
            )
        )
    }
}
