/// Finds a needle in a range of offsets, with portable vector code. The needle is the bytes to find.
///
/// - Input: memory, and a range of offsets in it. The whole needle fits at each of these offsets.
/// - Output: the first offset in the range at which the needle begins, or -1.
/// - Cost: linear; no allocation. Each pass compares two bytes of the needle at 64 offsets. Where both bytes match, the
///   pass compares the whole needle. The two bytes differ if possible, so that a run of equal bytes does not match.
struct NeedleVectors: Sendable {
    let needle: [UInt8]

    /// The distance between the two bytes of the needle that are compared first. One is the needle's first byte. The
    /// other is the last byte of the needle that differs from the first byte or, if all bytes are equal, the last byte.
    private let distance: Int

    init(_ needle: [UInt8]) {
        self.needle = needle
        distance = needle.lastIndex { $0 != needle[0] } ?? needle.count - 1
    }

    /// Returns the first offset in `start..<end` at which the needle begins, or -1.
    ///
    /// Not inlined, so that the benchmark `hyphens-only` is 20% faster.
    ///
    /// - Safety: the needle fits at `base` plus each offset in the range, and `start` is not negative.
    @inline(never)
    func firstMatch(_ base: UnsafeRawPointer, from start: Int, to end: Int) -> Int {
        // SAFETY: the caller promises that the needle fits at each offset.
        unsafe firstMatch(base, from: start, to: end, copyingTo: nil)
    }

    /// Returns the first offset in `start..<end` at which the needle begins, or -1.
    ///
    /// If `copy` is not nil, the function also copies the bytes that it searches. If the result is -1, the bytes at
    /// `start..<end` and the `needle.count - 1` bytes after them have been copied.
    ///
    /// - Safety: the needle fits at `base` plus each offset in the range, and `start` is not negative. `copy` has room
    ///   for the same bytes at the same offsets.
    // Inlined, except for the rare verification, so that the benchmark `crlf-text` takes 41% fewer instructions.
    @inline(__always)
    func firstMatch(
        _ base: UnsafeRawPointer,
        from start: Int,
        to end: Int,
        copyingTo copy: UnsafeMutableRawPointer?
    ) -> Int {
        // SAFETY: the caller promises that the needle fits at each offset from `start` to `end - 1`. All searched
        // offsets are in this range. Bytes are copied to the same offset in `copy`, at most up to the end of a needle
        // that begins at `end - 1`.
        let step = Step(needle, distance)
        var offset = start
        while offset &+ 64 <= end {
            let first = unsafe step.hits(base, offset)
            let second = unsafe step.hits(base, offset &+ 16)
            let third = unsafe step.hits(base, offset &+ 32)
            let fourth = unsafe step.hits(base, offset &+ 48)
            // The bytes are already in registers, so the copy costs only the stores.
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
        // The last vector may include offsets that have already been searched without a match.
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

    /// Compares the whole needle at the hits of four vectors. A hit is an offset at which the two compared bytes match.
    /// Returns the first offset at which the needle begins, or -1.
    ///
    /// Not inlined. If it were inlined, the caller's loop would need more registers than there are, and be half as
    /// fast.
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
        // SAFETY: the caller promises that the needle fits in the memory at each hit.
        var match = unsafe verify(first, base, offset)
        if match < 0 { match = unsafe verify(second, base, offset &+ 16) }
        if match < 0 { match = unsafe verify(third, base, offset &+ 32) }
        if match < 0 { match = unsafe verify(fourth, base, offset &+ 48) }
        return match
    }

    /// Compares the whole needle at the hits of one vector. `hits` is a result of ``Step/hits(_:_:)``, and `offset` is
    /// the vector's first offset. Returns the first offset at which the needle begins, or -1.
    ///
    /// - Safety: the needle fits at each hit.
    @inline(__always)
    private func verify(_ hits: SIMD2<UInt64>, _ base: UnsafeRawPointer, _ offset: Int) -> Int {
        for lane in 0..<2 {
            // `littleEndian` moves the byte of the lowest offset to the lowest bits.
            var rest = hits[lane].littleEndian
            while rest != 0 {
                let byte = rest.trailingZeroBitCount &>> 3
                let candidate = offset &+ lane &* 8 &+ byte
                // SAFETY: the caller promises that the needle fits in the memory at each hit.
                if unsafe isNeedle(base + candidate) { return candidate }
                rest &= ~(0xFF &<< UInt64(byte &* 8))
            }
        }
        return -1
    }

    /// Whether the needle is at `candidate`.
    ///
    /// - Safety: at `candidate`, at least as many bytes are readable as the needle has.
    @inline(__always)
    private func isNeedle(_ candidate: UnsafeRawPointer) -> Bool {
        // SAFETY: the caller promises that the bytes are readable. The needle is not empty, so it has an address.
        unsafe needle.withUnsafeBytes { needle in
            guard let wanted = needle.baseAddress else { return true }
            return unsafe candidate.equals(wanted, count: needle.count)
        }
    }
}

/// Compares two bytes of a needle at 16 adjacent offsets.
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

    /// Returns 16 bytes, one for each offset from `offset` to `offset + 15`. A byte is 0xFF if both compared bytes of
    /// the needle match at its offset, so that the needle may begin there. Otherwise the byte is 0.
    ///
    /// - Safety: the needle fits at `base` plus each of the 16 offsets.
    @inline(__always)
    func hits(_ base: UnsafeRawPointer, _ offset: Int) -> SIMD2<UInt64> {
        // SAFETY: the last byte loaded is at `offset + distance + 15`. A needle at `offset + 15` would contain this
        // byte, and the caller promises that the needle fits there. Both types of the cast have 16 bytes.
        let here = unsafe (base + offset).loadUnaligned(as: SIMD16<UInt8>.self)
        let there = unsafe (base + offset + distance).loadUnaligned(as: SIMD16<UInt8>.self)
        return unsafe unsafeBitCast((here .== first) .& (there .== second), to: SIMD2.self)
    }
}
