internal import Dispatch

/// Tells an operation on another thread that its result is no longer awaited.
package final class Abandonment: @unchecked Sendable {
    // SAFETY: the state is accessed only under the lock.
    private var mark = false
    private var isTooLate = false
    private let lock = Lock()
    private let wake = DispatchSemaphore(value: 0)

    package init() {}

    package var isSet: Bool { lock.withLock { mark } }

    /// Abandons the operation and ends its pause, if any.
    ///
    /// - Returns: False if it has begun a step that cannot be undone, and is to be awaited.
    @discardableResult
    package func set() -> Bool {
        let isAbandoned = lock.withLock {
            if !isTooLate { mark = true }
            return mark
        }
        if isAbandoned { wake.signal() }
        return isAbandoned
    }

    /// Begins a step that cannot be undone; returns false if the operation has been abandoned before.
    package func beginLastStep() -> Bool {
        lock.withLock {
            isTooLate = !mark
            return isTooLate
        }
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
