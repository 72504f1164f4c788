#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Android)
    internal import Android
#endif

/// Allocates uninitialized memory, which a `Data` can take over.
///
/// - Safety: each allocation must be freed exactly once, by ``release(_:)`` or by a `Data` with the deallocator
///   `.free`.
package enum SystemMemory {
    /// The size of a large page on Linux, in bytes.
    package static let largePage = 2 << 20

    /// Allocates memory; returns nil if the system refuses.
    ///
    /// Getting fresh memory takes several times as long as filling it, because the system spends time on each page. So
    /// on Linux, a long allocation asks for large pages. The system provides them if it is configured to.
    ///
    /// This function is never inlined. Otherwise, the compiler may remove an allocation whose memory is not used, and
    /// assume that the allocation succeeds.
    @inline(never)
    package static func allocate(_ count: Int) -> UnsafeMutableRawPointer? {
        #if os(Linux)
            if count >= 4 * largePage {
                var memory: UnsafeMutableRawPointer?
                // SAFETY: `posix_memalign` sets the pointer or fails. `madvise` changes no byte, and may fail.
                guard unsafe posix_memalign(&memory, largePage, count) == 0 else { return nil }
                unsafe madvise(memory, count, Int32(MADV_HUGEPAGE))
                return unsafe memory
            }
        #endif
        return unsafe malloc(count)
    }

    /// Grows or shrinks memory, and returns its new address. If the system refuses, returns nil and leaves the memory
    /// unchanged.
    package static func reallocate(_ memory: UnsafeMutableRawPointer?, _ count: Int) -> UnsafeMutableRawPointer? {
        // SAFETY: the caller passes nil, or memory from this type.
        unsafe realloc(memory, count)
    }

    package static func release(_ memory: UnsafeMutableRawPointer?) {
        // SAFETY: the caller passes nil, or memory from this type, and does not use the memory afterwards.
        unsafe free(memory)
    }
}

/// A buffer for bytes that are read and then passed on. The deinitializer frees the buffer.
@safe struct ScratchBuffer: ~Copyable {
    let bytes: UnsafeMutableRawBufferPointer

    init(count: Int) {
        // SAFETY: `bytes` is used only while this value exists.
        unsafe bytes = .allocate(byteCount: count, alignment: 16)
    }

    deinit {
        // SAFETY: only this line frees the buffer.
        unsafe bytes.deallocate()
    }
}
