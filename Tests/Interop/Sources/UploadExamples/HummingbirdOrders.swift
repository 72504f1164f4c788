package import Foundation
package import Hummingbird
import MultipartFormCodec

/// A Hummingbird router that receives orders.
///
/// - Parameters:
///   - directory: The directory for temporary files.
///   - limit: The longest request body, in bytes.
/// - Returns: A router whose one route, `/orders`, answers with an ``OrderReceipt``.
package func makeOrderRouter(directory: URL, upTo limit: Int) -> Router<BasicRequestContext> {
    let router = Router()
    router.add(middleware: FormErrors())

    var orders = FormRequestDecoder()
    orders.options.parser.maxTotalBytes = limit
    orders.options.temporaryDirectory = directory

    router.post("orders") { [orders] request, context in
        let order = try await orders.decode(Order.self, from: request, context: context)
        return try OrderReceipt(order)
    }

    return router
}

extension OrderReceipt: ResponseEncodable {}
