#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An asynchronous sequence of the parts of a multipart message that arrives in chunks.
///
/// How the sequence of the chunks is read:
/// - The iterator requests a chunk only after the previous chunk has been parsed.
/// - The sequence runs on the caller's actor. On systems older than macOS 15, iOS 18, tvOS 18, watchOS 11 and
///   visionOS 2, the sequence may run outside of that actor.
/// - After the last part, the iterator reads the sequence to its end. If you leave the loop earlier, the iterator reads
///   no further.
/// - If the task is cancelled, the sequence should throw or end. If the sequence then ends within the message, reading
///   throws a `CancellationError`.
///
/// How the parts are read:
/// - A request for the next part discards the unread bytes of the previous part's body.
/// - Reading throws any error of the sequence, and throws a ``MultipartError`` if the message is malformed, exceeds a
///   limit, or ends early. Later calls throw the same error.
/// - If two tasks read at the same time, the second task gets the error `concurrent-use`, and the first task continues.
public struct MultipartParts: AsyncSequence, Sendable {
    let makeReader: @Sendable () -> PartReader

    @usableFromInline
    init(_ makeReader: @escaping @Sendable () -> PartReader) {
        self.makeReader = makeReader
    }

    /// Creates an iterator over the parts; `for try await` calls this method.
    ///
    /// Each iterator reads the sequence from its start, as a new message. If the sequence can be read only once, create
    /// only one iterator.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(reader: makeReader())
    }

    /// An iterator over the parts, for code that requests parts without a loop.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        @usableFromInline
        let reader: PartReader

        /// Returns the next part. After the last part, reads the sequence to its end and returns nil.
        ///
        /// - Throws: ``MultipartError``, or the error that the sequence throws.
        public mutating func next() async throws -> Part? {
            try await next(isolation: #isolation)
        }

        /// Returns the next part. After the last part, reads the sequence to its end and returns nil. `for try await`
        /// calls this method.
        ///
        /// - Parameter actor: The actor on which the sequence is read.
        /// - Returns: The part, or nil after the last part. Read the part's body before the next call.
        /// - Throws: ``MultipartError``, or the error that the sequence throws.
        @inlinable
        public nonisolated(nonsending) mutating func next(isolation actor: (any Actor)?) async throws -> Part? {
            // The function is inlinable, so that reading the bodies of 5,000 short fields takes 20% less time.
            var step = try reader.part()
            while case .more = step { step = try await reader.partAfterChunk(isolation: actor).get() }
            guard case .value(let part) = step else { return nil }
            return part
        }
    }
}

extension AsyncSequence where Element: Collection<UInt8>, Self: Sendable {
    /// Returns the parts of a multipart message whose chunks are the elements of this sequence.
    ///
    /// The body of each part is read as it arrives.
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
    ///   - contentType: The value of the Content-Type field, such as `multipart/form-data; boundary=x`; nil if the
    ///     message has no such field.
    ///   - options: How strictly to parse the message and its Content-Type field, and the limits on the message.
    /// - Returns: The parts, in the order of the message.
    /// - Throws: ``MultipartError`` if the field is missing or invalid. Its ``MultipartError/httpStatus`` is 415 if the
    ///   field is missing or has another media type, else 400.
    @inlinable
    public func multipartParts(
        contentType: String?,
        options: MultipartParser.Options = MultipartParser.Options()
    ) throws -> MultipartParts {
        let parser = try MultipartParser(contentType: contentType, options: options)
        return MultipartParts { PartReader(self.pieceReader(), parser) }
    }
}

extension MultipartParts {
    /// A received part, whose body is read as it arrives.
    ///
    /// Read the body before you request the next part. After that request, reading the body throws `body-out-of-turn`.
    public struct Part: Sendable, CustomStringConvertible {
        /// All header fields of the part.
        public let headers: HeaderFields

        /// The body, as a sequence of pieces that can be processed as they arrive.
        public let body: Body

        /// The name of the form's field; nil if the part has no name.
        public var name: String? { headers.name }

        /// The file name as it was sent; nil if the part is not a file. Never use a sent file name as a path.
        public var filename: String? { headers.filename }

        /// The last component of ``filename``, made safe to append to a directory's path; nil if no usable name is
        /// left.
        ///
        /// The name has at most 255 bytes of UTF-8. ``HeaderFields/safeFilename`` describes how the name is made.
        public var safeFilename: String? { headers.safeFilename }

        /// The media type as it was sent; nil if the part has no Content-Type field.
        ///
        /// Such a part has the default type `text/plain` (RFC 7578 §4.4).
        public var contentType: String? { headers.contentType }

        /// Reads all remaining bytes of the body into memory. Use it for short content other than text.
        ///
        /// If more than `limit` bytes remain, the bytes that were read are lost. You can still request the next part.
        ///
        /// - Parameter limit: The maximum number of bytes to read. A negative number counts as 0.
        /// - Returns: A copy of the bytes, which shares no memory with the chunks.
        /// - Throws: ``MultipartError/Code/limitPartBytes`` if more than `limit` bytes remain; otherwise any error of
        ///   reading the ``body``.
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

        /// Reads all remaining bytes of the body as text.
        ///
        /// - Parameters:
        ///   - limit: The maximum number of bytes to read. A negative number counts as 0.
        ///   - defaultCharset: The character set to use if the part does not specify one.
        ///     ``BodyPart/text(defaultCharset:)`` lists the character sets.
        /// - Returns: The text with its line breaks unchanged.
        /// - Throws: ``MultipartError/Code/undecodableText`` if the body is not valid in the character set, or if the
        ///   character set is unknown; otherwise any error of ``collect(upTo:)``. The offset of each error counts from
        ///   the start of the message.
        public func text(upTo limit: Int, defaultCharset: String = "utf-8") async throws -> String {
            let data = try await collect(upTo: limit, "text(upTo:defaultCharset:)")
            return try Charset.text(
                data.span,
                as: headers.charset,
                default: defaultCharset,
                from: body.reader.offset - UInt64(data.count),
                partIndex: body.index,
                partName: name
            )
        }

