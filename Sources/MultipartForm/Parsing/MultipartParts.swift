public import Foundation

extension AsyncSequence where Element: ContiguousBytes, Self: Sendable {
    /// The parts of a message whose chunks come from this sequence, each with a body that is still arriving.
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
    ///   - contentType: The Content-Type field's value, such as `multipart/form-data; boundary=x`; nil if the message
    ///     has no such field.
    ///   - options: How strictly to read, the field's value included, and the limits.
    /// - Returns: The parts, in order.
    /// - Throws: ``MultipartError``: ``MultipartError/Code/unsupportedMediaType``, which a server answers with 415, or
    ///   another code of the Content-Type field.
    public func multipartParts(
        contentType: String?,
        options: MultipartParser.Options = MultipartParser.Options()
    ) throws(MultipartError) -> MultipartParts {
        let parser = try MultipartParser(contentType: contentType, options: options)
        return MultipartParts { PartReader(self.nextPiece(), parser) }
    }
}

/// The parts of a multipart message that arrives in chunks.
///
/// Requesting a part discards the previous one's unread body. After the last part the source is read to its end.
/// Breaking out of the loop leaves the source where it is.
///
/// The source is asked for a chunk only when the last one is used up, where the caller runs. What it throws comes
/// through, a ``MultipartError`` is about the message; either is thrown again from then on. When a task is cancelled it
/// is for the source to throw or to end, and an early end is an error. If two tasks read at the same time, the second
/// gets ``MultipartError/Code/concurrentUse`` and the first what it waits for.
public struct MultipartParts: AsyncSequence, Sendable {
    let makeReader: @Sendable () -> PartReader

    /// An iterator that reads the source from where it is.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(reader: makeReader())
    }

    /// Takes parts from the message.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        let reader: PartReader

        /// The next part, its body about to arrive; nil when the source has ended after a whole message.
        ///
        /// - Throws: ``MultipartError``, or what the source throws.
        public mutating func next() async throws -> Part? {
            try await next(isolation: #isolation)
        }

        /// The next part.
        ///
        /// - Parameter actor: Where the source is read.
        /// - Returns: The part, its body about to arrive; nil when the source has ended after a whole message.
        /// - Throws: ``MultipartError``, or what the source throws.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Part? {
            guard let (index, headers) = try await reader.nextPart(isolation: actor) else { return nil }
            return Part(headers: headers, body: Part.Body(index: index, reader: reader))
        }
    }
}
