#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// An open source of bytes, read once from start to end. Reads may block. Releasing the last reference closes the
/// source.
protocol ByteStream: AnyObject {
    /// Reads some bytes into a buffer that is not empty, and returns how many; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(MultipartError) -> Int
}

/// A function that opens a stream at its start, and throws a `MultipartError`. The type of the error is not declared,
/// because the oldest supported systems lack function types with typed throws.
typealias StreamOpening = () throws -> any ByteStream

/// A stream that can be opened only once, or again for each time that it is read.
final class StreamSource: @unchecked Sendable {
    // SAFETY: `opening` is accessed only under the lock. A function that opens a stream once was sent here, so nothing
    // else refers to it; one caller takes it, and nil is left. A function that opens a stream repeatedly is Sendable.
    private var opening: StreamOpening?
    private let isReplayable: Bool
    private let lock = Lock()

    init(once opening: sending @escaping StreamOpening) {
        self.opening = opening
        isReplayable = false
    }

    init(replayable opening: @escaping @Sendable () throws -> any ByteStream) {
        self.opening = opening
        isReplayable = true
    }

    /// Whether a stream that can be opened once has been opened.
    var isTaken: Bool { lock.withLock { opening == nil } }

    func open() throws(MultipartError) -> any ByteStream {
        let opening = lock.withLock {
            defer { if !isReplayable { self.opening = nil } }
            return self.opening
        }
        guard let opening else { throw MultipartError(.bodyPartStreamConsumed) }
        do {
            return try opening()
        } catch {
            throw error as? MultipartError
                ?? MultipartError(.bodyPartInputStreamCreationFailed, underlyingError: error)
        }
    }
}

/// A stream that gets its bytes from a function of the program, piece by piece.
final class ReadingStream: ByteStream {
    private let read: () throws -> Data?
    /// The bytes that the function has returned, and that no read has returned yet.
    private var rest = Data()

    init(_ read: @escaping () throws -> Data?) {
        self.read = read
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(MultipartError) -> Int {
        do {
            // Each pass reads one piece. Empty pieces are skipped.
            while rest.isEmpty {
                guard let piece = try read() else { return 0 }
                rest = piece
            }
        } catch {
            throw MultipartError(.inputStreamReadFailed, underlyingError: error)
        }
        let piece = rest.prefix(buffer.count)
        // SAFETY: the piece fits into the buffer.
        unsafe buffer.copyBytes(from: piece)
        rest = rest.dropFirst(piece.count)
        return piece.count
    }
}
