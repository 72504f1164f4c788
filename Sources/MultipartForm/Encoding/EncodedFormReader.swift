#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Reads a form's encoded bytes, buffer by buffer.
///
/// - Input: a form.
/// - Output: the message's bytes in order, as many as fit into each buffer; then none.
/// - Invariant: at most one content is open. It is closed when it ends, when anything fails, and with the reader.
/// - Cost: one copy of each byte into the buffer. Content is searched for the boundary only if the caller chose the
///   boundary.
///
/// All encodings use a reader. Make one with ``MultipartFormData/makeReader(from:)``. It cannot be copied.
public struct EncodedFormReader: ~Copyable, @unchecked Sendable {
    // SAFETY: everything stored is Sendable except the open content. That is created here from a Sendable description,
    // and is never passed to a caller. A reader cannot be copied, so it has one owner at a time.
    let plan: EncodingPlan
    private let progress: EncodingProgress?
    /// The offset in the last report of progress; nil before the first report.
    private var reported: UInt64?
    private let cancellation: Cancellation?
    private var failure: MultipartError?

    /// The offset to which the first read moves; 0 once the reader is there.
    private var start: UInt64
    /// The index of the current segment of text, and of the content after it.
    private(set) var index = 0
    private(set) var textOffset = 0
    private(set) var isInContent = false
    /// The source of the next bytes to read or, until `start` is reached, to skip.
    private(set) var source = ByteSource.memory
    var content: ContentReader?
    var collisionCheck: CollisionCheck?

    /// The offset in the message of the next byte to read; keep it to resume an upload. A read that throws does not
    /// change it.
    public internal(set) var offset: UInt64 = 0

    init(
        _ plan: EncodingPlan,
        from start: UInt64 = 0,
        progress: EncodingProgress? = nil,
        cancellation: Cancellation? = nil
    ) {
        self.plan = plan
        self.start = start
        self.progress = progress
        self.cancellation = cancellation
        self.collisionCheck = plan.searchesForBoundary ? CollisionCheck(boundary: plan.boundary) : nil
    }

    /// How many bytes are read before the progress is reported again.
    private static let reportedStep: UInt64 = 4096

    /// The length of the message in bytes, for a Content-Length field; nil if the length of a content is unknown.
    public var length: UInt64? { plan.length }

    var isAtEnd: Bool { index == plan.segmentCount }

    var nextContent: BodyContent { plan.parts.content(at: index) }

    /// If the next bytes are from an asynchronous sequence, a function that begins its iteration; otherwise nil. The
    /// reader's owner must pass the sequence's bytes to the reader.
    var makeAwaitedPieces: (@Sendable () throws -> NextElement<Data>)? {
        guard source == .asynchronous, case .asynchronous(_, let makePieces) = nextContent else { return nil }
        return makePieces
    }

    /// Returns the next bytes of the message as `Data`; nil at its end.
    ///
    /// - Parameter maxLength: How many bytes to read; at least 1.
    /// - Returns: Exactly `maxLength` bytes, or fewer at the end of the message.
    /// - Throws: ``MultipartError`` with the part's index and name. After an error, every further read throws the same
    ///   error.
    public mutating func next(maxLength: Int) throws -> Data? {
        precondition(maxLength > 0, "a length is at least 1")
        let before = offset
        do {
            return try nextChunk(maxLength: maxLength)
        } catch {
            // The caller does not get the bytes that were read before the error.
            offset = before
            throw error
        }
    }

    mutating func nextChunk(maxLength: Int) throws(MultipartError) -> Data? {
        try checkState()
        var chunk = ChunkMemory()
        chunk.limit = chunkLength(maxLength)
        try fill(&chunk, from: .stream)
        return chunk.take()
    }

    func chunkLength(_ maxLength: Int) -> Int {
        min(maxLength, length.map { Int(clamping: $0 - offset) } ?? .max)
    }

