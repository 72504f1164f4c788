import AsyncHTTPClient
import Foundation
import Loopback
import MultipartFormCodec
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import Testing
import UploadExamples

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension UploadTests {
    /// Presigned POSTs of boto3, sent to moto's S3.
    @Suite(.enabled("moto and boto3 can be installed") { try await RecipePeer.s3.isAvailable() })
    struct S3Tests {
        private static let photo =
            Data("\u{89}PNG\r\n".utf8) + Data((0..<3 << 20).map { UInt8(truncatingIfNeeded: $0 >> 3) })

        /// Reads an object.
        private static func object(_ key: String, of post: PresignedPost, with client: HTTPClient) async throws
            -> (HTTPHeaders, Data)
        {
            let request = HTTPClientRequest(url: post.url.appendingPathComponent(key).absoluteString)
            let response = try await client.execute(request, timeout: .seconds(30))
            return (response.headers, Data(buffer: try await response.body.collect(upTo: 1 << 26)))
        }

        @Test func `a presigned POST stores the file and its fields`() async throws {
            try await TemporaryDirectory.with { workspace in
                let first = try workspace.write(Self.photo, as: "first.png")
                let second = try workspace.write(Data(Self.photo.reversed()), as: "second.png")
                let short = try workspace.write(Data("short".utf8), as: "short.png")
                try await RecipePeer.s3.with { announcement in
                    let post = try JSONDecoder().decode(PresignedPost.self, from: announcement)
                    try await withHTTPClient { client in
                        let session = URLSession(configuration: .ephemeral)
                        defer { session.finishTasksAndInvalidate() }
                        let streamed = try await upload(first, with: post, using: client).status
                        #expect(streamed == 201)
                        let encoded = try await upload(second, with: post, using: session).status
                        #expect(encoded == 201)
                        let inMemory = try await upload(short, with: post, using: session).status
                        #expect(inMemory == 201)
                        for file in [first, second, short] {
                            let key = "uploads/\(file.lastPathComponent)"
                            let (headers, content) = try await Self.object(key, of: post, with: client)
                            #expect(try content == Data(contentsOf: file), "\(key)")
                            #expect(headers.first(name: "x-amz-meta-title") == "Lighthouse")
                        }
                    }
                }
            }
        }

        @Test func `a form without a length is refused`() async throws {
            try await RecipePeer.s3.with { announcement in
                let post = try JSONDecoder().decode(PresignedPost.self, from: announcement)
                var form = MultipartFormData()
                for field in post.fields { form.append(field.value, withName: field.name) }
                form.append(Self.photo, withName: "file", fileName: "a.png", mimeType: "image/png")
                try await withHTTPClient { client in
                    var request = HTTPClientRequest(url: post.url.absoluteString)
                    request.method = .POST
                    request.headers.add(name: "Content-Type", value: form.contentType)
                    request.body = .stream(form.chunks().map { ByteBuffer(data: $0) }, length: .unknown)
                    let status = try await client.execute(request, timeout: .seconds(30)).status
                    #expect(status == .lengthRequired)
                }
            }
        }

        @Test func `a file that is missing is an error before anything is sent`() throws {
            let post = try JSONDecoder().decode(PresignedPost.self, from: Data(#"{"url":"/","fields":[]}"#.utf8))
            let form = post.makeForm(with: URL(fileURLWithPath: "/missing/photo.png"))
            #expect(form.firstError?.code == .bodyPartFileNotReachable)
        }
    }
}
