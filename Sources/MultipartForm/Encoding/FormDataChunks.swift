public import Foundation

extension MultipartFormData {
    /// The encoded form as an asynchronous sequence of chunks, for HTTP clients and sockets that take one.
    ///
    /// ```swift
    /// for try await chunk in form.chunks() { try await connection.send(chunk) }
    /// ```
    ///
    /// Nothing is read before it is asked for, and one chunk at a time is held. Files and streams are read on a queue of
    /// their own, never on a thread of Swift's tasks; asynchronous contents are iterated where the chunks are.
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

    /// Some bytes, and the asynchronous content that comes behind them.
    private struct Piece: Sendable {
        let bytes: Data?
        let behind: AsynchronousContent?
    }

    /// Encodes one chunk after another. It stays with one task, since the iterators of asynchronous contents may have to.
    public struct Iterator: AsyncIteratorProtocol {
        private enum State {
            case ready
            case reading(ReaderQueue)
            case over
        }

        private let chunks: FormDataChunks
        private var state = State.ready
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
                guard let reader = try start() else { return nil }
                try Task.checkCancellation()
                let chunk = try await chunk(from: reader, isolation: actor)
                if chunk.isEmpty { end() }
                return chunk.isEmpty ? nil : chunk
            } catch {
                end()
                throw error
            }
        }

        private mutating func start() throws(MultipartEncodingError) -> ReaderQueue? {
            switch state {
            case .over:
                return nil
            case .reading(let reader):
                return reader
            case .ready:
                let plan = try EncodingPlan(chunks.form, allowsAsynchronous: true)
                let reader = ReaderQueue(plan, progress: chunks.progress)
                state = .reading(reader)
                return reader
            }
        }

        /// Lets go of what is open.
        private mutating func end() {
            state = .over
            source = nil
        }

        /// A whole chunk, or the message's last bytes.
        private mutating func chunk(
            from reader: ReaderQueue,
            isolation actor: isolated (any Actor)?
        ) async throws -> Data {
            var chunk = Data()
            while chunk.count < chunks.size {
                if source != nil {
                    try await appendSource(to: &chunk, reader, isolation: actor)
                    continue
                }
                let room = chunks.size - chunk.count
                let piece = try await reader.run { reader in
                    try Piece(bytes: reader.next(maxLength: room), behind: reader.awaitedContent)
                }
                if let bytes = piece.bytes {
                    if chunk.isEmpty { chunk = bytes } else { chunk.append(bytes) }
                }
                source = piece.behind?.makeBytes()
                if source == nil, piece.bytes == nil { break }
            }
            return chunk
        }

        /// Fills the chunk with bytes of the asynchronous content; ends that when it has no more.
        private mutating func appendSource(
            to chunk: inout Data,
            _ reader: ReaderQueue,
            isolation actor: isolated (any Actor)?
        ) async throws {
            let start = chunk.count
            var isAtEnd = false
            while !isAtEnd, chunk.count < chunks.size {
                isAtEnd = try await !appendElement(to: &chunk, upTo: chunks.size, reader, isolation: actor)
            }
            let isComplete = try await accept(chunk.suffix(from: start), reader)
            if isComplete, !isAtEnd {
                // The last declared bytes are not handed out before it is sure that no more follow.
                var excess = Data()
                isAtEnd = try await !appendElement(to: &excess, upTo: 1, reader, isolation: actor)
                if !isAtEnd { _ = try await accept(excess, reader) }
            }
            guard isAtEnd else { return }
            source = nil
            try await reader.run { try $0.finishAwaitedContent() }
        }

        /// Counts and scans bytes; whether they are all that were declared.
        private func accept(_ bytes: Data, _ reader: ReaderQueue) async throws -> Bool {
            try await reader.run { try $0.accept(bytes) }
        }

        /// Appends some bytes of the asynchronous content; whether there were any.
        private mutating func appendElement(
            to buffer: inout Data,
            upTo size: Int,
            _ reader: ReaderQueue,
            isolation actor: isolated (any Actor)?
        ) async throws -> Bool {
            do {
                let room = size - buffer.count
                return try await source?.append(upTo: room, to: &buffer, isolation: actor) ?? 0 > 0
            } catch let error as CancellationError {
                throw error
            } catch {
                throw try await reader.run { reader in
                    reader.fail(MultipartEncodingError(.inputStreamReadFailed, underlying: error))
                }
            }
        }
    }
}
