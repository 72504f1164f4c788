extension AsyncSequence where Element: Collection<UInt8>, Self: Sendable {
    /// The parts of a message whose chunks are the elements of this sequence; bodies are read as they arrive.
    ///
    /// ```swift
    /// for try await part in try request.body.multipartParts(contentType: request.contentType) {
    ///     switch part.name {
    ///     case "title": title = try await part.text(upTo: 1024)
    ///     case "video": try await part.save(to: fileURL, upTo: 2 << 30)
    ///     default: break
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - contentType: The Content-Type field's value, such as `multipart/form-data; boundary=x`; nil if it is absent.
    ///   - options: How strictly to parse, the field's value included, and the limits.
    /// - Returns: The parts, in order.
    /// - Throws: ``MultipartError``: ``MultipartError/Code/unsupportedMediaType``, which a server answers with 415, or
    ///   another code of the Content-Type field.
    @inlinable
    public func multipartParts(
        contentType: String?,
        options: MultipartParser.Options = MultipartParser.Options()
    ) throws -> MultipartParts {
        let parser = try MultipartParser(contentType: contentType, options: options)
        return MultipartParts { PartReader(self.nextPiece(), parser) }
    }
}

/// The parts of a multipart message that arrives in chunks.
///
/// Requesting a part discards the previous one's unread body. After the last part the source is read to its end.
/// Breaking out of the loop stops reading the source.
///
/// The next chunk is requested when the last one is used up, where the caller runs; on systems older than macOS 15, iOS
/// 18, tvOS 18, watchOS 11 and visionOS 2, outside of its actor. Reading throws the source's errors, and a
/// ``MultipartError`` if the message is at fault; later calls throw the same error. If the task is cancelled, the
/// source should throw or end; a message that ends early is an error. If two tasks read at the same time, the second
/// one gets `concurrent-use`, and the first one continues.
public struct MultipartParts: AsyncSequence, Sendable {
    let makeReader: @Sendable () -> PartReader

    @usableFromInline
    init(_ makeReader: @escaping @Sendable () -> PartReader) {
        self.makeReader = makeReader
    }

    /// An iterator that reads the source, as `for try await` makes it. Another one iterates the source again, as a new
    /// message: over a source that can be read once, use one iterator.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(reader: makeReader())
    }

    /// Reads parts from the message, for code that requests them without a loop.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        @usableFromInline
        let reader: PartReader

        /// The next part; nil when the source has ended after a whole message.
        ///
        /// - Throws: ``MultipartError``, or what the source throws.
        public mutating func next() async throws -> Part? {
            try await next(isolation: #isolation)
        }

        /// The next part, as `for try await` requests it.
        ///
        /// - Parameter actor: Where the source is read.
        /// - Returns: The part, whose body can be read next; nil when the source has ended after a whole message.
        /// - Throws: ``MultipartError``, or what the source throws.
        @inlinable
        public nonisolated(nonsending) mutating func next(isolation actor: (any Actor)?) async throws -> Part? {
            // Inlinable: reading the bodies of 5,000 short fields takes a fifth less time.
            var step = try reader.part()
            while case .more = step { step = try await reader.partAfterChunk(isolation: actor).get() }
            guard case .value(let part) = step else { return nil }
            return part
        }
    }
}
