import Foundation
import Hummingbird
import HummingbirdTesting
import Loopback
import MultipartFormCodec
import Testing
import UploadExamples

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension UploadTests {
    /// The client and the route of the README.
    @Suite struct ProfileTests {
        private static let photo = Data(count: 1000)

        private static func form(_ parts: BodyPart...) -> MultipartFormData {
            MultipartFormData(parts)
        }

        private static func name(_ text: String = "Ada") -> BodyPart {
            BodyPart(text, name: "name")
        }

        private static func photo(_ content: Data = photo, name: String = "photo") -> BodyPart {
            BodyPart(content, name: name, filename: "a.png")
        }

        @Test(arguments: [
            (form(name(), photo()), 200, "Ada"),
            (form(photo(), name()), 200, "Ada"),
            (form(name(String(repeating: "x", count: 1024)), photo(Data(count: 5 << 20))), 200, "xxx"),
            (form(name(String(repeating: "x", count: 1025)), photo()), 413, "limit-part-bytes \"name\" (limit 1024)"),
            (form(photo(), name(String(repeating: "x", count: 1025))), 413, "limit-part-bytes \"name\" (limit 1024)"),
            (form(name(), photo(Data(count: 5 << 20 + 1))), 413, "limit-part-bytes \"photo\" (limit 5242880)"),
            (form(name()), 400, "missing-value \"photo\""),
            (form(photo()), 400, "missing-value \"name\""),
            (form(name(), photo(Data())), 200, "Ada"),
            (form(name(), photo(), photo()), 400, "duplicate-name \"photo\""),
            (form(name(), BodyPart("text", name: "photo")), 400, "expected-file \"photo\""),
            (form(name(), photo(name: "image")), 400, "missing-value \"photo\""),
            (form(name(), photo(), BodyPart("text", name: "other")), 200, "Ada"),
        ])
        func `a form that is not a name and a photo is refused by its field, and leaves no file`(
            _ form: MultipartFormData,
            _ status: Int,
            _ message: String
        ) async throws {
            try await TemporaryDirectory.with { workspace in
                let response = try await send(form.encode(), contentType: form.contentType, workspace.url)
                #expect(response.status.code == status)
                let text = String(buffer: response.body).replacing("\\\"", with: "\"")
                #expect(text.contains(message), "\(text)")
                #expect(workspace.contents.count == (status == 200 ? 1 : 0))
            }
        }

        @Test func `another message, half a form and a missing directory have their own status`() async throws {
            let form = Self.form(Self.name(), Self.photo())
            let body = try form.encode()
            try await TemporaryDirectory.with { workspace in
                let directory = workspace.url
                let other = try await send(body, contentType: "application/json", directory)
                #expect(other.status == .unsupportedMediaType)
                let half = try await send(body.dropLast(10), contentType: form.contentType, directory)
                #expect(half.status == .badRequest)
                let missing = directory.appendingPathComponent("missing")
                let failed = try await send(body, contentType: form.contentType, missing)
                #expect(failed.status == .internalServerError)
                #expect(!String(buffer: failed.body).contains("missing"))
                #expect(workspace.contents.isEmpty)
            }
        }

        @Test func `a profile is uploaded`() async throws {
            try await TemporaryDirectory.with { workspace in
                let uploads = try workspace.makeDirectory("uploads")
                let photo = try workspace.write(Self.photo, as: "a.png")
                let answer = try await withServer(makeProfileRouter(uploads: uploads)) { url in
                    let (answer, response) = try await uploadProfile(
                        photo,
                        to: url.appendingPathComponent("profiles"),
                        with: .shared
                    )
                    #expect((response as? HTTPURLResponse)?.statusCode == 200)
                    return answer
                }
                #expect(String(decoding: answer, as: UTF8.self) == "Ada")
                let files = try FileManager.default.contentsOfDirectory(at: uploads, includingPropertiesForKeys: nil)
                #expect(try files.map { try Data(contentsOf: $0) } == [Self.photo])
            }
        }

        private func send(
            _ body: Data,
            contentType: String,
            _ uploads: URL
        ) async throws -> TestResponse {
            try await Application(router: makeProfileRouter(uploads: uploads)).test(.router) { client in
                try await client.execute(
                    uri: "/profiles",
                    method: .post,
                    headers: [.contentType: contentType],
                    body: ByteBuffer(bytes: body)
                )
            }
        }
    }
}
