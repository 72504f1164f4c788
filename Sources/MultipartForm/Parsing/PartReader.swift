internal import Foundation

/// Where the bodies of streamed parts come from.
protocol BodySource: AnyObject, Sendable {
    /// The next piece of a part's body; nil at its end.
    ///
    /// - Parameter index: The index of the part.
    /// - Returns: The bytes, and their offset in the message.
    /// - Throws: ``MultipartReceivingError`` if it is not the part's turn; else as the events do.
    func nextPiece(ofPart index: Int) async throws -> (offset: UInt64, bytes: Data)?
}

/// Reads a message's events for whoever is next to ask: the parts' iterator or a part's body.
///
/// - Input: events.
/// - Output: parts, and pieces of the body of the part whose turn it is.
/// - Invariant: one caller at a time; a second one gets an error at once.
/// - Cost: holds no more than the events do: a chunk.
final class PartReader<Source: AsyncSequence & Sendable>: BodySource, @unchecked Sendable
where Source.Element: ContiguousBytes {
    // SAFETY: `isBusy` changes under the lock only. All other state is touched only by the one caller who set it, from
    // then until that caller clears it, and the lock orders one caller's work before the next one's. The source's iterator
    // is made here from a Sendable source, is never handed out, and is used outside any actor only, so that nothing of
    // an actor's can be in it.
    private let lock = NSLock()
    private var isBusy = false

    private var events: MultipartEvents<Source>.AsyncIterator
    private var partCount = 0
    /// The index of the part whose turn it is.
    private var turn: Int?
    /// Whether the end of its body has not been seen.
    private var isInBody = false
    /// The offset in the message of the body's next byte.
    private var offset: UInt64 = 0

    init(_ events: MultipartEvents<Source>) {
        self.events = events.makeAsyncIterator()
    }

    /// The next part; what is left of the one before is dropped.
    func nextPart() async throws -> StreamedPart? {
        try begin()
        defer { end() }
        turn = nil
        while let event = try await nextEvent() {
            guard case .part(let headers) = event else { continue }
            let index = partCount
            partCount += 1
            turn = index
            isInBody = true
            offset = events.bodyOffset
            return StreamedPart(headers: headers, index: index, source: self)
        }
        return nil
    }

    func nextPiece(ofPart index: Int) async throws -> (offset: UInt64, bytes: Data)? {
        try begin(part: index)
        defer { end() }
        guard turn == index else { throw MultipartReceivingError(.bodyOutOfTurn, partIndex: index) }
        guard isInBody else { return nil }
        switch try await nextEvent() {
        case .body(let bytes):
            defer { offset += UInt64(bytes.count) }
            return (offset, bytes)
        case .endOfPart:
            isInBody = false
            return nil
        case .part, .end, nil:
            preconditionFailure("a part ends before what follows it")
        }
    }

    /// The next event, on the caller's actor unless the source must be asked.
    private func nextEvent() async throws -> MultipartParser.Event? {
        while true {
            if let event = try events.nextAtHand() { return event }
            guard try await readChunk() else { return nil }
        }
    }

    @concurrent
    private func readChunk() async throws -> Bool {
        try await events.readChunk(isolation: nil)
    }

    private func begin(part index: Int? = nil) throws(MultipartReceivingError) {
        lock.lock()
        defer { lock.unlock() }
        guard !isBusy else { throw MultipartReceivingError(.concurrentUse, partIndex: index) }
        isBusy = true
    }

    private func end() {
        lock.lock()
        defer { lock.unlock() }
        isBusy = false
    }
}
