import AsyncHTTPClient
import Foundation
import Hummingbird
import Loopback
import MultipartFormCodec
import NIOCore
import NIOHTTP1
import Testing
import UploadExamples

extension UploadTests {
    /// The messages that a server gets from a proxy that forwards uploads while it receives them, and what a client gets
    /// if the upstream server answers early, breaks the connection, or is slow.
    @Suite struct ProxyTests {
        @Test(arguments: [ClientKind.asyncHTTPClient, .curl])
        func `a form is forwarded without the dropped part, and with the renamed one`(_ kind: ClientKind) async throws {
            try await TemporaryDirectory.with { workspace in
                try await withServer(.hummingbird, directory: workspace.url) { server in
                    try await withProxy(to: server.appendingPathComponent("upload")) { proxy in
                        try await kind.withClient(directory: workspace.url) { client in
                            let url = proxy.appendingPathComponent("upload")
                            let equal = try await uploadAtOnce(
                                1,
                                length: 16 << 20,
                                with: client,
                                to: url,
                                isProxied: true
                            )
                            #expect(equal == 1)
                        }
                    }
                }
            }
        }

        @Test(arguments: ExampleForm.allCases)
        func `other parts arrive as they were made`(_ kind: ExampleForm) async throws {
            try await TemporaryDirectory.with { workspace in
                let form = try kind.make(in: workspace)
                try await withServer(.hummingbird, directory: workspace.url) { server in
                    try await withProxy(to: server.appendingPathComponent("upload")) { proxy in
                        try await ClientKind.asyncHTTPClient.withClient(directory: workspace.url) { client in
                            let receipts = try await client.upload(form, to: proxy.appendingPathComponent("upload"))
                            let made = try form.map { try PartReceipt($0) }
                            #expect(receipts.first?.name == "request-id")
                            #expect(Array(receipts.dropFirst()) == made)
                        }
                    }
                }
            }
        }

        @Test func `a field is changed, and a field of the proxy cannot be the client's`() async throws {
            try await TemporaryDirectory.with { workspace in
                var form = MultipartFormData()
                form.append("forged", withName: "request-id")
                form.append("secret", withName: "password")
                form.append(" Lighthouse\r\n", withName: "title")
                try await withServer(.hummingbird, directory: workspace.url) { [form] server in
                    try await withProxy(to: server.appendingPathComponent("upload")) { proxy in
                        try await ClientKind.asyncHTTPClient.withClient(directory: workspace.url) { client in
                            let receipts = try await client.upload(form, to: proxy.appendingPathComponent("upload"))
                            #expect(receipts.map(\.name) == ["request-id", "title"])
                            let forged = try PartReceipt(BodyPart("forged", name: "request-id"))
                            let title = try PartReceipt(BodyPart("Lighthouse", name: "title"))
                            #expect(receipts.first != forged)
                            #expect(receipts.last == title)
                        }
                    }
                }
            }
        }

        /// Parts that the proxy refuses, and its answers.
        static let refused = [
            ("name=title", String(repeating: "x", count: 1001), "413", "limit-part-bytes"),
            ("name=file; filename=f", "\(String(repeating: "x", count: 9 << 20))FORBIDDEN-CONTENT", "422", "refused"),
        ]

        @Test(arguments: refused)
        func `a text that is too long, or a file that the scanner refuses, is never part of a whole form upstream`(
            _ parameters: String,
            _ content: String,
            _ status: String,
            _ reason: String
        ) async throws {
            try await TemporaryDirectory.with { workspace in
                let upstream = RecordingUpstream()
                try await withServer(upstream.makeRouter()) { server in
                    try await withProxy(to: server.appendingPathComponent("upload")) { proxy in
                        let head = "--b\r\nContent-Disposition: form-data; \(parameters)\r\n\r\n"
                        let body = Data("\(head)\(content)\r\n--b--\r\n".utf8)
                        let url = proxy.appendingPathComponent("upload")
                        let answer = try await RawRequest(body, as: RefusalTests.Case.form).send(to: url)
                        #expect("\(answer.status)" == status)
                        #expect(answer.text.contains(reason), "\(answer.text)")
                        #expect(await eventually(within: .seconds(10)) { upstream.brokenBodies == 1 })
                        #expect(upstream.wholeForms == 0)
                    }
                }
            }
        }

        @Test func `the scanner finds what is split between pieces`() async throws {
            let content = Data("before FORBIDDEN-CONTENT after".utf8)
            for size in 1...content.count {
                let scanner = BodyScanner()
                await #expect(throws: HTTPError.self) {
                    for start in stride(from: 0, to: content.count, by: size) {
                        _ = try await scanner.scan(content.dropFirst(start).prefix(size))
                    }
                }
            }
            let scanner = BodyScanner()
            for byte in Data("FORBIDDEN CONTENT, FORBIDDEN-CONTEN".utf8) { _ = try await scanner.scan(Data([byte])) }
        }

