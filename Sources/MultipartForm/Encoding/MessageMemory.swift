internal import Foundation

/// Memory for whole messages, to be freed by `free`.
enum MessageMemory {
    /// The size of a large page in bytes.
    static let largePage = 2 << 20

    /// Allocates untouched memory; nil if the system refuses. Never inlined, since the compiler may assume that an
    /// unused allocation succeeds.
    ///
    /// Fresh memory costs several times the copy that fills it, mostly per page. Linux provides long runs in large
    /// pages if it is advised and configured to.
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
