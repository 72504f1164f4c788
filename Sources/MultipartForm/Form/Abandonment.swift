internal import Dispatch

/// Tells a reader on another thread that its result is no longer awaited.
package final class Abandonment: @unchecked Sendable {
    // SAFETY: `mark` is accessed only under the lock.
    private var mark = false
    private let lock = Lock()
    private let wake = DispatchSemaphore(value: 0)

    package init() {}

    package var isSet: Bool { lock.withLock { mark } }

    /// Abandons the reader and ends its pause, if any.
    package func set() {
        lock.withLock { mark = true }
        wake.signal()
    }

    /// Blocks the thread for some nanoseconds, or until this is set.
    package func pause(nanoseconds: UInt64) {
        // Not an interval, which has 32 bits on some systems.
        let deadline = Uptime.nanoseconds + min(nanoseconds, .max / 4)
        guard wake.wait(timeout: DispatchTime(uptimeNanoseconds: deadline)) == .success else { return }
        // So that the next pause ends at once, too.
        wake.signal()
    }
}
