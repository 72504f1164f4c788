internal import Dispatch

/// Tells an operation on another thread that its result is no longer awaited.
package final class Cancellation: @unchecked Sendable {
    // SAFETY: the state is accessed only under the lock.
    private var isSet = false
    private var hasBegunLastStep = false
    private let lock = Lock()
    private let wake = DispatchSemaphore(value: 0)

    package init() {}

    package var isCancelled: Bool { lock.withLock { isSet } }

    /// Cancels the operation; if it is in a pause, ends the pause.
    ///
    /// - Returns: False if the operation has begun its last step, which cannot be undone; the caller must then wait for
    ///   it.
    @discardableResult
    package func cancel() -> Bool {
        let isCancelled = lock.withLock {
            if !hasBegunLastStep { isSet = true }
            return isSet
        }
        if isCancelled { wake.signal() }
        return isCancelled
    }

    /// Begins the last step, which cannot be undone; returns false if the operation has been cancelled.
    package func beginLastStep() -> Bool {
        lock.withLock {
            hasBegunLastStep = !isSet
            return hasBegunLastStep
        }
    }

    /// Blocks the thread for some nanoseconds, or until the operation is cancelled.
    package func pause(nanoseconds: UInt64) {
        // Waits until a deadline, because an interval has only 32 bits on some systems.
        let deadline = MonotonicClock.nanoseconds + min(nanoseconds, .max / 4)
        guard wake.wait(timeout: DispatchTime(uptimeNanoseconds: deadline)) == .success else { return }
        // The next pause must end at once, too.
        wake.signal()
    }
}

/// The system's clock that never goes back.
enum MonotonicClock {
    static var nanoseconds: UInt64 { DispatchTime.now().uptimeNanoseconds }
}
