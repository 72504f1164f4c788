#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Collects bytes in pieces of a fixed size, and writes each piece to a new file.
///
/// There are two ways to write:
/// - ``write(_:)`` and ``flush()`` write on the caller's thread.
/// - ``append(_:)``, ``beginWrite()`` and ``writeAll()`` write on a thread of ``BlockingPool/files``. The caller of
///   ``append(_:)`` or ``beginWrite()`` can continue during the write.
///
/// - Input: bytes in order, in spans of any length.
/// - Invariant: bytes are written in order, by one thread at a time. If a write on another thread fails, later pieces
///   are dropped, and each later call that waits throws the error of the failed write.
/// - Cost: the memory of one piece; of three pieces if another thread writes.
package struct PieceWriter {
    /// The size in bytes of a piece that the caller's thread writes.
    static let blockingSize = 64 * 1024
    /// The size in bytes of a piece that another thread writes. It is large enough to be worth the change of threads.
    /// Twice the size is about 8% faster in the benchmark `arriving-file`, but takes twice the memory for each upload.
    static let awaitedSize = 128 * 1024

    let file: NewFile
    private let pieceSize: Int
    /// The number of bytes received so far, written or not.
    package private(set) var length: UInt64 = 0
    private var pending: ContiguousArray<UInt8> = []
    /// The pieces for another thread to write; nil until ``beginWrite()`` is first called.
    private var queue: PieceQueue?

    /// Creates a writer that writes to `file` in pieces of `pieceSize` bytes.
    package init(_ file: NewFile, pieceSize: Int) {
        self.file = file
        self.pieceSize = pieceSize
    }

    /// The number of bytes that still fit in the current piece.
    var room: Int { pieceSize - pending.count }

    /// Appends bytes to the current piece.
    ///
    /// - Precondition: The number of bytes is at most ``room``.
    package mutating func keep(_ bytes: Span<UInt8>) {
        length += UInt64(bytes.count)
        pending.append(copying: bytes)
    }

    /// Appends bytes to the current piece. Writes in two cases, on this thread, which may block:
    /// - If the bytes do not fit, writes the current piece first.
    /// - If the bytes are at least as long as a piece, writes the bytes directly.
    ///
    /// - Precondition: No other thread is writing. Call ``wait()`` to ensure this.
    package mutating func write(_ bytes: Span<UInt8>) throws(POSIXError) {
        if bytes.count > room { try flush() }
        guard bytes.count >= pieceSize else { return keep(bytes) }
        length += UInt64(bytes.count)
        try file.write(bytes)
    }

    /// Writes the current piece on this thread, which may block.
    ///
    /// - Precondition: No other thread is writing. Call ``wait()`` to ensure this.
    package mutating func flush() throws(POSIXError) {
        // Empties the piece even if the write fails, so that no byte is written twice.
        defer { pending.removeAll(keepingCapacity: true) }
        try file.write(pending.span)
    }

    /// Begins to write the current piece on another thread, and begins an empty piece. If another thread still has two
    /// pieces to write, first waits until one of them is written.
    ///
    /// - Throws: The error of an earlier write.
    package mutating func beginWrite() async throws(POSIXError) {
        let queue = self.queue ?? PieceQueue()
        self.queue = queue
        try await queue.wait(untilAtMost: 1)
        pending = queue.add(pending, to: file)
        pending.reserveCapacity(pieceSize)
    }

    /// Waits until no other thread is writing. Throws the error of an earlier write that failed.
    package func wait() async throws(POSIXError) {
        try await queue?.wait(untilAtMost: 0)
    }

    /// Writes the current piece on another thread, and waits until all pieces are written.
    ///
    /// Call this method before you throw an error about the bytes that follow: if an earlier write has failed, that
    /// error must be thrown instead.
    package mutating func writeAll() async throws(POSIXError) {
        if !pending.isEmpty { try await beginWrite() }
        try await wait()
    }

    /// Appends bytes to the current piece. When the piece is full and more bytes follow, begins to write the piece on
    /// another thread.
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

/// The unwritten pieces of a file, which threads of ``BlockingPool/files`` write in order, one at a time.
///
/// - Invariant: an empty queue holds no reference to the file. The owner of the ``PieceWriter`` can then remove an
///   unfinished file by releasing the writer.
private final class PieceQueue: @unchecked Sendable {
    // SAFETY: the mutable properties are accessed only under the lock.
    private typealias Piece = (bytes: ContiguousArray<UInt8>, file: NewFile)

    /// The unwritten pieces in order. A thread is writing the first piece.
    private var pieces: [Piece] = []
    private var failure: POSIXError?
    /// The emptied arrays of written pieces. New pieces reuse their memory.
    private var spares: [ContiguousArray<UInt8>] = []
    private var waiter: (count: Int, continuation: CheckedContinuation<Void, Never>)?
    private let lock = Lock()

    /// Adds a piece to the queue; drops the piece if an earlier write has failed. Returns an empty array for the next
    /// piece, from ``spares`` if possible.
    func add(_ bytes: ContiguousArray<UInt8>, to file: NewFile) -> ContiguousArray<UInt8> {
        let (isFirst, spare) = lock.withLock {
            guard failure == nil else { return (false, spares.popLast()) }
            pieces.append((bytes, file))
            return (pieces.count == 1, spares.popLast())
        }
        if isFirst { start() }
        return spare ?? []
    }

    /// Starts an operation that writes the first piece. If more pieces are left, the operation starts another operation
    /// for the next piece. Operations on other files can run in between, even during a fast upload.
    private func start() {
        BlockingPool.files.begin { [self] in if writeNext() { start() } }
    }

    /// Waits until at most `count` pieces are unwritten. Throws the error of a write that failed.
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

    /// Writes the first piece, and resumes the caller of ``wait(untilAtMost:)`` if few enough pieces are left. Returns
    /// whether any pieces are left.
    private func writeNext() -> Bool {
        let failure = writeFirst()
        let (hasMore, continuation) = lock.withLock {
            endFirst(failure)
            return (!pieces.isEmpty, takeWaiter())
        }
        continuation?.resume()
        return hasMore
    }

    /// Writes the first piece. Returns the error of the write, or nil if the write succeeds.
    ///
    /// This is a separate function, so that no reference to the file is left when ``writeNext()`` resumes the caller.
    private func writeFirst() -> POSIXError? {
        guard let piece = lock.withLock({ pieces.first }) else { return nil }
        do throws(POSIXError) {
            try piece.file.write(piece.bytes.span)
            return nil
        } catch {
            return error
        }
    }

    /// Removes the first piece; if `failure` is not nil, removes all pieces. Call this under the lock.
    private func endFirst(_ failure: POSIXError?) {
        guard failure == nil else {
            self.failure = failure
            return pieces = []
        }
        var memory = pieces.removeFirst().bytes
        memory.removeAll(keepingCapacity: true)
        spares.append(memory)
    }

    /// Returns the continuation of ``waiter``, and sets ``waiter`` to nil, if few enough pieces are left; otherwise
    /// returns nil. Call this under the lock.
    private func takeWaiter() -> CheckedContinuation<Void, Never>? {
        guard let waiter, pieces.count <= waiter.count else { return nil }
        self.waiter = nil
        return waiter.continuation
    }
}

// Operations that take the URL of the file, and throw a `MultipartError` with the file's path.
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

    /// Writes the current piece, and moves the file to `url`. This may block the thread.
    ///
    /// - Precondition: No other thread is writing. Call ``wait(for:)`` to ensure this.
    mutating func finish(at url: URL) throws(MultipartError) {
        try MultipartError.wrap(.outputStreamWriteFailed, path: url.path, try flush())
        try file.finish(at: url)
    }
}
