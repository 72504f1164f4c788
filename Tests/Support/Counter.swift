internal import Foundation

/// A counter that several threads may increment, and whose progress can be waited for.
package final class Counter: Sendable {
    private let number = Locked(0)

    /// Creates a counter at 0.
    package init() {}

    /// The number of increments.
    package var value: Int { number.withLock { $0 } }

    /// Adds 1 and returns the new value.
    @discardableResult
    package func increment() -> Int {
        number.withLock {
            $0 += 1
            return $0
        }
    }

    /// Waits until there have been this many increments, or the task is cancelled, as by a test's time limit.
    package func wait(for number: Int) async {
        while value < number, !Task.isCancelled { try? await Task.sleep(nanoseconds: 1_000_000) }
    }
}
