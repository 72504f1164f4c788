import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization
import Testing

/// Runs an operation with a server that never accepts or reads the connections that the system makes.
///
/// - Parameter operation: Called with the server's address.
/// - Throws: What the operation throws, or a server that does not start.
func withDeafServer(_ operation: (URL) async throws -> Void) async throws {
    let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .serverChannelOption(.autoRead, value: false)
    try await withServer(bootstrap, operation)
}

/// Runs an operation with a server that answers each request before its body has arrived, and reads on.
///
/// - Parameters:
///   - status: The status of the answers.
///   - closes: Whether nothing follows the answer on a connection, and the answer says so.
///   - operation: Called with the server's address.
/// - Throws: What the operation throws, or a server that does not start.
func withRefusingServer(
    _ status: HTTPResponseStatus = .forbidden,
    closes: Bool = false,
    _ operation: (URL) async throws -> Void
) async throws {
    let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .childChannelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.configureHTTPServerPipeline(withPipeliningAssistance: false)
                try channel.pipeline.syncOperations.addHandler(RefusingHandler(status, closes: closes))
            }
        }
    try await withServer(bootstrap, operation)
}

/// The number of bytes that a server has received of each body.
final class BodyCounts: Sendable {
    private let counts = Mutex<[Int]>([])

    var all: [Int] { counts.withLock(\.self) }

    /// Adds to a body's count, or begins that of the next body.
    fileprivate func add(_ count: Int, toBodyAt place: Int?) -> (place: Int, count: Int) {
        counts.withLock { counts in
            let place = place ?? counts.count
            if place == counts.count { counts.append(0) }
            counts[place] += count
            return (place, counts[place])
        }
    }
}

/// Runs an operation with a server that resets the connection within the first body, and reads later ones to the end.
///
/// It answers requests with status 200 and the offset 0 of an upload.
///
/// - Parameters:
///   - limit: How much of the first body it reads, about, in bytes.
///   - operation: Called with the server's address, and the number of bytes received of each body.
/// - Throws: What the operation throws, or a server that does not start.
func withBreakingServer(after limit: Int, _ operation: (URL, BodyCounts) async throws -> Void) async throws {
    let counts = BodyCounts()
    let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .childChannelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                try channel.pipeline.syncOperations.addHandler(BreakingHandler(limit, counts))
            }
        }
    try await withServer(bootstrap) { try await operation($0, counts) }
}

private func withServer(_ bootstrap: ServerBootstrap, _ operation: (URL) async throws -> Void) async throws {
    let server = try await bootstrap.bind(host: "127.0.0.1", port: 0).get()
    let port = try #require(server.localAddress?.port)
    let result: Result<Void, any Error>
    do {
        result = .success(try await operation(try #require(URL(string: "http://127.0.0.1:\(port)/"))))
    } catch {
        result = .failure(error)
    }
    try await server.close()
    try result.get()
}

private final class RefusingHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let status: HTTPResponseStatus
    private let closes: Bool

    init(_ status: HTTPResponseStatus, closes: Bool) {
        (self.status, self.closes) = (status, closes)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head = unwrapInboundIn(data) else { return }
        var head = HTTPResponseHead(version: .http1_1, status: status, headers: ["Content-Length": "0"])
        if closes { head.headers.add(name: "Connection", value: "close") }
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        if closes { context.close(mode: .output, promise: nil) }
    }
}

private final class BreakingHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let limit: Int
    private let counts: BodyCounts
    /// Which body is the current one body's count; nil before its first bytes.
    private var place: Int?
    private var isBreaking = false

    init(_ limit: Int, _ counts: BodyCounts) {
        (self.limit, self.counts) = (limit, counts)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
            place = nil
        case .body(let bytes):
            let (place, count) = counts.add(bytes.readableBytes, toBodyAt: place)
            self.place = place
            if place == 0, count >= limit, !isBreaking {
                isBreaking = true
                breakConnection(of: context)
            }
        case .end:
            let fields: HTTPHeaders = ["Content-Length": "0", "Upload-Offset": "0"]
            let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: fields)
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }

    /// Resets the connection when the client waits for the server to read on, so that it always gets the same error.
    private func breakConnection(of context: ChannelHandlerContext) {
        let channel = context.channel
        try? channel.syncOptions?.setOption(.autoRead, value: false)
        channel.eventLoop.scheduleTask(in: .milliseconds(100)) {
            (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
                .whenComplete { _ in channel.close(promise: nil) }
        }
    }
}
