internal import Foundation

/// A value that several threads may use, on systems that have no `Mutex`.
package final class Locked<Value: Sendable>: @unchecked Sendable {
    // Accessed under the lock only.
    private var value: Value
    private let lock = NSLock()

    /// Creates a value.
    package init(_ value: Value) {
        self.value = value
    }

    /// Calls `body` with the value, while no other thread uses it.
    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
