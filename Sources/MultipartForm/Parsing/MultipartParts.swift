#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The parts of a multipart message that arrives in chunks.
///
/// Requesting a part discards the previous one's unread body. After the last part the source is read to its end.
/// Breaking out of the loop stops reading the source.
///
/// The next chunk is requested when the last one is used up. The source runs where the caller runs, but on systems
/// older than macOS 15, iOS 18, tvOS 18, watchOS 11 and visionOS 2 it runs outside of the caller's actor. Reading
/// throws the source's errors, and a ``MultipartError`` for a malformed message or an exceeded limit; later calls throw
/// the same error. If the task is cancelled, the source should throw or end; a message that ends early is an error. If
/// two tasks read at the same time, the second one gets `concurrent-use`, and the first one continues.
public struct MultipartParts: AsyncSequence, Sendable {
    let makeReader: @Sendable () -> PartReader

    @usableFromInline
    init(_ makeReader: @escaping @Sendable () -> PartReader) {
        self.makeReader = makeReader
    }

    /// Creates an iterator that reads the source, as `for try await` does. Each iterator iterates the source again, as
    /// a new message. So create only one iterator for a source that can be read once.
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
            // Inlinable, so that reading the bodies of 5,000 short fields takes a fifth less time.
            var step = try reader.part()
            while case .more = step { step = try await reader.partAfterChunk(isolation: actor).get() }
            guard case .value(let part) = step else { return nil }
            return part
        }
    }
}

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
    ///   - options: The limits, and how strictly to parse the message and the field's value.
    /// - Returns: The parts, in order.
    /// - Throws: ``MultipartError``: ``MultipartError/Code/unsupportedMediaType``, which a server answers with 415, or
    ///   another code for an invalid Content-Type field.
    @inlinable
    public func multipartParts(
        contentType: String?,
        options: MultipartParser.Options = MultipartParser.Options()
    ) throws -> MultipartParts {
        let parser = try MultipartParser(contentType: contentType, options: options)
        return MultipartParts { PartReader(self.nextPiece(), parser) }
    }
}

extension MultipartParts {
    /// A part whose header fields have arrived, and whose body is read as it arrives.
    ///
    /// Read the body before you request the next part; later it throws `body-out-of-turn`.
    public struct Part: Sendable, CustomStringConvertible {
        /// All header fields, including those without a property here.
        public let headers: HeaderFields

        /// The body, piece by piece, to be processed as it arrives.
        public let body: Body

        /// The name of the form's field; nil if none was sent.
        public var name: String? { headers.name }

        /// The file name as it was sent; nil for a part that is not a file. Never use it as a path.
        public var filename: String? { headers.filename }

        /// The last component of ``filename``, safe to join to a directory's path; nil if nothing usable is left.
        ///
        /// At most 255 bytes of UTF-8; see ``HeaderFields/safeFilename``.
        public var safeFilename: String? { headers.safeFilename }

        /// The media type as it was sent; nil if there is none.
        ///
        /// A part without one is text/plain (RFC 7578 §4.4).
        public var contentType: String? { headers.contentType }

        /// Reads the rest of the body to memory; for short content other than text.
        ///
        /// If the body is too long, its bytes are lost; the next part can still be requested.
        ///
        /// - Parameter limit: The maximum number of bytes to read; a negative one counts as 0.
        /// - Returns: The bytes, in their own storage.
        /// - Throws: ``MultipartError/Code/limitPartBytes`` if there are more; else what ``body`` throws.
        public func collect(upTo limit: Int) async throws -> Data {
            try await collect(upTo: limit, "collect(upTo:)")
        }

        private func collect(upTo limit: Int, _ limitName: String) async throws -> Data {
            var data = Data()
            while let piece = try await body.nextPiece(after: UInt64(data.count), upTo: limit, limitName) {
                data.append(piece)
            }
            return data
        }

        /// Reads the rest of the body as text.
        ///
        /// - Parameters:
        ///   - limit: The maximum number of bytes to read; a negative one counts as 0.
        ///   - defaultCharset: The character set of a part that does not specify one; see
        ///     ``BodyPart/text(defaultCharset:)``.
        /// - Returns: The text with its line breaks unchanged.
        /// - Throws: ``MultipartError/Code/undecodableText``, whose offset is in the message, if the body is not valid
        ///   in the character set, or the character set is unknown; else as ``collect(upTo:)`` does.
        public func text(upTo limit: Int, defaultCharset: String = "utf-8") async throws -> String {
            let charset = try Charset.named(headers.charset, default: defaultCharset)
            let data = try await collect(upTo: limit, "text(upTo:defaultCharset:)")
            switch charset?.decode(data.span) ?? .invalid(offset: 0) {
            case .text(let text): return text
            case .invalid(let offset):
                throw MultipartError(
                    .undecodableText,
                    offset: body.reader.offset - UInt64(data.count - offset),
                    partIndex: body.index,
                    partName: name
                )
            }
        }

