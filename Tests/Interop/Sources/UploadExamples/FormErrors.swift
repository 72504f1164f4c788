import Hummingbird
import MultipartForm

/// Responds to a form's error with its status, on every route of a router.
///
/// The client learns what is wrong with its message, and nothing about the server's own errors.
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
            throw status.code < 500 ? HTTPError(status, message: error.description) : HTTPError(status)
        }
    }
}
