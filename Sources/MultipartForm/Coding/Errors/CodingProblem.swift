/// An issue without its name and part, which the catcher knows.
struct CodingProblem: Error {
    let code: FormDataCodingIssue.Code
    let underlyingError: (any Error)?
    /// What to say instead of the code's fact; nil for that.
    let fact: String?

    init(_ code: FormDataCodingIssue.Code, _ fact: String? = nil, underlyingError: (any Error)? = nil) {
        self.code = code
        self.fact = fact
        self.underlyingError = underlyingError
    }

    /// The problem of a value that has encoded itself for another encoder, which its type cannot know from others.
    static func encodedItself(_ type: Any.Type) -> CodingProblem {
        CodingProblem(.unencodable, "pass \(type) to a container: its own encode(to:) is for other encoders")
    }

    /// Calls `body`; an error that it throws becomes the underlying error of a problem.
    static func wrap<Value>(
        _ code: FormDataCodingIssue.Code,
        _ body: () throws -> Value
    ) throws(CodingProblem) -> Value {
        do {
            return try body()
        } catch let problem as CodingProblem {
            throw problem
        } catch {
            throw CodingProblem(code, underlyingError: error)
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
    func message(_ name: String?, _ type: String?) -> String {
        let prefix = name.map { "\"\($0.printable(upTo: 64))\": " } ?? ""
        return prefix + (fact ?? ownText ?? code.fact(for: type))
    }

    /// Why a part cannot be sent, or what a type that is a part says of JSON that it is in; nil for any other underlying
    /// error.
    private var ownText: String? {
        if code == .unencodable, let error = underlyingError as? MultipartError { return error.fact }
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
            // The text says which; an optional in `Any` would print as one.
            value ?? (name ?? ""),
            EncodingError.Context(
                codingPath: keys,
                debugDescription: message(name, type.map { "\($0)" }),
                underlyingError: encodingIssue(name)
            )
        )
    }
}