        /// Saves the rest of the body to a new file, to keep an upload. Never overwrites anything.
        ///
        /// The file is never written on a thread of Swift's tasks. Until it is complete, it is in the same directory
        /// under a name that begins with `.multipart-form-`. If anything fails, the file is removed.
        ///
        /// - Parameters:
        ///   - fileURL: The file to create, in a directory that exists.
        ///   - limit: The maximum number of bytes to save; a negative one counts as 0.
        ///   - permissions: The file's mode, 0 to 0o777, regardless of the process' mask; nil for the mode of any file
        ///     that the process creates.
        /// - Returns: The length of the file in bytes.
        /// - Throws: ``MultipartError/Code/limitPartBytes`` if the body is longer, after which the next part can still
        ///   be requested; ``MultipartError`` if something exists at the URL, or the file cannot be created or written;
        ///   else what ``body`` throws.
        @discardableResult
        public func save(to fileURL: URL, upTo limit: Int, permissions: Int? = nil) async throws -> UInt64 {
            let mode = permissions.map(FileMode.init(permissions:))
            let file = OffloadedState<PieceWriter?>(nil)
            try await file.perform {
                $0 = PieceWriter(try NewFile(beside: fileURL, mode: mode), pieceSize: PieceWriter.awaitedSize)
            }
            var length: UInt64 = 0
            do {
                while let piece = try await body.nextPiece(after: length, upTo: limit, "save(to:upTo:permissions:)") {
                    length += UInt64(piece.count)
                    try await file.value?.append(piece, for: fileURL)
                }
            } catch {
                // If the kept bytes cannot be written, that error counts: they came before what else has failed.
                try await file.value?.writeAll(for: fileURL)
                throw error
            }
            try await file.value?.wait(for: fileURL)
            try await file.perform { try $0?.finish(at: fileURL) }
            return length
        }

        /// The name, the file name and the type: `photo: "a.jpg", image/jpeg`. Each text is printable, with at most 64
        /// characters.
        public var description: String {
            let name = name?.printable(upTo: 64) ?? "(no name)"
            let filename = filename.map { "\"\($0.printable(upTo: 64))\"" }
            let details = [filename, contentType?.printable(upTo: 64)].compactMap(\.self)
            return details.isEmpty ? name : "\(name): \(details.joined(separator: ", "))"
        }

        /// A part's body in pieces, which are slices of the message's chunks and never empty.
        ///
        /// A second iterator continues where the first one stopped.
        public struct Body: AsyncSequence, SinglePassSequence, Sendable {
            @usableFromInline
            let index: Int
            @usableFromInline
            let reader: PartReader

            /// Creates an iterator that continues where the last one stopped, as `for try await` does.
            public func makeAsyncIterator() -> AsyncIterator {
                AsyncIterator(body: self)
            }

            var isConsumed: Bool { reader.hasReadBody(ofPart: index) }

            /// The next piece after `length` bytes of the body; throws if the body exceeds the limit with it.
            fileprivate func nextPiece(
                after length: UInt64,
                upTo limit: Int,
                _ limitName: String
            ) async throws -> Data? {
                let limit = Swift.max(limit, 0)
                var iterator = makeAsyncIterator()
                guard let piece = try await iterator.next(isolation: #isolation) else { return nil }
                let room = UInt64(limit) - length
                guard piece.count <= room else {
                    throw MultipartError(
                        .limitPartBytes,
                        offset: reader.offset - UInt64(piece.count) + room,
                        partIndex: index,
                        partName: reader.name,
                        limit: limit,
                        limitName: limitName
                    )
                }
                return piece
            }

            /// Reads pieces of the body, for code that requests them without a loop.
            public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
                @usableFromInline
                let body: Body
                /// The next piece; nil at the body's end.
                ///
                /// - Throws: ``MultipartError``, such as `body-out-of-turn` if another part has
                ///   been requested, or what the source throws.
                public mutating func next() async throws -> Data? {
                    try await next(isolation: #isolation)
                }

                /// The next piece, as `for try await` requests it.
                ///
                /// - Parameter actor: Where the source is read.
                /// - Returns: The bytes; nil at the body's end.
                /// - Throws: As ``next()`` does.
                @inlinable
                public nonisolated(nonsending) mutating func next(isolation actor: (any Actor)?) async throws -> Data? {
                    // Inlinable, so that reading the bodies of 5,000 short fields takes a fifth less time.
                    var step = try body.reader.piece(ofPart: body.index)
                    while case .more = step {
                        step = try await body.reader.pieceAfterChunk(ofPart: body.index, isolation: actor).get()
                    }
                    guard case .value(let bytes) = step else { return nil }
                    return bytes
                }
            }
        }
    }
}

extension BodyPart {
    /// Creates a part with the header fields and the body of a received part, to forward it as it arrives.
    ///
    /// The header section is sent as it came, byte for byte; <doc:UploadingWithAsyncHTTPClient> says what cannot be
    /// sent. In lenient mode, lines may be folded or end in LF alone; they are sent as lines that are not folded and
    /// end in CR LF.
    ///
    /// Only ``EncodedFormChunks/init(encoding:boundary:ofSize:bytesPerSecond:)`` and
    /// ``MultipartFormData/chunks(ofSize:from:bytesPerSecond:progress:)`` can encode the part; they can do so once, and
    /// only until the next part is requested. If the body has been read before, by an earlier encoding or by the
    /// program, encoding throws ``MultipartError/Code/bodyPartStreamConsumed``.
    ///
    /// - Parameters:
    ///   - part: The part.
    ///   - length: The length of its body in bytes, if it is known; encoding fails if the body has another length.
    public init(_ part: MultipartParts.Part, length: UInt64? = nil) {
        self.init(received: part.headers, BodyContent(part.body, length: length))
    }
}
