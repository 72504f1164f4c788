import Foundation
import Loopback
import MultipartFormCodec
import Testing
import UploadExamples

extension UploadTests {
    /// The recipes' responses to uploads that they refuse.
    @Suite struct RefusalTests {
        /// A body and the expected status.
        struct Case: CustomTestStringConvertible {
            let testDescription: String
            let type: String?
            let body: String
            let status: String

            static let form = "multipart/form-data; boundary=b"
            static let part = "--b\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n"

            static let all = [
                Case(testDescription: "a form", type: form, body: part + "--b--\r\n", status: "200"),
                Case(testDescription: "no delimiter", type: form, body: "no delimiter", status: "400"),
                Case(testDescription: "a malformed header", type: form, body: "--b\r\nx\r\n\r\n", status: "400"),
                Case(testDescription: "a truncated body", type: form, body: part, status: "400"),
                Case(testDescription: "no boundary", type: "multipart/form-data", body: part, status: "400"),
                Case(
                    testDescription: "too many parts",
                    type: form,
                    body: String(repeating: part, count: 1001) + "--b--\r\n",
                    status: "413"
                ),
                Case(testDescription: "another type", type: "text/plain", body: part + "--b--\r\n", status: "415"),
                Case(testDescription: "no type", type: nil, body: part + "--b--\r\n", status: "415"),
            ]
        }

        static let routes: [(ServerKind, String)] =
            ServerKind.allCases.map { ($0, "upload") } + [(.hummingbird, "collect")]

        @Test(arguments: routes)
        func `a refusal has the status of its cause`(_ kind: ServerKind, _ route: String) async throws {
            try await TemporaryDirectory.with { workspace in
                try await withServer(kind, directory: workspace.url) { server in
                    for refused in Case.all {
                        let url = server.appendingPathComponent(route)
                        let status = try await Self.send(refused.body, as: refused.type, to: url, workspace)
                        #expect(status == refused.status, "\(refused.testDescription)")
                    }
                }
            }
        }

        @Test func `a field that is too long to collect is refused for its size`() async throws {
            try await TemporaryDirectory.with { workspace in
                try await withServer(.hummingbird, directory: workspace.url) { server in
                    let long = "\r\n\r\n" + String(repeating: "x", count: 1 << 20)
                    let body = Case.part.replacing("\r\n\r\n", with: long) + "--b--\r\n"
                    let url = server.appendingPathComponent("collect")
                    let status = try await Self.send(body, as: Case.form, to: url, workspace)
                    #expect(status == "413")
                }
            }
        }

        @Test func `a disk that cannot be written is the server's fault`() async throws {
            try await TemporaryDirectory.with { workspace in
                let missing = workspace.url.appendingPathComponent("missing")
                try await withServer(.hummingbird, directory: missing) { server in
                    let body = Case.part.replacing("name=a", with: "name=a; filename=f") + "--b--\r\n"
                    let url = server.appendingPathComponent("collect")
                    let status = try await Self.send(body, as: Case.form, to: url, workspace)
                    #expect(status == "500")
                }
            }
        }

        @Test func `a client on a channel has the answer before it has sent the form`() async throws {
            try await TemporaryDirectory.with { workspace in
                try await withRefusingServer { server in
                    let read = Counter()
                    let content = GeneratedContent(seed: 1, length: 8 << 30) { read.set($0) }
                    let part = BodyPart(length: content.length, name: "file", filename: "f") { content.makeStream() }
                    try await ClientKind.nio.withClient(directory: workspace.url) { client in
                        _ = await #expect(throws: UploadError.refused) {
                            try await client.upload(MultipartFormData([part]), to: server)
                        }
                    }
                    #expect(read.value < content.length)
                }
            }
        }

        /// Posts a body with curl.
        ///
        /// - Returns: The status of the answer.
        static func send(
            _ body: String,
            as type: String?,
            to url: URL,
            _ workspace: TemporaryDirectory
        ) async throws -> String {
            let file = try workspace.write(Data(body.utf8), as: "body")
            let status = try await runCurl([
                "--no-fail", "-o", "/dev/null", "-w", "%{http_code}", "-H",
                "Content-Type:\(type.map { " \($0)" } ?? "")",
                "--data-binary", "@\(file.path)", url.absoluteString,
            ])
            return String(decoding: status, as: UTF8.self)
        }
    }
}
