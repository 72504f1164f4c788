import Foundation
import Hummingbird
import Loopback
import MultipartFormCodec
import Synchronization
import Testing
import UploadExamples

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension UploadTests {
    /// The recipe for background sessions, with an ordinary session where the system has no other.
    @Suite struct BackgroundTests {
        /// The boundaries and statuses that a session has reported.
        final class Answers: Sendable {
            private let all = Mutex<[String: Int]>([:])

            var values: [String: Int] { all.withLock(\.self) }

            func add(_ boundary: String, _ status: Int) { all.withLock { $0[boundary] = status } }
        }

        private static func makeForm() -> MultipartFormData {
            var form = MultipartFormData()
            form.append("Zoë", withName: "name")
            form.append(Data(count: 100_000), withName: "file", fileName: "f", mimeType: "a/b")
            return form
        }

        @Test func `a form is sent from its file, which is removed when the server has answered`() async throws {
            try await TemporaryDirectory.with { workspace in
                let folder = workspace.url.appendingPathComponent("uploads")
                try await withServer(.hummingbird, directory: workspace.url) { server in
                    let answers = Answers()
                    let uploads = try BackgroundUploads(
                        .ephemeral,
                        directory: folder,
                        url: server.appendingPathComponent("upload")
                    ) { answers.add($0, $1) }
                    let forms = (0..<3).map { _ in Self.makeForm() }
                    for form in forms { try uploads.upload(form) }
                    let made = Dictionary(uniqueKeysWithValues: forms.map { ($0.boundary.description, 200) })
                    #expect(await eventually { answers.values == made })
                    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
                    uploads.finish()
                }
            }
        }

        @Test func `a form whose upload failed is sent again by the next launch`() async throws {
            try await TemporaryDirectory.with { workspace in
                let folder = workspace.url.appendingPathComponent("uploads")
                let form = Self.makeForm()
                // Nothing listens there.
                let nowhere = try #require(URL(string: "http://127.0.0.1:9/upload"))
                let first = try BackgroundUploads(.ephemeral, directory: folder, url: nowhere) { _, _ in }
                try first.upload(form)
                first.finish()
                // What a process leaves that ends while it writes a form.
                try Data("half".utf8).write(to: folder.appendingPathComponent(".multipart-form-x"))
                try await withServer(.hummingbird, directory: workspace.url) { server in
                    let answers = Answers()
                    let url = server.appendingPathComponent("upload")
                    let second = try BackgroundUploads(.ephemeral, directory: folder, url: url) { answers.add($0, $1) }
                    try await second.resend()
                    #expect(await eventually { answers.values == [form.boundary.description: 200] })
                    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
                    #expect(left == [".multipart-form-x"])
                    second.finish()
                }
            }
        }

        @Test func `a form is kept until the server accepts or refuses it`() async throws {
            try await TemporaryDirectory.with { workspace in
                let form = Self.makeForm()
                let token = Mutex("old")
                let statuses = Mutex<[Int]>([])
                let router = Router()
                router.post("private") { request, _ -> String in
                    _ = try await request.body.reduce(0) { $0 + $1.readableBytes }
                    guard request.headers[.authorization] == "Bearer new" else { throw HTTPError(.unauthorized) }
                    switch statuses.withLock(\.count) {
                    case 1: throw HTTPError(.requestTimeout)
                    case 2: throw HTTPError(.tooManyRequests)
                    case 3: throw HTTPError(.serviceUnavailable)
                    default: throw HTTPError(.contentTooLarge)
                    }
                }
                try await withServer(router) { server in
                    let uploads = try BackgroundUploads(
                        .ephemeral,
                        directory: workspace.url,
                        url: server.appendingPathComponent("private"),
                        authorization: { "Bearer \(token.withLock(\.self))" },
                        whenAnswered: { _, status in statuses.withLock { $0.append(status) } }
                    )
                    try uploads.upload(form)
                    for count in 1...4 {
                        try #require(await eventually { statuses.withLock(\.count) == count })
                        let left = try FileManager.default.contentsOfDirectory(atPath: workspace.url.path)
                        #expect(left == [form.boundary.description])
                        token.withLock { $0 = "new" }
                        try await uploads.resend()
                    }
                    #expect(await eventually { statuses.withLock(\.self) == [401, 408, 429, 503, 413] })
                    #expect(try FileManager.default.contentsOfDirectory(atPath: workspace.url.path).isEmpty)
                    uploads.finish()
                }
            }
        }
    }
}
