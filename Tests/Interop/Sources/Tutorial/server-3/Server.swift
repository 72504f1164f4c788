import Foundation
import Hummingbird
import MultipartFormCodec

/// The fields of the form.
struct PhotoForm: Decodable {
    var caption: String
    var photo: FormFile
}

/// What the server has read of a form; it answers with this as JSON.
struct Photo: ResponseEncodable {
    var caption: String
    var file: String
    var bytes: UInt64
}

@main
struct Server {
    static func main() async throws {
        let argument = CommandLine.arguments.dropFirst().first
        let port = argument.flatMap { Int($0) } ?? 8080
        let uploads = URL(fileURLWithPath: "uploads")
        try FileManager.default.createDirectory(
            at: uploads,
            withIntermediateDirectories: true
        )
        let endings = ["image/jpeg": "jpg", "image/png": "png"]
        let maxPhotoBytes = 10 << 20
        // Room for the caption and the header fields.
        let maxBodyBytes = maxPhotoBytes + (64 << 10)
        var options = MultipartCollector.Options()
        options.parser.maxTotalBytes = maxBodyBytes

        let router = Router()
        router.get("/") { _, _ in "The server is ready.\n" }

        router.post("photos") { [options] request, _ in
            // Before a byte of the body is read.
            let length = request.headers[.contentLength].flatMap { Int($0) } ?? 0
            guard length <= maxBodyBytes else {
                throw HTTPError(
                    .contentTooLarge,
                    message: "a form may have \(maxBodyBytes) bytes"
                )
            }
            let form = try await MultipartFormData(
                collecting: request.body.map(\.readableBytesView),
                contentType: request.headers[.contentType],
                options: options
            ) { headers in
                switch headers.name {
                case "caption": .memory(upTo: 1000)
                case "photo": .disk(upTo: maxPhotoBytes)
                default: .reject
                }
            }
            let received = try FormDataDecoder().decode(PhotoForm.self, from: form)
            guard let ending = endings[received.photo.contentType ?? ""] else {
                throw HTTPError(
                    .unsupportedMediaType,
                    message: "a photo is a JPEG or a PNG"
                )
            }
            guard received.photo.length != 0 else {
                throw HTTPError(
                    .unprocessableContent,
                    message: "the photo is empty"
                )
            }
            // A name of our own: the client's may be anything.
            let file = "\(UUID()).\(ending)"
            try await received.photo.save(to: uploads.appendingPathComponent(file))
            return Photo(
                caption: received.caption,
                file: file,
                bytes: received.photo.length ?? 0
            )
        }

        let server = Application(
            router: router,
            configuration: ApplicationConfiguration(
                address: .hostname("127.0.0.1", port: port)
            )
        )
        try await server.runService()
    }
}
