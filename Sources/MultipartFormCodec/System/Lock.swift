#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Android)
    internal import Android
#endif

/// A lock of the operating system. It is not recursive, and only the thread that has locked it may unlock it.
///
/// This class replaces `NSLock`, which needs the whole of Foundation, and `Mutex`, which the oldest supported systems
/// lack.
@safe package final class Lock: @unchecked Sendable {
    // SAFETY: any thread may call the system's lock functions at any time. They need initialized memory that does not
    // move: `init` allocates and initializes it, and only `deinit` frees it.
    #if canImport(Darwin)
        private let primitive = UnsafeMutablePointer<os_unfair_lock>.allocate(capacity: 1)
    #else
        private let primitive = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    #endif

    /// Creates an unlocked lock.
    package init() {
        // SAFETY: the memory has room for one lock, and no other thread can access it yet.
        #if canImport(Darwin)
            unsafe primitive.initialize(to: os_unfair_lock())
        #else
            unsafe primitive.initialize(to: pthread_mutex_t())
            // Without attributes, this call cannot fail on the supported systems.
            unsafe pthread_mutex_init(primitive, nil)
        #endif
    }

    deinit {
        // SAFETY: the last reference to this object is gone, so no thread holds the lock.
        #if !canImport(Darwin)
            unsafe pthread_mutex_destroy(primitive)
        #endif
        unsafe primitive.deinitialize(count: 1).deallocate()
    }

    func lock() {
        // SAFETY: `init` has initialized the lock.
        #if canImport(Darwin)
            unsafe os_unfair_lock_lock(primitive)
        #else
            unsafe pthread_mutex_lock(primitive)
        #endif
    }

    func unlock() {
        // SAFETY: `init` has initialized the lock, and this thread holds it.
        #if canImport(Darwin)
            unsafe os_unfair_lock_unlock(primitive)
        #else
            unsafe pthread_mutex_unlock(primitive)
        #endif
    }

    /// Calls `body` while this thread holds the lock.
    package func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        lock()
        defer { unlock() }
        return try body()
    }
}
