import Foundation
import NIOCore
import NIOPosix
import Testing

/// Sends the first half of a form with a file, and leaves the connection open.
///
/// - Parameter url: The server's address.
/// - Returns: The connection.
/// - Throws: An error of the connection.
func sendHalfAForm(to url: URL) async throws -> any Channel {
    let port = try #require(url.port)
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .connect(host: "127.0.0.1", port: port)
        .get()
    let half = """
        POST \(url.path) HTTP/1.1\r
        Host: 127.0.0.1\r
        Content-Type: multipart/form-data; boundary=b\r
        Content-Length: 2000000\r
        \r
        --b\r
        Content-Disposition: form-data; name=a; filename=f\r
        \r
        \(String(repeating: "half ", count: 200_000))
        """
    try await channel.writeAndFlush(ByteBuffer(string: half))
    return channel
}
