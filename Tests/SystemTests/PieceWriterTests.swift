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
    func `pieces of any size are written in their order`(pieceSize: Int) async throws {
        for size in [1, 3, 6, 7, 8, 200] {
            for isAwaited in [false, true] {
                let directory = try TemporaryDirectory()
                var writer = try Self.writer(in: directory, pieceSize: pieceSize)
                for piece in ChunkSplitter.pieces(of: Data(Self.bytes), size: size) {
                    if isAwaited { try await writer.append(piece) } else { try writer.write(piece.span) }
                }
                #expect(writer.length == 200)
                if isAwaited { try await writer.writeAll() } else { try writer.flush() }
                #expect(try Self.written(in: directory) == Data(Self.bytes))
                // Nothing is left to write.
                if isAwaited { try await writer.writeAll() }
                try writer.flush()
                #expect(try Self.written(in: directory) == Data(Self.bytes))
                #expect(writer.length == 200)
            }
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

    /// Keeps all threads for files busy until the semaphore is given.
    private static func occupyFileThreads() -> LimitedSemaphore {
        let gate = LimitedSemaphore()
        for _ in 0..<8 {
            BlockingPool.files.begin {
                gate.wait()
                gate.signal()
            }
        }
        return gate
    }

    // Processes of their own, since other tests also use the threads.
    @Test func `a third piece waits until one of two is written, and the last ones are waited for`() async {
        await #expect(processExitsWith: .success) {
            limitTime()
            for count in [1, 3] {
                let directory = try TemporaryDirectory()
                let gate = Self.occupyFileThreads()
                var writer = try Self.writer(in: directory, pieceSize: 4)
                for _ in 0..<min(count, 2) {
                    writer.keep(Self.bytes.span.extracting(0..<4))
                    try await writer.beginWrite()
                }
                #expect(try Self.written(in: directory).isEmpty)
                let isFree = Locked(false)
                Thread {
                    usleep(300_000)
                    isFree.withLock { $0 = true }
                    gate.signal()
                }.start()
                if count == 3 {
                    writer.keep(Self.bytes.span.extracting(0..<4))
                    try await writer.beginWrite()
                    try #require(isFree.withLock { $0 })
                }
                try await writer.wait()
                try #require(isFree.withLock { $0 })
                try #require(try Self.written(in: directory).count == 4 * count)
            }
        }
    }

    @Test func `a write that failed is thrown by each call that waits, and is the last one`() async {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            try #require(limitFileSize(to: 6))
            var writer = try Self.writer(in: directory, pieceSize: 4)
            try await writer.append(Data([1, 2, 3, 4]))
            try await writer.writeAll()
            try await writer.append(Data([5, 6, 7, 8]))
            await #expect(throws: POSIXError(.EFBIG)) { try await writer.writeAll() }
            await #expect(throws: POSIXError(.EFBIG)) { try await writer.wait() }
            await #expect(throws: POSIXError(.EFBIG)) { try await writer.beginWrite() }
            try #require(try Self.written(in: directory) == Data([1, 2, 3, 4, 5, 6]))
        }
    }
}
