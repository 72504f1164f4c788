import Hummingbird
import MultipartForm

/// What the server has read of a form; it answers with this as JSON.
struct Photo: ResponseEncodable {
    var caption = ""
}

@main
struct Server {
    static func main() async throws {
        let port = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 8080

        let router = Router()
        router.get("/") { _, _ in "The server is ready.\n" }

        router.post("photos") { request, _ in
            let chunks = request.body.map(\.readableBytesView)
            let contentType = request.headers[.contentType]
            var photo = Photo()
            for try await part in try chunks.multipartParts(contentType: contentType) {
                switch part.name {
                case "caption":
                    photo.caption = try await part.text(upTo: 1000)
                default:
                    break  // Not read, so it is dropped.
                }
            }
            return photo
        }

        let server = Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port))
        )
        try await server.runService()
    }
}
