import MultipartForm

/// The status to refuse an upload with: 415 for another media type, 413 for a limit, 400 for whatever else is wrong
/// with what the client sent; nil if the client is not to blame.
package func refusalStatus(of error: any Error) -> Int? {
    switch error {
    case let error as MultipartError:
        if error.code == .unsupportedMediaType { return 415 }
        return error.limit == nil ? 400 : 413
    case let error as MultipartError:
        if error.code == .partRejected { return 400 }
        // What is left is the server's own: its disk, or its use of the parts.
        return error.limit == nil ? nil : 413
    default:
        return nil
    }
}
