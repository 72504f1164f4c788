/// Finds a needle in long content without reading most of the bytes (after Wu and Manber's agrep). It reads samples,
/// four adjacent bytes at regular distances, and looks closer only where one occurs in the needle.
///
/// - Input and output: those of ``NeedleVectors``.
/// - Invariant: a needle that begins at an offset, or up to `skipDistance - 1` before it, contains the four bytes at
///   that offset. So if the table does not mark these four bytes, no needle begins at any of these `skipDistance`
///   offsets.
/// - Cost: linear. If a sample of a block is marked, vectors search the next `backoff` offsets; this number grows
///   fourfold each time, up to ``maxBackoff``. So hostile bytes cost a vector search, and at most six samples in 256
///   offsets.
struct NeedleSamples: Sendable {
    /// The length, in bytes, of the shortest needle that samples find faster than vectors.
    static let minNeedleLength = 24

    /// The number of samples in a block, for which there is one branch. With four instead, a cached message of 2 MiB of
    /// random bytes takes 3% longer (`benchmarks --peer`).
    private static let blockSamples = 6
    private static let tableBits: UInt32 = 13
    private static let minBackoff = 256
    private static let maxBackoff = 16 << 10

    /// The number of offsets that one sample excludes.
    private let skipDistance: Int

    /// For each hash of four bytes, 1 if four adjacent bytes of the needle have that hash, otherwise 0.
    private let marks: [UInt8]

    init(_ needle: [UInt8]) {
        skipDistance = needle.count - 3
        var marks = [UInt8](repeating: 0, count: 1 << Self.tableBits)
        for index in 0..<skipDistance {
            // SAFETY: the needle has four bytes at each index below `skipDistance`.
            let sample = unsafe needle.withUnsafeBytes {
                unsafe $0.loadUnaligned(fromByteOffset: index, as: UInt32.self)
            }
            marks[Self.hash(sample)] = 1
        }
        self.marks = marks
    }

    /// The first offset in `start..<end` at which the needle begins, or -1.
    ///
    /// - Safety: as ``NeedleVectors/firstMatch(_:from:to:)``; the vectors have the same needle.
    @inline(never)
    func firstMatch(_ base: UnsafeRawPointer, from start: Int, to end: Int, _ vectors: NeedleVectors) -> Int {
        let block = Self.blockSamples &* skipDistance
        var offset = start
        var backoff = Self.minBackoff
        // SAFETY: all searched offsets are below `end`; only the last `next` may equal it.
        while offset &+ block <= end {
            guard unsafe isMarked(base + offset) else {
                offset &+= block
                backoff = Self.minBackoff
                continue
            }
            let next = min(offset &+ backoff, end)
            let match = unsafe vectors.firstMatch(base, from: offset, to: next)
            if match >= 0 { return match }
            offset = next
            backoff = min(backoff &* 4, Self.maxBackoff)
        }
        return unsafe vectors.firstMatch(base, from: offset, to: end)
    }

    /// Whether any sample of a block is marked. If none is, the needle begins at no offset of the block.
    ///
    /// - Safety: the needle fits at each offset of the block, which has ``skipDistance`` offsets for each sample.
    @inline(__always)
    private func isMarked(_ block: UnsafeRawPointer) -> Bool {
        // SAFETY: a needle that begins `skipDistance - 1` before a sample ends where the sample ends, so the sample is
        // readable. A hash has `tableBits` bits, and the table has an entry for each value.
        unsafe marks.withUnsafeBufferPointer { marks in
            var sum: UInt8 = 0
            for index in 1...Self.blockSamples {
                let sample = unsafe block.loadUnaligned(fromByteOffset: index &* skipDistance &- 1, as: UInt32.self)
                sum |= unsafe marks[Self.hash(sample)]
            }
            return sum != 0
        }
    }

    /// The hash of four bytes, a number of `tableBits` bits.
    @inline(__always)
    private static func hash(_ sample: UInt32) -> Int {
        // The factor is an odd number near 2³² divided by the golden ratio (Knuth, The Art of Computer Programming,
        // §6.4).
        Int((sample &* 0x9E37_79B1) &>> (32 - tableBits))
    }
}
