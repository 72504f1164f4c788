package import Foundation
package import Hummingbird
import MultipartForm
import NIOFoundationCompat

/// A Hummingbird router that receives uploads.
///
/// - Parameter directory: Where the files of collected forms go while they are in use.
/// - Returns: A router with two routes: `/upload` reads parts as they arrive, `/collect` keeps whole forms.
package func makeUploadRouter(directory: URL) -> Router<BasicRequestContext> {
    let router = Router()

    router.post("upload") { request, _ in
        let chunks = request.body.map(\.readableBytesView)
        let contentType = request.headers[.contentType] ?? ""
        var receipts: [PartReceipt] = []
        do {
            for try await part in try chunks.multipartParts(contentType: contentType) {
                var tally = PartTally(part.headers)
                for try await bytes in part.body { tally.add(bytes) }
                receipts.append(tally.receipt)
            }
        } catch let error as MultipartParsingError {
            throw HTTPError(.badRequest, message: error.description)
        }
        return receipts
    }

    router.post("collect") { request, _ in
        let form = try await MultipartFormData(
            collecting: request.body.map(\.readableBytesView),
            contentType: request.headers[.contentType] ?? "",
            options: CollectionOptions(directory: directory)
        ) { headers in
            headers.filename == nil ? .accept : .toDisk
        }
        return try form.map { try PartReceipt($0) }
    }

    return router
}
