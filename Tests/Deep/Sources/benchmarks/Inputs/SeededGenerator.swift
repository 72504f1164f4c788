/// A repeatable source of random numbers (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    /// Creates a generator; equal seeds give equal numbers.
    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Random bytes.
    mutating func bytes(_ count: Int) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(count + 8)
        while result.count < count {
            withUnsafeBytes(of: next().littleEndian) { result.append(contentsOf: $0) }
        }
        result.removeLast(result.count - count)
        return result
    }

    /// At least `count` bytes of lines of lower-case words, 0 to 120 bytes long, each ended by CRLF.
    mutating func text(_ count: Int) -> [UInt8] {
        let alphabet = Array("abcdefghijklmnopqrstuvwxyz      ".utf8)
        var result: [UInt8] = []
        result.reserveCapacity(count + 128)
        while result.count < count {
            for _ in 0..<Int(next() % 121) { result.append(alphabet[Int(next() % 32)]) }
            result.append(contentsOf: [0x0D, 0x0A])
        }
        return result
    }
}
