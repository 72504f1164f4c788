/// Finds the first delimiter, or the beginning of one at the end, in contiguous bytes.
///
/// - Input: bytes and the offset to start from.
/// - Output: the offset of a whole needle; else that of a proper prefix of it at the end of the bytes; else none. The
///   result equals that of a naive left-to-right search.
/// - Invariant: the needle's first byte is a line break and does not occur again in it, so a partial match holds no
///   other candidate, and one at the end can only begin at the last line break.
/// - Cost: linear. A step compares two of the needle's bytes at 64 offsets at once, then the first one where both
///   match; further comparisons cover disjoint ranges. No allocation.
package struct DelimiterSearch: Sendable {
    package enum Result: Equatable, Sendable {
        /// The whole needle begins at this offset.
        case found(Int)
        /// The bytes from this offset to the end are a proper prefix of the needle.
        case partial(Int)
        case none
    }

    /// The bytes searched for: a line break, then the rest of the delimiter.
    package let needle: [UInt8]

    /// A second byte that may stand in place of the needle's first.
    package let alternative: UInt8

    /// Creates a search for at least two bytes; neither the first nor its alternative may occur after the first.
    package init(needle: [UInt8], alternative: UInt8? = nil) {
        precondition(needle.count >= 2, "a needle has at least two bytes")
        let first = needle[0]
        let alternative = alternative ?? first
        precondition(
            !needle.dropFirst().contains { $0 == first || $0 == alternative },
            "the needle's first byte occurs only once"
        )
        self.needle = needle
        self.alternative = alternative
    }

    /// Searches in portable vector code.
    package func vectorSearch(_ bytes: Span<UInt8>, from start: Int) -> Result {
        // SAFETY: the pointer is used inside the closure only, and every load below stays under bytes.count.
        let found = unsafe bytes.withUnsafeBytes { raw in
            guard let base = raw.baseAddress else { return -1 }
            return unsafe alternative == needle[0]
                ? firstMatch(base, from: start, count: raw.count, eitherLineBreak: false)
                : firstMatch(base, from: start, count: raw.count, eitherLineBreak: true)
        }
        return found >= 0 ? .found(found) : tail(of: bytes, from: start)
    }

    /// Searches in portable vector code and copies all bytes.
    package func vectorSearch(
        _ bytes: Span<UInt8>,
        from start: Int,
        copyingTo destination: UnsafeMutableRawBufferPointer
    ) -> Result {
        precondition(0...bytes.count ~= start, "an offset lies in the bytes")
        precondition(destination.count >= bytes.count, "a copy has room for the bytes")
        // SAFETY: the pointers are used inside the closure only; loads and stores stay under bytes.count.
        let found = unsafe bytes.withUnsafeBytes { raw in
            guard let base = raw.baseAddress, let copy = destination.baseAddress else { return -1 }
            unsafe copy.copyMemory(from: base, byteCount: start)
            return unsafe firstMatch(base, from: start, count: raw.count, eitherLineBreak: true, copyingTo: copy)
        }
        return found >= 0 ? .found(found) : tail(of: bytes, from: start)
    }

    /// Searches for a partial match in the last bytes, which are too few for a whole needle.
    func tail(of bytes: Span<UInt8>, from start: Int) -> Result {
        let lowest = max(start, bytes.count - needle.count + 1)
        guard let place = lastLineBreak(in: bytes, from: lowest) else { return .none }
        let length = bytes.count - place
        var matched = 1
        while matched < length, bytes[place + matched] == needle[matched] { matched += 1 }
        return matched == length ? .partial(place) : .none
    }

    /// The offset of the last line break in `bytes[lowest...]`, which are fewer than the needle's bytes.
    private func lastLineBreak(in bytes: Span<UInt8>, from lowest: Int) -> Int? {
        var end = bytes.count
        // Skips eight bytes at a time while none is a line break.
        while end - lowest >= 8 {
            // SAFETY: the 8 bytes lie between lowest and end.
            let word = unsafe bytes.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: end - 8, as: UInt64.self)
            if ASCII.Word.marks(word, equalTo: needle[0]) | ASCII.Word.marks(word, equalTo: alternative) != 0 { break }
            end -= 8
        }
        while end > lowest {
            end -= 1
            if isLineBreak(bytes[end]) { return end }
        }
        return nil
    }

    /// Whether a byte may begin the needle.
    @inline(__always)
    package func isLineBreak(_ byte: UInt8) -> Bool {
        byte == needle[0] || byte == alternative
    }

    /// The offset of the first whole needle, or -1; if -1, the bytes from `start` have been copied to `copy`, if any.
    @inline(__always)
    private func firstMatch(
        _ base: UnsafeRawPointer,
        from start: Int,
        count: Int,
        eitherLineBreak: Bool,
        copyingTo copy: UnsafeMutableRawPointer? = nil
    ) -> Int {
        let length = needle.count
        // One past the last offset at which the needle fits.
        let end = count - length + 1
        let step = Step(needle: needle, alternative: alternative, eitherLineBreak: eitherLineBreak)
        // SAFETY: the widest load of a 64-byte step reads offset + 63 + (length - 1) < end + length - 1 = count, and
        // a whole needle fits at every offset below end. Bytes are copied to the offset they come from.
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
                if unsafe isLineBreak(base.load(fromByteOffset: offset, as: UInt8.self)) {
                    if unsafe Step.matches(base + offset, needle) { return offset }
                }
                offset &+= 1
            }
            return -1
        }
    }
}

