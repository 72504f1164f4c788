package import Hummingbird
package import MultipartFormCodec

/// Decodes values from forms in requests, with their long files on disk for as long as the value refers to them.
package struct FormRequestDecoder: RequestDecoder {
    /// The limits on a request's size, and the directory for files.
    package var options = MultipartCollector.Options()
    /// Decides by a part's header fields, before its body arrives, what to do with it.
    package var route: @Sendable (HeaderFields) throws -> MultipartCollector.Route = { _ in .accept }
    /// How to decode the form.
    package var decoder = FormDataDecoder()

    /// Creates a decoder with the default options.
    package init() {}

    package func decode<T: Decodable>(
        _ type: T.Type,
        from request: Request,
        context: some RequestContext
    ) async throws -> T {
        do {
            let form = try await MultipartFormData(
                collecting: request.body.map(\.readableBytesView),
                contentType: request.headers[.contentType],
                options: options,
                route: route
            )
            return try decoder.decode(type, from: form)
        } catch {
            guard let refusal = MultipartError(error) else { throw error }
            guard let message = refusal.clientMessage else { throw refusal }
            throw HTTPError(.init(code: refusal.httpStatus), message: message)
        }
    }
}
