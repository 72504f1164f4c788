import FlyingFox
import FlyingSocks
import Foundation
import MultipartFormCodec
import Testing

/// A server on 127.0.0.1 that answers with the names of a form's parts.
struct FormServer {
    /// The path of the form.
    static let path = "/form"

    /// Serves requests while `body` runs, which gets the URL to send forms to; the first `refusals` are answered with
    /// 503.
    static func run(refusing refusals: Int = 0, _ body: (URL) async throws -> Void) async throws {
        let server = HTTPServer(address: try sockaddr_in.inet(ip4: "127.0.0.1", port: 0))
        let counter = RequestCounter(refusals)
        await server.appendRoute(HTTPRoute(path)) { request in
            let contentType = request.headers[.contentType]
            do {
                let form = try await MultipartFormData(collecting: request.bodySequence, contentType: contentType)
                guard await counter.admitsNext() else { return HTTPResponse(statusCode: .serviceUnavailable) }
                let names = form.map { "\($0.name ?? "?")=\($0.length ?? 0)" }.joined(separator: ",")
                return HTTPResponse(statusCode: .ok, body: Data(names.utf8))
            } catch let error as MultipartError {
                return HTTPResponse(statusCode: HTTPStatusCode(error.httpStatus, phrase: "Refused"))
            }
        }
        let running = Task { try await server.run() }
        try await server.waitUntilListening()
        let address = try #require(await server.listeningAddress)
        guard case .ip4(let host, let port) = address else {
            Issue.record("not an IPv4 address: \(address)")
            return
        }
        let url = try #require(URL(string: "http://\(host):\(port)\(path)"))
        do {
            try await body(url)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
        _ = await running.result
    }
}

/// Counts requests, to refuse the first ones.
actor RequestCounter {
    private var refusals: Int

    init(_ refusals: Int) {
        self.refusals = refusals
    }

    /// Whether the next request is answered with 200.
    func admitsNext() -> Bool {
        guard refusals > 0 else { return true }
        refusals -= 1
        return false
    }
}
