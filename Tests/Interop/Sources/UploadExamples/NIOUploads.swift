import Foundation
import MultipartFormCodec
package import NIOCore
package import NIOHTTP1
import NIOPosix

/// Listens for uploads.
///
/// - Parameters:
///   - host: The address to listen on.
///   - port: The port; 0 for a free one.
/// - Returns: The listening channel; it knows its port.
/// - Throws: An error of the socket.
package func listenForUploads(host: String, port: Int) async throws -> any Channel {
    try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .childChannelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                try channel.pipeline.syncOperations.addHandler(UploadHandler())
            }
        }
        .bind(host: host, port: port)
        .get()
}

/// The last handler of a NIO channel that receives uploads; it parses the channel's buffers without copying them.
package final class UploadHandler: ChannelInboundHandler {
    package typealias InboundIn = HTTPServerRequestPart
    package typealias OutboundOut = HTTPServerResponsePart

    private var parser: MultipartParser?
    private var tally: PartTally?
    private var receipts: [PartReceipt] = []

    /// Creates a handler for one connection.
    package init() {}

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        do {
            switch unwrapInboundIn(data) {
            case .head(let head):
                receipts = []
                parser = try MultipartParser(contentType: head.headers.first(name: "Content-Type"))
            case .body(let buffer):
                try parser?.parse(buffer.readableBytesUInt8Span) { event, bytes in take(event, bytes) }
            case .end:
                guard parser != nil else { return }
                // Throws if the message was cut off.
                try parser?.finish { event, bytes in take(event, bytes) }
                answer(.ok, try JSONEncoder().encode(receipts), context)
            }
        } catch {
            parser = nil
            let refusal = MultipartError(error)
            let status = HTTPResponseStatus(statusCode: refusal?.httpStatus ?? 500)
            answer(status, Data((refusal?.clientMessage ?? "upload failed").utf8), context)
        }
    }
}

extension UploadHandler {
    private func take(_ event: MultipartParser.Event<Void>, _ bytes: Span<UInt8>) {
        switch event {
        case .part(let headers): tally = PartTally(headers)
        case .body: tally?.add(bytes)
        case .endOfPart: endPart()
        case .end: break
        }
    }

    private func endPart() {
        if let receipt = tally?.receipt { receipts.append(receipt) }
        tally = nil
    }

    private func answer(_ status: HTTPResponseStatus, _ body: Data, _ context: ChannelHandlerContext) {
        let headers: HTTPHeaders = ["Content-Length": "\(body.count)", "Connection": "close"]
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil)
        // After a refusal the client may still be sending: it reads the answer before the connection is closed.
        let time: TimeAmount = status == .ok ? .zero : .seconds(2)
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
            channel.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
        }
    }
}
