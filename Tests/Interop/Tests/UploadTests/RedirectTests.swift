import Foundation
import Hummingbird
import Loopback
import MultipartFormCodec
import Testing
import UploadExamples

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension UploadTests {
    /// What the article on URLSession says about a session that sends a form again.
    @Suite struct RedirectTests {
        private static func makeRouter() -> Router<BasicRequestContext> {
            @Sendable func length(of body: RequestBody) async throws -> Int {
                try await body.reduce(0) { $0 + $1.readableBytes }
            }
            let router = Router()
            router.post("moved") { request, _ in
                _ = try await length(of: request.body)
                return Response(status: .temporaryRedirect, headers: [.location: "/received"])
            }
            router.post("received") { request, _ in try await "\(length(of: request.body))" }
            return router
        }

        @Test(arguments: ["data", "file", "stream"])
        func `on Linux a session follows a redirect with an empty body`(_ way: String) async throws {
            var form = MultipartFormData()
            form.append(Data(count: 1 << 20), withName: "file", fileName: "f", mimeType: "a/b")
            let session = URLSession(configuration: .ephemeral)
            defer { session.finishTasksAndInvalidate() }
            try await withServer(Self.makeRouter()) { [form] server in
                let url = server.appendingPathComponent("moved")
                let body =
                    switch way {
                    case "stream": try await upload(form, to: url, with: session)
                    default: try await upload(form, inMemoryUpTo: way == "data" ? .max : 0, to: url, with: session)
                    }
                #if canImport(Darwin)
                    #expect(String(decoding: body, as: UTF8.self) == form.encodedLength.map { "\($0)" })
                #else
                    #expect(String(decoding: body, as: UTF8.self) == "0")
                #endif
            }
        }
    }
}
