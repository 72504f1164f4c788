#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// An open source of bytes, read once from start to end. Reads may block. It is closed with its last reference.
protocol ByteStream: AnyObject {
    /// Reads some bytes into a buffer that is not empty, and returns how many; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(MultipartError) -> Int
}

/// Opens a stream at its start; throws a `MultipartError`. The oldest supported systems lack function types with typed
/// throws.
typealias StreamOpening = () throws -> any ByteStream

/// A stream that can be opened once, or each time that it is read.
final class StreamSource: @unchecked Sendable {
    // SAFETY: `opening` is accessed only under the lock. A function that opens the stream once was sent here, so
    // nothing else refers to it; one caller gets it, and leaves nil. A function that opens it each time is Sendable.
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

/// A stream whose bytes a function of the program returns, piece by piece.
final class ReadingStream: ByteStream {
    private let read: () throws -> Data?
    /// The bytes that have been read and not returned.
    private var rest = Data()

    init(_ read: @escaping () throws -> Data?) {
        self.read = read
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(MultipartError) -> Int {
        do {
            // Each pass reads a piece; one may be empty.
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
