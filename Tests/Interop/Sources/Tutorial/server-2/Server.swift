import Hummingbird
import MultipartFormCodec

/// What the server has read of a form; it answers with this as JSON.
struct Photo: ResponseEncodable {
    var caption: String
}

@main
struct Server {
    static func main() async throws {
        let argument = CommandLine.arguments.dropFirst().first
        let port = argument.flatMap { Int($0) } ?? 8080

        let router = Router()
        router.get("/") { _, _ in "The server is ready.\n" }

        router.post("photos") { request, _ in
            let form = try await MultipartFormData(
                collecting: request.body.map(\.readableBytesView),
                contentType: request.headers[.contentType]
            ) { headers in
                switch headers.name {
                case "caption": .memory(upTo: 1000)
                default: .skip
                }
            }
            return Photo(caption: try form["caption"]?.text() ?? "")
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
