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
            guard let refusal = MultipartError(error) else { throw error }
            context.logger.log(
                level: refusal.httpStatus < 500 ? .notice : .error,
                "form refused: \(refusal)"
            )
            throw HTTPError(
                .init(code: refusal.httpStatus),
                message: refusal.clientMessage ?? "upload failed"
            )
        }
    }
}
