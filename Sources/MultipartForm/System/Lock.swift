#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Android)
    internal import Android
#endif

/// The system's lock. It is not recursive, and only the thread that locked it may unlock it.
///
/// It replaces `NSLock`, which needs the whole of Foundation, and `Mutex`, which the oldest supported systems lack.
@safe package final class Lock: @unchecked Sendable {
    // SAFETY: any thread may call the system's functions at any time. Only owners of the lock call them, and its memory
    // does not move while it exists.
    #if canImport(Darwin)
        private let primitive = UnsafeMutablePointer<os_unfair_lock>.allocate(capacity: 1)
    #else
        private let primitive = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    #endif

    /// Creates an unlocked lock.
    package init() {
        // SAFETY: the memory has room for one lock, and nobody else has it yet.
        #if canImport(Darwin)
            unsafe primitive.initialize(to: os_unfair_lock())
        #else
            unsafe primitive.initialize(to: pthread_mutex_t())
            // Only attributes can make this call fail, and it passes none.
            unsafe pthread_mutex_init(primitive, nil)
        #endif
    }

    deinit {
        // SAFETY: nothing refers to the lock any more, so no thread holds it.
        #if !canImport(Darwin)
            unsafe pthread_mutex_destroy(primitive)
        #endif
        unsafe primitive.deinitialize(count: 1).deallocate()
    }

    func lock() {
        // SAFETY: the lock is initialized.
        #if canImport(Darwin)
            unsafe os_unfair_lock_lock(primitive)
        #else
            unsafe pthread_mutex_lock(primitive)
        #endif
    }

    func unlock() {
        // SAFETY: the lock is initialized, and the thread holds it.
        #if canImport(Darwin)
            unsafe os_unfair_lock_unlock(primitive)
        #else
            unsafe pthread_mutex_unlock(primitive)
        #endif
    }

    /// Calls `body` while the thread holds the lock.
    package func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        lock()
        defer { unlock() }
        return try body()
    }
}
