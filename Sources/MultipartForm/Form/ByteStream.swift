#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// An open source of bytes that is read once, from start to end, and may block; closed with its last reference.
protocol ByteStream: AnyObject {
    /// Reads some bytes into a buffer that is not empty, and returns how many; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(MultipartError) -> Int
}

/// Opens a stream at its start. It throws a `MultipartError`; a function that says so is newer than the floors.
typealias StreamOpening = () throws -> any ByteStream

/// A stream that can be opened only once.
final class StreamBox: @unchecked Sendable {
    // SAFETY: what opens the stream was sent here, so nothing else refers to it. `open` is accessed only under the lock,
    // and only one caller gets it, since taking it leaves nil.
    private var open: StreamOpening?
    private let lock = Lock()

    init(_ open: sending @escaping StreamOpening) {
        self.open = open
    }

    /// What opens the stream the first time, nil afterwards.
    func take() -> sending StreamOpening? {
        lock.lock()
        defer { lock.unlock() }
        // SAFETY: `open` is nil from here on; the caller holds the only reference.
        nonisolated(unsafe) let taken = open
        open = nil
        return unsafe taken
    }

    var isTaken: Bool { lock.withLock { open == nil } }
}

/// What a function of the program reads.
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
