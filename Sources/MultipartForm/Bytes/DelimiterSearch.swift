#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Android)
    internal import Android
#endif

/// Finds the first dash-boundary, or any other needle, in contiguous bytes.
///
/// - Input: bytes and the offset to start from.
/// - Output: the offset of the first whole needle, as a naive left-to-right search finds it; nil if there is none.
///   ``BoundarySearch`` also finds a dash-boundary that spans chunks.
/// - Cost: linear. Allocates once, the table of ``NeedleSamples``, when content turns out to be long.
package struct DelimiterSearch: Sendable {
    private let vectors: NeedleVectors
    /// The search by samples; nil until it is needed. Used in place, because a copy costs two atomic operations per
    /// chunk.
    private var samples: NeedleSamples?

    /// How many more offsets vectors search before samples take over. In shorter content, making the samples' table
    /// costs more than it saves.
    private var offsetsBeforeSampling: Int

    /// Creates a search for `needle`, which has at least two bytes.
    package init(needle: [UInt8], offsetsBeforeSampling: Int = 16 << 10) {
        precondition(needle.count >= 2, "a needle has at least two bytes")
        vectors = NeedleVectors(needle)
        self.offsetsBeforeSampling = needle.count < NeedleSamples.minNeedleLength ? .max / 2 : offsetsBeforeSampling
    }

    /// The bytes searched for.
    package var needle: [UInt8] { vectors.needle }

    /// Searches `bytes[start...]`, first with vectors and, after ``offsetsBeforeSampling`` offsets, with samples.
    package mutating func adaptiveSearch(_ bytes: Span<UInt8>, from start: Int) -> Int? {
        vectorSearch(bytes, from: start, atMost: offsetsBeforeSampling) ?? sampledSearch(bytes, from: start)
    }

    /// Searches the rest of `bytes[start...]` with samples; vectors have already searched the first
    /// ``offsetsBeforeSampling`` offsets.
    @inline(never)
    private mutating func sampledSearch(_ bytes: Span<UInt8>, from start: Int) -> Int? {
        let offsets = max(0, bytes.count - needle.count + 1 - start)
        let searched = min(offsets, offsetsBeforeSampling)
        offsetsBeforeSampling -= searched
        guard searched < offsets else { return nil }
        if samples == nil { samples = NeedleSamples(needle) }
        // SAFETY: the pointer is used inside the closure only. The needle fits at each of the offsets after `start`,
        // which is not negative.
        let found = unsafe bytes.withUnsafeBytes { raw in
            guard let base = raw.baseAddress, let samples else { return -1 }
            return unsafe samples.firstMatch(base, from: start + searched, to: start + offsets, vectors)
        }
        return found >= 0 ? found : nil
    }

    /// Searches at most `limit` offsets of `bytes[start...]` in portable vector code.
    package func vectorSearch(_ bytes: Span<UInt8>, from start: Int, atMost limit: Int = .max) -> Int? {
        precondition(start >= 0, "an offset is not negative")
        // SAFETY: the pointer is used inside the closure only. The needle fits at each offset below `end`.
        let found = unsafe bytes.withUnsafeBytes { raw in
            guard let base = raw.baseAddress else { return -1 }
            let end = start &+ min(limit, raw.count &- needle.count &+ 1 &- start)
            guard start < end else { return -1 }
            return unsafe vectors.firstMatch(base, from: start, to: end)
        }
        return found >= 0 ? found : nil
    }

    /// Searches in portable vector code and copies the bytes in the same pass; the copy is complete only if the needle
    /// is not found.
    package func vectorSearch(_ bytes: Span<UInt8>, copyingTo destination: UnsafeMutableRawBufferPointer) -> Int? {
        precondition(destination.count >= bytes.count, "a copy has room for the bytes")
        // SAFETY: the pointers are used inside the closure only. The needle fits at each offset below `end`, and the
        // copy has room for all bytes.
        let found = unsafe bytes.withUnsafeBytes { raw in
            guard let base = raw.baseAddress, let copy = destination.baseAddress else { return -1 }
            return unsafe vectors.firstMatch(base, from: 0, to: raw.count - needle.count + 1, copyingTo: copy)
        }
        return found >= 0 ? found : nil
    }
}

// Vector code is slow in unoptimised builds, so these search with `memchr`, the only reason to import anything in this
// folder.
extension DelimiterSearch {
    /// Searches `bytes[start...]`: with `memchr` in debug builds, otherwise with vectors and samples.
    package mutating func search(_ bytes: Span<UInt8>, from start: Int) -> Int? {
        #if DEBUG
            return scalarSearch(bytes, from: start)
        #else
            return adaptiveSearch(bytes, from: start)
        #endif
    }

    /// Searches and copies the bytes in one pass; the copy is complete only if the needle is not found.
    package func search(_ bytes: Span<UInt8>, copyingTo destination: UnsafeMutableRawBufferPointer) -> Int? {
        #if DEBUG
            // SAFETY: the pointer is used only inside the closure, and copyMemory checks that the bytes fit.
            unsafe bytes.withUnsafeBytes { unsafe destination.copyMemory(from: $0) }
            return scalarSearch(bytes, from: 0)
        #else
            return unsafe vectorSearch(bytes, copyingTo: destination)
        #endif
    }

    /// Searches with `memchr` for the needle's first byte; returns what ``vectorSearch(_:from:atMost:)`` does.
    package func scalarSearch(_ bytes: Span<UInt8>, from start: Int) -> Int? {
        precondition(start >= 0, "an offset is not negative")
        // SAFETY: memchr reads from `start`, which is not negative, and below `end`; a whole needle fits at every
        // offset below `end`. The pointers stay inside the closures.
        return unsafe bytes.withUnsafeBytes { raw -> Int? in
            unsafe needle.withUnsafeBytes { needle -> Int? in
                let end = raw.count - needle.count + 1
                guard let base = raw.baseAddress, let wanted = needle.baseAddress else { return nil }
                var offset = start
                // Each pass moves past one occurrence of the needle's first byte, and compares at most one needle.
                while offset < end, let found = unsafe memchr(base + offset, Int32(needle[0]), end - offset) {
                    if unsafe memcmp(found, wanted, needle.count) == 0 { return unsafe UnsafeRawPointer(found) - base }
                    offset = unsafe UnsafeRawPointer(found) - base + 1
                }
                return nil
            }
        }
    }
}
