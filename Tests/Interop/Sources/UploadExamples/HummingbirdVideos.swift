package import Foundation
package import Hummingbird
import MultipartFormCodec
package import NIOCore

struct VideoForm: Decodable {
    var caption: String
    var video: FormFile
}

func videoRouter(directory: URL, maxVideoBytes: Int = 2 << 30) -> Router<BasicRequestContext> {
    // Room for the caption and the header fields.
    let maxBodyBytes = maxVideoBytes + (64 << 10)
    var options = MultipartCollector.Options(temporaryDirectory: directory)
    options.parser.maxTotalBytes = maxBodyBytes

    let router = Router()
    router.add(middleware: FormErrors())

    router.post("videos") { [options] request, _ in
        // Before a byte of the body is read.
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > maxBodyBytes {
            throw HTTPError(.contentTooLarge, message: "a form may have \(maxBodyBytes) bytes")
        }
        let form = try await MultipartFormData(
            collecting: request.body.map(\.readableBytesView),
            contentType: request.headers[.contentType],
            options: options
        ) { headers in
            switch headers.name {
            case "caption": .memory(upTo: 1000)
            case "video": .disk(upTo: maxVideoBytes)
            default: .reject
            }
        }
        let upload = try FormDataDecoder().decode(VideoForm.self, from: form)
        guard upload.video.length != 0 else {
            throw HTTPError(.unprocessableContent, message: "the video is empty")
        }
        // The name is the server's own: the client's may be anything.
        let id = UUID().uuidString
        try await upload.video.save(to: directory.appendingPathComponent(id))
        return EditedResponse(status: .created, response: ["id": id, "caption": upload.caption])
    }

    return router
}

/// A server of ``videoRouter(directory:maxVideoBytes:)``.
///
/// - Parameters:
///   - directory: The directory for the videos, and for those that are still arriving.
///   - idleTimeout: After which time a connection is closed on which nothing arrives.
/// - Returns: An application that listens on 127.0.0.1.
package func videoServer(
    directory: URL,
    idleTimeout: TimeAmount = .seconds(60)
) -> some ApplicationProtocol {
    Application(
        router: videoRouter(directory: directory),
        server: .http1(configuration: .init(idleTimeout: idleTimeout)),
        configuration: .init(address: .hostname("127.0.0.1", port: 8080))
    )
}

/// A Hummingbird router that stores videos.
///
/// - Parameters:
///   - directory: The directory for the videos, and for those that are still arriving.
///   - limit: The longest video, in bytes.
/// - Returns: A router whose one route, `/videos`, answers with the caption and the name of the stored file.
package func makeVideoRouter(directory: URL, upTo limit: Int) -> Router<BasicRequestContext> {
    videoRouter(directory: directory, maxVideoBytes: limit)
}
