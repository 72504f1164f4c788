#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Reads a message for the iterators of its parts and of their bodies.
///
/// - Input: chunks.
/// - Output: parts, and pieces of the current part's body.
/// - Invariant: one caller at a time; a second one gets an error at once.
/// - Cost: holds one chunk. Returns what has arrived without waiting for more; reads the source where the caller runs.
@usableFromInline
final class PartReader: @unchecked Sendable {
    // SAFETY: all state is accessed under the lock. Only the source's iterator is used outside of it: the iterator is
    // made from a Sendable source, never leaves the reader, and is used only by the caller that has set `isBusy`, until
    // this caller clears it. The iterator gets the caller's actor, but no state of the actor.
    private let lock = Lock()
    @exclusivity(unchecked) private var cursor: PartCursor
    private let nextChunk: NextElement<Data>

    @usableFromInline
    init(_ nextChunk: @escaping NextElement<Data>, _ parser: MultipartParser) {
        self.nextChunk = nextChunk
        // SAFETY: nothing else refers to the reader yet.
        unsafe cursor = PartCursor(parser)
    }

    private func withCursor<Result>(_ body: (inout PartCursor) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        // SAFETY: the lock makes all accesses exclusive.
        return try unsafe body(&cursor)
    }

    var name: String? { withCursor { $0.name } }

    /// The offset in the message of the current body's next byte.
    var offset: UInt64 { withCursor { $0.offset } }

    /// Whether bytes of a part's body have been read; false if it is not the current part.
    func hasReadBody(ofPart index: Int) -> Bool { withCursor { $0.current == index && $0.hasReadBody } }

    /// The next part, if it has arrived. Discards the previous part's unread body.
    @usableFromInline
    func part() throws -> ReadResult<MultipartParts.Part> {
        try withCursor { try $0.part(of: self) }
    }

    /// The next piece of a part's body, if it has arrived.
    @usableFromInline
    func piece(ofPart index: Int) throws -> ReadResult<Data> {
        try withCursor { try $0.piece(ofPart: index) }
    }

    /// Waits for the next chunk, and then does what ``part()`` does.
    ///
    /// Returns an error instead of throwing it: after a function has thrown, its caller continues on `actor` (Swift
    /// 6.3.1), which need not be the caller's own actor.
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

    /// Waits for the next chunk, and then does what ``piece(ofPart:)`` does. Returns an error instead of throwing it,
    /// for the same reason.
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
            return .success(try await nextChunk(actor))
        } catch {
            return .failure(error)
        }
    }

    /// What is known from the chunks that have arrived.
    @usableFromInline
    enum ReadResult<Value: Sendable>: Sendable {
        case value(Value)
        case end
        /// Nothing yet; the caller must wait for another chunk and continue. Until then, other callers get
        /// `concurrentUse`.
        case more
    }
}

/// The parser of a message, and the position of its reader: the current part, and the offset in its body.
private struct PartCursor {
    private var parser: MultipartParser
    /// Whether a caller waits for a chunk.
    private var isBusy = false
    private var hasEnded = false
    private var failure: (any Error)?
    private var partCount = 0
    /// The index of the current part.
    private(set) var current: Int?
    /// Whether the current part's body has not ended.
    private var isInBody = false
    /// Whether bytes of the current part's body have been returned.
    private(set) var hasReadBody = false
    /// The offset in the message of the body's next byte.
    private(set) var offset: UInt64 = 0

    init(_ parser: MultipartParser) {
        self.parser = parser
    }

    var name: String? { parser.headers.name }

    mutating func part(of reader: PartReader) throws -> PartReader.ReadResult<MultipartParts.Part> {
        try check()
        current = nil
        while true {
            guard let event = try parser.next() else {
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
        switch try parser.next() {
        case .body(let bytes):
            defer { offset += UInt64(bytes.count) }
            hasReadBody = true
            // The parser often knows already that the part ends here, and taking this event now saves a call.
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
