import Foundation
import Hummingbird
import HummingbirdTesting
import MultipartFormCodec
import Testing
import UploadExamples

extension UploadTests {
    /// Routes that are tested without a socket.
    @Suite struct RouterTests {
        @Test func `a route is tested with a form that the encoder makes`() async throws {
            try await TemporaryDirectory.with { workspace in
                let metadata = PhotoUpload.Metadata("Lighthouse", tags: [], rating: 5)
                let photo = PhotoUpload(metadata, photo: FormFile(Data("PNG".utf8), filename: "a.png"))
                let router = makePhotoRouter(directory: workspace.url)
                let (status, body) = try await tryPhotoRoute(of: router, with: photo)
                #expect(status == .ok)
                let received = try JSONDecoder().decode(PhotoUpload.Metadata.self, from: Data(body.utf8))
                #expect(received == metadata)
                #expect(workspace.contents.count == 1)
            }
        }

        @Test(arguments: ["metadata", "photo"])
        func `a form without a part is refused`(_ name: String) async throws {
            try await TemporaryDirectory.with { workspace in
                let metadata = PhotoUpload.Metadata("Lighthouse", tags: [], rating: 5)
                let photo = PhotoUpload(metadata, photo: FormFile(Data("PNG".utf8), filename: "a.png"))
                var form = try FormDataEncoder().encode(photo)
                form.removeAll(named: name)
                let router = makePhotoRouter(directory: workspace.url)
                let response = try await Application(responder: router.buildResponder())
                    .test(.router) { [form] client in try await client.post(form, to: "/photos") }
                #expect(response.status == .badRequest)
                #expect(String(buffer: response.body).contains("missing-value \\\"\(name)\\\""))
                #expect(workspace.contents.isEmpty)
            }
        }

        @Test(arguments: ["/choices", "/choices/decoded"])
        func `a value that an enumeration does not have is refused, and not shown`(_ path: String) async throws {
            try await Application(router: makeChoiceRouter()).test(.router) { client in
                for (value, status) in [("half", HTTPResponse.Status.ok), ("royal", .badRequest)] {
                    var form = MultipartFormData()
                    form.append(value, withName: "board")
                    let response = try await client.post(form, to: path)
                    #expect(response.status == status)
                    let text = String(buffer: response.body)
                    #expect(text.contains(status == .ok ? value : "invalid-value \\\"board\\\""), "\(text)")
                    #expect(status == .ok || !text.contains(value), "\(text)")
                }
            }
        }

        @Test func `a part that the decoder's route rejects is refused`() async throws {
            var form = MultipartFormData()
            form.append("half", withName: "board")
            form.append("x", withName: "other")
            let response = try await Application(router: makeChoiceRouter())
                .test(.router) { [form] client in try await client.post(form, to: "/choices/decoded") }
            #expect(response.status == .badRequest)
            #expect(String(buffer: response.body).contains("part-rejected"))
        }
    }
}