    /// Fills a chunk with the next bytes; stops before a source slower than `slowestSource`.
    mutating func fill(_ chunk: inout ChunkMemory, from slowestSource: ByteSource) throws(MultipartError) {
        while !chunk.isFull, !isAtEnd, source <= slowestSource {
            do throws(MultipartError) {
                _ = unsafe try chunk.append { room throws(MultipartError) in
                    // SAFETY: the whole room is passed on.
                    unsafe try read(into: room, from: slowestSource)
                }
            } catch {
                throw fail(error)
            }
        }
    }

    /// Fills a buffer of your own, to avoid an allocation for each chunk.
    ///
    /// - Parameter buffer: Receives the bytes; not empty.
    /// - Returns: The number of bytes: the buffer's length, less at the end of the message, and 0 after it.
    /// - Throws: ``MultipartError`` with the part's index and name. After an error, every further read throws the same
    ///   error.
    public mutating func read(into buffer: inout MutableRawSpan) throws -> Int {
        precondition(!buffer.isEmpty, "a buffer has room for a byte")
        let before = offset
        do {
            // SAFETY: the whole buffer is passed on, and used inside the closure only.
            return unsafe try buffer.withUnsafeMutableBytes { unsafe try read(into: $0, from: .stream) }
        } catch {
            // The caller does not know how many bytes were read before the error.
            offset = before
            throw error
        }
    }

    /// Fills a buffer with the next bytes, and returns their count; stops before a source slower than `slowestSource`.
    mutating func read(
        into buffer: UnsafeMutableRawBufferPointer,
        from slowestSource: ByteSource
    ) throws(MultipartError) -> Int {
        try checkState()
        if start > 0 {
            guard try move(to: start, from: slowestSource) else { return 0 }
            start = 0
        }
        var filled = 0
        while filled < buffer.count, !isAtEnd, source <= slowestSource {
            // SAFETY: the rest of the buffer, within its bounds.
            let room = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let count = isInContent ? unsafe try readContent(into: room) : unsafe readText(into: room)
            try advance(by: count)
            filled += count
        }
        return filled
    }

    mutating func checkState() throws(MultipartError) {
        if let failure { throw failure }
        // Checked first, so that no progress is reported after the task has been cancelled.
        if progress?.isCancelled() == true || cancellation?.isCancelled == true {
            throw fail(MultipartError(.cancelled))
        }
        if progress != nil, reported == nil, start == 0 { try reportProgress() }
    }

    mutating func advance(by count: Int) throws(MultipartError) {
        offset += UInt64(count)
        if cancellation?.isCancelled == true { try checkState() }
        if progress != nil, isAtEnd || offset - (reported ?? 0) >= Self.reportedStep { try reportProgress() }
    }

    mutating func reportProgress() throws(MultipartError) {
        reported = offset
        do throws(MultipartError) {
            try progress?.report(offset, of: length)
        } catch {
            throw fail(error)
        }
    }

    /// A function that throws if the progress has been cancelled. For an operation during which no progress is
    /// reported, such as skipping content.
    var checkCancellation: () throws(MultipartError) -> Void {
        let progress = progress
        return { () throws(MultipartError) in
            if progress?.isCancelled() == true { throw MultipartError(.cancelled) }
        }
    }

    /// Closes the content, and makes all further reads fail. Returns the error with the index and the name of `part`,
    /// or of the current part if `part` is nil.
    mutating func failPart(_ error: MultipartError, at part: Int? = nil) -> MultipartError {
        let part = part ?? index
        return fail(error.located(at: plan.firstIndex + part, name: plan.parts.name(at: part)))
    }

    mutating func fail(_ error: MultipartError) -> MultipartError {
        content = nil
        failure = error
        return error
    }

    private mutating func readText(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var filled = 0
        while filled < buffer.count, !isInContent, !isAtEnd {
            // SAFETY: the rest of the buffer, within its bounds.
            let room = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let (count, isWhole) = unsafe plan.copySegment(at: index, from: textOffset, to: room)
            filled += count
            textOffset += count
            if isWhole { endText() }
        }
        return filled
    }

    /// Skips bytes of the current segment; at the segment's end, moves to the content or the segment after it.
    mutating func skipText(_ count: Int) {
        textOffset += count
        if textOffset == plan.segmentLength(at: index) { endText() }
    }

