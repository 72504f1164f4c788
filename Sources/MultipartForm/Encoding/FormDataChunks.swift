public import Foundation

extension MultipartFormData {
    /// The encoded form as an asynchronous sequence of chunks, for HTTP clients and sockets that take one.
    ///
    /// ```swift
    /// for try await chunk in form.chunks() { try await connection.send(chunk) }
    /// ```
    ///
    /// Nothing is read before it is asked for, and one chunk at a time is held. Bytes in memory are copied, and
    /// asynchronous contents iterated, where the chunks are. Files and streams are never read on a thread of Swift's
    /// tasks: all iterations together read files on up to 8 threads of Dispatch, and streams on up to 32. While 32 streams
    /// block, iterations that need another one wait for their turn; nothing else does, neither files nor other users of
    /// Dispatch. A stream must therefore not wait for another iteration's stream: an asynchronous sequence may, since it
    /// holds no thread.
    ///
    /// - Parameters:
    ///   - size: The length of each chunk but the last, in bytes; at least 1.
    ///   - progress: As in ``encode(progress:)``, for each iteration anew. Cancelling it, too, ends the chunks.
    /// - Returns: A sequence that encodes the form anew with each iteration.
    public func chunks(ofSize size: Int = 65536, progress: Progress? = nil) -> FormDataChunks {
        precondition(size > 0, "a chunk has at least 1 byte")
        return FormDataChunks(form: self, size: size, progress: progress)
    }
}

/// A form's encoded bytes in chunks.
///
/// Make one with ``MultipartFormData/chunks(ofSize:progress:)``. Each iteration encodes the form anew, and throws
/// ``MultipartEncodingError/Reason/bodyPartStreamConsumed`` if a part is a stream that has been read.
///
/// Chunks end with a ``MultipartEncodingError``, or with a `CancellationError` as soon as the task is cancelled. Either
/// way, and when the iteration is left, what was opened is closed; a stream that blocks in a read, once it returns.
public struct FormDataChunks: AsyncSequence, Sendable {
    /// A chunk.
    public typealias Element = Data

    let form: MultipartFormData
    let size: Int
    let progress: Progress?

    /// An iterator over the message from its start.
    public func makeAsyncIterator() -> Iterator {
        Iterator(self)
    }

    /// Encodes one chunk after another. It stays with one task, since the iterators of asynchronous contents may have to.
    ///
    /// Copies of an iterator that has begun share its message: the one that goes on first is the iterator from then on,
    /// and the others throw ``MultipartEncodingError/Reason/concurrentUse``.
    public struct Iterator: AsyncIteratorProtocol {
        private enum State {
            case ready
            case encoding(ChunkEncoder)
            case over
        }

        private let chunks: FormDataChunks
        private var state = State.ready
        /// How many chunks have been begun.
        private var turn = 0
        /// The asynchronous content whose turn it is.
        private var source: (any AsynchronousBytes)?

        fileprivate init(_ chunks: FormDataChunks) {
            self.chunks = chunks
        }

        /// The next chunk; nil at the message's end, and behind an error.
        ///
        /// - Throws: ``MultipartEncodingError``, or `CancellationError`.
        public mutating func next() async throws -> Data? {
            try await next(isolation: #isolation)
        }

        /// The next chunk.
        ///
        /// - Parameter actor: Where asynchronous contents are iterated.
        /// - Returns: The chunk; nil at the message's end, and behind an error.
        /// - Throws: ``MultipartEncodingError``, or `CancellationError`.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Data? {
            do {
                guard let encoder = try start() else { return nil }
                try Task.checkCancellation()
                try encoder.begin(turn: turn)
                turn += 1
                let chunk = try await chunk(from: encoder, isolation: actor)
                if chunk == nil { end() }
                return chunk
            } catch {
                end()
                throw error
            }
        }

        private mutating func start() throws(MultipartEncodingError) -> ChunkEncoder? {
            switch state {
            case .over:
                return nil
            case .encoding(let encoder):
                return encoder
            case .ready:
                let plan = try EncodingPlan(chunks.form, allowsAsynchronous: true)
                let encoder = ChunkEncoder(plan, size: chunks.size, progress: chunks.progress)
                state = .encoding(encoder)
                return encoder
            }
        }

        /// Lets go of what is open.
        private mutating func end() {
            state = .over
            source = nil
        }

        /// A whole chunk, or the message's last bytes.
        private mutating func chunk(
            from encoder: ChunkEncoder,
            isolation actor: isolated (any Actor)?
        ) async throws -> Data? {
            while true {
                if source != nil { try await fillFromSource(encoder, isolation: actor) }
                switch try encoder.fill() {
                case .chunk(let chunk): return chunk
                case .blocking(let source): try await encoder.fill(from: source)
                case .asynchronous(let content): source = content.makeBytes()
                }
            }
        }

        /// Fills the chunk with bytes of the asynchronous content; ends that when it has no more.
        private mutating func fillFromSource(
            _ encoder: ChunkEncoder,
            isolation actor: isolated (any Actor)?
        ) async throws {
            // The last declared bytes are not handed out before it is sure that no more follow.
            var mustEnd = false
            while mustEnd || !encoder.isFull {
                let hasBytes: Bool
                do {
                    hasBytes = try await source?.wait(isolation: actor) ?? false
                } catch let error as CancellationError {
                    throw error
                } catch {
                    throw encoder.fail(error)
                }
                // Cancelled, a sequence may end early.
                try Task.checkCancellation()
                guard hasBytes else {
                    source = nil
                    return try encoder.finishAwaitedContent()
                }
                mustEnd = try encoder.fill(from: &source)
            }
        }
    }
}
