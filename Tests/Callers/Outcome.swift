internal import MultipartFormCodec

/// How an entry ends.
enum Outcome: Hashable, Sendable {
    case success
    /// A `MultipartError`.
    case failure(MultipartError.Code)
    /// An error of the source's own, or of a route.
    case foreign
    case cancellation

    init(_ result: Result<Void, any Error>) {
        switch result {
        case .success: self = .success
        case .failure(let error as MultipartError): self = .failure(error.code)
        case .failure(is CancellationError): self = .cancellation
        case .failure: self = .foreign
        }
    }
}
