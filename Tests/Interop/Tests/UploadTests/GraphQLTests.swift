import AsyncHTTPClient
import Crypto
import Foundation
import Loopback
import MultipartFormCodec
import Testing
import UploadExamples

extension UploadTests {
    /// GraphQL requests with files, sent to strawberry.
    @Suite(.enabled("strawberry can be installed") { try await RecipePeer.graphQL.isAvailable() })
    struct GraphQLTests {
        private struct Announcement: Decodable {
            var url: URL
        }

        private struct Operations: Decodable, Equatable {
            var query: String
            var variables: [String: [String?]]
        }

        private struct Response: Decodable {
            var data: [String: Receipts]?
        }

        /// What the server has read of a file.
        private struct Receipt: Decodable, Equatable {
            var filename: String
            var contentType: String?
            var size: Int
            var sha256: String

            init(_ content: Data, _ filename: String, _ contentType: String) {
                self.filename = filename
                self.contentType = contentType
                size = content.count
                sha256 = SHA256.hash(data: content).hexadecimal
            }
        }

        /// One receipt or several.
        private struct Receipts: Decodable {
            var all: [Receipt]

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                all = try (try? container.decode([Receipt].self)) ?? [container.decode(Receipt.self)]
            }
        }

        private static let fields = "{ filename contentType size sha256 }"

        /// Sends a request to the server.
        private static func send(
            _ request: GraphQLRequest<some Encodable & Sendable>,
            for field: String
        ) async throws -> [Receipt] {
            try await RecipePeer.graphQL.with { announcement in
                let url = try JSONDecoder().decode(Announcement.self, from: announcement).url
                return try await withHTTPClient { client in
                    let body = try await UploadExamples.send(request, to: url, with: client)
                    let response = try JSONDecoder().decode(Response.self, from: body)
                    let text = String(decoding: body, as: UTF8.self)
                    return try #require(response.data?[field], "\(text)").all
                }
            }
        }

        @Test func `a file is the variable that the map says`() async throws {
            try await TemporaryDirectory.with { workspace in
                let content = Data(repeating: 13, count: 2 << 20)
                let file = try workspace.write(content, as: "größe.png")
                let request = GraphQLRequest(
                    "mutation($file: Upload!) { save(file: $file) \(Self.fields) }",
                    variables: ["file": GraphQLFile(contentsOf: file)]
                )
                let receipts = try await Self.send(request, for: "save")
                #expect(receipts == [Receipt(content, "größe.png", "image/png")])
            }
        }

        @Test func `a list of files keeps its order`() async throws {
            let contents = (0..<12).map { Data(repeating: $0, count: 1000 + Int($0)) }
            let files = contents.map { GraphQLFile($0, filename: "\($0.count).bin", contentType: "a/b") }
            let request = GraphQLRequest(
                "mutation($files: [Upload!]!) { saveAll(files: $files) \(Self.fields) }",
                variables: ["files": files]
            )
            let made = contents.map { Receipt($0, "\($0.count).bin", "a/b") }
            let receipts = try await Self.send(request, for: "saveAll")
            #expect(receipts == made)
        }

        private struct Album: Encodable, Sendable {
            var title: String
            var cover: GraphQLFile?
            var photos: [GraphQLFile]
        }

        @Test(arguments: [true, false])
        func `files are found within an input`(_ hasCover: Bool) async throws {
            let cover = Data("cover".utf8)
            let photos = [Data("first".utf8), Data()]
            let album = Album(
                title: "größe \" \u{1F3D4}",
                cover: hasCover ? GraphQLFile(cover, filename: "c", contentType: "a/c") : nil,
                photos: photos.map { GraphQLFile($0, filename: "p", contentType: "a/p") }
            )
            let request = GraphQLRequest(
                "mutation($album: Album!) { saveAlbum(album: $album) \(Self.fields) }",
                variables: ["album": album]
            )
            let made = (hasCover ? [Receipt(cover, "c", "a/c")] : []) + photos.map { Receipt($0, "p", "a/p") }
            let receipts = try await Self.send(request, for: "saveAlbum")
            #expect(receipts == made)
        }

        @Test func `operations come first, then the map, then the files`() throws {
            let file = GraphQLFile(Data("x".utf8), filename: "x", contentType: "a/b")
            let form = try GraphQLRequest("query", variables: ["files": [file, file]]).makeForm()
            #expect(form.map(\.name) == ["operations", "map", "0", "1"])
            let operations = try JSONDecoder().decode(Operations.self, from: form[0].data())
            #expect(operations == Operations(query: "query", variables: ["files": [nil, nil]]))
            #expect(try form[1].text() == #"{"0":["variables.files.0"],"1":["variables.files.1"]}"#)
        }
    }
}
