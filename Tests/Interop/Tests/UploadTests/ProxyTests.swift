import Foundation
import Loopback
import MultipartFormCodec
import NIOCore
import Testing
import UploadExamples

extension UploadTests {
    /// The messages that a server gets from a proxy that passes uploads on while it receives them.
    @Suite struct ProxyTests {
        @Test(arguments: [ClientKind.asyncHTTPClient, .curl])
        func `a form is passed on without the dropped part, and with the renamed one`(_ kind: ClientKind) async throws {
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
                            #expect(receipts == made)
                        }
                    }
                }
            }
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

        @Test func `an upstream server that answers early is passed on, and the proxy goes on`() async throws {
            try await TemporaryDirectory.with { workspace in
                try await withRefusingServer { server in
                    try await withProxy(to: server) { proxy in
                        let long = "\r\n\r\n" + String(repeating: "x", count: 8 << 20)
                        let body = RefusalTests.Case.part.replacing("\r\n\r\n", with: long) + "--b--\r\n"
                        let url = proxy.appendingPathComponent("upload")
                        for _ in 0..<20 {
                            let type = RefusalTests.Case.form
                            let status = try await RefusalTests.send(body, as: type, to: url, workspace)
                            #expect(status == "403")
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
            end.finish(throwing: ClientGone(POSIXError(.ECONNRESET)))
            let error = await #expect(throws: (any Error).self) { try await Self.readBodies(of: chunks) }
            #expect(error.map(ClientGone.isCause) == true)
        }

        @Test func `the error of a message is not that of the connection`() async throws {
            let (chunks, end) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
            end.yield(Array("--b\r\nContent-Disposition: form-data; name=a\r\n\r\nhalf".utf8))
            end.finish()
            let error = await #expect(throws: (any Error).self) { try await Self.readBodies(of: chunks) }
            #expect(error.map(ClientGone.isCause) == false)
            #expect((error as? MultipartError)?.httpStatus == 400)
        }

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
