import Foundation
import Hummingbird
import MultipartForm

/// What the server has read of a form; it answers with this as JSON.
struct Photo: ResponseEncodable {
    var caption = ""
    var file = ""
    var bytes: UInt64 = 0
}

@main
struct Server {
    static func main() async throws {
        let port = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 8080
        let uploads = URL(fileURLWithPath: "uploads")
        try FileManager.default.createDirectory(at: uploads, withIntermediateDirectories: true)
        let endings = ["image/jpeg": "jpg", "image/png": "png"]

        let router = Router()
        router.add(middleware: FormErrors())
        router.get("/") { _, _ in "The server is ready.\n" }

        router.post("photos") { request, _ in
            let chunks = request.body.map(\.readableBytesView)
            let contentType = request.headers[.contentType]
            var photo = Photo()
            // A photo that was saved, while the form may yet be refused.
            var unfinished: URL?
            defer { if let unfinished { try? FileManager.default.removeItem(at: unfinished) } }
            for try await part in try chunks.multipartParts(contentType: contentType) {
                switch part.name {
                case "caption":
                    photo.caption = try await part.text(upTo: 1000)
                case "photo" where photo.file.isEmpty:
                    guard let ending = endings[part.contentType ?? ""] else {
                        throw HTTPError(.unsupportedMediaType, message: "a photo is a JPEG or a PNG")
                    }
                    // A name of our own: the client's may be anything.
                    photo.file = "\(UUID()).\(ending)"
                    let url = uploads.appendingPathComponent(photo.file)
                    photo.bytes = try await part.save(to: url, upTo: 10 << 20)
                    unfinished = url
                default:
                    break  // Not read, so it is dropped.
                }
            }
            guard !photo.file.isEmpty else {
                throw HTTPError(.badRequest, message: "the form has no photo")
            }
            unfinished = nil
            return photo
        }

        let server = Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port))
        )
        try await server.runService()
    }
}
