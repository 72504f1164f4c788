import FlyingFox
package import Foundation
import Hummingbird
package import Logging
import UploadExamples

/// Runs a server that stores videos for as long as an operation takes.
///
/// - Parameters:
///   - kind: The server.
///   - directory: The directory for the videos.
///   - limit: The longest video, in bytes.
///   - logger: The server's log.
///   - operation: Called with the route's address.
/// - Returns: What the operation returns.
/// - Throws: What the operation throws, or a server that does not start.
package func withVideoServer<Value: Sendable>(
    _ kind: ServerKind,
    storingIn directory: URL,
    upTo limit: Int,
    logger: Logger,
    _ operation: (URL) async throws -> Value
) async throws -> Value {
    try await withService { announce in
        switch kind {
        case .hummingbird:
            let router = makeVideoRouter(directory: directory, upTo: limit)
            try await serve(router.buildResponder(), logger: logger, announce)
        case .flyingFox:
            try await serveFlyingFox("POST /videos", announce) { request in
                try await receiveVideo(request, storedIn: directory, upTo: limit, logger: logger)
            }
        case .nio:
            try await serveVideos(
                host: "127.0.0.1",
                port: 0,
                storedIn: directory,
                upTo: limit,
                logger: logger,
                announce: announce
            )
        }
    } _: { server in
        try await operation(server.appendingPathComponent("videos"))
    }
}
