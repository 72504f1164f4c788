/// Finds the first delimiter, or dash-boundary, in contiguous bytes.
///
/// - Input: bytes and the offset to start from.
/// - Output: the offset of the first whole needle, as a naive left-to-right search finds it. For one that begins in these
///   bytes and ends in later ones, see ``PrefixMatcher``.
/// - Cost: linear. A step compares two of the needle's bytes at 64 offsets at once, and the others where both match.
///   The two differ if any bytes of the needle do, so that no run of one byte matches them. No allocation.
package struct DelimiterSearch: Sendable {
    /// The bytes searched for.
    package let needle: [UInt8]

    /// The distance of the two bytes that are compared first: the needle's first, and the last one that differs from it.
    private let distance: Int

    /// Creates a search for at least two bytes.
    package init(needle: [UInt8]) {
        precondition(needle.count >= 2, "a needle has at least two bytes")
        self.needle = needle
        distance = needle.lastIndex { $0 != needle[0] } ?? needle.count - 1
    }

    /// Searches `bytes[start...]` in portable vector code.
    package func vectorSearch(_ bytes: Span<UInt8>, from start: Int) -> Int? {
        precondition(start >= 0, "an offset is not negative")
        // SAFETY: the pointer is used inside the closure only, and has `count` readable bytes; `start` is not negative.
        let found = unsafe bytes.withUnsafeBytes { raw in
            guard let base = raw.baseAddress else { return -1 }
            return unsafe firstMatch(base, from: start, count: raw.count)
        }
        return found >= 0 ? found : nil
    }

    /// Searches in portable vector code and copies the bytes in the same pass; a copy is whole if nothing is found.
    package func vectorSearch(_ bytes: Span<UInt8>, copyingTo destination: UnsafeMutableRawBufferPointer) -> Int? {
        precondition(destination.count >= bytes.count, "a copy has room for the bytes")
        // SAFETY: the pointers are used inside the closure only; the copy has room for `count` bytes.
        let found = unsafe bytes.withUnsafeBytes { raw in
            guard let base = raw.baseAddress, let copy = destination.baseAddress else { return -1 }
            return unsafe firstMatch(base, from: 0, count: raw.count, copyingTo: copy)
        }
        return found >= 0 ? found : nil
    }

    /// Searches from `start`; returns -1 if the needle is not there, and then all bytes have been copied to `copy`, if any.
    ///
    /// - Safety: `base` has `count` readable bytes, `copy` room for as many, and `start` is not negative.
    // All but the rare verification is inlined: `crlf-text` takes 41% fewer instructions.
    @inline(__always)
    private func firstMatch(
        _ base: UnsafeRawPointer,
        from start: Int,
        count: Int,
        copyingTo copy: UnsafeMutableRawPointer? = nil
    ) -> Int {
        let length = needle.count
        // One past the last offset at which the needle fits.
        let end = count - length + 1
        let step = Step(needle: needle, distance: distance)
        // SAFETY: the widest load of a 64-byte step ends at offset + 63 + (length - 1) < end + length - 1 = count; the
        // last steps begin at `end - 16` at the lowest, which is not before `start`. A whole needle fits at every offset
        // below `end`. Bytes are copied to the offset they come from.
        return unsafe needle.withUnsafeBytes { needle in
            var offset = start
            while offset &+ 64 <= end {
                let first = unsafe step.hits(base, offset)
                let second = unsafe step.hits(base, offset &+ 16)
                let third = unsafe step.hits(base, offset &+ 32)
                let fourth = unsafe step.hits(base, offset &+ 48)
                // The bytes are in registers already, so this costs only the stores.
                if let copy = unsafe copy { unsafe (copy + offset).copyMemory(from: base + offset, byteCount: 64) }
                let any = (first | second) | (third | fourth)
                if any[0] | any[1] != 0 {
                    let match = unsafe step.verify(first, second, third, fourth, base, offset, needle)
                    if match >= 0 { return match }
                }
                offset &+= 64
            }
            if let copy = unsafe copy {
                unsafe (copy + offset).copyMemory(from: base + offset, byteCount: count - offset)
            }
            // The last step may overlap offsets that are known not to match.
            while offset < end, end &- start >= 16 {
                offset = min(offset, end &- 16)
                let hits = unsafe step.hits(base, offset)
                if hits[0] | hits[1] != 0 {
                    let match = unsafe step.verify(hits, base, offset, needle)
                    if match >= 0 { return match }
                }
                offset &+= 16
            }
            while offset < end {
                if unsafe Step.matches(base + offset, needle) { return offset }
                offset &+= 1
            }
            return -1
        }
    }
}

