#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Reads the encoded bytes of a form, buffer by buffer.
///
/// - Input: a form.
/// - Output: the bytes of the message in order. Each read fills its buffer, except at the end of the message.
/// - Invariant: at most one content is open. The reader closes a content at its end, after an error, and when the
///   reader itself is released.
/// - Cost: one copy of each byte, into the buffer. Content is searched for the boundary only if the caller chose the
///   boundary.
///
/// Every method that encodes a form uses a reader. Create a reader with ``MultipartFormData/makeReader(from:)``. A
/// reader cannot be copied.
public struct EncodedFormReader: ~Copyable, @unchecked Sendable {
    // SAFETY: all properties except `content` are Sendable. The reader creates `content` from a `BodyContent`, which is
    // Sendable, and never passes `content` to a caller. A reader cannot be copied, so it has one owner at a time.
    let plan: EncodingPlan
    private let progress: EncodingProgress?
    /// The offset at which progress was last reported; nil before the first report.
    private var reported: UInt64?
    private let cancellation: Cancellation?
    private var failure: MultipartError?

    /// The offset to which the first read moves; 0 after that move.
    private var start: UInt64
    /// What the reader reads next. A text is a delimiter and a header section, or the close delimiter: see
    /// ``EncodingPlan``.
    ///
    ///     state     the reader reads                  next state
    ///     text      text `index`, from `textOffset`   content if there is any, else text or end
    ///     content   the content after text `index`    text
    ///     end       nothing                           none
    ///
    /// If the reader begins at an offset, its first read moves there, through these states. After an error, the reader
    /// keeps its state, and each read throws the error.
    ///
    /// Values such as `textOffset` are properties of the reader. If they were associated values of the states, they
    /// would be copied for each text.
    private enum State {
        case text, content, end
    }

    private var state = State.text
    /// The index of the current text, and of the content after it.
    private(set) var index = 0
    /// How many bytes of the current text have been read.
    private(set) var textOffset = 0
    /// Where the next bytes of the message come from.
    private(set) var place = ContentPlace.memory
    /// The content, if it is open.
    var content: ContentReader?
    var collisionCheck: CollisionCheck?

    /// The offset in the message of the next byte to read. Store it to resume an upload. A read that throws does not
    /// change the offset.
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

    /// How many bytes are read between two reports of progress.
    private static let reportedStep: UInt64 = 4096

    /// The length of the whole message in bytes, for a Content-Length field; nil if the length of a content is unknown.
    public var length: UInt64? { plan.length }

    var isAtEnd: Bool { state == .end }
    var isInContent: Bool { state == .content }

    var nextContent: BodyContent { plan.parts.content(at: index) }

    /// A function that begins to iterate the next content, if that content is asynchronous; otherwise nil. The reader's
    /// owner must await the pieces and pass them to the reader.
    var makeAwaitedPieces: (@Sendable () throws -> ElementReader<Data>)? {
        guard place == .asynchronous, case .asynchronous(_, let makePieces) = nextContent else { return nil }
        return makePieces
    }

    /// Returns the next bytes of the message as `Data`; returns nil at the end of the message.
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
            // The offset does not count bytes that were read before the error, because the caller does not get these
            // bytes.
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

    /// Fills a chunk with the next bytes of the message.
    ///
    /// Does not read from a place that is slower than `slowestPlace`. For instance, if `slowestPlace` is `.file`, stops
    /// before the content of a stream.
    mutating func fill(_ chunk: inout ChunkMemory, from slowestPlace: ContentPlace) throws(MultipartError) {
        while !chunk.isFull, !isAtEnd, place <= slowestPlace {
            do throws(MultipartError) {
                _ = unsafe try chunk.append { room throws(MultipartError) in
                    // SAFETY: `room` is passed on with its bounds.
                    unsafe try read(into: room, from: slowestPlace)
                }
            } catch {
                throw fail(error)
            }
        }
    }

    /// Fills a buffer of your own with the next bytes of the message, to avoid an allocation for each chunk.
    ///
    /// - Parameter buffer: Receives the bytes; not empty.
    /// - Returns: The number of bytes read. It equals the buffer's length, except at the end of the message, and is 0
    ///   after the end.
    /// - Throws: ``MultipartError`` with the part's index and name. After an error, every further read throws the same
    ///   error.
    public mutating func read(into buffer: inout MutableRawSpan) throws -> Int {
        precondition(!buffer.isEmpty, "a buffer has room for a byte")
        let before = offset
        do {
            // SAFETY: the pointer is passed on with its bounds, and is used only inside the closure.
            return unsafe try buffer.withUnsafeMutableBytes { unsafe try read(into: $0, from: .stream) }
        } catch {
            // The offset does not count bytes that were read before the error, because the caller does not know their
            // number.
            offset = before
            throw error
        }
    }

