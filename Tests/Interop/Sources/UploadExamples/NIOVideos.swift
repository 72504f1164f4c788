package import Foundation
package import Logging
import MultipartFormCodec
import NIOCore
import NIOHTTP1
import NIOPosix

typealias Connection = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>

/// The client has gone away before the end of its request, or what it sends is not HTTP.
struct LostConnection: Error {
    var cause: (any Error)?
}

/// The body of a request whose head has been read.
///
/// It can be sent to another task although an iterator cannot: nobody requests a chunk before the last one has come.
struct ChannelBody: AsyncSequence, @unchecked Sendable {
    let parts: NIOAsyncChannelInboundStream<HTTPServerRequestPart>.AsyncIterator

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(parts: parts) }

    struct AsyncIterator: AsyncIteratorProtocol {
        var parts: NIOAsyncChannelInboundStream<HTTPServerRequestPart>.AsyncIterator

        mutating func next() async throws -> ByteBufferView? {
            let part: HTTPServerRequestPart?
            do {
                part = try await parts.next()
            } catch {
                throw LostConnection(cause: error)
            }
            switch part {
            case .body(let buffer): return buffer.readableBytesView
            case .end: return nil
            case .head, nil: throw LostConnection()
            }
        }
    }
}

struct VideoServer {
    let directory: URL
    var maxVideoBytes = 2 << 30
    let logger: Logger

    func run(_ server: NIOAsyncChannel<Connection, Never>) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            try await server.executeThenClose { connections in
                for try await connection in connections {
                    group.addTask {
                        do {
                            try await answer(connection)
                        } catch {
                            logger.debug("connection failed: \(error)")
                        }
                    }
                }
            }
        }
    }

    private func answer(_ connection: Connection) async throws {
        try await connection.executeThenClose { inbound, outbound in
            var parts = inbound.makeAsyncIterator()
            guard case .head(let head)? = try await parts.next() else { return }
            var status = HTTPResponseStatus.created
            var text: String
            do {
                text = try await storeVideo(
                    ChannelBody(parts: parts),
                    contentType: head.headers.first(name: "Content-Type"),
                    contentLength: head.headers.first(name: "Content-Length"),
                    in: directory,
                    maxVideoBytes: maxVideoBytes
                )
            } catch {
                // Nobody is left to answer, or the server is shutting down.
                if error is LostConnection || error is CancellationError { throw error }
                let refusal = Refusal(error)
                status = HTTPResponseStatus(statusCode: refusal.status)
                text = refusal.status < 500 ? refusal.reason : status.reasonPhrase
                if refusal.status >= 500 { logger.error("\(refusal.reason)") }
            }
            let headers: HTTPHeaders = ["Content-Length": "\(text.utf8.count)", "Connection": "close"]
            let response = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
            try await outbound.write(.head(response))
            try await outbound.write(.body(.byteBuffer(ByteBuffer(string: text))))
            try await outbound.write(.end(nil))
            guard status != .created else { return }
            // The client may still be sending: it reads the answer before the connection is closed.
            let channel = connection.channel
            channel.eventLoop.scheduleTask(in: .seconds(2)) { channel.close(promise: nil) }
            while try await parts.next() != nil {}
        }
    }
}

/// Listens for videos until the task is cancelled.
///
/// - Parameters:
///   - host: The address to listen on.
///   - port: The port; 0 for a free one.
///   - directory: The directory for the videos, and for those that are still arriving.
///   - limit: The longest video, in bytes.
///   - logger: For errors of the server.
///   - announce: Called with the port when the server accepts connections.
/// - Throws: An error of the socket.
package func serveVideos(
    host: String,
    port: Int,
    storedIn directory: URL,
    upTo limit: Int,
    logger: Logger,
    announce: (Int) -> Void
) async throws {
    let videos = VideoServer(directory: directory, maxVideoBytes: limit, logger: logger)
    let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)  // to start again at once
        .bind(host: host, port: port) { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                return try Connection(wrappingChannelSynchronously: channel)
            }
        }
    announce(server.channel.localAddress?.port ?? 0)
    try await videos.run(server)
}
