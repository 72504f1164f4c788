package import Foundation
package import Hummingbird
import MultipartForm

/// A Hummingbird router that receives uploads.
///
/// - Parameter directory: The directory for files: those of `/video` stay, those of collected forms are temporary.
/// - Returns: A router with three routes: `/video` keeps one of the parts, `/upload` reads all of them as they arrive,
///   `/collect` keeps whole forms.
package func makeUploadRouter(directory: URL) -> Router<BasicRequestContext> {
    let router = Router()
    router.add(middleware: FormErrors())

    router.post("video") { request, _ in
        let chunks = request.body.map(\.readableBytesView)
        var answer: [String: String] = [:]
        for try await part in try chunks.multipartParts(contentType: request.headers[.contentType]) {
            switch part.name {
            case "title":
                answer["title"] = try await part.text(upTo: 1 << 10)
            case "video":
                let name = UUID().uuidString
                try await part.save(to: directory.appendingPathComponent(name), upTo: 2 << 30)
                answer["file"] = name
            default:
                break  // Not read, so it is dropped.
            }
        }
        return answer
    }

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
