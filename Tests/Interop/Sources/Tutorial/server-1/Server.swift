import Hummingbird

@main
struct Server {
    static func main() async throws {
        let argument = CommandLine.arguments.dropFirst().first
        let port = argument.flatMap { Int($0) } ?? 8080

        let router = Router()
        router.get("/") { _, _ in "The server is ready.\n" }

        let server = Application(
            router: router,
            configuration: ApplicationConfiguration(
                address: .hostname("127.0.0.1", port: port)
            )
        )
        try await server.runService()
    }
}
