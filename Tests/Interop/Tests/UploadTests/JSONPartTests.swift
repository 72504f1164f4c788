import AsyncHTTPClient
import Foundation
import Loopback
import MultipartFormCodec
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import Testing
import UploadExamples

extension UploadTests {
    /// Forms with a JSON part, made in both ways of the recipe.
    @Suite struct JSONPartTests {
        private struct Announcement: Decodable {
            var url: URL
        }

        /// What a server of others has read: the metadata, and the length of the photo.
        private struct Answer: Decodable, Equatable {
            var metadata: PhotoUpload.Metadata
            var photo: Int
        }

        enum Maker: CaseIterable {
            case encoder, parts

            func make(_ metadata: PhotoUpload.Metadata, photo url: URL) throws -> MultipartFormData {
                switch self {
                case .encoder: try makePhotoForm(metadata, photo: url)
                case .parts: try appendPhotoParts(metadata, photo: url)
                }
            }
        }

        private static let metadata = PhotoUpload.Metadata("größe \"", tags: ["sea", "2026"], rating: 4)
        private static let photo = Data("\u{89}PNG\r\n--".utf8) + Data(repeating: 10, count: 100_000)

        private static func post(
            _ form: MultipartFormData,
            to url: URL,
            with client: HTTPClient
        ) async throws -> (status: UInt, body: Data) {
            var request = HTTPClientRequest(url: url.absoluteString)
            request.method = .POST
            request.headers.add(name: "Content-Type", value: form.contentType)
            request.body = .bytes(ByteBuffer(data: try form.encode()))
            let response = try await client.execute(request, timeout: .seconds(30))
            return (response.status.code, Data(buffer: try await response.body.collect(upTo: 1 << 20)))
        }

        @Test(.enabled("openapi-core and aiohttp can be installed") { try await RecipePeer.json.isAvailable() })
        func `aiohttp and openapi-core find the JSON`() async throws {
            try await Self.with(.json) { server, client in
                for maker in Maker.allCases {
                    for path in ["aiohttp", "openapi"] {
                        try await Self.check(maker, server.appendingPathComponent(path), client)
                    }
                }
            }
        }

        @Test(.enabled("Spring can be installed") { try await RecipePeer.spring.isAvailable() })
        func `Spring finds the JSON, and refuses it without its type`() async throws {
            try await Self.with(.spring) { server, client in
                let url = server.appendingPathComponent("spring")
                for maker in Maker.allCases { try await Self.check(maker, url, client) }
                var form = MultipartFormData()
                let json = try JSONEncoder().encode(Self.metadata)
                form.append(String(decoding: json, as: UTF8.self), withName: "metadata")
                form.append(Self.photo, withName: "photo", fileName: "p.png", mimeType: "image/png")
                let status = try await Self.post(form, to: url, with: client).status
                #expect(status == 415)
            }
        }

        /// Runs an operation with a server of others and a client.
        private static func with(
            _ peer: RecipePeer,
            _ operation: (URL, HTTPClient) async throws -> Void
        ) async throws {
            try await peer.with { announcement in
                let server = try JSONDecoder().decode(Announcement.self, from: announcement).url
                try await withHTTPClient { try await operation(server, $0) }
            }
        }

        /// Checks that a server of others reads a form as it was made.
        private static func check(_ maker: Maker, _ url: URL, _ client: HTTPClient) async throws {
            try await TemporaryDirectory.with { workspace in
                let form = try maker.make(metadata, photo: try workspace.write(photo, as: "photo.png"))
                let (status, body) = try await post(form, to: url, with: client)
                try #require(status == 200, "\(maker), \(url): \(String(decoding: body, as: UTF8.self))")
                let answer = try JSONDecoder().decode(Answer.self, from: body)
                #expect(answer == Answer(metadata: metadata, photo: photo.count), "\(maker), \(url)")
            }
        }

        @Test(arguments: ["photos", "photos/streamed"], Maker.allCases)
        func `our server reads the JSON and keeps the photo`(_ route: String, _ maker: Maker) async throws {
            try await TemporaryDirectory.with { workspace in
                let kept = try workspace.makeDirectory("kept")
                let file = try workspace.write(Self.photo, as: "photo.png")
                let form = try maker.make(Self.metadata, photo: file)
                try await withServer(makePhotoRouter(directory: kept)) { server in
                    try await withHTTPClient { client in
                        let url = server.appendingPathComponent(route)
                        let (status, body) = try await Self.post(form, to: url, with: client)
                        #expect(status == 200)
                        #expect(try JSONDecoder().decode(PhotoUpload.Metadata.self, from: body) == Self.metadata)
                        let names = try FileManager.default.contentsOfDirectory(atPath: kept.path)
                        let photos = try names.map { try workspace.read("kept/\($0)") }
                        #expect(photos == [Self.photo])
                    }
                }
            }
        }

        @Test(arguments: ["photos", "photos/streamed"])
        func `JSON that does not fit is refused, and no photo kept`(_ route: String) async throws {
            try await TemporaryDirectory.with { workspace in
                let kept = try workspace.makeDirectory("kept")
                try await withServer(makePhotoRouter(directory: kept)) { server in
                    try await withHTTPClient { client in
                        for (json, type) in [
                            ("{}", "application/json"), ("{", "application/json"), ("{}", "image/png"),
                        ] {
                            var form = MultipartFormData()
                            form.append(Data(json.utf8), withName: "metadata", mimeType: type)
                            form.append(Self.photo, withName: "photo", fileName: "p.png", mimeType: "image/png")
                            let url = server.appendingPathComponent(route)
                            let status = try await Self.post(form, to: url, with: client).status
                            #expect([400, 415].contains(status), "\(json) \(type)")
                            #expect(try FileManager.default.contentsOfDirectory(atPath: kept.path).isEmpty)
                        }
                    }
                }
            }
        }
    }
}
