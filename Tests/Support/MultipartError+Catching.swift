package import MultipartFormCodec

extension MultipartError {
    /// The result of a call that fails only with a `MultipartError`; with any other error the process ends.
    package static func catching<Value>(_ call: () throws -> Value) -> Result<Value, MultipartError> {
        do {
            return .success(try call())
        } catch let error as MultipartError {
            return .failure(error)
        } catch {
            preconditionFailure("\(error) is no MultipartError")
        }
    }
}
