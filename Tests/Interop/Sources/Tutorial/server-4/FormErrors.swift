import Hummingbird
import MultipartFormCodec

/// Answers a refused form with the status of its error.
struct FormErrors<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request,
        context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            let formError = error as? MultipartError
            let issue = FormDataCodingIssue(error)
            // Without an issue, the error's text may contain the value.
            let fallback = error is DecodingError ? 400 : nil
            let known = formError?.httpStatus ?? issue?.httpStatus
            guard let code = known ?? fallback else { throw error }
            let status = HTTPResponse.Status(code: code)
            guard code >= 500 else {
                let text = formError?.description ?? issue?.description
                throw HTTPError(status, message: text ?? "invalid-value")
            }
            // For the operator: the client does not need the cause.
            context.logger.error("\(issue?.underlyingError ?? error)")
            throw HTTPError(status)
        }
    }
}