        /// Saves all remaining bytes of the body to a new file. Never overwrites an existing file.
        ///
        /// The file is written on another thread, so the method does not block a thread of Swift concurrency. Until the
        /// file is complete, it is in the same directory under a temporary name that begins with `.multipart-form-`. If
        /// the method throws, the file is removed.
        ///
        /// - Parameters:
        ///   - fileURL: The URL of the file to create, in a directory that exists.
        ///   - limit: The maximum number of bytes to save. A negative number counts as 0.
        ///   - permissions: The permissions of the file, from 0 to 0o777, regardless of the umask. If nil, the file
        ///     gets the permissions of any new file of the process.
        /// - Returns: The length of the file in bytes.
        /// - Throws: One of these errors:
        ///   - ``MultipartError/Code/limitPartBytes`` if more than `limit` bytes remain. You can still request the next
        ///     part.
        ///   - Another ``MultipartError`` if something exists at the URL, or if the file cannot be created or written.
        ///   - Any error of reading the ``body``.
        @discardableResult
        public func save(to fileURL: URL, upTo limit: Int, permissions: Int? = nil) async throws -> UInt64 {
            let mode = permissions.map(FileMode.init(permissions:))
            guard fileURL.isLocalFile else { throw MultipartError(.outputStreamURLInvalid, path: fileURL.errorText) }
            var work = FileWork()
            var queue = FileWorkQueue()
            work.append(.create(.saved(at: fileURL, mode)))
            queue.append(&work, in: Span())
            try await queue.drain()
            var length: UInt64 = 0
            do {
                while let piece = try await body.nextPiece(after: length, upTo: limit, "save(to:upTo:permissions:)") {
                    length += UInt64(piece.count)
                    try await queue.write(piece)
                }
                work.append(.finish(nil))
            } catch {
                work.append(.fail(error))
            }
            queue.append(&work, in: Span())
            try await queue.drain()
            return length
        }

        /// The name, the file name and the media type, such as `photo: "a.jpg", image/jpeg`.
        ///
        /// Each text is made printable, and cut to 64 characters.
        public var description: String {
            let name = name?.printable(upTo: 64) ?? "(no name)"
            let filename = filename.map { "\"\($0.printable(upTo: 64))\"" }
            let details = [filename, contentType?.printable(upTo: 64)].compactMap(\.self)
            return details.isEmpty ? name : "\(name): \(details.joined(separator: ", "))"
        }

        /// The body of a part, as an asynchronous sequence of pieces that are never empty.
        ///
        /// A piece is a slice of a chunk if possible, otherwise a copy. A second iterator continues where the first
        /// iterator stopped.
        public struct Body: AsyncSequence, SinglePassSequence, Sendable {
            @usableFromInline
            let index: Int
            @usableFromInline
            let reader: PartReader

            /// Creates an iterator that continues after the last piece read; `for try await` calls this method.
            public func makeAsyncIterator() -> AsyncIterator {
                AsyncIterator(body: self)
            }

            var isConsumed: Bool { reader.hasReadBody(ofPart: index) }

            /// Returns the next piece, or nil at the body's end. The caller has already read `length` bytes. Throws
            /// if these bytes and the piece together have more than `limit` bytes.
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

            /// An iterator over the pieces of a body, for code that requests pieces without a loop.
            public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
                @usableFromInline
                let body: Body
                /// Returns the next piece, or nil at the body's end.
                ///
                /// - Throws: ``MultipartError``, such as `body-out-of-turn` if another part has been requested; or the
                ///   error that the sequence throws.
                public mutating func next() async throws -> Data? {
                    try await next(isolation: #isolation)
                }

                /// Returns the next piece, or nil at the body's end. `for try await` calls this method.
                ///
                /// - Parameter actor: The actor on which the sequence is read.
                /// - Returns: The bytes of the piece, or nil at the body's end.
                /// - Throws: The same errors as ``next()``.
                @inlinable
                public nonisolated(nonsending) mutating func next(isolation actor: (any Actor)?) async throws -> Data? {
                    // The function is inlinable, so that reading the bodies of 5,000 short fields takes 20% less time.
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
    /// Creates a part for sending, with the header fields and the body of a received part. The body is forwarded as it
    /// arrives.
    ///
    /// Usually, the header section is sent byte for byte as it was received. But lenient mode also accepts irregular
    /// lines, such as folded lines and lines that end in LF alone. A section with irregular lines is rewritten: each
    /// line is unfolded, and ends in CR LF.
    ///
    /// <doc:ForwardingForms> lists the parts that cannot be sent.
    ///
    /// Three restrictions apply:
    /// - Only asynchronous methods can encode or save the part, for instance
    ///   ``EncodedFormChunks/init(encoding:before:after:boundary:ofSize:bytesPerSecond:)`` and
    ///   ``MultipartFormData/chunks(ofSize:from:bytesPerSecond:progress:)``.
    /// - The part must be encoded before the next received part is requested.
    /// - The body can be read only once. If the program or an earlier encoding has read the body, encoding throws
    ///   ``MultipartError/Code/bodyPartStreamConsumed``.
    ///
    /// - Parameters:
    ///   - part: The received part.
    ///   - length: The length of the part's body in bytes, if known. Encoding fails if the body has another length.
    public init(_ part: MultipartParts.Part, length: UInt64? = nil) {
        self.init(received: part.headers, BodyContent(part.body, length: length))
    }
}
