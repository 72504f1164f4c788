import Hummingbird
import MultipartForm

/// Answers a broken or too long form with the status that its error has.
struct FormErrors<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request,
        context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as MultipartError {
            let status = HTTPResponse.Status(code: error.httpStatus)
            guard status.code < 500 else {
                // What is wrong with the server is its operator's business, not the client's.
                context.logger.error("\(error)")
                throw HTTPError(status)
            }
            throw HTTPError(status, message: error.description)
        }
    }
}