    /// Moves to the content after a segment, or to the next segment; after the last one, to the end of the message.
    private mutating func endText() {
        textOffset = 0
        collisionCheck?.begin()
        if plan.hasContent(at: index) {
            isInContent = true
            source = plan.parts.source(at: index)
        } else {
            index += 1
        }
    }

    mutating func endContent() {
        content = nil
        isInContent = false
        source = .memory
        index += 1
    }

    /// Copies bytes of the content, and returns their count; 0 if there are no more. Ends the content after its last
    /// byte.
    mutating func readContent(into buffer: UnsafeMutableRawBufferPointer) throws(MultipartError) -> Int {
        if content == nil, source == .memory, let count = unsafe try readShortContent(into: buffer) { return count }
        let count = try withContent { content, collisionCheck throws(MultipartError) in
            // SAFETY: the reader returns no more bytes than the buffer has room for.
            unsafe try content?.next(through: buffer) { bytes, isInBuffer throws(MultipartError) in
                let collides = unsafe collisionCheck.scan(bytes, copyingTo: isInBuffer ? nil : buffer)
                if collides { throw collisionCheck.collision }
            } ?? 0
        }
        if count == 0 || content?.isComplete == true { endContent() }
        return count
    }

    /// Copies the whole content, and returns its length, if the content is short enough. Otherwise copies nothing, and
    /// returns nil.
    private mutating func readShortContent(
        into buffer: UnsafeMutableRawBufferPointer
    ) throws(MultipartError) -> Int? {
        let count: Int, collides: Bool
        if let range = plan.parts.inlineContent(at: index) {
            guard range.count <= buffer.count else { return nil }
            count = range.count
            // This copies one reference. A method of the list that took a closure would copy the whole list, and
            // forwarding received fields (`programs encode-again`) would take 1.5 times as long.
            let bytes = plan.parts.bytes
            // SAFETY: the buffer has room for the bytes.
            collides = unsafe collisionCheck.scan(bytes.span.extracting(range), copyingTo: buffer)
        } else {
            // A longer content is read piece by piece.
            let content = plan.parts.storedContent(at: index)
            let result = content?.withBytesInMemory(upTo: min(buffer.count, 4096)) { bytes in
                // SAFETY: the buffer has room for the bytes.
                (bytes.count, unsafe collisionCheck.scan(bytes, copyingTo: buffer))
            }
            guard let result else { return nil }
            (count, collides) = result
        }
        if collides { throw failPart(collisionCheck.collision) }
        endContent()
        return count
    }

    /// Calls `body` with the content, which is opened if needed, and with the check for the boundary. If this throws,
    /// all further reads fail.
    mutating func withContent<Result>(
        _ body: (inout ContentReader?, inout CollisionCheck?) throws(MultipartError) -> Result
    ) throws(MultipartError) -> Result {
        do throws(MultipartError) {
            if content == nil { content = try ContentReader(nextContent, cancellation: cancellation) }
            return try body(&content, &collisionCheck)
        } catch {
            throw failPart(error)
        }
    }
}

extension EncodedFormReader {
    /// Moves bytes of the asynchronous content from `piece` to `chunk`. Returns true if all declared bytes have now
    /// arrived.
    mutating func fill(_ chunk: inout ChunkMemory, from piece: inout Data) throws(MultipartError) -> Bool {
        try checkState()
        let count = try withContent { content, collisionCheck throws(MultipartError) in
            // A piece after the last declared byte is an error, even if the chunk has no room for it.
            if content?.isComplete == true { try content?.take(1) }
            return unsafe try chunk.append { room throws(MultipartError) in
                let bytes = piece.prefix(room.count)
                try content?.take(bytes.count)
                // SAFETY: the prefix fits into the room.
                let collides = unsafe collisionCheck.scan(bytes.span, copyingTo: room)
                if collides { throw collisionCheck.collision }
                return bytes.count
            }
        }
        piece.removeFirst(count)
        try advance(by: count)
        return content?.isComplete == true
    }

    mutating func finishAwaitedContent() throws(MultipartError) {
        try withContent { content, _ throws(MultipartError) -> Void in try content?.finish() }
        endContent()
    }
}
