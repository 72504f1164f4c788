public import Foundation

/// Reads a message for the iterators of its parts and of their bodies.
///
/// - Input: chunks.
/// - Output: parts, and pieces of the current part's body.
/// - Invariant: one caller at a time; a second one gets an error at once.
/// - Cost: holds one chunk. What it has is returned without waiting; the source is read where the caller runs.
@usableFromInline
final class PartReader: @unchecked Sendable {
    // SAFETY: all state is accessed under the lock. The source's iterator is made from a Sendable source, never leaves,
    // and is used by the caller that has set `isBusy`, until it clears it; it gets the caller's actor, but none of the
    // actor's state.
    private let lock = NSLock()
    @exclusivity(unchecked) private var progress: PartProgress
    private let nextChunk: NextElement<Data>

    @usableFromInline
    init(_ nextChunk: @escaping NextElement<Data>, _ parser: MultipartParser) {
        self.nextChunk = nextChunk
        // SAFETY: nothing else refers to the reader yet.
        unsafe progress = PartProgress(parser)
    }

    @inline(__always)
    private func withProgress<Result>(_ body: (inout PartProgress) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        // SAFETY: the lock makes all accesses exclusive.
        return try unsafe body(&progress)
    }

    var name: String? { withProgress { $0.name } }

    /// The offset in the message of the current body's next byte.
    var offset: UInt64 { withProgress { $0.offset } }

    /// The next part, if it has arrived. Discards the previous part's unread body.
    @usableFromInline
    func part() throws -> Step<MultipartParts.Part> {
        try withProgress { try $0.part(of: self) }
    }

    /// The next piece of a part's body, if it has arrived.
    @usableFromInline
    func piece(ofPart index: Int) throws -> Step<Data> {
        try withProgress { try $0.piece(ofPart: index) }
    }

    /// As ``part()``, after the chunk that it needs.
    @usableFromInline
    func partAfterChunk(isolation actor: isolated (any Actor)?) async throws -> Step<MultipartParts.Part> {
        let chunk = await chunk(isolation: actor)
        return try withProgress { progress in
            progress.take(chunk)
            return try progress.part(of: self)
        }
    }

    /// As ``piece(ofPart:)``, after the chunk that it needs.
    @usableFromInline
    func pieceAfterChunk(ofPart index: Int, isolation actor: isolated (any Actor)?) async throws -> Step<Data> {
        let chunk = await chunk(isolation: actor)
        return try withProgress { progress in
            progress.take(chunk)
            return try progress.piece(ofPart: index)
        }
    }

    @inline(__always)
    private func chunk(isolation actor: isolated (any Actor)?) async -> Result<Data?, any Error> {
        do {
            return .success(try await nextChunk(actor))
        } catch {
            return .failure(error)
        }
    }

    /// What the chunks that have arrived hold.
    @usableFromInline
    enum Step<Value: Sendable>: Sendable {
        case value(Value)
        case end
        /// Unknown; the caller must continue after another chunk, and until then others get `concurrentUse`.
        case more
    }
}

private struct PartProgress {
    private var parser: MultipartParser
    /// Whether a caller waits for a chunk.
    private var isBusy = false
    private var hasEnded = false
    private var failure: (any Error)?
    private var partCount = 0
    /// The index of the current part.
    private var turn: Int?
    /// Whether the current part's body has not ended.
    private var isInBody = false
    /// The offset in the message of the body's next byte.
    private(set) var offset: UInt64 = 0

    init(_ parser: MultipartParser) {
        self.parser = parser
    }

    var name: String? { parser.headers.name }

    mutating func part(of reader: PartReader) throws -> PartReader.Step<MultipartParts.Part> {
        try check()
        turn = nil
        while true {
            guard let event = try parser.next() else {
                isBusy = !hasEnded
                return hasEnded ? .end : .more
            }
            guard case .part(let headers) = event else { continue }
            let index = partCount
            partCount += 1
            turn = index
            isInBody = true
            offset = parser.bodyOffset
            return .value(MultipartParts.Part(headers: headers, body: .init(index: index, reader: reader)))
        }
    }

    mutating func piece(ofPart index: Int) throws -> PartReader.Step<Data> {
        try check(index)
        guard turn == index else { throw MultipartError(.bodyOutOfTurn, partIndex: index) }
        guard isInBody else { return .end }
        switch try parser.next() {
        case .body(let bytes):
            defer { offset += UInt64(bytes.count) }
            // Often known already, and then the parser need not be asked for it.
            isInBody = !parser.takeEndOfPart()
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

    mutating func take(_ chunk: Result<Data?, any Error>) {
        isBusy = false
        switch chunk {
        case .success(let chunk?):
            parser.append(chunk)
        case .success(nil):
            hasEnded = true
            parser.finish()
        case .failure(let error):
            failure = error
        }
    }

    private func check(_ index: Int? = nil) throws {
        guard !isBusy else { throw MultipartError(.concurrentUse, partIndex: index) }
        if let failure { throw failure }
    }
}
