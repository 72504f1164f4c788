package import Hummingbird
package import MultipartForm
import NIOFoundationCompat

/// Decodes values from forms in requests, with their long files on disk for as long as the value refers to them.
package struct FormRequestDecoder: RequestDecoder {
    /// The limits on a request's size, and the directory for files.
    package var options = MultipartCollector.Options()
    /// How to decode the form.
    package var decoder = FormDataDecoder()

    /// Creates a decoder with the default options.
    package init() {}

    package func decode<T: Decodable>(
        _ type: T.Type,
        from request: Request,
        context: some RequestContext
    ) async throws -> T {
        let form = try await MultipartFormData(
            collecting: request.body.map(\.readableBytesView),
            contentType: request.headers[.contentType],
            options: options
        )
        do {
            return try decoder.decode(type, from: form)
        } catch let error as DecodingError {
            // A file that cannot be read is not the client's fault.
            if let cause = error.issue?.underlyingError as? MultipartError { throw cause }
            throw HTTPError(.badRequest, message: error.place)
        }
    }
}

extension DecodingError {
    /// The path of the value that is missing or wrong, and why, such as `items.0.quantity: invalid-value`.
    fileprivate var place: String {
        var path = context?.codingPath ?? []
        if case .keyNotFound(let key, _) = self { path.append(key) }
        // A type's own error has no issue: the value is one that the type does not take.
        let code = issue?.code ?? .invalidValue
        return path.isEmpty ? "\(code)" : "\(path.map(\.stringValue).joined(separator: ".")): \(code)"
    }

    fileprivate var issue: FormDataCodingIssue? {
        context?.underlyingError as? FormDataCodingIssue
    }

    private var context: Context? {
        switch self {
        case .keyNotFound(_, let context), .valueNotFound(_, let context), .typeMismatch(_, let context),
            .dataCorrupted(let context):
            context
        @unknown default:
            nil
        }
    }
}
