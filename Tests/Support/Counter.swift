internal import Foundation

/// A counter that several threads may increment, and whose progress can be waited for.
package final class Counter: @unchecked Sendable {
    // Accessed under the lock only.
    private var number = 0
    private var waiting: [(number: Int, continuation: CheckedContinuation<Void, Never>)] = []
    private let lock = NSLock()

    /// Creates a counter at 0.
    package init() {}

    /// The number of increments.
    package var value: Int { lock.withLock { number } }

    /// Adds 1 and returns the new value.
    @discardableResult
    package func increment() -> Int {
        let (value, reached): (Int, [CheckedContinuation<Void, Never>]) = lock.withLock {
            number += 1
            guard !waiting.isEmpty else { return (number, []) }
            let reached = waiting.filter { $0.number <= number }.map(\.continuation)
            waiting.removeAll { $0.number <= number }
            return (number, reached)
        }
        for caller in reached { caller.resume() }
        return value
    }

    /// Waits until there have been this many increments.
    package func wait(for number: Int) async {
        await withCheckedContinuation { continuation in
            let isReached = lock.withLock {
                if self.number < number { waiting.append((number, continuation)) }
                return self.number >= number
            }
            if isReached { continuation.resume() }
        }
        // Thread Sanitizer does not see that the continuation orders this after the increments, but sees that of a
        // lock.
        _ = value
    }
}
