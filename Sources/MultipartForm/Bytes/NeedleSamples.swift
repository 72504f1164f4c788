/// Finds a needle in long runs of bytes of which it reads few (after Wu and Manber's agrep).
///
/// - Input and output: those of ``NeedleVectors``.
/// - Invariant: a needle that begins at an offset, or at one of the `reach - 1` before it, contains the four bytes at
///   the offset. If they are not marked in the table, it begins at none of them.
/// - Cost: linear. Samples exclude offsets, or vectors search the next ones: the more of them, the longer samples have
///   excluded nothing. So bytes that peers make to be marked cost what vectors cost, and six samples in 256 offsets.
struct NeedleSamples: Sendable {
    /// The shortest needle that samples find faster than vectors.
    static let shortestNeedle = 24

    /// How many samples share a branch. With four, a cached message of 2 MiB of random bytes takes 3% longer
    /// (`benchmarks --peer`).
    private static let blockSamples = 6
    private static let tableBits: UInt32 = 13
    private static let shortestStretch = 256
    private static let longestStretch = 16 << 10

    /// The number of offsets that a sample may exclude.
    private let reach: Int

    /// For each hash of four bytes, 1 if four adjacent bytes of the needle have it, otherwise 0.
    private let marks: [UInt8]

    init(_ needle: [UInt8]) {
        reach = needle.count - 3
        var marks = [UInt8](repeating: 0, count: 1 << Self.tableBits)
        for index in 0..<reach {
            // SAFETY: the needle has four bytes at each index below `reach`.
            let sample = unsafe needle.withUnsafeBytes {
                unsafe $0.loadUnaligned(fromByteOffset: index, as: UInt32.self)
            }
            marks[Self.hash(sample)] = 1
        }
        self.marks = marks
    }

    /// The first offset in `start..<end` at which the needle is, or -1.
    ///
    /// - Safety: that of the vectors, which search for the same needle.
    @inline(never)
    func firstMatch(_ base: UnsafeRawPointer, from start: Int, to end: Int, _ vectors: NeedleVectors) -> Int {
        let block = Self.blockSamples &* reach
        var offset = start
        var stretch = Self.shortestStretch
        // SAFETY: all offsets are below `end`, but for the last `next`, which is `end`.
        while offset &+ block <= end {
            guard unsafe isMarked(base + offset) else {
                offset &+= block
                stretch = Self.shortestStretch
                continue
            }
            let next = min(offset &+ stretch, end)
            let match = unsafe vectors.firstMatch(base, from: offset, to: next)
            if match >= 0 { return match }
            offset = next
            stretch = min(stretch &* 4, Self.longestStretch)
        }
        return unsafe vectors.firstMatch(base, from: offset, to: end)
    }

    /// Whether any sample of a block is marked. If none is, the needle does not begin in it.
    ///
    /// - Safety: the needle fits at each offset of the block, which has ``reach`` offsets for each sample.
    @inline(__always)
    private func isMarked(_ block: UnsafeRawPointer) -> Bool {
        // SAFETY: a sample ends where a needle ends that begins `reach - 1` before the sample, in the block. A hash has
        // `tableBits` bits, and the table an entry for each.
        unsafe marks.withUnsafeBufferPointer { marks in
            var sum: UInt8 = 0
            for index in 1...Self.blockSamples {
                let sample = unsafe block.loadUnaligned(fromByteOffset: index &* reach &- 1, as: UInt32.self)
                sum |= unsafe marks[Self.hash(sample)]
            }
            return sum != 0
        }
    }

    /// A number of `tableBits` bits.
    @inline(__always)
    private static func hash(_ sample: UInt32) -> Int {
        // An odd number near 2³² divided by the golden ratio (Knuth, The Art of Computer Programming, §6.4).
        Int((sample &* 0x9E37_79B1) &>> (32 - tableBits))
    }
}
