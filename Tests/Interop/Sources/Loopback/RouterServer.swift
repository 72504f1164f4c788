import AsyncHTTPClient
package import Foundation
package import Hummingbird
import Logging
package import NIOCore
import ServiceLifecycle
import UploadExamples

/// Serves a router on 127.0.0.1 for as long as an operation takes.
///
/// - Parameters:
///   - router: The router.
///   - port: The port; 0 for a free one.
///   - idleTimeout: After which time a connection is closed on which nothing arrives.
///   - operation: Called with the server's address, without a path.
/// - Returns: What the operation returns.
/// - Throws: What the operation throws, or a server that does not start.
package func withServer<Context: RequestContext, Value: Sendable>(
    _ router: Router<Context>,
    port: Int = 0,
    idleTimeout: TimeAmount? = nil,
    _ operation: (URL) async throws -> Value
) async throws -> Value where Context.Source == ApplicationRequestContextSource {
    let responder = router.buildResponder()
    return try await withService({ try await serve(responder, port: port, idleTimeout: idleTimeout, $0) }, operation)
}

/// Runs a proxy that passes uploads on for as long as an operation takes.
///
/// - Parameters:
///   - url: The server it passes them on to.
///   - connections: The number of uploads at once.
///   - timeout: How long an upload may take.
///   - operation: Called with the proxy's address, without a path.
/// - Returns: What the operation returns.
/// - Throws: What the operation throws, or a server that does not start.
package func withProxy<Value: Sendable>(
    to url: URL,
    connections: Int = 1,
    timeout: TimeAmount = .hours(1),
    _ operation: (URL) async throws -> Value
) async throws -> Value {
    var configuration = makeProxyConfiguration()
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
    let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    let result: Result<Value, any Error>
    do {
        let router = makeProxyRouter(upstream: url, client: client, timeout: timeout)
        result = .success(try await withServer(router, operation))
    } catch {
        result = .failure(error)
    }
    try await client.shutdown()
    return try result.get()
}

/// Serves until the task is cancelled.
func serve<Context: RequestContext>(
    _ responder: some HTTPResponder<Context>,
    port: Int = 0,
    idleTimeout: TimeAmount? = nil,
    logger: Logger? = nil,
    _ announce: @escaping @Sendable (Int) -> Void
) async throws where Context.Source == ApplicationRequestContextSource {
    let logger = logger ?? .silent
    let application = Application(
        responder: responder,
        server: .http1(configuration: .init(idleTimeout: idleTimeout)),
        configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
        onServerRunning: { announce($0.localAddress?.port ?? 0) },
        logger: logger
    )
    // A cancelled server drops connections that it has accepted but not begun to handle, which NIO forbids.
    var configuration = ServiceGroupConfiguration(services: [application], logger: logger)
    configuration.maximumGracefulShutdownDuration = .seconds(1)
    let group = ServiceGroup(configuration: configuration)
    let running = Task { try await group.run() }
    try await withTaskCancellationHandler {
        try await running.value
    } onCancel: {
        Task { await group.triggerGracefulShutdown() }
    }
}

/// Runs a service for as long as an operation takes.
///
/// - Parameters:
///   - service: Serves until its task is cancelled; calls its argument with the port when it can be connected to.
///   - operation: Called with the address, without a path.
/// - Returns: What the operation returns.
/// - Throws: What the operation throws, or a service that does not start.
func withService<Value: Sendable>(
    _ service: @escaping @Sendable (_ announce: @escaping @Sendable (Int) -> Void) async throws -> Void,
    _ operation: (URL) async throws -> Value
) async throws -> Value {
    let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
    return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
            defer { continuation.finish() }
            try await service { continuation.yield($0) }
        }
        var iterator = ports.makeAsyncIterator()
        guard let port = await iterator.next(), let url = URL(string: "http://127.0.0.1:\(port)") else {
            try await group.next()
            throw LoopbackError.noPort
        }
        let value = try await operation(url)
        group.cancelAll()
        // A cancelled server may throw.
        _ = await group.nextResult()
        return value
    }
}

extension Logger {
    /// A logger of critical events only.
    fileprivate static var silent: Logger {
        var logger = Logger(label: "hummingbird")
        logger.logLevel = .critical
        return logger
    }
}
