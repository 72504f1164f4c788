package import AsyncHTTPClient
package import Foundation
package import MultipartFormCodec
import NIOCore
import NIOFoundationCompat
import NIOHTTP1

/// Uploads a form with AsyncHTTPClient, encoding it as it is sent.
///
/// - Parameters:
///   - form: The form; its files are read chunk by chunk.
///   - url: The server's address.
///   - client: The client that sends it.
///   - show: Called with the number of bytes that the client has requested, and the number of all bytes if it is known.
/// - Returns: The response's body.
/// - Throws: ``UploadError``, or an error of the form or the client.
package func upload(
    _ form: MultipartFormData,
    to url: URL,
    with client: HTTPClient,
    show: @escaping @Sendable (_ completed: UInt64, _ total: UInt64?) -> Void = { _, _ in }
) async throws -> Data {
    let progress = EncodingProgress { report in
        show(report.completed, report.total)
    }
    var request = HTTPClientRequest(url: url.absoluteString)
    request.method = .POST
    request.headers.add(name: "Content-Type", value: form.contentType)
    request.body = .stream(
        form.chunks(progress: progress).map { try await client.buffer($0) },
        length: form.encodedLength.map { .known(Int64($0)) } ?? .unknown
    )
    let response = try await client.execute(request, timeout: .minutes(5))
    guard response.status == .ok else { throw UploadError.refused }
    return Data(buffer: try await response.body.collect(upTo: 1 << 20))
}

extension HTTPClient {
    /// Copies a chunk to a buffer, once the client's event loops have
    /// caught up with the chunks before it.
    func buffer(_ chunk: Data) async throws -> ByteBuffer {
        // The client learns on its event loops that it has to wait for
        // the server.
        for loop in eventLoopGroup.makeIterator() { try await loop.submit {}.get() }
        return ByteBuffer(data: chunk)
    }
}
