#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// An open stream of bytes, read once from start to end. Reads may block. Releasing the last reference closes the
/// stream.
protocol ByteStream: AnyObject {
    /// Reads at least one byte into `buffer`, which is not empty, and returns the number of bytes; returns 0 at the end
    /// of the stream.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(MultipartError) -> Int
}

/// A function that opens a stream at its start, or throws a `MultipartError`. The type of the error is not declared,
/// because the oldest supported systems lack function types with typed throws.
typealias StreamOpening = () throws -> any ByteStream

/// Opens the stream of a part's content: either only once, or again each time the content is read.
final class StreamOpener: @unchecked Sendable {
    // SAFETY: the property `opening` is accessed only under the lock. The function in it is called without the lock:
    // - The function of `init(once:)` is called only once, because `open()` sets `opening` to nil. The parameter is
    //   `sending`, so nothing else refers to the function.
    // - The function of `init(replayable:)` is Sendable, so any number of threads may call it.
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

    /// Whether the stream can be opened only once, and has been opened.
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

/// A stream that gets its bytes, piece by piece, from a function of the program.
final class ReadingStream: ByteStream {
    private let read: () throws -> Data?
    /// The bytes of the current piece that `read(into:)` has not copied yet.
    private var rest = Data()

    init(_ read: @escaping () throws -> Data?) {
        self.read = read
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(MultipartError) -> Int {
        do {
            // Each pass gets one piece from the function. Empty pieces are skipped.
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