/// Compares 16 adjacent offsets with two bytes of a needle.
private struct Step {
    let first: SIMD16<UInt8>
    let second: SIMD16<UInt8>
    let distance: Int

    @inline(__always)
    init(needle: [UInt8], distance: Int) {
        self.first = SIMD16(repeating: needle[0])
        self.second = SIMD16(repeating: needle[distance])
        self.distance = distance
    }

    /// A byte of ones for each of the 16 offsets at which the needle may begin.
    ///
    /// - Safety: the needle fits at `base + offset` and the 15 offsets after it.
    @inline(__always)
    func hits(_ base: UnsafeRawPointer, _ offset: Int) -> SIMD2<UInt64> {
        // SAFETY: the last byte loaded, at offset + distance + 15, belongs to a needle that fits. All types are 16 bytes.
        let here = unsafe (base + offset).loadUnaligned(as: SIMD16<UInt8>.self)
        let there = unsafe (base + offset + distance).loadUnaligned(as: SIMD16<UInt8>.self)
        return unsafe unsafeBitCast((here .== first) .& (there .== second), to: SIMD2.self)
    }

    /// The first offset among the hits of four steps at which the whole needle is found, or -1.
    ///
    /// Not inlined: with it inside, the loop runs out of registers and is half as fast.
    ///
    /// - Safety: the needle fits at each hit.
    @inline(never)
    func verify(
        _ first: SIMD2<UInt64>,
        _ second: SIMD2<UInt64>,
        _ third: SIMD2<UInt64>,
        _ fourth: SIMD2<UInt64>,
        _ base: UnsafeRawPointer,
        _ offset: Int,
        _ needle: UnsafeRawBufferPointer
    ) -> Int {
        // SAFETY: the caller's promise.
        var match = unsafe verify(first, base, offset, needle)
        if match < 0 { match = unsafe verify(second, base, offset &+ 16, needle) }
        if match < 0 { match = unsafe verify(third, base, offset &+ 32, needle) }
        if match < 0 { match = unsafe verify(fourth, base, offset &+ 48, needle) }
        return match
    }

    /// The first offset among the hits at which the whole needle is found, or -1.
    ///
    /// - Safety: the needle fits at each hit.
    @inline(__always)
    func verify(
        _ hits: SIMD2<UInt64>,
        _ base: UnsafeRawPointer,
        _ offset: Int,
        _ needle: UnsafeRawBufferPointer
    ) -> Int {
        for lane in 0..<2 {
            // Little-endian: the lowest byte of a lane has its lowest offset.
            var rest = hits[lane].littleEndian
            while rest != 0 {
                let byte = rest.trailingZeroBitCount &>> 3
                let candidate = offset &+ lane &* 8 &+ byte
                // SAFETY: the caller's promise.
                if unsafe Self.matches(base + candidate, needle) { return candidate }
                rest &= ~(0xFF &<< UInt64(byte &* 8))
            }
        }
        return -1
    }

    /// Whether the needle is at `candidate`.
    ///
    /// - Safety: `candidate` has as many readable bytes as the needle.
    @inline(__always)
    static func matches(_ candidate: UnsafeRawPointer, _ needle: UnsafeRawBufferPointer) -> Bool {
        // SAFETY: each load ends at or before `needle.count`.
        var offset = 0
        while offset &+ 8 <= needle.count {
            let here = unsafe candidate.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            let wanted = unsafe needle.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            guard here == wanted else { return false }
            offset &+= 8
        }
        while offset < needle.count {
            guard unsafe candidate.load(fromByteOffset: offset, as: UInt8.self) == needle[offset] else { return false }
            offset &+= 1
        }
        return true
    }
}
