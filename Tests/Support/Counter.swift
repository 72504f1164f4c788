internal import Foundation

/// A counter that several threads may increment.
package final class Counter: @unchecked Sendable {
    // Accessed under the lock only.
    private var number = 0
    private let lock = NSLock()

    /// Creates a counter at 0.
    package init() {}

    /// The number of increments.
    package var value: Int { lock.withLock { number } }

    /// Adds 1 and returns the new value.
    @discardableResult
    package func increment() -> Int {
        lock.withLock {
            number += 1
            return number
        }
    }
}
