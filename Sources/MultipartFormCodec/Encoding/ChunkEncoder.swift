#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Encodes a message chunk by chunk, for one iteration of ``EncodedFormChunks``.
///
/// - Input: a form, or parts that arrive one by one.
/// - Output: chunks of exactly `size` bytes. Only the last chunk may be shorter.
/// - Cost: the memory of one chunk, or of up to 512 KiB of chunks that were read ahead from files.
/// - Invariant: copies of an iterator share one encoder. The copy that first requests the next chunk continues the
///   message; the other copies get an error.
///
/// If the task is cancelled while a stream blocks in a read, open files and streams are closed when the read returns.
final class ChunkEncoder: @unchecked Sendable {
    // SAFETY: `chunkCount` is accessed only under the lock. One task at a time uses the other mutable properties:
    // - `begin(chunkCount:)` lets only one copy of the iterator continue the message.
    // - If an operation of a `BlockingPool` uses the properties, the task awaits the operation.
    // - If the task is cancelled, it stops waiting and never uses the encoder again. The operation may still run. It
    //   holds a reference to the encoder, so the encoder outlives the operation.
    private var reader: EncodedFormReader
    private var memory = ChunkMemory()
    /// Full chunks that were read ahead from files, in reverse order: the next chunk is the last element.
    private var ready: [Data] = []
    private let size: Int
    private var partReader: ElementReader<BodyPart>?
    private var pieceReader: ElementReader<Data>?
    private var piece = Data()
    private let cancellation = Cancellation()
    private var chunkCount = 0
    private let lock = Lock()

    /// The maximum number of bytes that one operation on another thread reads from files, unless one chunk is longer.
    ///
    /// Changing threads takes as long as reading about 64 KiB. So one operation reads several short chunks.
    private static let readLength = 512 * 1024
    /// The number of bytes that a shorter chunk counts toward `readLength`. So one operation allocates at most 128
    /// chunks: 512 KiB / 4 KiB.
    private static let minChunkSize = 4096

    init(_ message: EncodedFormChunks.Message, size: Int) throws(MultipartError) {
        self.size = size
        switch message {
        case .form(let form, let start, let progress):
            let plan = try EncodingPlan(form, allowsAsynchronous: true)
            reader = EncodedFormReader(plan, from: start, progress: progress, cancellation: cancellation)
        case .parts(let boundary, let makeParts):
            reader = EncodedFormReader(try EncodingPlan(PartList(), boundary: boundary, endsMessage: false))
            partReader = makeParts()
        }
    }

    /// Returns the next chunk; returns nil at the end of the message.
    ///
    /// `chunkCount` is the number of chunks that the calling iterator has received. Throws `concurrent-use` if another
    /// copy of the iterator has already requested the next chunk.
    func next(chunkCount: Int, isolation actor: isolated (any Actor)?) async throws -> Data? {
        try begin(chunkCount: chunkCount)
        try reader.checkCancellation()
        if memory.isEmpty { memory.limit = nextLimit }
        // Each iteration fills the chunk, or reaches the end of a content or a part.
        while true {
            if let chunk = ready.popLast() { return chunk }
            try reader.fill(&memory, from: .memory)
            if memory.isFull { return memory.take() }
            if reader.isAtEnd {
                guard partReader != nil else { return memory.take() }
                let part = try await partReader?.next(isolation: actor)
                // If the task is cancelled, the sequence may end before its last part. This check throws then, so that
                // the message does not end as if it were complete.
                try Task.checkCancellation()
                try append(part)
            } else if let makePieces = reader.makeAwaitedPieces {
                try openPieces(makePieces)
                try await fillFromPieces(isolation: actor)
            } else {
                try await fill(from: reader.place)
            }
        }
    }

    /// Begins a chunk. Throws `concurrent-use` if another copy of the iterator has already requested this chunk.
    private func begin(chunkCount: Int) throws(MultipartError) {
        let isCurrent = lock.withLock {
            guard self.chunkCount == chunkCount else { return false }
            self.chunkCount += 1
            return true
        }
        guard isCurrent else { throw MultipartError(ErrorCode.concurrentUse) }
    }

    /// The number of bytes at which the next chunk is full.
    private var nextLimit: Int { partReader == nil ? reader.chunkLength(size) : size }

    /// Continues the message with `part`. If `part` is nil, continues with the end of the message.
    private func append(_ part: BodyPart?) throws(MultipartError) {
        var parts = PartList()
        if let part { parts.append(unchecked: part) } else { partReader = nil }
        let last = reader.plan
        let index = last.firstIndex + last.parts.count
        let plan = try EncodingPlan(parts, at: index, boundary: last.boundary, endsMessage: part == nil)
        reader = EncodedFormReader(plan, cancellation: cancellation)
    }

    /// Fills the chunk from `place`, on a thread that may block. If `place` is a file, also reads further chunks
    /// ahead.
    private func fill(from place: ContentPlace) async throws {
        guard place == .file else {
            return try await BlockingPool.streams.run(abandoning: cancellation) { [self] in
                try reader.fill(&memory, from: place)
            }
        }
        try await BlockingPool.files.run(abandoning: cancellation) { [self] in
            try reader.fill(&memory, from: .file)
            readAhead()
        }
    }

    /// If the chunk is full, fills further chunks from files. Stops at an error without throwing it, because the reader
    /// throws the error again after the full chunks have been returned.
    private func readAhead() {
        let maxCount = Self.readLength / max(size, Self.minChunkSize) - 1
        var chunks: [Data] = []
        while memory.isFull, reader.place == .file, chunks.count < maxCount, let chunk = memory.take() {
            chunks.append(chunk)
            memory.limit = nextLimit
            do throws(MultipartError) { try reader.fill(&memory, from: .file) } catch { break }
        }
        ready = chunks.reversed()
    }

    /// Begins to iterate an asynchronous content, unless its iteration has begun.
    private func openPieces(_ makePieces: () throws -> ElementReader<Data>) throws {
        guard pieceReader == nil else { return }
        do {
            pieceReader = try makePieces()
        } catch let error as MultipartError {
            throw reader.failPart(error)
        }
    }

    /// Fills the chunk with pieces of an asynchronous content. Ends the content when its sequence ends.
    private func fillFromPieces(isolation actor: isolated (any Actor)?) async throws {
        // Whether all declared bytes have arrived. The loop then waits for the end of the sequence, even if the chunk
        // is full, because a further piece is an error.
        var mustEnd = false
        while mustEnd || !memory.isFull {
            while piece.isEmpty {
                guard let next = try await receivePiece(isolation: actor) else {
                    pieceReader = nil
                    return try reader.finishAwaitedContent()
                }
                piece = next
            }
            mustEnd = try reader.fill(&memory, from: &piece)
        }
    }

    private func receivePiece(isolation actor: isolated (any Actor)?) async throws -> Data? {
        do {
            return try await pieceReader?.nextPiece(isolation: actor)
        } catch let error as MultipartError {
            throw reader.failPart(error)
        }
    }
}
