#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Android)
    internal import Android
#endif

// Vector code is slow in unoptimised builds, but `memchr` is not: the only reason to import anything in this folder.
extension DelimiterSearch {
    /// Searches `bytes[start...]`.
    package mutating func search(_ bytes: Span<UInt8>, from start: Int) -> Int? {
        #if DEBUG
            return scalarSearch(bytes, from: start)
        #else
            return adaptiveSearch(bytes, from: start)
        #endif
    }

    /// Searches and copies the bytes in one pass; a copy is whole if nothing is found.
    package func search(_ bytes: Span<UInt8>, copyingTo destination: UnsafeMutableRawBufferPointer) -> Int? {
        #if DEBUG
            // SAFETY: the pointer is used only inside the closure, and copyMemory checks that the bytes fit.
            unsafe bytes.withUnsafeBytes { unsafe destination.copyMemory(from: $0) }
            return scalarSearch(bytes, from: 0)
        #else
            return unsafe vectorSearch(bytes, copyingTo: destination)
        #endif
    }

    /// Searches by `memchr` for the needle's first byte, with the result of ``vectorSearch(_:from:)``.
    package func scalarSearch(_ bytes: Span<UInt8>, from start: Int) -> Int? {
        precondition(start >= 0, "an offset is not negative")
        // SAFETY: memchr reads from `start`, which is not negative, and below `end`; a whole needle fits at every offset
        // below it. The pointers stay inside the closures.
        return unsafe bytes.withUnsafeBytes { raw -> Int? in
            unsafe needle.withUnsafeBytes { needle -> Int? in
                let end = raw.count - needle.count + 1
                guard let base = raw.baseAddress, let wanted = needle.baseAddress else { return nil }
                var offset = start
                // Each pass moves past one first byte, and compares at most a needle.
                while offset < end, let found = unsafe memchr(base + offset, Int32(needle[0]), end - offset) {
                    if unsafe memcmp(found, wanted, needle.count) == 0 { return unsafe UnsafeRawPointer(found) - base }
                    offset = unsafe UnsafeRawPointer(found) - base + 1
                }
                return nil
            }
        }
    }
}
