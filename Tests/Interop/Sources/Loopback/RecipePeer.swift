package import Foundation

/// A server of others that the recipes upload to; `Recipes/recipes.py` installs and starts it.
package enum RecipePeer: String, Sendable {
    case s3
    case storage
    case graphQL = "graphql"
    case json
    case spring

    private var words: [String] {
        let package = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return ["python3", package.appendingPathComponent("Recipes/recipes.py").path]
    }

    /// Whether it can run here. Installs what it needs, and prints what is missing.
    package func isAvailable() async throws -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words + ["--check", rawValue]
        let status = try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        return status == 0
    }

    /// Runs an operation with the server, which ends afterwards.
    ///
    /// - Parameter operation: Called with the JSON that the server has printed.
    /// - Returns: What the operation returns.
    /// - Throws: What the operation throws, or a server that does not start.
    package func with<Value>(_ operation: (Data) async throws -> Value) async throws -> Value {
        let server = try await ServerProcess(URL(fileURLWithPath: "/usr/bin/env"), words + [rawValue])
        defer { server.end() }
        return try await operation(Data(server.announcement.utf8))
    }
}
