import Foundation
import Loopback
import MultipartFormCodec
import NIOCore
import NIOHTTP1
import NIOPosix
import Testing
import UploadExamples

extension UploadTests {
    /// A form as the answer of a server that is written with SwiftNIO alone.
    @Suite struct AnswerTests {
        typealias Client = NIOAsyncChannel<ByteBuffer, ByteBuffer>

        @Test func `a client that does not read holds back the form, and gets all of it`() async throws {
            let read = Counter()
            let form = Self.makeForm { read.set($0) }
            try await Self.withAnswer(form) { answering, client in
                try await client.executeThenClose { inbound, outbound in
                    try await outbound.write(Self.request)
                    #expect(await comesToRest(within: .seconds(30)) { read.value })
                    #expect(read.value < 32 << 20)
                    var received = Data()
                    for try await buffer in inbound { received.append(contentsOf: buffer.readableBytesView) }
                    let end = try #require(received.firstRange(of: Data("\r\n\r\n".utf8)))
                    let head = String(decoding: received[..<end.lowerBound], as: UTF8.self)
                    #expect(head.contains("Content-Type: \(form.contentType)"))
                    #expect(try received[end.upperBound...] == form.encode())
                }
                try await answering.value
            }
        }

        @Test func `an answer that is cancelled ends although the client does not read`() async throws {
            let read = Counter()
            try await Self.withAnswer(Self.makeForm { read.set($0) }) { answering, client in
                try await client.executeThenClose { _, outbound in
                    try await outbound.write(Self.request)
                    #expect(await comesToRest(within: .seconds(30)) { read.value })
                    answering.cancel()
                    // Before the client goes away.
                    await #expect(throws: (any Error).self) { try await answering.value }
                }
            }
        }

        @Test(arguments: ["--b\r\n\r\nno name", "--b\r\nContent-Disposition: form-data; name=a\r\n\r\n--bb"])
        func `a received form is answered whole, or refused before the status`(_ text: String) async throws {
            let message = Data("\(text)\r\n--b--\r\n".utf8)
            let received = try MultipartFormData(parsing: message, contentType: "multipart/form-data; boundary=b")
            let form = MultipartFormData(received)
            try await Self.withAnswer(form) { answering, client in
                try await client.executeThenClose { inbound, outbound in
                    try await outbound.write(Self.request)
                    var answer = Data()
                    for try await buffer in inbound { answer.append(contentsOf: buffer.readableBytesView) }
                    let result = await answering.result
                    if form.firstError == nil {
                        #expect(try answer.suffix(Int(form.encodedLength ?? 0)) == form.encode())
                        try result.get()
                    } else {
                        #expect(answer.isEmpty)
                        #expect(throws: MultipartError.self) { try result.get() }
                    }
                }
            }
        }

        private static let request = ByteBuffer(string: "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")

        private static func makeForm(_ whenRead: @escaping @Sendable (UInt64) -> Void) -> MultipartFormData {
            let content = GeneratedContent(seed: 1, length: 64 << 20, whenRead: whenRead)
            return MultipartFormData([
                BodyPart(length: content.length, name: "file", filename: "f") { content.makeStream() },
                BodyPart("after", name: "field"),
            ])
        }

        /// Runs an operation with a client, and the task in which a server answers its request with a form and then
        /// closes the connection.
        private static func withAnswer(
            _ form: MultipartFormData,
            _ operation: (Task<Void, any Error>, Client) async throws -> Void
        ) async throws {
            let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .bind(host: "127.0.0.1", port: 0) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                        return try NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>(
                            wrappingChannelSynchronously: channel
                        )
                    }
                }
            let port = try #require(server.channel.localAddress?.port)
            try await server.executeThenClose { connections in
                let answering = Task {
                    for try await connection in connections {
                        return try await connection.executeThenClose { inbound, _ in
                            for try await part in inbound {
                                guard case .end = part else { continue }
                                return try await answer(with: form, on: connection.channel)
                            }
                        }
                    }
                }
                let client = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                    .connect(host: "127.0.0.1", port: port) { channel in
                        channel.eventLoop.makeCompletedFuture { try Client(wrappingChannelSynchronously: channel) }
                    }
                try await operation(answering, client)
            }
        }
    }
}
