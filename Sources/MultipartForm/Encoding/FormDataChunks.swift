public import Foundation

/// A form's encoded bytes in chunks.
///
/// Make one with ``MultipartFormData/chunks(ofSize:from:bytesPerSecond:progress:)`` or
/// ``MultipartFormData/chunks(of:boundary:ofSize:bytesPerSecond:)``. Each iteration encodes the form anew, and throws
/// ``MultipartError/Code/bodyPartStreamConsumed`` if a part is a stream that has been read.
///
/// Chunks end with a ``MultipartError``, with what a sequence of parts throws, or with a `CancellationError` as soon as
/// the task is cancelled. In each case, and when the iteration is left, what was opened is closed; a stream that blocks
/// in a read, once it returns.
public struct FormDataChunks: AsyncSequence, Sendable {
    /// What is encoded.
    enum Message: Sendable {
        /// A form, from an offset on.
        case form(MultipartFormData, from: UInt64, Progress?)
        /// Parts that are yet to come.
        case parts(Boundary, makeParts: @Sendable () -> NextElement<BodyPart>)
    }

    let message: Message
    let size: Int
    let pacing: Pacing?

    init(_ message: Message, size: Int, bytesPerSecond: Int?) {
        precondition(size > 0, "a chunk has at least 1 byte")
        self.message = message
        self.size = size
        self.pacing = bytesPerSecond.map { Pacing(bytesPerSecond: $0) }
    }

    /// The value for the Content-Type field of the message.
    public var contentType: String {
        switch message {
        case .form(let form, _, _): form.contentType
        case .parts(let boundary, _): boundary.contentType
        }
    }

    /// An iterator over the message from its start, or from the offset that was chosen.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(self)
    }

    /// Encodes one chunk after another. It stays with one task, since the iterators of asynchronous content may have
    /// to.
    ///
    /// Copies of an iterator that has begun share its message: the one that is used first is the iterator from then on,
    /// and the others throw ``MultipartError/Code/concurrentUse``.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private enum State {
            case ready
            case encoding(ChunkEncoder)
            case over
        }

        private let chunks: FormDataChunks
        private var state = State.ready
        /// How many chunks have been begun.
        private var turn = 0
        private var pacing: Pacing?
        /// The parts that are yet to come.
        private var nextPart: NextElement<BodyPart>?
        /// The asynchronous content whose turn it is, and what is left of its last piece.
        private var nextPiece: NextElement<Data>?
        private var piece = Data()

        fileprivate init(_ chunks: FormDataChunks) {
            self.chunks = chunks
            pacing = chunks.pacing
        }

        /// The next chunk; nil at the message's end, and after an error.
        ///
        /// - Throws: ``MultipartError``, `CancellationError`, or what a sequence of parts throws.
        public mutating func next() async throws -> Data? {
            try await next(isolation: #isolation)
        }

        /// The next chunk.
        ///
        /// - Parameter actor: Where asynchronous content and parts are iterated.
        /// - Returns: The chunk; nil at the message's end, and after an error.
        /// - Throws: ``MultipartError``, `CancellationError`, or what a sequence of parts throws.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Data? {
            do {
                guard let encoder = try start() else { return nil }
                try Task.checkCancellation()
                try encoder.begin(turn: turn)
                turn += 1
                guard let chunk = try await chunk(from: encoder, isolation: actor) else {
                    end()
                    return nil
                }
                let delay = pacing?.delay(of: chunk.count, at: DispatchTime.now().uptimeNanoseconds) ?? 0
                if delay > 0 { try await Task.sleep(nanoseconds: delay) }
                return chunk
            } catch {
                end()
                throw error
            }
        }

        private mutating func start() throws(MultipartError) -> ChunkEncoder? {
            switch state {
            case .over:
                return nil
            case .encoding(let encoder):
                return encoder
            case .ready:
                let encoder: ChunkEncoder
                switch chunks.message {
                case .form(let form, let offset, let progress):
                    let plan = try EncodingPlan(form, allowsAsynchronous: true)
                    encoder = ChunkEncoder(plan, size: chunks.size, from: offset, progress: progress)
                case .parts(let boundary, let makeParts):
                    encoder = try ChunkEncoder(partsWith: boundary, size: chunks.size)
                    nextPart = makeParts()
                }
                state = .encoding(encoder)
                return encoder
            }
        }

        /// Releases what is open.
        private mutating func end() {
            state = .over
            nextPart = nil
            nextPiece = nil
            piece = Data()
        }

        /// A whole chunk, or the message's last bytes.
        private mutating func chunk(
            from encoder: ChunkEncoder,
            isolation actor: isolated (any Actor)?
        ) async throws -> Data? {
            while true {
                if nextPiece != nil { try await fillFromContent(encoder, isolation: actor) }
                switch try encoder.fill() {
                case .chunk(let chunk): return chunk
                case .blocking(let source): try await encoder.fill(from: source)
                case .asynchronous(let content): nextPiece = content.makePieces()
                case .part:
                    let part = try await nextPart?(actor)
                    // Cancelled, a sequence may end early.
                    try Task.checkCancellation()
                    try encoder.append(part)
                }
            }
        }

        /// Fills the chunk with bytes of the asynchronous content; ends that when it has no more.
        private mutating func fillFromContent(
            _ encoder: ChunkEncoder,
            isolation actor: isolated (any Actor)?
        ) async throws {
            // The last declared bytes are not handed out before it is certain that no more follow.
            var mustEnd = false
            while mustEnd || !encoder.isFull {
                while piece.isEmpty {
                    let next: Data?
                    do {
                        next = try await nextPiece?(actor)
                    } catch let error as CancellationError {
                        throw error
                    } catch {
                        throw encoder.fail(error)
                    }
                    // Cancelled, a sequence may end early.
                    try Task.checkCancellation()
                    guard let next else {
                        nextPiece = nil
                        return try encoder.finishAwaitedContent()
                    }
                    piece = next
                }
                mustEnd = try encoder.fill(from: &piece)
            }
        }
    }
}
