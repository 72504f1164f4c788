import Hummingbird
import Logging
import MultipartFormCodec

/// The answer to a refused form, as JSON.
struct RefusedForm: ResponseEncodable {
    var code: String
    var field: String?
    var message: String
}

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
            guard let refusal = MultipartError(error) else { throw error }
            context.logger.log(level: refusal.httpStatus < 500 ? .notice : .error, "form refused: \(refusal)")
            guard let message = refusal.clientMessage else {
                throw HTTPError(.internalServerError, message: "upload failed")
            }
            let answer = RefusedForm(
                code: "\(refusal.code)",
                field: refusal.partName,
                message: message
            )
            var response = try answer.response(from: request, context: context)
            response.status = .init(code: refusal.httpStatus)
            // A client such as curl then stops sending the rest of the form.
            response.headers[.connection] = "close"
            return response
        }
    }
}
