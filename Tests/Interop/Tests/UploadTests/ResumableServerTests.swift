import AsyncHTTPClient
import Foundation
import Loopback
import MultipartFormCodec
import NIOCore
import NIOHTTP1
import Testing
import UploadExamples

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension UploadTests {
    /// The recipe's server for resumable uploads, request by request.
    @Suite struct ResumableServerTests {
        private static let form: MultipartFormData = {
            var form = MultipartFormData(boundary: "b")
            form.append("1", withName: "a")
            return form
        }()

        /// A response as far as it concerns an upload.
        struct Answer: Equatable {
            var status: UInt
            var offset: String?
            var isComplete: String?

            init(_ status: UInt, offset: String? = nil, isComplete: String? = nil) {
                self.status = status
                self.offset = offset
                self.isComplete = isComplete
            }
        }

        /// Sends one request.
        private static func send(
            _ method: HTTPMethod,
            _ url: URL,
            _ fields: [(String, String)],
            _ body: Data = Data(),
            with client: HTTPClient
        ) async throws -> (Answer, HTTPHeaders) {
            var request = HTTPClientRequest(url: url.absoluteString)
            request.method = method
            request.headers = HTTPHeaders(fields)
            request.body = .bytes(ByteBuffer(bytes: body))
            let response = try await client.execute(request, timeout: .seconds(30))
            _ = try await response.body.collect(upTo: 1 << 20)
            let headers = response.headers
            let (offset, isComplete) = (headers.first(name: "Upload-Offset"), headers.first(name: "Upload-Complete"))
            return (Answer(response.status.code, offset: offset, isComplete: isComplete), headers)
        }

        private static func patch(
            _ url: URL,
            at offset: Int,
            _ body: Data,
            isLast: Bool,
            type: String = "application/partial-upload",
            with client: HTTPClient
        ) async throws -> Answer {
            let fields = [
                ("Content-Type", type), ("Upload-Offset", "\(offset)"), ("Upload-Complete", isLast ? "?1" : "?0"),
            ]
            return try await send(.PATCH, url, fields, body, with: client).0
        }

        /// Runs an operation with the address of a new upload of ``form``, a client, and the directory of the uploads.
        private static func withUpload(
            _ operation: (URL, HTTPClient, TemporaryDirectory) async throws -> Void
        ) async throws {
            try await TemporaryDirectory.with { workspace in
                try await withServer(makeResumableRouter(directory: workspace.url, upTo: 1000)) { server in
                    try await withHTTPClient { client in
                        let url = server.appendingPathComponent("uploads")
                        let upload = try await ResumableUpload.create(of: form, to: url, with: client)
                        try await operation(upload.url, client, workspace)
                    }
                }
            }
        }

        /// As ``withUpload(_:)``, with a session, for an upload that has the first bytes of the form.
        private static func withUpload(
            upTo offset: Int,
            _ operation: (URL, URLSession, TemporaryDirectory) async throws -> Void
        ) async throws {
            try await withUpload { url, client, directory in
                if offset > 0 {
                    let first = try await patch(url, at: 0, form.encode().prefix(offset), isLast: false, with: client)
                    #expect(first == Answer(204, isComplete: "?0"))
                }
                let session = URLSession(configuration: .ephemeral)
                defer { session.finishTasksAndInvalidate() }
                try await operation(url, session, directory)
            }
        }

        @Test func `a new upload has no bytes, and its length and limit are known`() async throws {
            try await Self.withUpload { url, client, _ in
                let (answer, headers) = try await Self.send(.HEAD, url, [], with: client)
                #expect(answer == Answer(204, offset: "0", isComplete: "?0"))
                #expect(headers.first(name: "Upload-Length") == Self.form.encodedLength.map { "\($0)" })
                #expect(headers.first(name: "Upload-Limit") == "max-size=1000")
                #expect(headers.first(name: "Cache-Control") == "no-store")
            }
        }

        @Test func `bytes for another offset are refused, and the right one is named`() async throws {
            let body = try Self.form.encode()
            try await Self.withUpload { url, client, _ in
                let first = try await Self.patch(url, at: 0, body.prefix(10), isLast: false, with: client)
                #expect(first == Answer(204, isComplete: "?0"))
                for offset in [0, 9, 11] {
                    let rest = Data(body[offset...])
                    let answer = try await Self.patch(url, at: offset, rest, isLast: true, with: client)
                    #expect(answer == Answer(409, offset: "10", isComplete: "?0"))
                }
                let rest = try await Self.patch(url, at: 10, Data(body[10...]), isLast: true, with: client)
                #expect(rest == Answer(200, isComplete: "?1"))
                let head = try await Self.send(.HEAD, url, [], with: client).0
                #expect(head == Answer(204, offset: "\(body.count)", isComplete: "?1"))
            }
        }

        @Test func `an upload of which only the end is unknown is completed without bytes`() async throws {
            let body = try Self.form.encode()
            try await Self.withUpload { url, client, _ in
                let all = try await Self.patch(url, at: 0, body, isLast: false, with: client)
                #expect(all == Answer(204, isComplete: "?0"))
                let answer = try await ResumableUpload(of: Self.form, at: url, with: client).resume()
                let receipts = try JSONDecoder().decode([PartReceipt].self, from: #require(answer))
                #expect(receipts.map(\.name) == ["a"])
            }
        }

        @Test(arguments: [0, 1, 40, 80])
        func `a session sends the rest`(_ offset: Int) async throws {
            let body = try Self.form.encode()
            try await Self.withUpload(upTo: offset) { url, session, directory in
                let sent = Counter()
                let answer = try await resume(Self.form, at: url, with: session) { sent.set(UInt64($0)) }
                let receipts = try JSONDecoder().decode([PartReceipt].self, from: #require(answer))
                #expect(receipts.map(\.name) == ["a"])
                #expect(try directory.read("\(url.lastPathComponent)/message") == body)
                // Without bytes there is no report.
                #expect(await eventually { sent.value == (offset < body.count ? body.count : 0) })
                let again = try await resume(Self.form, at: url, with: session)
                #expect(again == nil)
            }
        }

        @Test(arguments: [0, 1, 40, 80], [7, 1000])
        func `a session sends the rest in pieces, each of which is confirmed`(
            _ offset: Int,
            _ length: Int
        ) async throws {
            let body = try Self.form.encode()
            try await Self.withUpload(upTo: offset) { url, session, directory in
                var confirmed: [Int] = []
                let answer = try await resume(Self.form, at: url, with: session, inPiecesOf: length) {
                    confirmed.append(Int($0))
                    let stored = try? directory.read("\(url.lastPathComponent)/message")
                    #expect(stored == body.prefix(Int($0)))
                }
                let receipts = try JSONDecoder().decode([PartReceipt].self, from: #require(answer))
                #expect(receipts.map(\.name) == ["a"])
                let ends = stride(from: offset + length, to: body.count, by: length)
                #expect(confirmed == Array(ends) + [body.count])
            }
        }

        @Test func `an upload of one request is answered like any other`() async throws {
            try await TemporaryDirectory.with { workspace in
                try await withServer(makeResumableRouter(directory: workspace.url, upTo: 1000)) { server in
                    try await withHTTPClient { client in
                        let url = server.appendingPathComponent("uploads")
                        let type = [("Content-Type", Self.form.contentType)]
                        let answer = try await Self.send(.POST, url, type, Self.form.encode(), with: client).0
                        #expect(answer == Answer(200, isComplete: "?1"))
                    }
                }
            }
        }

        @Test func `a complete message that is no form is refused for good`() async throws {
            let body = Data(count: Int(try #require(Self.form.encodedLength)))
            try await Self.withUpload { url, client, _ in
                let answer = try await Self.patch(url, at: 0, body, isLast: true, with: client)
                #expect(answer == Answer(400, isComplete: "?1"))
                let again = try await Self.patch(url, at: body.count, Data([1]), isLast: true, with: client)
                #expect(again.status == 400)
            }
        }

        @Test func `a message of another length than declared is refused`() async throws {
            let body = try Self.form.encode()
            try await Self.withUpload { url, client, _ in
                let tooLong = try await Self.patch(url, at: 0, body + [10], isLast: true, with: client).status
                #expect(tooLong == 400)
                let offset = Int(try await Self.send(.HEAD, url, [], with: client).0.offset ?? "") ?? 0
                let short = body[offset...].dropLast()
                let tooShort = try await Self.patch(url, at: offset, Data(short), isLast: true, with: client).status
                #expect(tooShort == 400)
                let isComplete = try await Self.send(.HEAD, url, [], with: client).0.isComplete
                #expect(isComplete == "?0")
            }
        }

        @Test func `a message that is too long is refused before a byte is sent`() async throws {
            try await TemporaryDirectory.with { workspace in
                try await withServer(makeResumableRouter(directory: workspace.url, upTo: 1000)) { server in
                    try await withHTTPClient { client in
                        let url = server.appendingPathComponent("uploads")
                        let fields = [("Upload-Complete", "?0"), ("Upload-Length", "1001")]
                        let status = try await Self.send(.POST, url, fields, with: client).0.status
                        #expect(status == 413)
                        #expect(workspace.contents.isEmpty)
                    }
                }
            }
        }

        @Test func `a body of another type is not appended`() async throws {
            try await Self.withUpload { url, client, _ in
                let answer = try await Self.patch(url, at: 0, Data("x".utf8), isLast: false, type: "a/b", with: client)
                #expect(answer.status == 415)
                let stored = try await Self.send(.HEAD, url, [], with: client).0.offset
                #expect(stored == "0")
            }
        }

        @Test(arguments: ["..%2F..%2Fetc", "x", "00000000-0000-0000-0000-000000000000"])
        func `an address that the server has not given away is unknown`(_ name: String) async throws {
            try await Self.withUpload { url, client, _ in
                let other = try #require(URL(string: name, relativeTo: url))
                let status = try await Self.send(.HEAD, other, [], with: client).0.status
                #expect(status == 404)
            }
        }

        @Test func `a removed upload is unknown`() async throws {
            try await Self.withUpload { url, client, _ in
                let removed = try await Self.send(.DELETE, url, [], with: client).0.status
                #expect(removed == 204)
                let unknown = try await Self.send(.HEAD, url, [], with: client).0.status
                #expect(unknown == 404)
                let again = try await Self.send(.DELETE, url, [], with: client).0.status
                #expect(again == 404)
            }
        }

        @Test func `an offset that was told stays true while an older request still sends`() async throws {
            let body = try Self.form.encode()
            try await Self.withUpload { url, client, directory in
                let (chunks, continuation) = AsyncStream.makeStream(of: ByteBuffer.self)
                var request = HTTPClientRequest(url: url.absoluteString)
                request.method = .PATCH
                request.headers = ["Content-Type": "application/partial-upload", "Upload-Offset": "0"]
                request.body = .stream(chunks, length: .known(Int64(body.count)))
                async let older = client.execute(request, timeout: .seconds(30))
                continuation.yield(ByteBuffer(bytes: body.prefix(10)))
                let message = "\(url.lastPathComponent)/message"
                #expect(await eventually { (try? directory.read(message).count) == 10 })
                let stored = try await Self.send(.HEAD, url, [], with: client).0.offset
                #expect(stored == "10")
                continuation.yield(ByteBuffer(bytes: body.dropFirst(10)))
                continuation.finish()
                let status = try await older.status
                #expect(status == .conflict)
                let head = try await Self.send(.HEAD, url, [], with: client).0
                #expect(head == Answer(204, offset: "10", isComplete: "?0"))
            }
        }
    }
}
