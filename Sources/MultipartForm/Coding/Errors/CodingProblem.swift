/// An issue without its name and part, which the catcher knows.
struct CodingProblem: Error {
    let code: FormDataCodingIssue.Code
    let underlyingError: (any Error)?

    init(_ code: FormDataCodingIssue.Code, underlyingError: (any Error)? = nil) {
        self.code = code
        self.underlyingError = underlyingError
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

    func issue(_ name: String?, _ partIndex: Int?) -> FormDataCodingIssue {
        FormDataCodingIssue(code: code, name: name, partIndex: partIndex, underlyingError: underlyingError)
    }

    /// The message about a value of a type, without the value.
    func message(_ name: String?, _ type: String?) -> String {
        let prefix = name.map { "\"\($0.printable(upTo: 64))\": " } ?? ""
        let suffix = type.map { ", as \($0)" } ?? ""
        return prefix + code.fact + suffix
    }

    func encodingError(
        _ value: Any?,
        _ type: Any.Type?,
        _ keys: [any CodingKey],
        _ name: String?
    ) -> EncodingError {
        .invalidValue(
            value as Any,
            EncodingError.Context(
                codingPath: keys,
                debugDescription: message(name, type.map { "\($0)" }),
                underlyingError: issue(name, nil)
            )
        )
    }
}
