// The error of a message whose sequence has ended.
extension MultipartError {
    /// Returns the error to throw instead of `error`, which parsing threw after the sequence had ended.
    ///
    /// In a cancelled task, the sequence may have ended early. So the error of an incomplete message becomes a
    /// `CancellationError`. Any other error concerns bytes that have arrived, or the disk, and is returned unchanged.
    static func atEndOfChunks(_ error: any Error) -> any Error {
        guard let code = (error as? MultipartError)?.code, code == .unexpectedEnd || code == .boundaryNotFound,
            Task.isCancelled
        else { return error }
        return CancellationError()
    }
}
