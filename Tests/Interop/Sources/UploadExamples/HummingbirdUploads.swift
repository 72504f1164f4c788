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
        // A body without the field may be anything (RFC 9110 §8.3), and that is no form.
        let contentType = request.headers[.contentType] ?? "application/octet-stream"
        var receipts: [PartReceipt] = []
        do {
            for try await part in try chunks.multipartParts(contentType: contentType) {
                var tally = PartTally(part.headers)
                for try await bytes in part.body { tally.add(bytes) }
                receipts.append(tally.receipt)
            }
        } catch {
            throw refusal(of: error)
        }
        return receipts
    }

    router.post("collect") { request, _ in
        do {
            let form = try await MultipartFormData(
                collecting: request.body.map(\.readableBytesView),
                contentType: request.headers[.contentType] ?? "application/octet-stream",
                options: MultipartCollector.Options(directory: directory)
            ) { headers in
                headers.filename == nil ? .accept : .disk(upTo: .max)
            }
            return try form.map { try PartReceipt($0) }
        } catch {
            throw refusal(of: error)
        }
    }

    return router
}

/// An error as Hummingbird is to answer it. One that is the server's own stays what it is, and is answered by 500.
private func refusal(of error: any Error) -> any Error {
    guard let status = refusalStatus(of: error) else { return error }
    return HTTPError(.init(code: status), message: "\(error)")
}
