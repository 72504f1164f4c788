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
    /// A server that keeps what it receives in moto's S3, which checks the signatures.
    @Suite(.enabled("moto and boto3 can be installed") { try await RecipePeer.storage.isAvailable() })
    struct StorageTests {
        private static let piece = S3Object.pieceBytes

        /// Runs an operation with a bucket, which the storage then no longer has.
        private static func withBucket(_ operation: (S3Bucket) async throws -> Void) async throws {
            try await RecipePeer.storage.with { announcement in
                let keys = try StorageKeys(json: String(decoding: announcement, as: UTF8.self))
                try await keys.withBucket(operation)
            }
        }

        private static func content(_ length: Int) -> Data {
            Data((0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 7) })
        }

        private static func form(_ files: [Data]) -> MultipartFormData {
            var form = MultipartFormData()
            form.append("Lighthouse", withName: "title")
            for (index, file) in files.enumerated() {
                form.append(file, withName: "file", fileName: "\(index).bin", mimeType: "application/octet-stream")
            }
            return form
        }

        @Test(arguments: [0, 1, piece - 1, piece, piece + 1, 3 * piece])
        func `a file is stored by one server and read back from another`(_ length: Int) async throws {
            let content = Self.content(length)
            try await Self.withBucket { bucket in
                try await withServer(makeStorageRouter(bucket: bucket, upTo: 4 * Self.piece)) { first in
                    try await withServer(makeStorageRouter(bucket: bucket, upTo: 1)) { second in
                        let url = first.appendingPathComponent("files")
                        let answer = try await upload(Self.form([content]), to: url, with: bucket.client)
                        let files = try JSONDecoder().decode([StoredFile].self, from: answer)
                        #expect(files.map(\.length) == [length])
                        #expect(files.map(\.filename) == ["0.bin"])
                        let id = try #require(files.first?.id)
                        let request = HTTPClientRequest(
                            url: second.appendingPathComponent("files/\(id)").absoluteString
                        )
                        let response = try await bucket.client.execute(request, timeout: .seconds(30))
                        let received = Data(buffer: try await response.body.collect(upTo: 4 * Self.piece))
                        #expect(received == content)
                        #expect(try await bucket.openUploads().isEmpty)
                    }
                }
            }
        }

        @Test func `a file that is longer than the limit is refused, and its form leaves nothing`() async throws {
            try await Self.withBucket { bucket in
                try await withServer(makeStorageRouter(bucket: bucket, upTo: 2 * Self.piece)) { server in
                    let url = server.appendingPathComponent("files")
                    let exact = Self.content(2 * Self.piece)
                    let form = Self.form([Self.content(100), exact + [0]])
                    let status = try await Self.status(of: form, to: url, with: bucket.client)
                    #expect(status == 413)
                    #expect(try await bucket.openUploads().isEmpty)
                    #expect(try await bucket.objects().isEmpty)
                    #expect(try await Self.status(of: Self.form([exact]), to: url, with: bucket.client) == 200)
                    #expect(try await bucket.objects().count == 1)
                }
            }
        }

        @Test func `a client that breaks off has its upload aborted`() async throws {
            try await Self.withBucket { bucket in
                try await withServer(makeStorageRouter(bucket: bucket, upTo: 1 << 30)) { server in
                    let url = server.appendingPathComponent("files")
                    let channel = try await sendHalfAForm(to: url, repeating: 4 * Self.piece)
                    try await Self.wait { try await bucket.openUploads().count == 1 }
                    try await channel.close()
                    try await Self.wait { try await bucket.openUploads().isEmpty }
                    #expect(try await bucket.objects().isEmpty)
                }
            }
        }

        @Test func `a server that is stopped aborts its uploads`() async throws {
            try await Self.withBucket { bucket in
                let channel = try await withServer(makeStorageRouter(bucket: bucket, upTo: 1 << 30)) { server in
                    let channel = try await sendHalfAForm(
                        to: server.appendingPathComponent("files"),
                        repeating: 4 * Self.piece
                    )
                    try await Self.wait { try await bucket.openUploads().count == 1 }
                    return channel
                }
                try? await channel.close()
                try await Self.wait { try await bucket.openUploads().isEmpty }
            }
        }

        @Test func `a message that is cut off leaves nothing`() async throws {
            try await Self.withBucket { bucket in
                try await withServer(makeStorageRouter(bucket: bucket, upTo: 1 << 30)) { server in
                    let form = Self.form([Self.content(2 * Self.piece)])
                    let body = try form.encode().dropLast(20)
                    var request = HTTPClientRequest(url: server.appendingPathComponent("files").absoluteString)
                    request.method = .POST
                    request.headers.add(name: "Content-Type", value: form.contentType)
                    request.body = .bytes(ByteBuffer(data: Data(body)))
                    let response = try await bucket.client.execute(request, timeout: .seconds(30))
                    #expect(response.status == .badRequest)
                    #expect(try await bucket.openUploads().isEmpty)
                    #expect(try await bucket.objects().isEmpty)
                }
            }
        }

        @Test func `a wrong key is refused, and the server says no more than 500`() async throws {
            try await RecipePeer.storage.with { announcement in
                var keys = try StorageKeys(json: String(decoding: announcement, as: UTF8.self))
                keys.secretKey += "x"
                try await keys.withBucket { bucket in
                    let error = try await #require(throws: S3Error.self) { try await bucket.objects() }
                    #expect(error.status == 403)
                    #expect(error.answer.contains("SignatureDoesNotMatch"))
                    try await withServer(makeStorageRouter(bucket: bucket, upTo: 1 << 30)) { server in
                        let url = server.appendingPathComponent("files")
                        for length in [1, Self.piece] {
                            let form = Self.form([Self.content(length)])
                            let status = try await Self.status(of: form, to: url, with: bucket.client)
                            #expect(status == 500)
                        }
                    }
                }
            }
        }

        @Test func `a file that does not exist is 404`() async throws {
            try await Self.withBucket { bucket in
                try await withServer(makeStorageRouter(bucket: bucket, upTo: 1)) { server in
                    let url = server.appendingPathComponent("files/\(UUID())")
                    let request = HTTPClientRequest(url: url.absoluteString)
                    let response = try await bucket.client.execute(request, timeout: .seconds(30))
                    #expect(response.status == .notFound)
                }
            }
        }

        private static func status(
            of form: MultipartFormData,
            to url: URL,
            with client: HTTPClient
        ) async throws -> UInt {
            var request = HTTPClientRequest(url: url.absoluteString)
            request.method = .POST
            request.headers.add(name: "Content-Type", value: form.contentType)
            request.body = .bytes(ByteBuffer(data: try form.encode()))
            let response = try await client.execute(request, timeout: .seconds(30))
            _ = try await response.body.collect(upTo: 1 << 20)
            return response.status.code
        }

        /// Asks the storage until it answers as expected.
        private static func wait(_ condition: () async throws -> Bool) async throws {
            let end = ContinuousClock.now + .seconds(20)
            while try await !condition() {
                try #require(ContinuousClock.now < end)
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }
}

/// The signatures that AWS's documentation computes for its examples ("Signature calculations for the Authorization
/// header", S3's API reference).
@Suite struct S3SignatureTests {
    private static let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

    private static func authorize(_ path: String, _ query: String, _ fields: [(String, String)] = []) -> String {
        let signature = S3Signature(
            accessKey: "AKIAIOSFODNN7EXAMPLE",
            secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
            region: "us-east-1",
            time: "20130524T000000Z"
        )
        let signed =
            [("host", "examplebucket.s3.amazonaws.com")] + fields
            + [("x-amz-content-sha256", empty), ("x-amz-date", "20130524T000000Z")]
        return signature.authorize("GET", path, query, signed, bodyHash: empty)
    }

    @Test func `an object's bytes are requested as in the documentation`() {
        let value = Self.authorize("/test.txt", "", [("range", "bytes=0-9")])
        #expect(
            value == "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, "
                + "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, "
                + "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"
        )
    }

    @Test(arguments: [
        ("lifecycle=", "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
        ("max-keys=2&prefix=J", "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
    ])
    func `a query is signed as in the documentation`(_ query: String, _ signature: String) {
        #expect(Self.authorize("/", query).hasSuffix("Signature=\(signature)"))
    }
}
