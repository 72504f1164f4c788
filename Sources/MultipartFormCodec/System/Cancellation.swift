internal import Dispatch

/// A request to cancel an operation that runs on another thread.
package final class Cancellation: @unchecked Sendable {
    // SAFETY: the mutable properties are accessed only under the lock.
    private var isSet = false
    private var hasBegunLastStep = false
    private let lock = Lock()
    private let wake = DispatchSemaphore(value: 0)

    package init() {}

    package var isCancelled: Bool { lock.withLock { isSet } }

    /// Cancels the operation, and ends its ``pause(nanoseconds:)``. Has no effect if the operation has begun its last
    /// step.
    ///
    /// - Returns: Whether the operation is cancelled. If it is not, the caller must wait until the operation ends.
    @discardableResult
    package func cancel() -> Bool {
        let isCancelled = lock.withLock {
            if !hasBegunLastStep { isSet = true }
            return isSet
        }
        if isCancelled { wake.signal() }
        return isCancelled
    }

    /// Begins the operation's last step, which cannot be undone. After that, ``cancel()`` has no effect.
    ///
    /// - Returns: False if the operation has been cancelled. The operation must then omit its last step.
    package func beginLastStep() -> Bool {
        lock.withLock {
            hasBegunLastStep = !isSet
            return hasBegunLastStep
        }
    }

    /// Blocks the thread for `nanoseconds`, or until the operation is cancelled.
    package func pause(nanoseconds: UInt64) {
        // Does not use a `DispatchTimeInterval`, because on some systems it holds only 32 bits of nanoseconds.
        let deadline = MonotonicClock.nanoseconds + min(nanoseconds, .max / 4)
        guard wake.wait(timeout: DispatchTime(uptimeNanoseconds: deadline)) == .success else { return }
        // The operation is cancelled, and this pause has used up the signal from `cancel()`.
        // The next pause must end at once, too.
        wake.signal()
    }
}

enum MonotonicClock {
    static var nanoseconds: UInt64 { DispatchTime.now().uptimeNanoseconds }
}
