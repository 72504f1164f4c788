import Foundation
import MultipartFormCodec
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct PieceWriterTests {
    private static func writer(in directory: TemporaryDirectory, pieceSize: Int) throws -> PieceWriter {
        PieceWriter(try NewFile(beside: directory.path(of: "file"), replacesFile: false), pieceSize: pieceSize)
    }

    /// The bytes that have been written so far.
    private static func written(in directory: TemporaryDirectory) throws -> Data {
        try directory.read(try #require(directory.contents.first))
    }

    private static let bytes = ContiguousArray((0..<200).map { UInt8($0) })

    @Test(arguments: [1, 2, 7, 64, 1000])
    func `pieces of any size are written in their order`(pieceSize: Int) throws {
        for size in [1, 3, 6, 7, 8, 200] {
            let directory = try TemporaryDirectory()
            var writer = try Self.writer(in: directory, pieceSize: pieceSize)
            for piece in ChunkSplitter.pieces(of: Data(Self.bytes), size: size) { try writer.write(piece.span) }
            #expect(writer.length == 200)
            try writer.flush()
            #expect(try Self.written(in: directory) == Data(Self.bytes))
            // Nothing is left to write.
            try writer.flush()
            #expect(try Self.written(in: directory) == Data(Self.bytes))
            #expect(writer.length == 200)
        }
    }

    @Test func `a chunk that is longer than a piece is written after what is kept`() throws {
        let directory = try TemporaryDirectory()
        var writer = try Self.writer(in: directory, pieceSize: 10)
        try writer.write(Self.bytes.span.extracting(0..<4))
        #expect(try Self.written(in: directory).isEmpty)
        try writer.write(Self.bytes.span.extracting(4..<9))
        #expect(try Self.written(in: directory).isEmpty)
        try writer.write(Self.bytes.span.extracting(9..<50))
        #expect(try Self.written(in: directory) == Data(Self.bytes[..<50]))
        #expect(writer.length == 50)
    }

    @Test(arguments: [64, 4096, 8192, 65536, nil])
    func `bytes are written in whole pages, when no more fit`(pieceSize: Int?) throws {
        let directory = try TemporaryDirectory()
        let file = try NewFile(beside: directory.path(of: "file"), replacesFile: false)
        var writer = pieceSize.map { PieceWriter(file, pieceSize: $0) } ?? PieceWriter(file)
        let pieceSize = pieceSize ?? 64 * 1024
        let page = min(pieceSize, 4096)
        var generator = SeededGenerator(seed: 5)
        var (expected, kept) = (Data(), 0)
        // After a page that it fills up, a whole piece is left.
        let filling = pieceSize + page - 1
        for count in [1, pieceSize - 1, 1, pieceSize, 3 * pieceSize, filling, page + 1]
            + (0..<50).map({ _ in Int.random(in: 1...2 * pieceSize, using: &generator) })
        {
            let bytes = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &+ expected.count) })
            try writer.write(bytes.span)
            expected += bytes
            let written = try Self.written(in: directory)
            #expect(written.count.isMultiple(of: page))
            if kept + count <= pieceSize {
                #expect(written.count == expected.count - count - kept)
            } else {
                #expect(expected.count - written.count < pieceSize)
            }
            kept = expected.count - written.count
        }
        try writer.flush()
        #expect(try Self.written(in: directory) == expected)
    }

    @Test func `bytes whose write failed are not written again`() async {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            try #require(limitFileSize(to: 6))
            var writer = try Self.writer(in: directory, pieceSize: 8)
            try writer.write(Self.bytes.span.extracting(0..<7))
            #expect(throws: POSIXError(.EFBIG)) { try writer.flush() }
            try writer.flush()
            try #require(try Self.written(in: directory) == Data(Self.bytes[..<6]))
        }
    }
}
