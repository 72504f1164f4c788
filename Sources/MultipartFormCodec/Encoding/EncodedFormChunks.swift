#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The encoded bytes of a form, in chunks.
///
/// Create a sequence of chunks with ``MultipartFormData/chunks(ofSize:from:bytesPerSecond:progress:)`` or
/// ``init(encoding:before:after:boundary:ofSize:bytesPerSecond:)``.
///
/// Each iteration encodes the form again. If a part is a stream that can be read only once, and the stream has been
/// read, the iteration throws ``MultipartError/Code/bodyPartStreamConsumed``.
///
/// An iteration ends after the last chunk, or throws an error, usually a ``MultipartError``.
///
/// If the task is cancelled, the iteration throws a `CancellationError` at once, unless it is waiting for an
/// asynchronous sequence. In that case, the iteration waits until the sequence returns or throws.
///
/// If a sequence of parts throws, the iteration throws the same error. If asynchronous content throws a
/// `CancellationError`, the iteration throws this error, too. Any other error of asynchronous content becomes the
/// underlying error of ``MultipartError/Code/inputStreamReadFailed``.
///
/// At the end of any iteration, open files and streams are closed. A stream that blocks in a read is closed when the
/// read returns.
public struct EncodedFormChunks: AsyncSequence, Sendable {
    enum Message: Sendable {
        /// A form, encoded from an offset in the message.
        case form(MultipartFormData, from: UInt64, EncodingProgress?)
        /// Parts that arrive one by one.
        case parts(Boundary, makeParts: @Sendable () -> ElementReader<BodyPart>)
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

    /// Creates the chunks of parts that arrive one by one, for instance to forward a message while you receive it.
    ///
    /// ```swift
    /// let parts = try request.body.multipartParts(contentType: request.contentType)
    /// let body = EncodedFormChunks(
    ///     encoding: parts.filter { $0.name != "uploader" }.map { BodyPart($0) },
    ///     before: [BodyPart(user.name, name: "uploader")]
    /// )
    /// try await client.post(body, contentType: body.contentType)
    /// ```
    ///
    /// Each part is requested when the previous part has been encoded, so a long part that arrives in pieces is never
    /// in memory as a whole. The length of the message is unknown.
    ///
    /// If the sequence of parts throws, the chunks throw the same error. If a part's content cannot be read, the chunks
    /// throw a ``MultipartError``, such as ``MultipartError/Code/inputStreamReadFailed``. In both cases, the message
    /// lacks its end, so no receiver mistakes it for a complete message.
    ///
    /// - Parameters:
    ///   - parts: The parts, in order. Each iteration of the chunks iterates the parts again.
    ///   - before: Parts to send before the first part that arrives.
    ///   - after: Parts to send after the last part that arrives; not sent if the sequence of parts throws.
    ///   - boundary: The boundary between the parts. If you choose a boundary, the content is searched for this
    ///     boundary.
    ///   - size: The length of each chunk in bytes, at least 1. Only the last chunk may be shorter.
    ///   - bytesPerSecond: The maximum average rate since the first chunk, at least 1; nil for no limit.
    public init<Parts: AsyncSequence & Sendable>(
        encoding parts: Parts,
        before: [BodyPart] = [],
        after: [BodyPart] = [],
        boundary: Boundary = .random(),
        ofSize size: Int = 65536,
        bytesPerSecond: Int? = nil
    ) where Parts.Element == BodyPart {
        self.init(
            .parts(boundary) { parts.elementReader(before: before, after: after) },
            size: size,
            bytesPerSecond: bytesPerSecond
        )
    }

    /// The value of the Content-Type field to send with the message.
    public var contentType: String {
        switch message {
        case .form(let form, _, _): form.contentType
        case .parts(let boundary, _): boundary.contentType
        }
    }

    /// Creates an iterator over the chunks; `for try await` calls this method.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(self)
    }

    /// Encodes one chunk after another. Use an iterator in one task only: asynchronous content may require that the
    /// same task reads all of it.
    ///
    /// If you copy an iterator after its first chunk, the copies share one message. The copy that you use first
    /// continues the message; the other copies throw `concurrent-use`.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private enum State {
            case ready
            case encoding(ChunkEncoder)
            case over
        }

        private var chunks: EncodedFormChunks
        private var state = State.ready
        /// How many chunks this copy of the iterator has received.
        private var chunkCount = 0

        fileprivate init(_ chunks: EncodedFormChunks) {
            self.chunks = chunks
        }

        /// Returns the next chunk, for code that requests chunks without a loop.
        ///
        /// - Returns: The chunk; nil at the end of the message, and after an error.
        /// - Throws: ``MultipartError``, `CancellationError`, or an error of a sequence of parts.
        public mutating func next() async throws -> Data? {
            try await next(isolation: #isolation)
        }

        /// Returns the next chunk; `for try await` calls this method.
        ///
        /// - Parameter actor: The actor on which asynchronous content and a sequence of parts are iterated.
        /// - Returns: The chunk; nil at the end of the message, and after an error.
        /// - Throws: ``MultipartError``, `CancellationError`, or an error of a sequence of parts.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Data? {
            let current = state
            // The state stays `over` if an error is thrown or no chunk is left. The encoder is then released, and
            // closes open files and streams.
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
    /// Returns the encoded form as an asynchronous sequence of chunks, for HTTP clients and sockets.
    ///
    /// ```swift
    /// for try await chunk in form.chunks() { try await connection.send(chunk) }
    /// ```
    ///
    /// Bytes are read when a chunk is requested, and memory holds one chunk. Only files are read ahead: if a chunk has
    /// at most 256 KiB, up to 512 KiB are read at a time.
    ///
    /// Where the bytes are determines where they are read:
    /// - Bytes in memory are copied on the actor that iterates the chunks.
    /// - Asynchronous sequences are iterated on the same actor.
    /// - Files are read on threads of Dispatch, at most 8 for all iterations together.
    /// - Streams are read on threads of Dispatch, at most 32 for all iterations together. While 32 streams block, other
    ///   streams wait. Files and other users of Dispatch do not wait.
    ///
    /// A stream must not wait for a stream of another iteration, because all 32 threads could then wait forever. An
    /// asynchronous sequence may wait for a stream, because a waiting sequence holds no thread.
    ///
    /// - Parameters:
    ///   - size: The length of each chunk in bytes, at least 1. Only the last chunk may be shorter.
    ///   - offset: The offset in the message at which to begin, in bytes, to resume an upload; see
    ///     ``makeReader(from:)``. If the offset is within an asynchronous content, or after an asynchronous content of
    ///     unknown length, the iteration throws `body-part-is-asynchronous`.
    ///   - bytesPerSecond: The maximum average rate since the first chunk, at least 1, for slow links; nil for no
    ///     limit. Small chunks make the rate steadier.
    ///   - progress: Receives how many bytes have been encoded. Each iteration begins a new count.
    /// - Returns: A sequence that encodes the form again in each iteration.
    public func chunks(
        ofSize size: Int = 65536,
        from offset: UInt64 = 0,
        bytesPerSecond: Int? = nil,
        progress: EncodingProgress? = nil
    ) -> EncodedFormChunks {
        EncodedFormChunks(.form(self, from: offset, progress), size: size, bytesPerSecond: bytesPerSecond)
    }
}
