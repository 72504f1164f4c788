import Foundation
import NIOCore
import NIOPosix
import Testing

/// Runs an operation with a server that never accepts or reads the connections that the system makes.
///
/// - Parameter operation: Called with the server's address.
/// - Throws: What the operation throws, or a server that does not start.
func withDeafServer(_ operation: (URL) async throws -> Void) async throws {
    let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .serverChannelOption(.autoRead, value: false)
        .bind(host: "127.0.0.1", port: 0)
        .get()
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
