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
            // What is wrong with the server is not the client's business.
            throw status.code < 500 ? HTTPError(status, message: error.description) : HTTPError(status)
        }
    }
}
