#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A form's encoded bytes in chunks.
///
/// Make one with ``MultipartFormData/chunks(ofSize:from:bytesPerSecond:progress:)`` or
/// ``init(encoding:boundary:ofSize:bytesPerSecond:)``. Each iteration encodes the form again. It throws
/// ``MultipartError/Code/bodyPartStreamConsumed`` if a part is a stream that can be read only once and has been read.
///
/// An iteration ends after the message, or throws a ``MultipartError`` or an error of a sequence of parts.
///
/// If its task is cancelled, an iteration throws a `CancellationError` at once. But if it is waiting for asynchronous
/// content or for a sequence of parts, it waits until these return or throw, and rethrows their error. This error may
/// be `unexpected-end`, if the source of received parts only ends when it is cancelled; within a body, it is then the
/// underlying error. So check `Task.isCancelled` before you blame the client.
///
/// At the end of any iteration, open files and streams are closed; a stream that blocks in a read is closed once the
/// read returns.
public struct EncodedFormChunks: AsyncSequence, Sendable {
    enum Message: Sendable {
        /// A form, from an offset on.
        case form(MultipartFormData, from: UInt64, EncodingProgress?)
        /// Parts that arrive one by one.
        case parts(Boundary, makeParts: @Sendable () -> NextElement<BodyPart>)
    }

    let message: Message
    let size: Int
    private var pacing: Pacing?

    init(_ message: Message, size: Int, bytesPerSecond: Int?) {
        precondition(size > 0, "a chunk has at least 1 byte")
        self.message = message
        self.size = size
        self.pacing = bytesPerSecond.map { Pacing(bytesPerSecond: $0) }
    }

    /// Encodes parts that arrive one by one, for instance to forward a message as it arrives.
    ///
    /// ```swift
    /// let parts = try request.body.multipartParts(contentType: request.contentType)
    /// let body = EncodedFormChunks(encoding: parts.filter { $0.name != "password" }.map { BodyPart($0) })
    /// try await client.post(body, contentType: body.contentType)
    /// ```
    ///
    /// Each part is requested when the previous one has been encoded, so memory holds one chunk and no part. The length
    /// of the message is unknown. The chunks throw what the sequence throws, and
    /// ``MultipartError/Code/inputStreamReadFailed`` if a part's content fails. The message is then incomplete, and a
    /// receiver cannot mistake it for a whole one.
    ///
    /// - Parameters:
    ///   - parts: The parts, in order. Each iteration of the chunks iterates them again.
    ///   - boundary: The boundary between the parts; the content is searched for a boundary that you choose.
    ///   - size: The length of each chunk but the last, in bytes; at least 1.
    ///   - bytesPerSecond: The maximum rate, at least 1, on average since the first chunk; nil for no limit.
    public init<Parts: AsyncSequence & Sendable>(
        encoding parts: Parts,
        boundary: Boundary = .random(),
        ofSize size: Int = 65536,
        bytesPerSecond: Int? = nil
    ) where Parts.Element == BodyPart {
        self.init(.parts(boundary) { parts.nextElement() }, size: size, bytesPerSecond: bytesPerSecond)
    }

    /// The value for the Content-Type field to send with the message.
    public var contentType: String {
        switch message {
        case .form(let form, _, _): form.contentType
        case .parts(let boundary, _): boundary.contentType
        }
    }

    /// Creates an iterator over the message, from its start or the chosen offset; `for try await` calls it.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(self)
    }

    /// Encodes one chunk after another. Use it in one task, as the iterators of asynchronous content may require.
    ///
    /// Copies of an iterator that has begun share its message. The first copy to be used continues; the others throw
    /// `concurrent-use`.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private enum State {
            case ready
            case encoding(ChunkEncoder)
            case over
        }

        private var chunks: EncodedFormChunks
        private var state = State.ready
        /// How many chunks this copy has begun.
        private var chunkCount = 0

        fileprivate init(_ chunks: EncodedFormChunks) {
            self.chunks = chunks
        }

        /// Returns the next chunk, for code that requests chunks without a loop; nil at the message's end, and after an
        /// error.
        ///
        /// - Throws: ``MultipartError``, `CancellationError`, or what a sequence of parts throws.
        public mutating func next() async throws -> Data? {
            try await next(isolation: #isolation)
        }

        /// Returns the next chunk; `for try await` calls it.
        ///
        /// - Parameter actor: Where asynchronous content and parts are iterated.
        /// - Returns: The chunk; nil at the message's end, and after an error.
        /// - Throws: ``MultipartError``, `CancellationError`, or what a sequence of parts throws.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Data? {
            let current = state
            // If no chunk is returned, the state stays `over`, and the encoder is released, which closes open files and
            // streams.
            state = .over
            let encoder: ChunkEncoder
            switch current {
            case .ready: encoder = try ChunkEncoder(chunks.message, size: chunks.size)
            case .encoding(let begun): encoder = begun
            case .over: return nil
            }
            try Task.checkCancellation()
            guard let chunk = try await encoder.next(chunkCount: chunkCount, isolation: actor) else { return nil }
            chunkCount += 1
            let delay = chunks.pacing?.delay(of: chunk.count, at: MonotonicClock.nanoseconds) ?? 0
            if delay > 0 { try await pause(nanoseconds: delay) }
            state = .encoding(encoder)
            return chunk
        }

        private func pause(nanoseconds delay: UInt64) async throws {
            do {
                try await Task.sleep(nanoseconds: delay)
            } catch {
                await resumeOnCallerExecutor()
                throw error
            }
        }
    }
}

extension MultipartFormData {
    /// The encoded form as an asynchronous sequence of chunks, for HTTP clients and sockets that take one.
    ///
    /// ```swift
    /// for try await chunk in form.chunks() { try await connection.send(chunk) }
    /// ```
    ///
    /// Bytes are read when they are requested, and one chunk is held at a time. Only files are read ahead, up to 512
    /// KiB, if chunks have at most 256 KiB.
    ///
    /// Where the bytes are read:
    /// - Bytes in memory are copied, and asynchronous content is iterated, where the chunks are iterated.
    /// - Files are read on threads of Dispatch, at most 8 for all iterations together.
    /// - Streams are read on threads of Dispatch, at most 32 for all iterations together. While 32 streams block, other
    ///   streams wait; files and other users of Dispatch do not.
    ///
    /// So a stream must not wait for a stream of another iteration. An asynchronous sequence may wait for one, because
    /// it holds no thread.
    ///
    /// - Parameters:
    ///   - size: The length of each chunk but the last, in bytes; at least 1.
    ///   - offset: Where in the message to begin, in bytes, to resume an upload there; see ``makeReader(from:)``. An
    ///     offset within an asynchronous content throws `body-part-is-asynchronous`.
    ///   - bytesPerSecond: The maximum rate, at least 1, on average since the first chunk, for slow links; nil for no
    ///     limit. Small chunks keep it steadier.
    ///   - progress: Receives how much has been encoded; each iteration starts again.
    /// - Returns: A sequence that encodes the form again with each iteration.
    public func chunks(
        ofSize size: Int = 65536,
        from offset: UInt64 = 0,
        bytesPerSecond: Int? = nil,
        progress: EncodingProgress? = nil
    ) -> EncodedFormChunks {
        EncodedFormChunks(.form(self, from: offset, progress), size: size, bytesPerSecond: bytesPerSecond)
    }
}
