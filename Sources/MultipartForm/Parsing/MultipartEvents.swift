public import Foundation

extension AsyncSequence where Element: ContiguousBytes {
    /// The events of a message whose chunks come from this sequence.
    ///
    /// - Parameters:
    ///   - boundary: The value of the Content-Type field's boundary parameter.
    ///   - limits: What the message may cost.
    ///   - mode: How strictly to read.
    /// - Returns: The events, as ``MultipartParser`` tells them.
    public func multipartEvents(
        boundary: Boundary,
        limits: Limits = .default,
        mode: ParsingMode = .lenient
    ) -> MultipartEvents<Self> {
        MultipartEvents(source: self, parser: MultipartParser(boundary: boundary, limits: limits, mode: mode))
    }

    /// The events of a message whose chunks come from this sequence, and that came with a Content-Type field.
    ///
    /// - Parameters:
    ///   - contentType: The field's value, such as `multipart/form-data; boundary=x`.
    ///   - limits: What the message may cost.
    ///   - mode: How strictly to read, the field's value included.
    /// - Returns: The events, as ``MultipartParser`` tells them.
    /// - Throws: ``MultipartParsingError`` if the value is not that of a form.
    public func multipartEvents(
        contentType: String,
        limits: Limits = .default,
        mode: ParsingMode = .lenient
    ) throws(MultipartParsingError) -> MultipartEvents<Self> {
        let boundary = try Boundary(contentType: contentType, mode: mode)
        return multipartEvents(boundary: boundary, limits: limits, mode: mode)
    }
}

/// The events of a multipart message that arrives in chunks.
///
/// The source is asked for a chunk only when the last one is used up. `Data` is parsed where it is, and body events
/// are slices of it; other storage is copied once. Behind ``MultipartParser/Event/end`` the source is read to its end,
/// and what it yields is dropped: break out of the loop to leave it.
///
/// What the source throws comes through, ``MultipartParsingError`` tells of the message; either is thrown again from
/// then on. When a task is cancelled it is for the source to throw or to end, and an early end is an error.
public struct MultipartEvents<Source: AsyncSequence>: AsyncSequence where Source.Element: ContiguousBytes {
    /// An event.
    public typealias Element = MultipartParser.Event
    /// What the source throws, or ``MultipartParsingError``.
    public typealias Failure = any Error

    let source: Source
    let parser: MultipartParser

    /// An iterator that reads the source from where it is.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(source: source.makeAsyncIterator(), parser: parser)
    }

    /// Takes chunks from the source and events from a parser.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var source: Source.AsyncIterator
        private var parser: MultipartParser
        private var hasEnded = false
        /// What the source threw.
        private var failure: (any Error)?

        init(source: Source.AsyncIterator, parser: MultipartParser) {
            self.source = source
            self.parser = parser
        }

        /// The offset in the message where the body of the last part begins.
        var bodyOffset: UInt64 { parser.bodyOffset }

        /// The next event; nil when the source has ended behind a whole message.
        ///
        /// - Parameter actor: Where the source is to be read.
        /// - Returns: The event.
        /// - Throws: ``MultipartParsingError``, or what the source throws.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> MultipartParser.Event? {
            while true {
                if let event = try nextAtHand() { return event }
                guard try await readChunk(isolation: actor) else { return nil }
            }
        }

        /// The next event of the chunk at hand; nil if there is none left.
        mutating func nextAtHand() throws -> MultipartParser.Event? {
            if let failure { throw failure }
            return try parser.next()
        }

        /// Takes a chunk from the source, or its end.
        ///
        /// - Parameter actor: Where the source is to be read.
        /// - Returns: False if it had ended before.
        /// - Throws: What the source throws.
        mutating func readChunk(isolation actor: isolated (any Actor)?) async throws -> Bool {
            guard !hasEnded else { return false }
            do {
                if let chunk = try await source.next(isolation: actor) {
                    parser.append(Data(sharing: chunk))
                } else {
                    hasEnded = true
                    parser.finish()
                }
                return true
            } catch {
                failure = error
                throw error
            }
        }
    }
}

extension MultipartEvents: Sendable where Source: Sendable {}

extension MultipartEvents.AsyncIterator: Sendable where Source.AsyncIterator: Sendable {}

extension Data {
    /// Some bytes: those of data are shared, others copied.
    fileprivate init(sharing bytes: some ContiguousBytes) {
        if let data = bytes as? Data {
            self = data
        } else {
            // SAFETY: the bytes are copied inside the closure.
            self = unsafe bytes.withUnsafeBytes { unsafe Data($0) }
        }
    }
}
