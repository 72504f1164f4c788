#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Encodes a message chunk by chunk, for one iteration.
///
/// - Input: a form, or parts that arrive one by one.
/// - Output: chunks of exactly `size` bytes; the last one may be shorter.
/// - Cost: holds one chunk, or up to 512 KiB of chunks that were read from files.
/// - Invariant: only the iterator that began the last chunk uses the encoder; a copy of this iterator that has begun
///   fewer chunks gets an error. If the task is cancelled while a stream blocks, open files and streams are closed when
///   the stream's read returns.
final class ChunkEncoder: @unchecked Sendable {
    // SAFETY: `chunkCount` is accessed only under the lock. The rest is accessed by the iterator that began the last
    // chunk, or by the operation it waits for; an iterator that stops waiting begins no further chunk. Each operation
    // holds the object while it runs, so the deinitializer runs after it.
    private var reader: EncodedFormReader
    private var memory = ChunkMemory()
    /// Full chunks that were read ahead from files, in reverse order.
    private var ready: [Data] = []
    private let size: Int
    private var nextPart: NextElement<BodyPart>?
    private var nextPiece: NextElement<Data>?
    private var piece = Data()
    private let cancellation = Cancellation()
    private var chunkCount = 0
    private let lock = Lock()

    /// How many bytes to read from files, in whole chunks, before returning to the caller's thread. More than one
    /// chunk, because changing threads takes as long as reading about 64 KiB.
    private static let readLength = 512 * 1024
    /// A shorter chunk counts as this many bytes of `readLength`, because each chunk allocates memory.
    private static let minChunkSize = 4096

    init(_ message: EncodedFormChunks.Message, size: Int) throws(MultipartError) {
        self.size = size
        switch message {
        case .form(let form, let start, let progress):
            let plan = try EncodingPlan(form, allowsAsynchronous: true)
            reader = EncodedFormReader(plan, from: start, progress: progress, cancellation: cancellation)
        case .parts(let boundary, let makeParts):
            reader = EncodedFormReader(try EncodingPlan(PartList(), boundary: boundary, endsMessage: false))
            nextPart = makeParts()
        }
    }

    /// Returns the next chunk, to the iterator that has begun `chunkCount` chunks; nil at the message's end.
    func next(chunkCount: Int, isolation actor: isolated (any Actor)?) async throws -> Data? {
        try begin(chunkCount: chunkCount)
        try reader.checkCancellation()
        if memory.isEmpty { memory.limit = nextLimit }
        // Each pass fills the chunk, or ends a content or a part.
        while true {
            if let chunk = ready.popLast() { return chunk }
            try reader.fill(&memory, from: .memory)
            if memory.isFull { return memory.take() }
            if reader.isAtEnd {
                guard let nextPart else { return memory.take() }
                let part = try await nextPart(actor)
                // Throws if the task is cancelled, so that a message that lacks parts does not seem complete.
                // A cancelled sequence may end early.
                try Task.checkCancellation()
                try append(part)
            } else if let makePieces = reader.makeAwaitedPieces {
                try openPieces(makePieces)
                try await fillFromPieces(isolation: actor)
            } else {
                try await fill(from: reader.source)
            }
        }
    }

    /// Begins a chunk; throws if a copy of the iterator has begun more chunks.
    private func begin(chunkCount: Int) throws(MultipartError) {
        let isCurrent = lock.withLock {
            guard self.chunkCount == chunkCount else { return false }
            self.chunkCount += 1
            return true
        }
        guard isCurrent else { throw MultipartError(ErrorCode.concurrentUse) }
    }

    /// The length at which the next chunk is full.
    private var nextLimit: Int { nextPart == nil ? reader.chunkLength(size) : size }

    /// Continues with `part`, the next part; if it is nil, with the end of the message.
    private func append(_ part: BodyPart?) throws(MultipartError) {
        var parts = PartList()
        if let part { parts.append(unchecked: part) } else { nextPart = nil }
        let last = reader.plan
        let index = last.firstIndex + last.parts.count
        let plan = try EncodingPlan(parts, at: index, boundary: last.boundary, endsMessage: part == nil)
        reader = EncodedFormReader(plan, cancellation: cancellation)
    }

    /// Fills the chunk on a thread that may block; while bytes come from files, reads some chunks ahead.
    private func fill(from source: ByteSource) async throws {
        guard source == .file else {
            return try await BlockingPool.streams.run(abandoning: cancellation) { [self] in
                try reader.fill(&memory, from: source)
            }
        }
        try await BlockingPool.files.run(abandoning: cancellation) { [self] in
            try reader.fill(&memory, from: .file)
            readAhead()
        }
    }

    /// After a full chunk, fills further ones. An error is not thrown here, because the reader throws it again after
    /// the full chunks have been returned.
    private func readAhead() {
        let maxCount = Self.readLength / max(size, Self.minChunkSize) - 1
        var chunks: [Data] = []
        while memory.isFull, reader.source == .file, chunks.count < maxCount, let chunk = memory.take() {
            chunks.append(chunk)
            memory.limit = nextLimit
            do throws(MultipartError) { try reader.fill(&memory, from: .file) } catch { break }
        }
        ready = chunks.reversed()
    }

    /// Begins the iteration of an asynchronous content, unless the iteration has begun.
    private func openPieces(_ makePieces: () throws -> NextElement<Data>) throws {
        guard nextPiece == nil else { return }
        do {
            nextPiece = try makePieces()
        } catch let error as MultipartError {
            throw reader.failPart(error)
        }
    }

    /// Fills the chunk with an asynchronous content, and ends the content when it has no more bytes.
    private func fillFromPieces(isolation actor: isolated (any Actor)?) async throws {
        // The last declared bytes are returned only after the end of the sequence, because further bytes would be an
        // error.
        var mustEnd = false
        while mustEnd || !memory.isFull {
            while piece.isEmpty {
                guard let next = try await receivePiece(isolation: actor) else {
                    nextPiece = nil
                    return try reader.finishAwaitedContent()
                }
                piece = next
            }
            mustEnd = try reader.fill(&memory, from: &piece)
        }
    }

    private func receivePiece(isolation actor: isolated (any Actor)?) async throws -> Data? {
        guard let nextPiece else { return nil }
        do {
            return try await MultipartForm.nextPiece(of: nextPiece, isolation: actor)
        } catch let error as MultipartError {
            throw reader.failPart(error)
        }
    }
}
