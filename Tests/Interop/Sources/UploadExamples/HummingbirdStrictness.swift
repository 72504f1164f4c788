package import Hummingbird
import Logging
import Metrics
import MultipartForm

/// A Hummingbird router that counts what strict mode would refuse.
///
/// - Returns: A router with one route, `/forms`, which answers with the names of a form's parts.
package func makeObservedRouter() -> Router<BasicRequestContext> {
    let router = Router()
    router.add(middleware: FormErrors())

    router.post("forms") { request, context in
        let logger = context.logger
        var options = MultipartCollector.Options()
        options.parser.strictErrorHandler = { error in
            Counter(label: "upload_strict_errors", dimensions: [("code", "\(error.code)")]).increment()
            logger.notice("strict mode would refuse this upload: \(error)")
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
