import Hummingbird
import MultipartForm

/// Answers a refused form with the status of its error, on every route of a router.
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
            // Without an issue, a type or the standard library threw the error, whose text may have the value.
            let fallback = error is DecodingError ? 400 : nil
            guard let code = formError?.httpStatus ?? issue?.httpStatus ?? fallback else { throw error }
            let status = HTTPResponse.Status(code: code)
            guard code >= 500 else {
                throw HTTPError(status, message: formError?.description ?? issue?.description ?? "invalid-value")
            }
            // The server's fault: the operator needs the cause, the client does not.
            context.logger.error("\(issue?.underlyingError ?? error)")
            throw HTTPError(status)
        }
    }
}
