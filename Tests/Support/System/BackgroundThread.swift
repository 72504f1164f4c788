internal import Foundation

/// New threads for blocking calls.
package enum BackgroundThread {
    /// Runs a body on a new thread and waits for it without blocking a thread of Swift's task pool.
    ///
    /// - Parameters:
    ///   - stackSize: The size of the thread's stack in bytes; nil for the system's.
    ///   - body: The body.
    /// - Returns: The body's value.
    /// - Throws: The body's error.
    package static func run<Value: Sendable>(
        stackSize: Int? = nil,
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        // A continuation that throws would not return to the caller's actor. Thread Sanitizer does not see that a
        // continuation orders what comes before it and after, so the result passes through a lock.
        let result = Locked<Result<Value, any Error>?>(nil)
        await withCheckedContinuation { continuation in
            let thread = Thread {
                let value = Result(catching: body)
                result.withLock { $0 = value }
                continuation.resume()
            }
            if let stackSize { thread.stackSize = stackSize }
            thread.start()
        }
        guard let result = result.withLock({ $0 }) else { preconditionFailure("the thread has not run") }
        return try result.get()
    }
}
