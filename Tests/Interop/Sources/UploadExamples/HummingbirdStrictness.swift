package import Hummingbird
import Logging
import Metrics
import MultipartFormCodec

/// A Hummingbird router that counts what strict mode would refuse.
///
/// - Returns: A router with one route, `/forms`, which answers with the names of a form's parts.
package func makeObservedRouter() -> Router<BasicRequestContext> {
    let router = Router()
    router.add(middleware: FormErrors())
    router.add(middleware: RefusalCounter())

    router.post("forms") { request, context in
        let logger = context.logger
        let client = request.headers[.userAgent] ?? "unknown"
        var options = MultipartCollector.Options()
        options.parser.strictErrorHandler = { error in
            Counter(label: "upload_strict_errors", dimensions: [("code", "\(error.code)")]).increment()
            logger.notice("strict mode would refuse: \(error.code): \(error)", metadata: ["client": "\(client)"])
        }
        let form = try await MultipartFormData(
            collecting: request.body.map(\.readableBytesView),
            contentType: request.headers[.contentType],
            options: options
        )
        return form.compactMap(\.name)
    }

    return router
}

/// Counts the uploads that are refused, in either mode.
struct RefusalCounter<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request,
        context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as MultipartError {
            let client = request.headers[.userAgent] ?? "unknown"
            Counter(label: "upload_errors", dimensions: [("code", "\(error.code)")]).increment()
            context.logger.notice("upload refused: \(error.code): \(error)", metadata: ["client": "\(client)"])
            throw error
        }
    }
}
