import Foundation
import Loopback
import MultipartForm
import NIOCore
import NIOHTTP1
import NIOPosix
import Testing
import UploadExamples

extension UploadTests {
    /// A form as the answer of a server that is written with SwiftNIO alone.
    @Suite struct AnswerTests {
        @Test func `a client that does not read holds back the form, and gets all of it`() async throws {
            let read = Counter()
            let content = GeneratedContent(seed: 1, length: 64 << 20) { read.set($0) }
            let form = MultipartFormData([
                BodyPart(length: content.length, name: "file", filename: "f") { content.makeStream() },
                BodyPart("after", name: "field"),
            ])
            try await withAnsweringServer(form) { port in
                let client = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                    .connect(host: "127.0.0.1", port: port) { channel in
                        channel.eventLoop.makeCompletedFuture {
                            try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                        }
                    }
                try await client.executeThenClose { inbound, outbound in
                    try await outbound.write(ByteBuffer(string: "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"))
                    #expect(await comesToRest(within: .seconds(30)) { read.value })
                    #expect(read.value < 32 << 20)
                    var received = Data()
                    for try await buffer in inbound { received.append(contentsOf: buffer.readableBytesView) }
                    let end = try #require(received.firstRange(of: Data("\r\n\r\n".utf8)))
                    let head = String(decoding: received[..<end.lowerBound], as: UTF8.self)
                    #expect(head.contains("Content-Type: \(form.contentType)"))
                    #expect(try received[end.upperBound...] == form.encode())
                }
            }
        }

        /// Runs an operation with a server that answers one request with a form, and then closes the connection.
        private func withAnsweringServer(
            _ form: MultipartFormData,
            _ operation: (_ port: Int) async throws -> Void
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
                async let answered: Void = {
                    for try await connection in connections.prefix(1) {
                        try await connection.executeThenClose { inbound, _ in
                            for try await part in inbound {
                                guard case .end = part else { continue }
                                return try await answer(with: form, on: connection.channel)
                            }
                        }
                    }
                }()
                try await operation(port)
                try await answered
            }
        }
    }
}
