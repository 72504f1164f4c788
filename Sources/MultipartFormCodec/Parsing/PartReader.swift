#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Reads a message for the iterators of ``MultipartParts`` and of each part's body.
///
/// - Input: the chunks of the message.
/// - Output: the parts, and pieces of the current part's body.
/// - Invariant: only one caller reads at a time. A second caller gets an error at once.
/// - Cost: holds one chunk, and requests another chunk only when the held chunk is used up. Reads the sequence on the
///   caller's actor.
@usableFromInline
final class PartReader: @unchecked Sendable {
    // SAFETY: all state except the sequence's iterator is accessed under the lock. The iterator is made from a Sendable
    // sequence and never leaves the reader. Only one caller at a time uses the iterator: the caller that has set
    // `isBusy`, until it clears `isBusy`. The iterator runs on the caller's actor, but no state of the actor is passed
    // to it.
    private let lock = Lock()
    @exclusivity(unchecked) private var cursor: PartCursor
    private var chunks: ElementReader<Data>

    @usableFromInline
    init(_ chunks: consuming ElementReader<Data>, _ parser: MultipartParser) {
        self.chunks = chunks
        // SAFETY: no other reference to the reader exists yet.
        unsafe cursor = PartCursor(parser)
    }

    private func withCursor<Result>(_ body: (inout PartCursor) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        // SAFETY: the lock makes all accesses exclusive.
        return try unsafe body(&cursor)
    }

    var name: String? { withCursor { $0.name } }

    /// The offset in the message of the next byte of the current part's body.
    var offset: UInt64 { withCursor { $0.offset } }

    /// Whether bytes of a part's body have been read; false if the part is not the current part.
    func hasReadBody(ofPart index: Int) -> Bool { withCursor { $0.current == index && $0.hasReadBody } }

    /// Returns the next part, if it has arrived. Discards the unread bytes of the previous part's body.
    @usableFromInline
    func part() throws -> ReadResult<MultipartParts.Part> {
        try withCursor { try $0.part(of: self) }
    }

    /// Returns the next piece of a part's body, if it has arrived.
    @usableFromInline
    func piece(ofPart index: Int) throws -> ReadResult<Data> {
        try withCursor { try $0.piece(ofPart: index) }
    }

    /// Waits for the next chunk, and then does the same as ``part()``.
    ///
    /// Returns an error instead of throwing it. The caller may run on an actor other than `actor`. If this function
    /// threw an error, Swift 6.3.1 would not return to the caller's actor.
    @usableFromInline
    func partAfterChunk(
        isolation actor: isolated (any Actor)?
    ) async -> Result<ReadResult<MultipartParts.Part>, any Error> {
        let chunk = await chunk(isolation: actor)
        return withCursor { cursor in
            cursor.receive(chunk)
            return Result { try cursor.part(of: self) }
        }
    }

    /// Waits for the next chunk, and then does the same as ``piece(ofPart:)``. Returns an error instead of throwing it,
    /// for the same reason as ``partAfterChunk(isolation:)``.
    @usableFromInline
    func pieceAfterChunk(
        ofPart index: Int,
        isolation actor: isolated (any Actor)?
    ) async -> Result<ReadResult<Data>, any Error> {
        let chunk = await chunk(isolation: actor)
        return withCursor { cursor in
            cursor.receive(chunk)
            return Result { try cursor.piece(ofPart: index) }
        }
    }

    private func chunk(isolation actor: isolated (any Actor)?) async -> Result<Data?, any Error> {
        do {
            return .success(try await chunks.next(isolation: actor))
        } catch {
            return .failure(error)
        }
    }

    /// The result of reading from the chunks that have arrived.
    @usableFromInline
    enum ReadResult<Value: Sendable>: Sendable {
        case value(Value)
        case end
        /// More bytes are needed. The caller must wait for another chunk. Until that chunk arrives, other callers get
        /// `concurrent-use`.
        case more
    }
}

/// The state of a reader: the parser, the current part, and the offset in the current part's body.
private struct PartCursor {
    private var parser: MultipartParser
    /// Whether a caller is waiting for a chunk.
    private var isBusy = false
    private var hasEnded = false
    private var failure: (any Error)?
    private var partCount = 0
    /// The index of the current part. Nil before the first part, while the reader looks for the next part, and after
    /// the last part.
    private(set) var current: Int?
    /// Whether the current part's body may have more bytes.
    private var isInBody = false
    /// Whether bytes of the current part's body have been returned.
    private(set) var hasReadBody = false
    /// The offset in the message of the next byte of the current part's body.
    private(set) var offset: UInt64 = 0

    init(_ parser: MultipartParser) {
        self.parser = parser
    }

    var name: String? { parser.headers.name }

    mutating func part(of reader: PartReader) throws -> PartReader.ReadResult<MultipartParts.Part> {
        try check()
        current = nil
        while true {
            guard let event = try nextEvent() else {
                isBusy = !hasEnded
                return hasEnded ? .end : .more
            }
            guard case .part(let headers) = event else { continue }
            let index = partCount
            partCount += 1
            current = index
            isInBody = true
            hasReadBody = false
            offset = parser.bodyOffset
            return .value(MultipartParts.Part(headers: headers, body: .init(index: index, reader: reader)))
        }
    }

    mutating func piece(ofPart index: Int) throws -> PartReader.ReadResult<Data> {
        try check(index)
        guard current == index else { throw MultipartError(ErrorCode.bodyOutOfTurn, partIndex: index) }
        guard isInBody else { return .end }
        switch try nextEvent() {
        case .body(let bytes):
            defer { offset += UInt64(bytes.count) }
            hasReadBody = true
            // Often the parser's next event is the end of the part. Taking the event here saves a call of `next()`.
            isInBody = !parser.popEndOfPart()
            return .value(bytes)
        case .endOfPart:
            isInBody = false
            return .end
        case nil where !hasEnded:
            isBusy = true
            return .more
        case .part, .end, nil:
            preconditionFailure("a part ends before what follows it")
        }
    }

    private mutating func nextEvent() throws -> MultipartParser.Event<Data>? {
        do {
            return try parser.next()
        } catch {
            // Stores the error, so that later calls throw the same error. Without that, the error would change if the
            // task were cancelled between two calls.
            let failure = hasEnded ? MultipartError.atEndOfChunks(error) : error
            self.failure = failure
            throw failure
        }
    }

    mutating func receive(_ chunk: Result<Data?, any Error>) {
        isBusy = false
        switch chunk {
        case .success(let chunk?):
            parser.append(data: chunk)
        case .success(nil):
            hasEnded = true
            parser.finish()
        case .failure(let error):
            failure = error
        }
    }

    private func check(_ index: Int? = nil) throws {
        guard !isBusy else { throw MultipartError(ErrorCode.concurrentUse, partIndex: index) }
        if let failure { throw failure }
    }
}

// The error of a message whose sequence has ended.
extension MultipartError {
    /// Returns the error to throw instead of `error`, which parsing threw after the sequence had ended.
    ///
    /// In a cancelled task, the sequence may have ended early. So the error of an incomplete message becomes a
    /// `CancellationError`. Any other error concerns bytes that have arrived, or the disk, and is returned unchanged.
    static func atEndOfChunks(_ error: any Error) -> any Error {
        guard let code = (error as? MultipartError)?.code, code == .unexpectedEnd || code == .boundaryNotFound,
            Task.isCancelled
        else { return error }
        return CancellationError()
    }
}
