#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Writes a new file in large pieces: on the owner's thread, or on a thread of ``BlockingPool/files`` while the owner
/// continues.
///
/// - Input: bytes in order, in pieces of any size.
/// - Invariant: bytes are written in order, by one thread at a time. After a failed write nothing more is written, and
///   the next call that waits throws its error.
/// - Cost: the memory of one piece, or of three pieces if they are written while the owner continues.
package struct PieceWriter {
    /// The size of a piece that is written on the owner's thread, in bytes.
    static let blockingSize = 64 * 1024
    /// The size of a piece that is written on another thread, in bytes: large enough to be worth the change of threads
    /// (benchmark `arriving-file`). Twice the size is about 8% faster, but takes twice the memory per upload.
    static let awaitedSize = 128 * 1024

    let file: NewFile
    private let pieceSize: Int
    /// The number of bytes received so far, whether they are written or still kept.
    package private(set) var length: UInt64 = 0
    private var pending: ContiguousArray<UInt8> = []
    /// The pieces that are written while the owner continues; nil before the first one.
    private var queue: PieceQueue?

    /// Creates a writer of `file` that writes pieces of `pieceSize` bytes.
    package init(_ file: NewFile, pieceSize: Int) {
        self.file = file
        self.pieceSize = pieceSize
    }

    /// The number of bytes that can be kept before the piece must be written.
    var room: Int { pieceSize - pending.count }

    /// Keeps bytes. Precondition: there is ``room`` for them.
    package mutating func keep(_ bytes: Span<UInt8>) {
        length += UInt64(bytes.count)
        pending.append(copying: bytes)
    }

    /// Keeps bytes while they fit in a piece; otherwise writes on this thread, which may block. Call ``wait()`` first.
    package mutating func write(_ bytes: Span<UInt8>) throws(POSIXError) {
        if bytes.count > room { try flush() }
        guard bytes.count >= pieceSize else { return keep(bytes) }
        length += UInt64(bytes.count)
        try file.write(bytes)
    }

    /// Writes the kept bytes on this thread, which may block. Call ``wait()`` first.
    package mutating func flush() throws(POSIXError) {
        // Drops the bytes even if writing them fails, so that they are not written again.
        defer { pending.removeAll(keepingCapacity: true) }
        try file.write(pending.span)
    }

    /// Begins to write the kept bytes on another thread, and makes room for a whole piece. First waits until at most
    /// one earlier piece is unwritten; throws the error of an earlier write.
    package mutating func beginWrite() async throws(POSIXError) {
        let queue = self.queue ?? PieceQueue()
        self.queue = queue
        try await queue.wait(untilAtMost: 1)
        pending = queue.add(pending, to: file)
        pending.reserveCapacity(pieceSize)
    }

    /// Waits until all writes that have begun have ended; throws the error of a failed one.
    package func wait() async throws(POSIXError) {
        try await queue?.wait(untilAtMost: 0)
    }

    /// Writes the kept bytes on another thread, and waits until all bytes are written. So an error of these bytes is
    /// thrown before any error of later bytes.
    package mutating func writeAll() async throws(POSIXError) {
        if !pending.isEmpty { try await beginWrite() }
        try await wait()
    }

    /// Keeps bytes, and begins to write each full piece on another thread.
    package mutating func append(_ bytes: Data) async throws(POSIXError) {
        var rest = bytes
        while rest.count > room {
            let count = room
            keep(rest.prefix(count).span)
            rest = rest.dropFirst(count)
            try await beginWrite()
        }
        keep(rest.span)
    }
}

/// The pieces of a file that are not yet written; a thread for files writes them in order.
///
/// - Invariant: an empty queue holds no reference to the file, so the owner may remove it.
private final class PieceQueue: @unchecked Sendable {
    // SAFETY: all state is accessed only under the lock.
    private typealias Piece = (bytes: ContiguousArray<UInt8>, file: NewFile)

