internal import Foundation

/// Reads a message for the iterators of its parts and of their bodies.
///
/// - Input: chunks.
/// - Output: parts, and pieces of the current part's body.
/// - Invariant: one caller at a time; a second one gets an error at once.
/// - Cost: holds one chunk. What it has is returned at once; the source is read where the caller runs.
final class PartReader: @unchecked Sendable {
    // SAFETY: all state is accessed under the lock, or by the caller that has set `isBusy` until it clears it. The
    // source's iterator is made from a Sendable source and never leaves; it gets the caller's actor, but none of the
    // actor's state.
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
    /// Whether the current part's body has not ended.
    private var isInBody = false
    /// The offset in the message of the body's next byte.
    private var offset: UInt64 = 0

    init(_ nextChunk: @escaping NextElement<Data>, _ parser: MultipartParser) {
        self.nextChunk = nextChunk
        self.parser = parser
    }

    /// What the chunks that have arrived hold.
    enum Step<Value> {
        case value(Value)
        case end
        /// Unknown; another chunk is needed.
        case more
    }

    /// The name of the current part.
    var name: String? { lock.withLock { parser.headers.name } }

    /// The index and the header fields of the next part. Discards the previous part's unread body.
    @inline(__always)
    func nextPart(isolation actor: isolated (any Actor)?) async throws -> (index: Int, headers: HeaderFields)? {
        while true {
            switch try part() {
            case .value(let part): return part
            case .end: return nil
            case .more: try await readChunk(isolation: actor)
            }
        }
    }

    /// The next piece of a part's body, with its offset in the message; nil at the body's end.
    @inline(__always)
    func nextPiece(
        ofPart index: Int,
        isolation actor: isolated (any Actor)?
    ) async throws -> (offset: UInt64, bytes: Data)? {
        while true {
            switch try piece(ofPart: index) {
            case .value(let piece): return piece
            case .end: return nil
            case .more: try await readChunk(ofPart: index, isolation: actor)
            }
        }
    }

    private func part() throws -> Step<(index: Int, headers: HeaderFields)> {
        lock.lock()
        defer { lock.unlock() }
        try checkTurn()
        turn = nil
        while true {
            switch try event() {
            case .value(.part(let headers)):
                let index = partCount
                partCount += 1
                turn = index
                isInBody = true
                offset = parser.bodyOffset
                return .value((index, headers))
            case .value: continue
            case .end: return .end
            case .more: return .more
            }
        }
    }

    private func piece(ofPart index: Int) throws -> Step<(offset: UInt64, bytes: Data)> {
        lock.lock()
        defer { lock.unlock() }
        try checkTurn(index)
        guard turn == index else { throw MultipartError(.bodyOutOfTurn, partIndex: index) }
        guard isInBody else { return .end }
        switch try event() {
        case .value(.body(let bytes)):
            defer { offset += UInt64(bytes.count) }
            return .value((offset, bytes))
        case .value(.endOfPart):
            isInBody = false
            return .end
        case .value(.part), .value(.end), .end: preconditionFailure("a part ends before what follows it")
        case .more: return .more
        }
    }

    /// The next event; the end when the source has ended after a whole message.
    private func event() throws -> Step<MultipartParser.Event<Data>> {
        if let failure { throw failure }
        if let event = try parser.next() { return .value(event) }
        return hasEnded ? .end : .more
    }

    private func checkTurn(_ index: Int? = nil) throws(MultipartError) {
        guard !isBusy else { throw MultipartError(.concurrentUse, partIndex: index) }
    }

    /// Appends the next chunk to the parser.
    private func readChunk(ofPart index: Int? = nil, isolation actor: isolated (any Actor)?) async throws {
        try begin(index)
        do {
            if let chunk = try await nextChunk(actor) {
                parser.append(chunk)
            } else {
                hasEnded = true
                parser.finish()
            }
        } catch {
            failure = error
        }
        end()
    }

    private func begin(_ index: Int?) throws(MultipartError) {
        lock.lock()
        defer { lock.unlock() }
        try checkTurn(index)
        isBusy = true
    }

    private func end() {
        lock.withLock { isBusy = false }
    }
}
