internal import Foundation

// Vector code is slow in unoptimised builds, but `memchr` is not; Bytes, which declares the search, cannot import libc.
extension DelimiterSearch {
    package func search(_ bytes: Span<UInt8>, from start: Int) -> Result {
        precondition(start >= 0, "an offset is not negative")
        #if DEBUG
            return scalarSearch(bytes, from: start)
        #else
            return vectorSearch(bytes, from: start)
        #endif
    }

    /// Searches `bytes[start...]` and copies `bytes` in one pass; the copy may be incomplete if a needle is found.
    package func search(
        _ bytes: Span<UInt8>,
        from start: Int,
        copyingTo destination: UnsafeMutableRawBufferPointer
    ) -> Result {
        #if DEBUG
            // SAFETY: the pointer is used only inside the closure, and copyMemory checks that the bytes fit.
            unsafe bytes.withUnsafeBytes { unsafe destination.copyMemory(from: $0) }
            return search(bytes, from: start)
        #else
            return unsafe vectorSearch(bytes, from: start, copyingTo: destination)
        #endif
    }

    /// Searches by `memchr` for the needle's second byte, with the result of ``vectorSearch(_:from:)``.
    package func scalarSearch(_ bytes: Span<UInt8>, from start: Int) -> Result {
        let end = bytes.count - needle.count + 1
        var offset = start
        // Each turn moves past one line break; partial matches are disjoint.
        while offset < end, let candidate = nextLineBreak(in: bytes, from: offset, to: end) {
            var matched = 1
            while matched < needle.count, bytes[candidate + matched] == needle[matched] { matched += 1 }
            if matched == needle.count { return .found(candidate) }
            offset = candidate + 1
        }
        return tail(of: bytes, from: start)
    }

    /// The offset in `bytes[start..<end]` of the first line break before the needle's second byte.
    private func nextLineBreak(in bytes: Span<UInt8>, from start: Int, to end: Int) -> Int? {
        // SAFETY: a needle has two bytes and fits at end - 1, so end < bytes.count; the pointer stays in the closure.
        unsafe bytes.withUnsafeBytes { raw in
            guard let base = raw.baseAddress else { return nil }
            var offset = start
            // Each turn moves past one second byte.
            while offset < end, let place = unsafe memchr(base + offset + 1, Int32(needle[1]), end - offset) {
                let candidate = unsafe UnsafeRawPointer(place) - base - 1
                if unsafe isLineBreak(base.load(fromByteOffset: candidate, as: UInt8.self)) { return candidate }
                offset = candidate + 1
            }
            return nil
        }
    }
}
