internal import Foundation

/// Encodes a form chunk by chunk, for one iteration.
///
/// - Output: whole chunks, and what one has to be waited for.
/// - Invariant: the iterator that took the last turn uses it; an older copy of that is refused. If its task is
///   cancelled while a stream blocks, everything is closed as soon as the stream lets go.
final class ChunkEncoder: @unchecked Sendable {
    // SAFETY: `turn` is touched under the lock only. The reader and the memory are touched by the iterator that took the
    // last turn, or by the operation it waits for; once it waits no more it takes no further turn. The deinitializer
    // runs when no operation is under way: each holds the object while it runs.

    /// What comes next.
    enum Step {
        /// A chunk, or nil at the message's end.
        case chunk(Data?)
        /// Bytes that may be waited for, but not here.
        case blocking(ByteSource)
        /// Bytes that the iterator has to bring.
        case asynchronous(AsynchronousContent)
    }

    private var reader: FormDataReader
    private var memory = ChunkMemory()
    private let size: Int
    private let abandonment = Abandonment()
    private var turn = 0
    private let lock = NSLock()

    init(_ plan: EncodingPlan, size: Int, progress: Progress?) {
        self.size = size
        reader = FormDataReader(plan, progress: progress, abandonment: abandonment)
    }

    /// Begins a chunk.
    ///
    /// - Parameter turn: How many chunks the iterator has begun.
    /// - Throws: ``MultipartEncodingError/Reason/concurrentUse`` if a copy of the iterator has begun more.
    func begin(turn: Int) throws(MultipartEncodingError) {
        let isCurrent = lock.withLock {
            guard self.turn == turn else { return false }
            self.turn += 1
            return true
        }
        guard isCurrent else { throw MultipartEncodingError(.concurrentUse) }
        memory.begin(limit: reader.chunkLength(size))
    }

    /// Whether the chunk has room for no more.
    var isFull: Bool { memory.isFull }

    /// Fills the chunk with what is in memory.
    func fill() throws(MultipartEncodingError) -> Step {
        try reader.fill(&memory, from: .memory)
        if memory.isFull || reader.isAtEnd { return .chunk(memory.take()) }
        if let content = reader.awaitedContent { return .asynchronous(content) }
        return .blocking(reader.source)
    }

    /// Fills the chunk, on a thread that may block.
    func fill(from source: ByteSource) async throws {
        let pool = source == .file ? BlockingPool.files : BlockingPool.streams
        try await pool.run(abandoning: abandonment) { [weak self] in
            try self?.fillBlocking(from: source)
        }
        // Cancelled just now, the reader would say so in an error of its own.
        try Task.checkCancellation()
    }

    private func fillBlocking(from source: ByteSource) throws(MultipartEncodingError) {
        try reader.fill(&memory, from: source)
    }

    /// Fills the chunk with bytes that an asynchronous content has at hand.
    ///
    /// - Returns: Whether the content now has its declared length, and must end.
    func fill(from bytes: inout (any AsynchronousBytes)?) throws(MultipartEncodingError) -> Bool {
        try reader.fill(&memory, from: &bytes)
    }

    /// Ends the asynchronous content.
    func finishAwaitedContent() throws(MultipartEncodingError) {
        try reader.finishAwaitedContent()
    }

    /// Makes the encoding fail by an error of the asynchronous content.
    func fail(_ error: any Error) -> MultipartEncodingError {
        reader.fail(MultipartEncodingError(.inputStreamReadFailed, underlying: error))
    }
}
