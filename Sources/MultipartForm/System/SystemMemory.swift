#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Android)
    internal import Android
#endif

/// Memory that is not initialized, and that a `Data` can take over and free.
///
/// - Safety: memory that is allocated here must be freed exactly once: by ``release(_:)``, or by a `Data` whose
///   deallocator is `.free`.
package enum SystemMemory {
    /// The size of a large page of Linux, in bytes.
    package static let largePage = 2 << 20

    /// Allocates memory; nil if the system refuses.
    ///
    /// To get fresh memory takes several times as long as to fill it, mostly per page. So on Linux, long allocations
    /// ask for large pages, which the system provides if it is configured to. Never inlined, because a compiler may
    /// assume that an unused allocation succeeds.
    @inline(never)
    package static func allocate(_ count: Int) -> UnsafeMutableRawPointer? {
        #if os(Linux)
            if count >= 4 * largePage {
                var memory: UnsafeMutableRawPointer?
                // SAFETY: posix_memalign sets the pointer or fails; the advice changes no byte, and may be refused.
                guard unsafe posix_memalign(&memory, largePage, count) == 0 else { return nil }
                unsafe madvise(memory, count, Int32(MADV_HUGEPAGE))
                return unsafe memory
            }
        #endif
        return unsafe malloc(count)
    }

    /// Grows or shrinks memory, which may move. If the system refuses, returns nil and leaves the memory as it was.
    package static func reallocate(_ memory: UnsafeMutableRawPointer?, _ count: Int) -> UnsafeMutableRawPointer? {
        // SAFETY: the caller passes memory that was allocated here.
        unsafe realloc(memory, count)
    }

    package static func release(_ memory: UnsafeMutableRawPointer?) {
        // SAFETY: the caller passes memory that was allocated here, and does not use it any more.
        unsafe free(memory)
    }
}

/// Memory for bytes that are read and passed on; freed with its owner.
@safe struct ScratchBuffer: ~Copyable {
    let bytes: UnsafeMutableRawBufferPointer

    init(count: Int) {
        // SAFETY: the pointer does not outlive its owner.
        unsafe bytes = .allocate(byteCount: count, alignment: 16)
    }

    deinit {
        // SAFETY: it is freed only here.
        unsafe bytes.deallocate()
    }
}
