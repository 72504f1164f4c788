import Foundation
import HTTPTypes
import MultipartFormCodec
import OpenAPIRuntime

/// Reads each form with this library's checks and limits before the generated code gets it.
struct FormChecks: ServerMiddleware {
    var options = MultipartParser.Options(maxPartBytes: 10_000_000)

    func intercept(
        _ request: HTTPRequest,
        body: HTTPBody?,
        metadata: ServerRequestMetadata,
        operationID: String,
        next:
            @Sendable (HTTPRequest, HTTPBody?, ServerRequestMetadata) async throws
            -> (HTTPResponse, HTTPBody?)
    ) async throws -> (HTTPResponse, HTTPBody?) {
        let contentType = request.headerFields[.contentType]
        guard let body, contentType?.lowercased().hasPrefix("multipart/form-data") == true else {
            return try await next(request, body, metadata)
        }
        do {
            let parts = try body.multipartParts(contentType: contentType, options: options)
            let form = EncodedFormChunks(encoding: parts.map { BodyPart($0) })
            var request = request
            request.headerFields[.contentType] = form.contentType
            request.headerFields[.contentLength] = nil
            let checked = HTTPBody(form, length: .unknown, iterationBehavior: .single)
            return try await next(request, checked, metadata)
        } catch {
            let cause = (error as? ServerError)?.underlyingError ?? error
            guard let refusal = MultipartError(cause) else { throw error }
            return (HTTPResponse(status: .init(code: refusal.httpStatus)), HTTPBody(refusal.clientMessage ?? ""))
        }
    }
}
