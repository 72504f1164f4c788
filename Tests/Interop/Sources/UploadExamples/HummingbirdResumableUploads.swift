package import Foundation
import HTTPTypes
package import Hummingbird
import MultipartFormCodec
import NIOPosix
import Synchronization

/// A Hummingbird router from which interrupted uploads can be resumed, also after the process has ended.
///
/// - Parameters:
///   - directory: Where the uploads are kept until they are removed.
///   - limit: The longest message, in bytes.
/// - Returns: A router with two routes: `/uploads` creates uploads, `/uploads/…` continues one. The answer to a complete
///   form is a JSON array of ``PartReceipt``.
package func makeResumableRouter(directory: URL, upTo limit: UInt64) -> Router<BasicRequestContext> {
    let router = Router()
    router.add(middleware: FormErrors())
    let uploads = StoredUploads(directory: directory, limit: limit)

    router.post("uploads") { request, _ in
        let length = request.headers[.uploadLength].flatMap(UInt64.init)
        guard length ?? 0 <= limit else { throw HTTPError(.contentTooLarge) }
        let contentType = request.headers[.contentType]
        let (id, upload) = try uploads.create(.init(contentType: contentType, length: length))
        var response = try await receive(request, into: upload, at: 0)
        if response.status == .noContent { response.status = .created }
        response.headers[.location] = "/uploads/\(id)"
        response.headers[.uploadLimit] = "max-size=\(limit)"
        return response
    }

    router.head("uploads/:id") { _, context in
        let upload = try uploads.find(context.parameters.get("id"))
        let status = try upload.interrupt()
        var headers: HTTPFields = [
            .uploadOffset: "\(status.offset)",
            .uploadComplete: status.isComplete ? "?1" : "?0",
            .uploadLimit: "max-size=\(limit)",
            .cacheControl: "no-store",
        ]
        headers[.uploadLength] = upload.description.length.map { "\($0)" }
        return Response(status: .noContent, headers: headers)
    }

    router.patch("uploads/:id") { request, context in
        let upload = try uploads.find(context.parameters.get("id"))
        guard request.headers[.contentType] == "application/partial-upload" else {
            throw HTTPError(.unsupportedMediaType)
        }
        guard let offset = request.headers[.uploadOffset].flatMap(UInt64.init) else {
            throw HTTPError(.badRequest)
        }
        return try await receive(request, into: upload, at: offset)
    }

    router.delete("uploads/:id") { _, context in
        try uploads.remove(context.parameters.get("id"))
        return HTTPResponse.Status.noContent
    }

    return router
}

/// Appends a request's body to the message, and reads the form once it is complete.
private func receive(_ request: Request, into upload: StoredUpload, at offset: UInt64) async throws -> Response {
    let isLast = request.headers[.uploadComplete] != "?0"
    do {
        try await upload.append(request.body, at: offset, isLast: isLast)
    } catch StoredUpload.Refusal.offset(let actual) {
        return Response(status: .conflict, headers: [.uploadOffset: "\(actual)", .uploadComplete: "?0"])
    } catch StoredUpload.Refusal.superseded {
        return Response(status: .conflict, headers: [.uploadComplete: "?0"])
    } catch StoredUpload.Refusal.tooLong {
        throw HTTPError(.contentTooLarge)
    } catch StoredUpload.Refusal.inconsistentLength {
        throw HTTPError(.badRequest)
    }
    guard isLast else {
        return Response(status: .noContent, headers: [.uploadComplete: "?0"])
    }
    // The message is complete, whatever is wrong with it: sending it again would not help.
    do {
        let receipts = try await NIOThreadPool.singleton.runIfActive {
            let form = try MultipartFormData(
                parsingFileAt: upload.message,
                contentType: upload.description.contentType
            )
            return try JSONEncoder().encode(form.map { try PartReceipt($0) })
        }
        return Response(
            status: .ok,
            headers: [.uploadComplete: "?1", .contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: receipts))
        )
    } catch let error as MultipartError {
        let status = HTTPResponse.Status(code: error.httpStatus)
        return Response(
            status: status,
            headers: [.uploadComplete: "?1"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: status.code < 500 ? error.description : ""))
        )
    }
}

/// The uploads in a directory. One object for each, so that its requests know of each other.
private final class StoredUploads: Sendable {
    private let directory: URL
    private let limit: UInt64
    private let open = Mutex<[UUID: StoredUpload]>([:])

    init(directory: URL, limit: UInt64) {
        (self.directory, self.limit) = (directory, limit)
    }

    func create(_ description: StoredUpload.Description) throws -> (UUID, StoredUpload) {
        let id = UUID()  // Nobody can guess it, and who knows it may write.
        let upload = try StoredUpload(creating: place(of: id), description, upTo: limit)
        open.withLock { $0[id] = upload }
        return (id, upload)
    }

    /// The upload with the last component of its address, which must be one of ours: it becomes part of a path.
    func find(_ text: String?) throws -> StoredUpload {
        guard let id = text.flatMap(UUID.init(uuidString:)) else { throw HTTPError(.notFound) }
        return try open.withLock { open in
            if let upload = open[id] { return upload }
            guard let upload = try? StoredUpload(opening: place(of: id), upTo: limit) else {
                throw HTTPError(.notFound)
            }
            open[id] = upload
            return upload
        }
    }

    func remove(_ text: String?) throws {
        try find(text).remove()
        open.withLock { $0[text.flatMap(UUID.init(uuidString:)) ?? UUID()] = nil }
    }

    private func place(of id: UUID) -> URL {
        directory.appendingPathComponent(id.uuidString)
    }
}

extension HTTPField.Name {
    fileprivate static let uploadComplete = named("Upload-Complete")
    fileprivate static let uploadLength = named("Upload-Length")
    fileprivate static let uploadLimit = named("Upload-Limit")
    fileprivate static let uploadOffset = named("Upload-Offset")

    private static func named(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else { preconditionFailure("\(name) is a token") }
        return name
    }
}
