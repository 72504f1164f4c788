internal import Foundation

/// A number that several threads count up.
package final class Counter: @unchecked Sendable {
    // The number is touched under the lock only.
    private var number = 0
    private let lock = NSLock()

    /// Creates a counter at 0.
    package init() {}

    /// How often it was counted up.
    package var value: Int { lock.withLock { number } }

    /// Counts up, and returns the new number.
    @discardableResult
    package func increment() -> Int {
        lock.withLock {
            number += 1
            return number
        }
    }
}
