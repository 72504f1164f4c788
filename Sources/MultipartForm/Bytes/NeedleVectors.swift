/// Finds a needle among given offsets in portable vector code.
///
/// - Input: memory, and offsets in it; the needle fits at each of them.
/// - Output: the first of the offsets at which the needle begins, or -1.
/// - Cost: linear; no allocation. A step compares two bytes of the needle at 64 offsets at once, and the whole needle
///   where both match. The two differ where possible, so that repetitions of one byte do not match.
struct NeedleVectors: Sendable {
    let needle: [UInt8]

    /// The distance between the two bytes that are compared first: the needle's first, and the last one that differs
    /// from it.
    private let distance: Int

    init(_ needle: [UInt8]) {
        self.needle = needle
        distance = needle.lastIndex { $0 != needle[0] } ?? needle.count - 1
    }

    /// The first offset in `start..<end` at which the needle begins, or -1.
    ///
    /// Not inlined: `hyphens-only`, where ``NeedleSamples`` exclude no offset, is 20% faster.
    ///
    /// - Safety: the needle fits at `base` and each of the offsets, and `start` is not negative.
    @inline(never)
    func firstMatch(_ base: UnsafeRawPointer, from start: Int, to end: Int) -> Int {
        // SAFETY: the caller's promise.
        unsafe firstMatch(base, from: start, to: end, copyingTo: nil)
    }

    /// The first offset in `start..<end` at which the needle begins, or -1. If it is -1, and `copy` is not nil,
    /// everything from `start` to the end of a needle at `end - 1` has been copied.
    ///
    /// - Safety: the needle fits at `base` and each of the offsets, `copy` has room for the same bytes, and `start` is
    ///   not negative.
    // All but the rare verification is inlined: `crlf-text` takes 41% fewer instructions.
    @inline(__always)
    func firstMatch(
        _ base: UnsafeRawPointer,
        from start: Int,
        to end: Int,
        copyingTo copy: UnsafeMutableRawPointer?
    ) -> Int {
        // SAFETY: offsets from `start` to `end` are the caller's promise; `end - 16` is not before `start` where it is
        // used. Bytes are copied to the offset they come from, up to the end of a needle at `end - 1`.
        let step = Step(needle, distance)
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
                let match = unsafe verify(first, then: second, then: third, then: fourth, base, offset)
                if match >= 0 { return match }
            }
            offset &+= 64
        }
        if let copy = unsafe copy {
            let rest = end &+ needle.count &- 1 &- offset
            unsafe (copy + offset).copyMemory(from: base + offset, byteCount: rest)
        }
        // The last step may overlap offsets that are known not to match.
        while offset < end, end &- start >= 16 {
            offset = min(offset, end &- 16)
            let match = unsafe verify(step.hits(base, offset), base, offset)
            if match >= 0 { return match }
            offset &+= 16
        }
        while offset < end {
            if unsafe isNeedle(base + offset) { return offset }
            offset &+= 1
        }
        return -1
    }

    /// The first offset among the hits of four steps at which the needle begins, or -1.
    ///
    /// Not inlined: with it inside, the loop runs out of registers and is half as fast.
    ///
    /// - Safety: the needle fits at each hit.
    @inline(never)
    private func verify(
        _ first: SIMD2<UInt64>,
        then second: SIMD2<UInt64>,
        then third: SIMD2<UInt64>,
        then fourth: SIMD2<UInt64>,
        _ base: UnsafeRawPointer,
        _ offset: Int
    ) -> Int {
        // SAFETY: the caller's promise.
        var match = unsafe verify(first, base, offset)
        if match < 0 { match = unsafe verify(second, base, offset &+ 16) }
        if match < 0 { match = unsafe verify(third, base, offset &+ 32) }
        if match < 0 { match = unsafe verify(fourth, base, offset &+ 48) }
        return match
    }

    /// The first offset among the hits at which the needle begins, or -1.
    ///
    /// - Safety: the needle fits at each hit.
    @inline(__always)
    private func verify(_ hits: SIMD2<UInt64>, _ base: UnsafeRawPointer, _ offset: Int) -> Int {
        for lane in 0..<2 {
            // Little-endian: the lowest byte of a lane has its lowest offset.
            var rest = hits[lane].littleEndian
            while rest != 0 {
                let byte = rest.trailingZeroBitCount &>> 3
                let candidate = offset &+ lane &* 8 &+ byte
                // SAFETY: the caller's promise.
                if unsafe isNeedle(base + candidate) { return candidate }
                rest &= ~(0xFF &<< UInt64(byte &* 8))
            }
        }
        return -1
    }

    /// Whether the needle is at `candidate`.
    ///
    /// - Safety: `candidate` has as many readable bytes as the needle.
    @inline(__always)
    private func isNeedle(_ candidate: UnsafeRawPointer) -> Bool {
        // SAFETY: the caller's promise; the needle is not empty, so it has an address.
        unsafe needle.withUnsafeBytes { needle in
            guard let wanted = needle.baseAddress else { return true }
            return unsafe candidate.equals(wanted, count: needle.count)
        }
    }
}

/// Compares 16 adjacent offsets with two bytes of a needle.
private struct Step {
    let first: SIMD16<UInt8>
    let second: SIMD16<UInt8>
    let distance: Int

    @inline(__always)
    init(_ needle: [UInt8], _ distance: Int) {
        first = SIMD16(repeating: needle[0])
        second = SIMD16(repeating: needle[distance])
        self.distance = distance
    }

    /// A byte of ones for each of the 16 offsets at which the needle may begin.
    ///
    /// - Safety: the needle fits at `base + offset` and the 15 offsets after it.
    @inline(__always)
    func hits(_ base: UnsafeRawPointer, _ offset: Int) -> SIMD2<UInt64> {
        // SAFETY: the last byte loaded, at offset + distance + 15, belongs to a needle that fits. All types are 16
        // bytes.
        let here = unsafe (base + offset).loadUnaligned(as: SIMD16<UInt8>.self)
        let there = unsafe (base + offset + distance).loadUnaligned(as: SIMD16<UInt8>.self)
        return unsafe unsafeBitCast((here .== first) .& (there .== second), to: SIMD2.self)
    }
}
