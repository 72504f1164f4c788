import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
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

/// Runs an operation with a server that answers 403 to each request before its body has arrived, and reads on.
///
/// - Parameter operation: Called with the server's address.
/// - Throws: What the operation throws, or a server that does not start.
func withRefusingServer(_ operation: (URL) async throws -> Void) async throws {
    let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .childChannelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.configureHTTPServerPipeline(withPipeliningAssistance: false)
                try channel.pipeline.syncOperations.addHandler(RefusingHandler())
            }
        }
    try await withServer(bootstrap, operation)
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

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head = unwrapInboundIn(data) else { return }
        let head = HTTPResponseHead(version: .http1_1, status: .forbidden, headers: ["Content-Length": "0"])
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}
