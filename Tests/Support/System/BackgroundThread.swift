internal import Foundation

/// New threads for blocking calls.
package enum BackgroundThread {
    /// Runs a body on a new thread and waits for it without blocking a thread of Swift's task pool.
    package static func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread { continuation.resume(with: Result(catching: body)) }.start()
        }
    }
}
