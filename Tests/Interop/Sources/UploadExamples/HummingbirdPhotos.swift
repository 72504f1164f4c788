package import Foundation
package import Hummingbird
import MultipartFormCodec

/// A Hummingbird router that receives photos with JSON beside them.
///
/// - Parameter directory: The directory for the photos.
/// - Returns: A router with two routes: `/photos` decodes the whole form, `/photos/streamed` reads it as it arrives. Both
///   answer with the metadata.
package func makePhotoRouter(directory: URL) -> Router<BasicRequestContext> {
    let router = Router()
    router.add(middleware: FormErrors())
    let decoder = FormRequestDecoder()

    router.post("photos") { request, context in
        let upload = try await decoder.decode(PhotoUpload.self, from: request, context: context)
        let name = UUID().uuidString
        try await upload.photo.save(to: directory.appendingPathComponent(name))
        return upload.metadata.value
    }

    router.post("photos/streamed") { request, _ in
        let chunks = request.body.map(\.readableBytesView)
        var metadata: PhotoUpload.Metadata?
        for try await part in try chunks.multipartParts(contentType: request.headers[.contentType]) {
            switch part.name {
            case "metadata":
                guard part.contentType == "application/json" else { throw HTTPError(.unsupportedMediaType) }
                let json = try await part.collect(upTo: 64 << 10)
                metadata = try? JSONDecoder().decode(PhotoUpload.Metadata.self, from: json)
            case "photo":
                // A client that sends the metadata first can be refused before its photo is stored.
                guard metadata != nil else { throw HTTPError(.badRequest) }
                let name = UUID().uuidString
                try await part.save(to: directory.appendingPathComponent(name), upTo: 20 << 20)
            default:
                break  // Not read, so it is dropped.
            }
        }
        guard let metadata else { throw HTTPError(.badRequest) }
        return metadata
    }

    return router
}

extension PhotoUpload.Metadata: ResponseEncodable {}
