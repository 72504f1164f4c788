package import MultipartForm
package import NIOCore
import NIOHTTP1

/// Answers a request with a form. When it returns, everything has been sent, so the connection may be closed.
package func answer(with form: MultipartFormData, on channel: any Channel) async throws {
    if let error = form.firstError { throw error }  // before the status has been sent
    var head = HTTPResponseHead(version: .http1_1, status: .ok, headers: ["Content-Type": form.contentType])
    if let length = form.encodedLength { head.headers.add(name: "Content-Length", value: "\(length)") }
    try await withTaskCancellationHandler { [head] in
        try await channel.writeAndFlush(HTTPServerResponsePart.head(head))
        for try await chunk in form.chunks() {
            // Returns when the chunk has been sent, so no more than one is in memory.
            try await channel.writeAndFlush(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: chunk))))
        }
        try await channel.writeAndFlush(HTTPServerResponsePart.end(nil))
    } onCancel: {
        // A write to a client that does not read ends only with the channel.
        channel.close(promise: nil)
    }
}
