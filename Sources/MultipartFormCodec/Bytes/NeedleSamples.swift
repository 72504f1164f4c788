/// Finds a needle in long content without reading most of the bytes, like Wu and Manber's agrep. The needle is the
/// bytes to find.
///
/// The search reads samples. A sample is four adjacent bytes, and a sample begins every ``skipDistance`` bytes. A table
/// marks each sequence of four bytes that occurs in the needle. If a sample is marked, it may belong to a needle. The
/// search tests blocks of six samples. If no sample of a block is marked, the search skips the block. Otherwise,
/// ``NeedleVectors`` search the next `backoff` offsets.
///
/// - Input and output: the same as for ``NeedleVectors``.
/// - Invariant: a needle that begins at the offset of a sample, or at one of the `skipDistance - 1` offsets before it,
///   contains the sample. So if the sample is not marked, no needle begins at these offsets.
/// - Cost: linear. `backoff` is at least 256. After each block with a marked sample, `backoff` grows fourfold, up to
///   ``maxBackoff``. After each skipped block, `backoff` is 256 again. So for any bytes, even those that an attacker
///   chooses, the search costs at most a search with vectors plus six samples per 256 offsets.
struct NeedleSamples: Sendable {
    /// The minimum length of a needle, in bytes, for which samples are faster than vectors.
    static let minNeedleLength = 24

    /// The number of samples in a block. One branch tests the whole block. With four samples instead of six, a search
    /// of 2 MiB of random bytes takes 3% longer (`benchmarks --peer`).
    private static let blockSamples = 6
    private static let tableBits: UInt32 = 13
    private static let minBackoff = 256
    private static let maxBackoff = 16 << 10

    /// The distance between two samples. It is the number of offsets that the search can skip if the four bytes of a
    /// sample do not occur in the needle.
    private let skipDistance: Int

    /// For each hash of four bytes, 1 if four adjacent bytes of the needle have this hash; otherwise 0.
    private let marks: [UInt8]

    init(_ needle: [UInt8]) {
        skipDistance = needle.count - 3
        var marks = [UInt8](repeating: 0, count: 1 << Self.tableBits)
        for index in 0..<skipDistance {
            // SAFETY: at each index below `skipDistance`, the needle has at least four bytes left.
            let sample = unsafe needle.withUnsafeBytes {
                unsafe $0.loadUnaligned(fromByteOffset: index, as: UInt32.self)
            }
            marks[Self.hash(sample)] = 1
        }
        self.marks = marks
    }

    /// Returns the first offset in `start..<end` at which the needle begins, or -1.
    ///
    /// - Safety: the same as for ``NeedleVectors/firstMatch(_:from:to:)``. `vectors` has the same needle.
    @inline(never)
    func firstMatch(_ base: UnsafeRawPointer, from start: Int, to end: Int, _ vectors: NeedleVectors) -> Int {
        let block = Self.blockSamples &* skipDistance
        var offset = start
        var backoff = Self.minBackoff
        // SAFETY: all searched offsets are in `start..<end`, and the caller promises that the needle fits at each of
        // them.
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

    /// Whether any sample of a block is marked. If no sample is marked, the needle begins at no offset of the block.
    ///
    /// - Safety: the needle fits at each offset of the block. The block has ``skipDistance`` offsets for each sample.
    @inline(__always)
    private func isMarked(_ block: UnsafeRawPointer) -> Bool {
        // SAFETY: a needle at the block's offset `(index - 1) * skipDistance` ends with the last byte of the sample.
        // The caller promises that the needle fits at this offset, so the sample is readable. A hash has `tableBits`
        // bits, and the table has an entry for each hash.
        unsafe marks.withUnsafeBufferPointer { marks in
            var sum: UInt8 = 0
            for index in 1...Self.blockSamples {
                let sample = unsafe block.loadUnaligned(fromByteOffset: index &* skipDistance &- 1, as: UInt32.self)
                sum |= unsafe marks[Self.hash(sample)]
            }
            return sum != 0
        }
    }

    /// Returns a hash of four bytes. The hash has `tableBits` bits.
    @inline(__always)
    private static func hash(_ sample: UInt32) -> Int {
        // The factor is an odd number near 2³² divided by the golden ratio (Knuth, The Art of Computer Programming,
        // §6.4).
        Int((sample &* 0x9E37_79B1) &>> (32 - tableBits))
    }
}
