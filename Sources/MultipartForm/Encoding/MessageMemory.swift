internal import Foundation

/// Memory for whole messages, to be freed by `free`.
enum MessageMemory {
    /// The size of a large page in bytes.
    static let largePage = 2 << 20

    /// Allocates memory that has not been touched; nil if the system has none. Never inlined, since a compiler may take an
    /// allocation that is not used for one that succeeds.
    ///
    /// Fresh memory costs several times the copy that fills it, for the most part by the page. Linux hands out long
    /// runs in large pages where it is asked to and configured so. Shorter runs the C library may have at hand.
    @inline(never) static func allocate(_ count: Int) -> UnsafeMutableRawPointer? {
        #if os(Linux)
            if count >= 16 * largePage {
                var memory: UnsafeMutableRawPointer?
                // SAFETY: posix_memalign sets the pointer or fails; the advice changes no byte, and may be refused.
                guard unsafe posix_memalign(&memory, largePage, count) == 0 else { return nil }
                unsafe madvise(memory, count, Int32(MADV_HUGEPAGE))
                return unsafe memory
            }
        #endif
        return unsafe malloc(count)
    }
}