        @Test(arguments: RefusalTests.Case.all)
        func `a message that is refused is never a whole form upstream`(_ refused: RefusalTests.Case) async throws {
            try await TemporaryDirectory.with { workspace in
                let upstream = RecordingUpstream()
                try await withServer(upstream.makeRouter()) { server in
                    try await withProxy(to: server.appendingPathComponent("upload")) { proxy in
                        let url = proxy.appendingPathComponent("upload")
                        let status = try await RefusalTests.send(refused.body, as: refused.type, to: url, workspace)
                        #expect(status == refused.status)
                        #expect(await eventually(within: .seconds(10)) { upstream.isIdle })
                        #expect(upstream.wholeForms == (refused.status == "200" ? 1 : 0))
                        #expect(upstream.malformedForms == 0)
                    }
                }
            }
        }

        @Test func `a message that turns out to be malformed fails upstream, and is refused`() async throws {
            try await TemporaryDirectory.with { workspace in
                let upstream = RecordingUpstream()
                try await withServer(upstream.makeRouter()) { server in
                    try await withProxy(to: server.appendingPathComponent("upload")) { proxy in
                        let long = "\r\n\r\n" + String(repeating: "x", count: 8 << 20)
                        let body = RefusalTests.Case.part.replacing("\r\n\r\n", with: long) + "--b\r\nx\r\n\r\n"
                        let url = proxy.appendingPathComponent("upload")
                        let status = try await RefusalTests.send(body, as: RefusalTests.Case.form, to: url, workspace)
                        #expect(status == "400")
                        #expect(await eventually(within: .seconds(10)) { upstream.brokenBodies == 1 })
                        #expect(upstream.bytesRead > 0)
                        #expect(upstream.wholeForms == 0)
                    }
                }
            }
        }

        /// Header fields that lenient mode reads, but that may not be sent.
        static let unsendable = [
            "Content-Disposition: form-data",
            "Content-Disposition: form-data; name=\"a\u{1}\"",
            "Content-Disposition: form-data; name=a\r\nContent-Type: text/\u{1}",
            "Content-Disposition: form-data; name=a\r\nContent-Transfer-Encoding: base64",
        ]

        @Test(arguments: unsendable)
        func `a part that cannot be sent on is never part of a whole form upstream`(_ fields: String) async throws {
            try await TemporaryDirectory.with { workspace in
                let upstream = RecordingUpstream()
                try await withServer(upstream.makeRouter()) { server in
                    try await withProxy(to: server.appendingPathComponent("upload")) { proxy in
                        let body = "\(RefusalTests.Case.part)--b\r\n\(fields)\r\n\r\n1\r\n--b--\r\n"
                        let url = proxy.appendingPathComponent("upload")
                        let status = try await RefusalTests.send(body, as: RefusalTests.Case.form, to: url, workspace)
                        #expect(status != "200")
                        #expect(await eventually(within: .seconds(10)) { upstream.isIdle })
                        #expect(upstream.wholeForms == 0)
                    }
                }
            }
        }

        @Test(arguments: [(HTTPResponseStatus.forbidden, false), (.serviceUnavailable, true)])
        func `an early answer of the upstream server reaches the client, and the proxy continues`(
            _ early: HTTPResponseStatus,
            _ closes: Bool
        ) async throws {
            try await TemporaryDirectory.with { workspace in
                try await withRefusingServer(early, closes: closes) { server in
                    try await withProxy(to: server) { proxy in
                        let long = "\r\n\r\n" + String(repeating: "x", count: 8 << 20)
                        let body = RefusalTests.Case.part.replacing("\r\n\r\n", with: long) + "--b--\r\n"
                        let url = proxy.appendingPathComponent("upload")
                        for _ in 0..<20 {
                            let type = RefusalTests.Case.form
                            let status = try await RefusalTests.send(body, as: type, to: url, workspace)
                            #expect(status == "\(early.code)")
                        }
                    }
                }
            }
        }

        /// A form of one part, and its answer from a proxy.
        private static func status(from proxy: URL, _ workspace: TemporaryDirectory) async throws -> String {
            let url = proxy.appendingPathComponent("upload")
            let body = "\(RefusalTests.Case.part)--b--\r\n"
            return try await RefusalTests.send(body, as: RefusalTests.Case.form, to: url, workspace)
        }

