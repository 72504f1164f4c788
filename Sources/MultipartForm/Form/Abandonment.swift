internal import Foundation

/// Tells a reader on another thread that nobody waits for it any more.
package final class Abandonment: @unchecked Sendable {
    // SAFETY: the mark is touched under the lock only.
    private var mark = false
    private let lock = NSLock()
    private let wake = DispatchSemaphore(value: 0)

    /// Creates one that has not been set.
    package init() {}

    /// Whether nobody waits any more.
    package var isSet: Bool { lock.withLock { mark } }

    /// Says so; whoever pauses goes on.
    package func set() {
        lock.withLock { mark = true }
        wake.signal()
    }

    /// Blocks the thread for some nanoseconds, or until this is set.
    package func pause(nanoseconds: UInt64) {
        guard wake.wait(timeout: .now() + .nanoseconds(Int(clamping: nanoseconds))) == .success else { return }
        // For the next one.
        wake.signal()
    }
}
