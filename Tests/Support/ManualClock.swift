internal import Foundation

/// A clock on which time passes by sleeping only, or when it is told to.
package final class ManualClock: Clock, @unchecked Sendable {
    // The time is touched under the lock only.
    private var elapsed = Duration.zero
    private var sleeps: [Duration] = []
    private let lock = NSLock()

    /// A point in time.
    package struct Instant: InstantProtocol {
        fileprivate var sinceStart: Duration

        package func advanced(by duration: Duration) -> Instant { Instant(sinceStart: sinceStart + duration) }
        package func duration(to other: Instant) -> Duration { other.sinceStart - sinceStart }
        package static func < (left: Instant, right: Instant) -> Bool { left.sinceStart < right.sinceStart }
    }

    /// Creates a clock.
    package init() {}

    package var now: Instant { lock.withLock { Instant(sinceStart: elapsed) } }
    package var minimumResolution: Duration { .nanoseconds(1) }

    /// How long was slept each time.
    package var slept: [Duration] { lock.withLock { sleeps } }

    /// Lets time pass.
    package func advance(by duration: Duration) {
        lock.withLock { elapsed += duration }
    }

    package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        lock.withLock {
            sleeps.append(deadline.sinceStart - elapsed)
            elapsed = max(elapsed, deadline.sinceStart)
        }
    }
}