/// Compares 16 adjacent offsets with two bytes of a needle.
///
/// One is the last byte. The other is the first, or the second if either of two line breaks may come first: that costs
/// the same, and the line breaks are compared only where both bytes match.
private struct Step {
    let first: SIMD16<UInt8>
    let second: SIMD16<UInt8>
    let alternative: SIMD16<UInt8>
    let last: SIMD16<UInt8>
    let distance: Int
    let eitherLineBreak: Bool

    @inline(__always)
    init(needle: [UInt8], alternative: UInt8, eitherLineBreak: Bool) {
        self.first = SIMD16(repeating: needle[0])
        self.second = SIMD16(repeating: needle[1])
        self.alternative = SIMD16(repeating: alternative)
        self.last = SIMD16(repeating: needle[needle.count - 1])
        self.distance = needle.count - 1
        self.eitherLineBreak = eitherLineBreak
    }

    /// A byte of ones for each of the 16 offsets at which the needle may begin.
    @inline(__always)
    func hits(_ base: UnsafeRawPointer, _ offset: Int) -> SIMD2<UInt64> {
        // SAFETY: offset + 15 + distance lies inside the bytes, distance is at least 1; the types are 16 plain bytes.
        let there = unsafe (base + offset + distance).loadUnaligned(as: SIMD16<UInt8>.self)
        let here = unsafe (base + offset + (eitherLineBreak ? 1 : 0)).loadUnaligned(as: SIMD16<UInt8>.self)
        return unsafe unsafeBitCast((here .== (eitherLineBreak ? second : first)) .& (there .== last), to: SIMD2.self)
    }

    @inline(__always)
    private func atLineBreaks(_ hits: SIMD2<UInt64>, _ base: UnsafeRawPointer, _ offset: Int) -> SIMD2<UInt64> {
        guard eitherLineBreak else { return hits }
        // SAFETY: as for the hits.
        let here = unsafe (base + offset).loadUnaligned(as: SIMD16<UInt8>.self)
        return unsafe hits & unsafeBitCast((here .== first) .| (here .== alternative), to: SIMD2<UInt64>.self)
    }

    /// The first offset among the hits of four steps at which the whole needle is found, or -1.
    ///
    /// Not inlined: with it inside, the loop runs out of registers and is half as fast.
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
        // SAFETY: the needle fits at each of the caller's offsets.
        var match = unsafe verify(first, base, offset, needle)
        if match < 0 { match = unsafe verify(second, base, offset &+ 16, needle) }
        if match < 0 { match = unsafe verify(third, base, offset &+ 32, needle) }
        if match < 0 { match = unsafe verify(fourth, base, offset &+ 48, needle) }
        return match
    }

    /// The first offset among the hits at which the whole needle is found, or -1.
    @inline(__always)
    func verify(
        _ hits: SIMD2<UInt64>,
        _ base: UnsafeRawPointer,
        _ offset: Int,
        _ needle: UnsafeRawBufferPointer
    ) -> Int {
        let places = unsafe atLineBreaks(hits, base, offset)
        for lane in 0..<2 {
            // Little-endian: the lowest byte of a lane has its lowest offset.
            var rest = places[lane].littleEndian
            while rest != 0 {
                let place = rest.trailingZeroBitCount &>> 3
                let candidate = offset &+ lane &* 8 &+ place
                // SAFETY: the needle fits at each of the caller's offsets.
                if unsafe Self.matches(base + candidate, needle) { return candidate }
                rest &= ~(0xFF &<< UInt64(place &* 8))
            }
        }
        return -1
    }

    /// Whether the needle after its first byte is at `candidate`.
    @inline(__always)
    static func matches(_ candidate: UnsafeRawPointer, _ needle: UnsafeRawBufferPointer) -> Bool {
        // SAFETY: the caller's candidate has needle.count readable bytes; each load ends at or before that.
        var offset = 1
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