        @Test func `without the single reader an early answer ends the process`() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                try await TemporaryDirectory.with { workspace in
                    let body = RefusalTests.Case.part.replacing("1", with: String(repeating: "x", count: 8 << 20))
                    try await withRefusingServer(.serviceUnavailable, closes: true) { upstream in
                        let router = Router()
                        router.post("upload") { request, _ in
                            var forwarded = HTTPClientRequest(url: upstream.absoluteString)
                            forwarded.method = .POST
                            forwarded.body = .stream(request.body, length: .unknown)
                            let answer = try await HTTPClient.shared.execute(forwarded, timeout: .seconds(10))
                            return HTTPResponse.Status(code: Int(answer.status.code))
                        }
                        try await withServer(router) { proxy in
                            let url = proxy.appendingPathComponent("upload")
                            for _ in 0..<20 {
                                _ = try? await RefusalTests.send(body, as: RefusalTests.Case.form, to: url, workspace)
                            }
                        }
                    }
                }
            }
            let errors = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(errors.contains("NIOThrowingAsyncSequenceProducer"), "\(errors)")
        }

        @Test func `an upstream server that breaks the connection is 502, and the next upload arrives`() async throws {
            try await TemporaryDirectory.with { workspace in
                try await withBreakingServer(after: 1 << 20) { server, counts in
                    try await withProxy(to: server) { proxy in
                        let long = "\r\n\r\n" + String(repeating: "x", count: 8 << 20)
                        let body = RefusalTests.Case.part.replacing("\r\n\r\n", with: long) + "--b--\r\n"
                        for expected in ["502", "200", "200"] {
                            let (url, type) = (proxy.appendingPathComponent("upload"), RefusalTests.Case.form)
                            let status = try await RefusalTests.send(body, as: type, to: url, workspace)
                            #expect(status == expected)
                        }
                        #expect(counts.all.count == 3)
                        #expect(counts.all.dropFirst().allSatisfy { $0 > 8 << 20 })
                    }
                }
            }
        }

        @Test func `an upstream server that cannot be reached is 502`() async throws {
            try await TemporaryDirectory.with { workspace in
                let nowhere = try #require(URL(string: "http://127.0.0.1:9/upload"))
                try await withProxy(to: nowhere) { proxy in
                    let status = try await Self.status(from: proxy, workspace)
                    #expect(status == "502")
                }
            }
        }

        @Test func `an upstream server that does not answer in time is 504`() async throws {
            try await TemporaryDirectory.with { workspace in
                try await withDeafServer { server in
                    try await withProxy(to: server, timeout: .milliseconds(200)) { proxy in
                        let status = try await Self.status(from: proxy, workspace)
                        #expect(status == "504")
                    }
                }
            }
        }

        @Test(arguments: [
            "", "--b\r\nContent-Disposition: form-", "--b\r\nContent-Disposition: form-data; name=a\r\n\r\nhalf",
        ])
        func `the error of the client's connection is known wherever it breaks`(_ half: String) async throws {
            let (chunks, end) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
            end.yield(Array(half.utf8))
            end.finish(throwing: ClientDisconnected(cause: POSIXError(.ECONNRESET)))
            let error = await #expect(throws: (any Error).self) { try await Self.readBodies(of: chunks) }
            #expect(error.map(Errors.cause) is ClientDisconnected)
        }

        @Test func `the error of a message is not that of the connection`() async throws {
            let (chunks, end) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
            end.yield(Array("--b\r\nContent-Disposition: form-data; name=a\r\n\r\nhalf".utf8))
            end.finish()
            let error = await #expect(throws: (any Error).self) { try await Self.readBodies(of: chunks) }
            #expect(error.map(Errors.cause) is MultipartError)
            #expect((error as? MultipartError)?.httpStatus == 400)
        }

        private typealias Errors = ProxyErrors<BasicRequestContext>

        /// Encodes what arrives, as a proxy does.
        private static func readBodies(of chunks: AsyncThrowingStream<[UInt8], any Error>) async throws {
            let parts = try chunks.multipartParts(contentType: RefusalTests.Case.form)
            for try await _ in EncodedFormChunks(encoding: parts.map { BodyPart($0) }) {}
        }

        @Test func `an upstream server that stops reading holds the client back`() async throws {
            try await TemporaryDirectory.with { workspace in
                try await withDeafServer { server in
                    try await withProxy(to: server) { proxy in
                        try await ClientKind.asyncHTTPClient.withClient(directory: workspace.url) { client in
                            let read = Counter()
                            let content = GeneratedContent(seed: 1, length: 1 << 30) { read.set($0) }
                            var form = MultipartFormData()
                            form.append(BodyPart(length: nil, name: "content", filename: "c") { content.makeStream() })
                            let url = proxy.appendingPathComponent("upload")
                            let upload = Task { [form] in try await client.upload(form, to: url) }
                            #expect(await comesToRest(within: .seconds(30)) { read.value })
                            #expect(read.value < 256 << 20)
                            upload.cancel()
                            _ = await upload.result
                        }
                    }
                }
            }
        }

        @Test func `a client that breaks off within a part fails the request upstream`() async throws {
            let upstream = RecordingUpstream()
            try await withServer(upstream.makeRouter()) { server in
                try await withProxy(to: server.appendingPathComponent("upload")) { proxy in
                    let client = try await sendHalfAForm(to: proxy.appendingPathComponent("upload"))
                    #expect(await eventually(within: .seconds(10)) { upstream.bytesRead > 0 })
                    #expect(!upstream.isIdle)
                    try await client.close()
                    #expect(await eventually(within: .seconds(10)) { upstream.brokenBodies == 1 })
                    #expect(upstream.wholeForms == 0)
                }
            }
        }
    }
}
