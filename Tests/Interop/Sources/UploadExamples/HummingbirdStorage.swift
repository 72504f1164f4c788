import AsyncHTTPClient
package import Foundation
package import Hummingbird
import MultipartFormCodec
import NIOHTTP1

/// A file of a form, as it is stored.
package struct StoredFile: Codable, Hashable, Sendable, ResponseEncodable {
    /// The name of its object.
    package var id: UUID
    /// The file name as it was sent.
    package var filename: String?
    /// Its length in bytes.
    package var length: Int
}

/// A Hummingbird router that keeps files in a bucket, and nothing on its disk.
///
/// - Parameters:
///   - bucket: The bucket.
///   - limit: The longest file, in bytes.
/// - Returns: A router with two routes: `POST /files` answers with a JSON array of ``StoredFile``, `GET /files/…` with
///   a file that this server or another one has stored.
package func makeStorageRouter(bucket: S3Bucket, upTo limit: Int) -> Router<BasicRequestContext> {
    let router = Router()
    router.add(middleware: FormErrors())

    router.post("files") { request, _ in
        let chunks = request.body.map(\.readableBytesView)
        let parts = try chunks.multipartParts(
            contentType: request.headers[.contentType],
            options: .init(maxParts: 100, maxPartBytes: limit)
        )
        var files: [StoredFile] = []
        do {
            for try await part in parts where part.filename != nil {
                let id = UUID()
                let length = try await bucket.store(part, as: "uploads/\(id)")
                files.append(StoredFile(id: id, filename: part.filename, length: length))
            }
        } catch {
            // A form counts as a whole.
            await bucket.remove(files.map { "uploads/\($0.id)" })
            throw error
        }
        return files
    }

    router.get("files/:id") { _, context in
        let id = try context.parameters.require("id", as: UUID.self)
        do {
            let object = try await bucket.send(.GET, "uploads/\(id)")
            return Response(
                status: .ok,
                headers: [.contentType: "application/octet-stream"],
                body: ResponseBody(asyncSequence: object.body)
            )
        } catch let error as S3Error where error.status == 404 {
            throw HTTPError(.notFound)
        }
    }

    return router
}
