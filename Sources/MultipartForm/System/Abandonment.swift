internal import Dispatch

/// Tells an operation on another thread that its result is no longer awaited.
package final class Abandonment: @unchecked Sendable {
    // SAFETY: the state is accessed only under the lock.
    private var isAbandoned = false
    private var hasBegunLastStep = false
    private let lock = Lock()
    private let wake = DispatchSemaphore(value: 0)

    package init() {}

    package var isSet: Bool { lock.withLock { isAbandoned } }

    /// Abandons the operation and ends its pause, if any.
    ///
    /// - Returns: False if it has begun a step that cannot be undone: wait for it.
    @discardableResult
    package func set() -> Bool {
        let isSet = lock.withLock {
            if !hasBegunLastStep { isAbandoned = true }
            return isAbandoned
        }
        if isSet { wake.signal() }
        return isSet
    }

    /// Begins a step that cannot be undone; returns false if the operation has been abandoned.
    package func beginLastStep() -> Bool {
        lock.withLock {
            hasBegunLastStep = !isAbandoned
            return hasBegunLastStep
        }
    }

    /// Blocks the thread for some nanoseconds, or until this is set.
    package func pause(nanoseconds: UInt64) {
        // Not an interval, which has 32 bits on some systems.
        let deadline = Uptime.nanoseconds + min(nanoseconds, .max / 4)
        guard wake.wait(timeout: DispatchTime(uptimeNanoseconds: deadline)) == .success else { return }
        // Ends the next pause at once.
        wake.signal()
    }
}

/// The system's clock that never goes back.
enum Uptime {
    static var nanoseconds: UInt64 { DispatchTime.now().uptimeNanoseconds }
}