    /// The pieces in order, of which the first is being written.
    private var pieces: [Piece] = []
    private var failure: POSIXError?
    /// The emptied arrays of written pieces, whose memory the next pieces use.
    private var spares: [ContiguousArray<UInt8>] = []
    private var waiter: (count: Int, continuation: CheckedContinuation<Void, Never>)?
    private let lock = Lock()

    /// Adds a piece, and returns an empty array for the next piece, with reused memory if there is any. After a failed
    /// write, it drops the piece.
    func add(_ bytes: ContiguousArray<UInt8>, to file: NewFile) -> ContiguousArray<UInt8> {
        let (isFirst, spare) = lock.withLock {
            guard failure == nil else { return (false, spares.popLast()) }
            pieces.append((bytes, file))
            return (pieces.count == 1, spares.popLast())
        }
        if isFirst { start() }
        return spare ?? []
    }

    /// Starts an operation that writes one piece and, if there are more, starts another operation for the next piece.
    /// So a fast upload does not occupy a thread that other files need.
    private func start() {
        BlockingPool.files.begin { [self] in if writeNext() { start() } }
    }

    /// Waits until at most `count` pieces are not yet written; throws the error of a failed write.
    func wait(untilAtMost count: Int) async throws(POSIXError) {
        await withCheckedContinuation { continuation in
            let mustWait = lock.withLock {
                guard pieces.count > count else { return false }
                waiter = (count, continuation)
                return true
            }
            if !mustWait { continuation.resume() }
        }
        if let failure = lock.withLock({ failure }) { throw failure }
    }

    /// Writes the first piece, and resumes the owner if it waits and few enough pieces are left. Returns false if none
    /// is left.
    private func writeNext() -> Bool {
        let failure = writeFirst()
        let (hasMore, continuation) = lock.withLock {
            endFirst(failure)
            return (!pieces.isEmpty, takeWaiter())
        }
        continuation?.resume()
        return hasMore
    }

    /// Writes the first piece; returns its error, or nil. Separate from ``writeNext()``, so that no reference to the
    /// file is left when the owner resumes.
    private func writeFirst() -> POSIXError? {
        guard let piece = lock.withLock({ pieces.first }) else { return nil }
        do throws(POSIXError) {
            try piece.file.write(piece.bytes.span)
            return nil
        } catch {
            return error
        }
    }

    /// Removes the first piece or, if writing it failed, all pieces. Call it under the lock.
    private func endFirst(_ failure: POSIXError?) {
        guard failure == nil else {
            self.failure = failure
            return pieces = []
        }
        var memory = pieces.removeFirst().bytes
        memory.removeAll(keepingCapacity: true)
        spares.append(memory)
    }

    /// Returns the continuation of the waiting owner, and forgets it, if no more pieces are left than the owner waits
    /// for; otherwise nil. Call it under the lock.
    private func takeWaiter() -> CheckedContinuation<Void, Never>? {
        guard let waiter, pieces.count <= waiter.count else { return nil }
        self.waiter = nil
        return waiter.continuation
    }
}

// The same operations for a file that the program names by its URL; the errors name its path.
extension PieceWriter {
    mutating func append(_ bytes: Data, for url: URL) async throws(MultipartError) {
        do throws(POSIXError) {
            try await append(bytes)
        } catch {
            throw MultipartError(.outputStreamWriteFailed, path: url.path, underlyingError: error)
        }
    }

    func wait(for url: URL) async throws(MultipartError) {
        do throws(POSIXError) {
            try await wait()
        } catch {
            throw MultipartError(.outputStreamWriteFailed, path: url.path, underlyingError: error)
        }
    }

    mutating func writeAll(for url: URL) async throws(MultipartError) {
        do throws(POSIXError) {
            try await writeAll()
        } catch {
            throw MultipartError(.outputStreamWriteFailed, path: url.path, underlyingError: error)
        }
    }

    /// Writes the kept bytes and moves the file to its URL. This may block the thread; no other write may be under way.
    mutating func finish(at url: URL) throws(MultipartError) {
        try MultipartError.wrap(.outputStreamWriteFailed, path: url.path, try flush())
        try file.finish(at: url)
    }
}
