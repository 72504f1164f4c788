package import Foundation
package import Hummingbird
import MultipartFormCodec

/// A Hummingbird router that receives uploads.
///
/// - Parameter directory: The directory for the temporary files of collected forms.
/// - Returns: A router with two routes: `/upload` reads parts as they arrive, `/collect` collects whole forms.
package func makeUploadRouter(directory: URL) -> Router<BasicRequestContext> {
    let router = Router()
    router.add(middleware: FormErrors())

    router.post("upload") { request, _ in
        let chunks = request.body.map(\.readableBytesView)
        var receipts: [PartReceipt] = []
        for try await part in try chunks.multipartParts(contentType: request.headers[.contentType]) {
            receipts.append(try await PartReceipt(reading: part))
        }
        return receipts
    }

    router.post("collect") { request, _ in
        let form = try await MultipartFormData(
            collecting: request.body.map(\.readableBytesView),
            contentType: request.headers[.contentType],
            options: MultipartCollector.Options(temporaryDirectory: directory)
        ) { headers in
            headers.filename == nil ? .accept : .disk(upTo: 1 << 30)
        }
        return try form.map { try PartReceipt($0) }
    }

    return router
}
