internal import Foundation

// Vector code is slow in unoptimised builds, and `memchr` is not; Bytes, where the search is declared, has no libc.
extension DelimiterSearch {
    /// Searches `bytes[start...]`.
    package func search(_ bytes: Span<UInt8>, from start: Int) -> Result {
        precondition(start >= 0, "an offset is not negative")
        #if DEBUG
            return scalarSearch(bytes, from: start)
        #else
            return vectorSearch(bytes, from: start)
        #endif
    }

    /// Searches `bytes[start...]` and copies all of `bytes`, in one pass over memory.
    ///
    /// - Parameters:
    ///   - bytes: What is searched and copied.
    ///   - start: Where to start looking, at most at the end.
    ///   - destination: Where to copy to, with room for all bytes. Not all have arrived if a whole needle was found.
    /// - Returns: What ``search(_:from:)`` returns.
    package func search(
        _ bytes: Span<UInt8>,
        from start: Int,
        copyingTo destination: UnsafeMutableRawBufferPointer
    ) -> Result {
        #if DEBUG
            // SAFETY: the pointer is used inside the closure only, and copyMemory checks that there is room.
            unsafe bytes.withUnsafeBytes { unsafe destination.copyMemory(from: $0) }
            return search(bytes, from: start)
        #else
            return unsafe vectorSearch(bytes, from: start, copyingTo: destination)
        #endif
    }

    /// The search by `memchr` for the line break. It returns what ``vectorSearch(_:from:)`` returns.
    package func scalarSearch(_ bytes: Span<UInt8>, from start: Int) -> Result {
        let end = bytes.count - needle.count + 1
        var offset = start
        // Each turn moves past one line break; matched stretches are disjoint.
        while offset < end {
            guard let candidate = nextLineBreak(in: bytes, from: offset, to: end) else { break }
            var matched = 1
            while matched < needle.count, bytes[candidate + matched] == needle[matched] { matched += 1 }
            if matched == needle.count { return .found(candidate) }
            offset = candidate + 1
        }
        return tail(of: bytes, from: start)
    }

    /// The offset of the first line break in `bytes[start..<end]`.
    private func nextLineBreak(in bytes: Span<UInt8>, from start: Int, to end: Int) -> Int? {
        // SAFETY: start < end <= bytes.count, and the pointer does not leave the closure.
        unsafe bytes.withUnsafeBytes { raw in
            guard let base = raw.baseAddress else { return nil }
            if needle[0] != alternative {
                return unsafe nextLineBreakBeforeSecondByte(in: raw, from: start, to: end)
            }
            guard let place = unsafe memchr(base + start, Int32(needle[0]), end - start) else { return nil }
            return unsafe UnsafeRawPointer(place) - base
        }
    }

    /// The offset in `bytes[start..<end]` of the first line break that the needle's second byte follows.
    private func nextLineBreakBeforeSecondByte(
        in bytes: UnsafeRawBufferPointer,
        from start: Int,
        to end: Int
    ) -> Int? {
        guard let base = bytes.baseAddress else { return nil }
        var offset = start
        // Each turn moves past one second byte. SAFETY: a needle has two bytes and room below end: end < bytes.count.
        while offset < end, let place = unsafe memchr(base + offset + 1, Int32(needle[1]), end - offset) {
            let candidate = unsafe UnsafeRawPointer(place) - base - 1
            if unsafe isLineBreak(bytes[candidate]) { return candidate }
            offset = candidate + 1
        }
        return nil
    }
}
