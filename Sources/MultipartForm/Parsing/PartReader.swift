internal import Foundation

/// Reads a message for the iterators of its parts and of their bodies.
///
/// - Input: chunks.
/// - Output: parts, and pieces of the current part's body.
/// - Invariant: one caller at a time; a second one gets an error at once.
/// - Cost: holds one chunk. The source is read where the caller runs.
final class PartReader: @unchecked Sendable {
    // SAFETY: `isBusy` changes only under the lock. All other state is accessed only by the caller that has set it,
    // until that caller clears it; the lock orders one caller's accesses before the next one's. The source's iterator
    // is made from a Sendable source and never leaves; it gets the caller's actor, but none of the actor's state.
    private let lock = NSLock()
    private var isBusy = false

    private let nextChunk: NextElement<Data>
    private var parser: MultipartParser
    private var hasEnded = false
    /// What the source threw.
    private var failure: (any Error)?
    private var partCount = 0
    /// The index of the current part.
    private var turn: Int?
    private var headers = HeaderFields()
    /// Whether the current part's body has not ended.
    private var isInBody = false
    /// The offset in the message of the body's next byte.
    private var offset: UInt64 = 0

    init(_ nextChunk: @escaping NextElement<Data>, _ parser: MultipartParser) {
        self.nextChunk = nextChunk
        self.parser = parser
    }

    var name: String? { headers.name }

    /// The index and the header fields of the next part. Discards the previous part's unread body.
    func nextPart(isolation actor: isolated (any Actor)?) async throws -> (index: Int, headers: HeaderFields)? {
        try begin()
        defer { end() }
        turn = nil
        while let event = try await nextEvent(isolation: actor) {
            guard case .part(let headers) = event else { continue }
            let index = partCount
            partCount += 1
            turn = index
            isInBody = true
            offset = parser.bodyOffset
            self.headers = headers
            return (index, headers)
        }
        return nil
    }

    /// The next piece of a part's body, with its offset in the message; nil at the body's end.
    func nextPiece(
        ofPart index: Int,
        isolation actor: isolated (any Actor)?
    ) async throws -> (offset: UInt64, bytes: Data)? {
        try begin(part: index)
        defer { end() }
        guard turn == index else { throw MultipartError(.bodyOutOfTurn, partIndex: index) }
        guard isInBody else { return nil }
        switch try await nextEvent(isolation: actor) {
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

    /// The next event; nil when the source has ended after a whole message.
    private func nextEvent(isolation actor: isolated (any Actor)?) async throws -> MultipartParser.Event<Data>? {
        while true {
            if let failure { throw failure }
            if let event = try parser.next() { return event }
            guard !hasEnded else { return nil }
            do {
                if let chunk = try await nextChunk(actor) {
                    parser.append(chunk)
                } else {
                    hasEnded = true
                    parser.finish()
                }
            } catch {
                failure = error
                throw error
            }
        }
    }

    private func begin(part index: Int? = nil) throws(MultipartError) {
        let isFree = lock.withLock {
            defer { isBusy = true }
            return !isBusy
        }
        guard isFree else { throw MultipartError(.concurrentUse, partIndex: index) }
    }

    private func end() {
        lock.withLock { isBusy = false }
    }
}
