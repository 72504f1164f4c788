import FlyingFox
import FlyingSocks
package import Foundation
import Hummingbird
import NIOCore
import UploadExamples

/// A server that receives uploads.
package enum ServerKind: String, CaseIterable, Sendable {
    case hummingbird
    case flyingFox = "flying-fox"
    case nio

    /// Serves on a free port of 127.0.0.1 until the task is cancelled.
    ///
    /// - Parameters:
    ///   - directory: The directory for files of collected forms.
    ///   - announce: Called with the port when the server accepts connections.
    /// - Throws: An error of the server, also when it is cancelled.
    func serve(directory: URL, announce: @escaping @Sendable (Int) -> Void) async throws {
        switch self {
        case .hummingbird: try await Loopback.serve(makeUploadRouter(directory: directory).buildResponder(), announce)
        case .flyingFox: try await serveFlyingFox("POST /upload", announce, receiveUpload)
        case .nio: try await serveNIO(announce)
        }
    }

    private func serveNIO(_ announce: @Sendable (Int) -> Void) async throws {
        let channel = try await listenForUploads(host: "127.0.0.1", port: 0)
        announce(channel.localAddress?.port ?? 0)
        try await withTaskCancellationHandler {
            try await channel.closeFuture.get()
        } onCancel: {
            channel.close(promise: nil)
        }
    }
}

/// Serves a route until the task is cancelled.
func serveFlyingFox(
    _ route: HTTPRoute,
    _ announce: @Sendable (Int) -> Void,
    _ handler: @escaping @concurrent @Sendable (FlyingFox.HTTPRequest) async throws -> FlyingFox.HTTPResponse
) async throws {
    let server = HTTPServer(
        address: try .inet(ip4: "127.0.0.1", port: 0),
        timeout: 600,
        logger: .disabled
    )
    await server.appendRoute(route, handler: handler)
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await server.run() }
        try await server.waitUntilListening()
        guard case .ip4(_, let port)? = await server.listeningAddress else { throw LoopbackError.noPort }
        announce(Int(port))
        try await group.next()
    }
}

/// An error outside the uploads themselves.
package enum LoopbackError: Error {
    /// A server did not announce its port.
    case noPort
    /// A process ended with a status other than 0.
    case exit(Int32)
}

/// Runs a server for as long as an operation takes.
///
/// - Parameters:
///   - kind: The server.
///   - directory: The directory for files of collected forms.
///   - operation: Called with the server's address, without a path.
/// - Returns: What the operation returns.
/// - Throws: What the operation throws, or a server that does not start.
package func withServer<Value: Sendable>(
    _ kind: ServerKind,
    directory: URL,
    _ operation: (URL) async throws -> Value
) async throws -> Value {
    try await withService({ try await kind.serve(directory: directory, announce: $0) }, operation)
}