    /// Fills a buffer with the next bytes of the message, and returns their count.
    ///
    /// Does not read from a place that is slower than `slowestPlace`. For instance, if `slowestPlace` is `.file`, stops
    /// before the content of a stream.
    mutating func read(
        into buffer: UnsafeMutableRawBufferPointer,
        from slowestPlace: ContentPlace
    ) throws(MultipartError) -> Int {
        try checkState()
        if start > 0 {
            guard try move(to: start, from: slowestPlace) else { return 0 }
            start = 0
        }
        var filled = 0
        while filled < buffer.count, !isAtEnd, place <= slowestPlace {
            // SAFETY: `room` is the unfilled end of the buffer.
            let room = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let count = isInContent ? unsafe try readContent(into: room) : unsafe readText(into: room)
            try advance(by: count)
            filled += count
        }
        return filled
    }

    mutating func checkState() throws(MultipartError) {
        if let failure { throw failure }
        // Checks for cancellation first, so that no progress is reported after a cancellation.
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

    /// A function that throws if the progress has been cancelled. Operations that report no progress call this
    /// function, for instance while they skip content.
    var checkCancellation: () throws(MultipartError) -> Void {
        let progress = progress
        return { () throws(MultipartError) in
            if progress?.isCancelled() == true { throw MultipartError(.cancelled) }
        }
    }

    /// Adds the index and name of a part to an error, makes all further reads throw this error, and returns the error.
    /// Closes the content.
    ///
    /// `part` is the index of the part in the plan; nil for the current part.
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
        while filled < buffer.count, state == .text {
            // SAFETY: `room` is the unfilled end of the buffer.
            let room = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let (count, isWhole) = unsafe plan.copyText(at: index, from: textOffset, to: room)
            filled += count
            textOffset += count
            if isWhole { endText() }
        }
        return filled
    }

    /// Skips bytes of the current text, such as a delimiter and a header section. At the end of the text, moves to the
    /// content or the text that follows.
    mutating func skipText(_ count: Int) {
        textOffset += count
        if textOffset == plan.textLength(at: index) { endText() }
    }

    /// Ends the current text. Moves to the content after it, or else to the next text, or to the end of the message.
    private mutating func endText() {
        collisionCheck?.begin()
        if plan.hasContent(at: index) {
            state = .content
            place = plan.parts.place(at: index)
        } else {
            beginNextText()
        }
    }

    /// Ends the content, and moves to the text after it.
    mutating func endContent() {
        content = nil
        place = .memory
        state = .text
        beginNextText()
    }

    private mutating func beginNextText() {
        index += 1
        textOffset = 0
        if index == plan.textCount { state = .end }
    }

    /// Copies the next bytes of the content, and returns their count; returns 0 if no bytes are left. Ends the content
    /// after its last byte.
    // Inlined, because a call would take 2% of the instructions that encode a form of short fields.
    @inline(__always)
    mutating func readContent(into buffer: UnsafeMutableRawBufferPointer) throws(MultipartError) -> Int {
        if content == nil, place == .memory, let count = unsafe try readShortContent(into: buffer) { return count }
        let count = try withContent { content, collisionCheck throws(MultipartError) in
            // SAFETY: `next` returns at most as many bytes as fit in the buffer.
            unsafe try content?.next(through: buffer) { bytes, isInBuffer throws(MultipartError) in
                let collides = unsafe collisionCheck.scan(bytes, copyingTo: isInBuffer ? nil : buffer)
                if collides { throw collisionCheck.collision }
            } ?? 0
        }
        if count == 0 || content?.isComplete == true { endContent() }
        return count
    }

    /// If the content is in memory and short, copies all of it and returns its length. Otherwise copies nothing and
    /// returns nil.
    private mutating func readShortContent(
        into buffer: UnsafeMutableRawBufferPointer
    ) throws(MultipartError) -> Int? {
        let count: Int, collides: Bool
        if let range = plan.parts.inlineContent(at: index) {
            guard range.count <= buffer.count else { return nil }
            count = range.count
            // Uses the array `bytes`, not a method of `PartList` that passes the bytes to a closure: the compiler would
            // copy the whole list for the closure. Forwarding received fields would then take 1.5 times as long
            // (benchmark `programs encode-again`).
            let bytes = plan.parts.bytes
            // SAFETY: the buffer has room for the bytes.
            collides = unsafe collisionCheck.scan(bytes.span.extracting(range), copyingTo: buffer)
        } else {
            // Content is copied here only if it is in memory, fits in the buffer, and has at most 4096 bytes.
            // `readContent` reads all other content piece by piece.
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

    /// Opens the content if it is not open, and calls `body` with the content and the collision check. After an error,
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
    /// Moves bytes of the asynchronous content from `piece` to `chunk`. Returns whether all declared bytes have
    /// arrived.
    mutating func fill(_ chunk: inout ChunkMemory, from piece: inout Data) throws(MultipartError) -> Bool {
        try checkState()
        let count = try withContent { content, collisionCheck throws(MultipartError) in
            // Throws if the piece comes after the last declared byte, even if the chunk has no room for the piece.
            if content?.isComplete == true { try content?.take(1) }
            return unsafe try chunk.append { room throws(MultipartError) in
                let bytes = piece.prefix(room.count)
                try content?.take(bytes.count)
                // SAFETY: `bytes` has at most as many bytes as `room`.
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
