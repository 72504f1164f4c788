public import Foundation

extension AsyncSequence where Element: ContiguousBytes, Self: Sendable {
    /// The parts of a message whose chunks come from this sequence, each with a body that is still arriving.
    ///
    /// ```swift
    /// for try await part in try chunks.multipartParts(contentType: contentType) {
    ///     if part.filename == nil {
    ///         fields[part.name ?? ""] = try await part.collect(upTo: 64 * 1024)
    ///     } else {
    ///         for try await bytes in part.body { try write(bytes) }
    ///     }
    /// }
    /// ```
    ///
    /// A part may be handed to another task, and so the source must be Sendable; for one that is not there is
    /// ``_Concurrency/AsyncSequence/multipartEvents(boundary:limits:mode:)``.
    ///
    /// - Parameters:
    ///   - boundary: The value of the Content-Type field's boundary parameter.
    ///   - limits: What the message may cost.
    ///   - mode: How strictly to read.
    /// - Returns: The parts, in order.
    public func multipartParts(
        boundary: Boundary,
        limits: Limits = .default,
        mode: ParsingMode = .lenient
    ) -> MultipartParts<Self> {
        MultipartParts(events: multipartEvents(boundary: boundary, limits: limits, mode: mode))
    }

    /// The parts of a message whose chunks come from this sequence, and that came with a Content-Type field.
    ///
    /// - Parameters:
    ///   - contentType: The field's value, such as `multipart/form-data; boundary=x`.
    ///   - limits: What the message may cost.
    ///   - mode: How strictly to read, the field's value included.
    /// - Returns: The parts, in order.
    /// - Throws: ``MultipartParsingError`` if the value is not that of a form.
    public func multipartParts(
        contentType: String,
        limits: Limits = .default,
        mode: ParsingMode = .lenient
    ) throws(MultipartParsingError) -> MultipartParts<Self> {
        MultipartParts(events: try multipartEvents(contentType: contentType, limits: limits, mode: mode))
    }
}

/// The parts of a multipart message that arrives in chunks.
///
/// To ask for the next part ends the turn of the one before: what was not read of its body is read and dropped. Behind
/// the last part the source is read to its end. Breaking out of the loop leaves the source where it is.
///
/// The source is asked for a chunk only when the last one is used up. What it throws comes through,
/// ``MultipartParsingError`` tells of the message; either is thrown again from then on. If two tasks ask at the same
/// time, the second gets ``MultipartReceivingError/Code/concurrentUse`` and the first what it waits for.
public struct MultipartParts<Source: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Source.Element: ContiguousBytes {
    /// A part.
    public typealias Element = StreamedPart
    /// What the source throws, ``MultipartParsingError`` or ``MultipartReceivingError``.
    public typealias Failure = any Error

    let events: MultipartEvents<Source>

    /// An iterator that reads the source from where it is.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(reader: PartReader(events))
    }

    /// Takes parts from the message.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        let reader: PartReader<Source>

        /// The next part; nil when the source has ended behind a whole message.
        ///
        /// - Parameter actor: Where the caller is. The source is read outside any actor.
        /// - Returns: The part, its body about to arrive.
        /// - Throws: ``MultipartParsingError``, ``MultipartReceivingError``, or what the source throws.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> StreamedPart? {
            try await reader.nextPart()
        }
    }
}
