internal import Foundation

/// Encodes a form chunk by chunk, for one iteration.
///
/// - Input: a form, or one part after another.
/// - Output: whole chunks, and what one has to be waited for.
/// - Invariant: the iterator that took the last turn uses it; an older copy of that is refused. If its task is
///   cancelled while a stream blocks, everything is closed as soon as the stream returns.
final class ChunkEncoder: @unchecked Sendable {
    // SAFETY: `turn` is touched under the lock only. The rest is touched by the iterator that took the last turn, or by
    // the operation it waits for; once it waits no more it takes no further turn. The deinitializer runs when no
    // operation is under way: each holds the object while it runs.

    /// What comes next.
    enum Step {
        /// A chunk, or nil at the message's end.
        case chunk(Data?)
        /// Bytes that may be waited for, but not here.
        case blocking(ByteSource)
        /// Bytes that the iterator has to bring.
        case asynchronous(AsynchronousContent)
        /// A part, or their end, that the iterator has to bring.
        case part
    }

    private var reader: FormDataReader
    private var memory = ChunkMemory()
    private let size: Int
    /// Where to begin, until that is reached.
    private var start: UInt64
    /// How many parts have come, while more may come.
    private var partCount: Int?
    private let abandonment: Abandonment
    private var turn = 0
    private let lock = NSLock()

    /// Encodes a form, from an offset on.
    init(_ plan: EncodingPlan, size: Int, from start: UInt64, progress: Progress?) {
        self.size = size
        self.start = start
        abandonment = Abandonment()
        reader = FormDataReader(plan, progress: progress, abandonment: abandonment)
    }

    /// Encodes parts that are yet to come.
    init(partsWith boundary: Boundary, size: Int) throws(MultipartError) {
        self.size = size
        start = 0
        partCount = 0
        abandonment = Abandonment()
        reader = FormDataReader(try EncodingPlan(beginning: boundary))
    }

    /// Begins a chunk for the iterator that has begun `turn` chunks; an error if a copy of it has begun more.
    func begin(turn: Int) throws(MultipartError) {
        let isCurrent = lock.withLock {
            guard self.turn == turn else { return false }
            self.turn += 1
            return true
        }
        guard isCurrent else { throw MultipartError(.concurrentUse) }
        memory.begin(limit: partCount == nil ? reader.chunkLength(size) : size)
    }

    /// Whether the chunk has room for no more.
    var isFull: Bool { memory.isFull }

    /// Fills the chunk with what is in memory.
    func fill() throws(MultipartError) -> Step {
        // A seek may read what comes before.
        guard start == 0 else { return .blocking(.stream) }
        try reader.fill(&memory, from: .memory)
        if memory.isFull { return .chunk(memory.take()) }
        if reader.isAtEnd { return partCount == nil ? .chunk(memory.take()) : .part }
        if let content = reader.awaitedContent { return .asynchronous(content) }
        return .blocking(reader.source)
    }

    /// Fills the chunk, on a thread that may block.
    func fill(from source: ByteSource) async throws {
        let pool = source == .file ? BlockingPool.files : BlockingPool.streams
        try await pool.run(abandoning: abandonment) { [weak self] in
            try self?.fillBlocking(from: source)
        }
        // Cancelled just now, the reader would throw an error of its own.
        try Task.checkCancellation()
    }

    private func fillBlocking(from source: ByteSource) throws(MultipartError) {
        if start > 0 {
            try reader.seek(toOffset: start)
            start = 0
            memory.begin(limit: reader.chunkLength(size))
        }
        try reader.fill(&memory, from: source)
    }

    /// Fills the chunk with the asynchronous content's next bytes; true if the content must end now.
    func fill(from piece: inout Data) throws(MultipartError) -> Bool {
        try reader.fill(&memory, from: &piece)
    }

    func finishAwaitedContent() throws(MultipartError) {
        try reader.finishAwaitedContent()
    }

    /// Continues with the next part, or with the end of the message.
    func append(_ part: BodyPart?) throws(MultipartError) {
        guard let index = partCount else { return }
        let plan: EncodingPlan
        if let part {
            plan = try EncodingPlan(part, at: index, boundary: reader.plan.boundary)
            partCount = index + 1
        } else {
            plan = try EncodingPlan(closing: reader.plan.boundary, after: index)
            partCount = nil
        }
        reader = FormDataReader(plan, abandonment: abandonment)
    }

    /// Makes the encoding fail by an error of the asynchronous content.
    func fail(_ error: any Error) -> MultipartError {
        reader.fail(MultipartError(.inputStreamReadFailed, underlying: error))
    }
}
