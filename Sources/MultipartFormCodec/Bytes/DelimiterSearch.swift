#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Android)
    internal import Android
#endif

/// Finds the first dash-boundary, or any other needle, in contiguous bytes. The needle is the bytes to find.
///
/// - Input: bytes, and the offset at which to start.
/// - Output: the offset of the first whole needle at or after the start; nil if the bytes have no whole needle. To find
///   a dash-boundary that spans chunks, use ``BoundarySearch``.
/// - Cost: linear. Allocates only for long content, and only once: the table of ``NeedleSamples``.
package struct DelimiterSearch: Sendable {
    private let vectors: NeedleVectors
    /// The search by samples; nil until the first search of long content. Copying this value costs two atomic
    /// operations.
    private var samples: NeedleSamples?

    /// The number of offsets that are still searched with ``NeedleVectors``. All later offsets are searched with
    /// ``NeedleSamples``. For short content, creating the table of ``NeedleSamples`` would take more time than the
    /// table saves.
    private var offsetsBeforeSampling: Int

    /// Creates a search for `needle`, which has at least two bytes.
    package init(needle: [UInt8], offsetsBeforeSampling: Int = 16 << 10) {
        precondition(needle.count >= 2, "a needle has at least two bytes")
        vectors = NeedleVectors(needle)
        self.offsetsBeforeSampling = needle.count < NeedleSamples.minNeedleLength ? .max / 2 : offsetsBeforeSampling
    }

    /// The bytes to find.
    package var needle: [UInt8] { vectors.needle }

    /// Searches `bytes[start...]`: the first ``offsetsBeforeSampling`` offsets with vectors, and all others with
    /// samples.
    package mutating func adaptiveSearch(_ bytes: Span<UInt8>, from start: Int) -> Int? {
        vectorSearch(bytes, from: start, atMost: offsetsBeforeSampling) ?? sampledSearch(bytes, from: start)
    }

    /// Searches `bytes[start...]` with samples. Skips the first ``offsetsBeforeSampling`` offsets, which vectors have
    /// already searched.
    @inline(never)
    private mutating func sampledSearch(_ bytes: Span<UInt8>, from start: Int) -> Int? {
        let offsets = max(0, bytes.count - needle.count + 1 - start)
        let searched = min(offsets, offsetsBeforeSampling)
        offsetsBeforeSampling -= searched
        guard searched < offsets else { return nil }
        if samples == nil { samples = NeedleSamples(needle) }
        // SAFETY: the pointer is used only inside the closure. `start` is not negative, and the needle fits at each of
        // the `offsets` offsets from `start` on.
        let found = unsafe bytes.withUnsafeBytes { raw in
            guard let base = raw.baseAddress, let samples else { return -1 }
            return unsafe samples.firstMatch(base, from: start + searched, to: start + offsets, vectors)
        }
        return found >= 0 ? found : nil
    }

    /// Searches the first `limit` offsets of `bytes[start...]` with portable vector code.
    package func vectorSearch(_ bytes: Span<UInt8>, from start: Int, atMost limit: Int = .max) -> Int? {
        precondition(start >= 0, "an offset is not negative")
        // SAFETY: the pointer is used only inside the closure. `start` is not negative, and the needle fits at each
        // offset below `end`.
        let found = unsafe bytes.withUnsafeBytes { raw in
            guard let base = raw.baseAddress else { return -1 }
            let end = start &+ min(limit, raw.count &- needle.count &+ 1 &- start)
            guard start < end else { return -1 }
            return unsafe vectors.firstMatch(base, from: start, to: end)
        }
        return found >= 0 ? found : nil
    }

    /// Searches with portable vector code, and copies the bytes to `destination` in the same pass. If the result is
    /// nil, the copy is complete; otherwise the copy may be incomplete.
    package func vectorSearch(_ bytes: Span<UInt8>, copyingTo destination: UnsafeMutableRawBufferPointer) -> Int? {
        precondition(destination.count >= bytes.count, "a copy has room for the bytes")
        // SAFETY: the pointers are used only inside the closure. The needle fits at each searched offset, and the
        // destination has room for all bytes.
        let found = unsafe bytes.withUnsafeBytes { raw in
            guard let base = raw.baseAddress, let copy = destination.baseAddress else { return -1 }
            return unsafe vectors.firstMatch(base, from: 0, to: raw.count - needle.count + 1, copyingTo: copy)
        }
        return found >= 0 ? found : nil
    }
}

// In debug builds, vector code is slow, so `search` calls `memchr` instead. For `memchr`, this file imports the C
// library. No other file in this folder imports a module.
extension DelimiterSearch {
    /// Searches `bytes[start...]`: with `memchr` in debug builds, and with vectors and samples in release builds.
    package mutating func search(_ bytes: Span<UInt8>, from start: Int) -> Int? {
        #if DEBUG
            return scalarSearch(bytes, from: start)
        #else
            return adaptiveSearch(bytes, from: start)
        #endif
    }

    /// Searches the bytes, and copies them to `destination`. If the result is nil, the copy is complete; otherwise the
    /// copy may be incomplete.
    package func search(_ bytes: Span<UInt8>, copyingTo destination: UnsafeMutableRawBufferPointer) -> Int? {
        #if DEBUG
            // SAFETY: the pointer is used only inside the closure, and `copyMemory` checks that the bytes fit.
            unsafe bytes.withUnsafeBytes { unsafe destination.copyMemory(from: $0) }
            return scalarSearch(bytes, from: 0)
        #else
            return unsafe vectorSearch(bytes, copyingTo: destination)
        #endif
    }

    /// Searches `bytes[start...]` with `memchr` for the needle's first byte. Returns the offset of the first whole
    /// needle.
    package func scalarSearch(_ bytes: Span<UInt8>, from start: Int) -> Int? {
        precondition(start >= 0, "an offset is not negative")
        // SAFETY: `memchr` reads from `start`, which is not negative, up to `end`. The whole needle fits at each offset
        // below `end`. The pointers are used only inside the closures.
        return unsafe bytes.withUnsafeBytes { raw -> Int? in
            unsafe needle.withUnsafeBytes { needle -> Int? in
                let end = raw.count - needle.count + 1
                guard let base = raw.baseAddress, let wanted = needle.baseAddress else { return nil }
                var offset = start
                // Each pass finds the next occurrence of the needle's first byte. If the whole needle is not there, the
                // next pass starts after this byte.
                while offset < end, let found = unsafe memchr(base + offset, Int32(needle[0]), end - offset) {
                    if unsafe memcmp(found, wanted, needle.count) == 0 { return unsafe UnsafeRawPointer(found) - base }
                    offset = unsafe UnsafeRawPointer(found) - base + 1
                }
                return nil
            }
        }
    }
}
