import AsyncHTTPClient
package import Foundation
package import MultipartFormCodec
import NIOCore
import NIOHTTP1
package import UploadExamples

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A client that sends uploads.
package enum ClientKind: String, CaseIterable, Sendable {
    case asyncHTTPClient = "async-http-client"
    case urlSession = "url-session"
    case urlSessionMemory = "url-session-memory"
    case urlSessionEncoded = "url-session-encoded"
    case urlSessionFile = "url-session-file"
    case nio
    case curl

    /// Runs an operation with a client, and closes the client's connections.
    ///
    /// - Parameters:
    ///   - connections: The number of uploads at once.
    ///   - directory: The directory for forms that are sent from a file.
    ///   - operation: Called with the client.
    /// - Returns: What the operation returns.
    /// - Throws: What the operation throws.
    package func withClient<Value>(
        connections: Int = 1,
        directory: URL,
        _ operation: (UploadClient) async throws -> Value
    ) async throws -> Value {
        switch self {
        case .asyncHTTPClient:
            var configuration = HTTPClient.Configuration()
            configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
            let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
            let result: Result<Value, any Error>
            do {
                let sender = UploadClient { try await UploadExamples.upload($0, to: $1, with: client) }
                result = .success(try await operation(sender))
            } catch {
                result = .failure(error)
            }
            try await client.shutdown()
            return try result.get()
        case .urlSession:
            let session = makeSession(connections)
            defer { session.finishTasksAndInvalidate() }
            return try await operation(
                UploadClient { try await UploadExamples.upload($0, to: $1, with: session) }
            )
        case .urlSessionMemory:
            let session = makeSession(connections)
            defer { session.finishTasksAndInvalidate() }
            return try await operation(
                UploadClient { try await UploadExamples.upload(encoding: $0, to: $1, with: session) }
            )
        case .urlSessionEncoded:
            let session = makeSession(connections)
            defer { session.finishTasksAndInvalidate() }
            return try await operation(
                UploadClient { form, url in
                    try await UploadExamples.upload(form, inMemoryUpTo: 1 << 16, to: url, with: session)
                }
            )
        case .urlSessionFile:
            let session = makeSession(connections)
            defer { session.finishTasksAndInvalidate() }
            return try await operation(
                UploadClient { form, url in
                    let file = directory.appendingPathComponent(UUID().uuidString)
                    return try await UploadExamples.upload(form, through: file, to: url, with: session)
                }
            )
        case .nio:
            return try await operation(UploadClient { try await post($0, to: $1) })
        case .curl:
            return try await operation(
                UploadClient { form, url in
                    let file = directory.appendingPathComponent(UUID().uuidString)
                    try await form.writeEncodedData(to: file)
                    defer { try? FileManager.default.removeItem(at: file) }
                    let type = "Content-Type: \(form.contentType)"
                    return try await runCurl(["-X", "POST", "-H", type, "-T", file.path, url.absoluteString])
                }
            )
        }
    }

    /// Posts a form on a new connection.
    private func post(_ form: MultipartFormData, to url: URL) async throws -> Data {
        guard let host = url.host, let port = url.port else { throw URLError(.badURL) }
        let connection = try await connect(host: host, port: port)
        let answer = try await UploadExamples.post(form, to: url.path, host: "\(host):\(port)", on: connection)
        guard answer.head.status == .ok else { throw UploadError.refused }
        return Data(answer.body.readableBytesView)
    }

    private func makeSession(_ connections: Int) -> URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = connections
        configuration.timeoutIntervalForRequest = 600
        return URLSession(configuration: configuration)
    }
}

/// Sends forms.
package struct UploadClient: Sendable {
    private let send: @Sendable (MultipartFormData, URL) async throws -> Data

    init(_ send: @escaping @Sendable (MultipartFormData, URL) async throws -> Data) {
        self.send = send
    }

    /// Sends a form.
    ///
    /// - Returns: The parts that the server has read.
    package func upload(_ form: MultipartFormData, to url: URL) async throws -> [PartReceipt] {
        try JSONDecoder().decode([PartReceipt].self, from: try await send(form, url))
    }
}

/// Runs curl.
///
/// - Parameter arguments: Its arguments, besides those that silence it and bypass proxies.
/// - Returns: Its output.
/// - Throws: ``LoopbackError/exit(_:)``.
package func runCurl(_ arguments: [String]) async throws -> Data {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["curl", "-q", "--silent", "--fail", "--noproxy", "*", "-H", "Expect:"] + arguments
    let output = Pipe()
    process.standardOutput = output
    let status = try await withCheckedThrowingContinuation { continuation in
        process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
        do { try process.run() } catch { continuation.resume(throwing: error) }
    }
    guard status == 0 else { throw LoopbackError.exit(status) }
    return try output.fileHandleForReading.readToEnd() ?? Data()
}
