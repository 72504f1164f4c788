import Foundation
import NIOCore
import NIOPosix
import Testing

/// Sends the first half of a form with a file, and leaves the connection open.
///
/// - Parameters:
///   - url: The server's address.
///   - name: The part's name.
///   - length: The length of the half, about.
///   - field: A header field of the request.
/// - Returns: The connection.
/// - Throws: An error of the connection.
func sendHalfAForm(
    to url: URL,
    named name: String = "a",
    repeating length: Int = 1_000_000,
    _ field: String = "Connection: keep-alive"
) async throws -> any Channel {
    let port = try #require(url.port)
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .connect(host: "127.0.0.1", port: port)
        .get()
    let half = """
        POST \(url.path) HTTP/1.1\r
        Host: 127.0.0.1\r
        \(field)\r
        Content-Type: multipart/form-data; boundary=b\r
        Content-Length: \(2 * length)\r
        \r
        --b\r
        Content-Disposition: form-data; name=\(name); filename=f\r
        \r
        \(String(repeating: "half ", count: length / 5))
        """
    try await channel.writeAndFlush(ByteBuffer(string: half))
    return channel
}
