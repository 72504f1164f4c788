package import MultipartFormCodec
package import NIOCore
package import NIOHTTP1
import NIOPosix

/// Answers a request with a form. When it returns, everything has been sent, so the connection may be closed.
package func answer(with form: MultipartFormData, on channel: any Channel) async throws {
    let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: HTTPHeaders(form))
    try await send(form, after: head, on: channel)
}

/// Sends a head and a form, chunk by chunk.
func send<Head: Equatable & Sendable>(
    _ form: MultipartFormData,
    after head: Head,
    on channel: any Channel
) async throws {
    typealias Part = HTTPPart<Head, IOData>
    // Before the head has been sent.
    if let error = form.firstError { throw error }
    try await withTaskCancellationHandler {
        try await channel.writeAndFlush(Part.head(head))
        for try await chunk in form.chunks() {
            // Returns when the chunk has been sent: one is in memory.
            let bytes = ByteBuffer(bytes: chunk)
            try await channel.writeAndFlush(Part.body(.byteBuffer(bytes)))
        }
        try await channel.writeAndFlush(Part.end(nil))
    } onCancel: {
        // A write to a peer that does not read ends only then.
        channel.close(promise: nil)
    }
}

extension HTTPHeaders {
    /// The fields of a message whose body is a form.
    init(_ form: MultipartFormData) {
        self = ["Content-Type": form.contentType]
        if let length = form.encodedLength { add(name: "Content-Length", value: "\(length)") }
    }
}

package typealias ClientConnection = NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>

/// Connects to a server, for one request.
package func connect(host: String, port: Int) async throws -> ClientConnection {
    try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .connect(host: host, port: port) { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHTTPClientHandlers()
                return try ClientConnection(wrappingChannelSynchronously: channel)
            }
        }
}

/// Posts a form on a connection of its own, and returns the answer, which may come before all of the form is sent.
package func post(
    _ form: MultipartFormData,
    to path: String,
    host: String,
    on connection: ClientConnection
) async throws -> (head: HTTPResponseHead, body: ByteBuffer) {
    var request = HTTPRequestHead(version: .http1_1, method: .POST, uri: path, headers: HTTPHeaders(form))
    request.headers.add(name: "Host", value: host)
    return try await connection.executeThenClose { [channel = connection.channel, request] inbound, _ in
        try await withThrowingTaskGroup(of: Void.self) { group in
            // Once there is an answer, nobody needs the rest of the form.
            defer { group.cancelAll() }
            group.addTask {
                do {
                    try await send(form, after: request, on: channel)
                } catch {
                    // The server would wait for the rest of the form, and this function for the answer.
                    channel.close(promise: nil)
                    throw error
                }
            }
            var (head, body) = (HTTPResponseHead?.none, ByteBuffer())
            for try await part in inbound {
                switch part {
                case .head(let received): head = received
                case .body(let bytes) where body.readableBytes + bytes.readableBytes > 1 << 20:
                    throw AnswerError.tooLong
                case .body(let bytes): body.writeImmutableBuffer(bytes)
                case .end:
                    if let head { return (head, body) }
                }
            }
            // There is no answer: perhaps because the form could not be sent.
            try await group.waitForAll()
            throw AnswerError.missing
        }
    }
}

/// Why a request has no answer that can be used.
package enum AnswerError: Error {
    /// The server has closed the connection.
    case missing
    case tooLong
}
