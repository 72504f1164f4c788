#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Android)
    internal import Android
#endif

/// Untouched memory, which `Data` can take over and free.
///
/// - Safety: memory from here is freed once: by ``release(_:)``, or by a `Data` whose deallocator is `.free`.
package enum SystemMemory {
    /// The size of a large page of Linux, in bytes.
    package static let largePage = 2 << 20

    /// Allocates memory; nil if the system refuses.
    ///
    /// Fresh memory costs several times the copy that fills it, mostly per page. Linux provides large pages for long
    /// allocations, if advised and configured to. Never inlined: a compiler may assume that an unused allocation
    /// succeeds.
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

    /// Grows or shrinks memory, which may move. Returns nil if the system refuses, and leaves the memory as it was.
    package static func reallocate(_ memory: UnsafeMutableRawPointer?, _ count: Int) -> UnsafeMutableRawPointer? {
        // SAFETY: the caller's memory is from here.
        unsafe realloc(memory, count)
    }

    package static func release(_ memory: UnsafeMutableRawPointer?) {
        // SAFETY: the caller's memory is from here, and is not used any more.
        unsafe free(memory)
    }
}

/// Memory for bytes in transit, freed with its owner.
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
