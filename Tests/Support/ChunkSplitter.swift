package import Foundation

/// The ways to cut a message into chunks.
package enum ChunkSplitter {
    /// Pieces of `size` bytes; the last one may be shorter.
    package static func pieces(of data: Data, size: Int) -> [Data] {
        precondition(size > 0, "a piece has at least one byte")
        return stride(from: 0, to: data.count, by: size).map { start in
            // A copy, so that a read outside the piece is outside its memory.
            copy(of: data, start..<min(start + size, data.count))
        }
    }

    /// The two pieces before and after an offset.
    package static func halves(of data: Data, at offset: Int) -> [Data] {
        [copy(of: data, 0..<offset), copy(of: data, offset..<data.count)]
    }

    /// A copy of the bytes at these offsets.
    private static func copy(of data: Data, _ offsets: Range<Int>) -> Data {
        data.subdata(in: data.startIndex + offsets.lowerBound..<data.startIndex + offsets.upperBound)
    }

    /// Whole, byte by byte, in a few small sizes, and at every two-way split.
    package static func everyWay(_ data: Data) -> [[Data]] {
        [[data]] + [1, 2, 3, 7].map { pieces(of: data, size: $0) }
            + (0...data.count).map { halves(of: data, at: $0) }
    }

    /// Pieces of random sizes, some of them empty.
    package static func random(_ data: Data, longest: Int, using generator: inout some RandomNumberGenerator) -> [Data]
    {
        var rest = Array(data)[...]
        var result: [Data] = []
        while !rest.isEmpty {
            let size = Int.random(in: 0...longest, using: &generator)
            result.append(Data(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        return result
    }
}
