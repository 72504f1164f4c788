public import Foundation

extension MultipartParts {
    /// A part whose header fields are here, and whose body is yet to come.
    ///
    /// Its turn lasts until the next part is requested. Using its body later is ``MultipartError/Code/bodyOutOfTurn``.
    public struct Part: Sendable {
        /// The header fields.
        public let headers: HeaderFields

        /// The body, piece by piece.
        public let body: Body

        /// The name of the form's field; nil when it was not sent.
        public var name: String? { headers.name }

        /// The file name as it was sent; nil for a part that is not a file. Never use it as a path.
        public var filename: String? { headers.filename }

        /// The last component of ``filename``, safe to join to a directory's path; nil if nothing usable is left.
        ///
        /// At most 255 bytes of UTF-8; see ``ContentDisposition/safeFilename``.
        public var safeFilename: String? { headers.safeFilename }

        /// The media type as it was sent; nil when there is none.
        ///
        /// A part without one is text/plain (RFC 7578 §4.4).
        public var contentType: String? { headers.contentType }

        /// The rest of the body, whole in memory.
        ///
        /// If it is too long, what came of it is lost, and the next part can still be requested.
        ///
        /// - Parameter limit: How many bytes at most; not negative.
        /// - Returns: The bytes, in storage of their own.
        /// - Throws: ``MultipartError/Code/limitPartBytes`` if there are more; else what ``body`` throws.
        public func collect(upTo limit: Int) async throws -> Data {
            precondition(limit >= 0, "a limit is not negative")
            var data = Data()
            while let piece = try await body.nextPiece(after: UInt64(data.count), upTo: UInt64(limit)) {
                data.append(piece)
            }
            return data
        }

        /// The rest of the body as text; nil if its bytes are not of the character set, or the set is unknown.
        ///
        /// - Parameters:
        ///   - limit: How many bytes at most; not negative.
        ///   - defaultCharset: The character set of a part that does not name one; see
        ///     ``BodyPart/text(defaultCharset:)``.
        /// - Returns: The text, its line breaks unchanged.
        /// - Throws: As ``collect(upTo:)`` does.
        public func text(upTo limit: Int, defaultCharset: String = "utf-8") async throws -> String? {
            let data = try await collect(upTo: limit)
            return BodyPart.text(of: data, charset: contentType.flatMap(BodyPart.charset) ?? defaultCharset)
        }

        /// Saves the rest of the body to a new file. Nothing is ever overwritten.
        ///
        /// The file is written, on threads of its own, under a name beside its place that begins with
        /// `.multipart-form-`, and gets its own name in one step when it is complete. If anything fails, what was
        /// written is removed.
        ///
        /// - Parameters:
        ///   - fileURL: The file to create; its directory exists.
        ///   - limit: How many bytes at most.
        ///   - permissions: The file's mode, set as it is whatever the process masks; for its owner only unless given.
        /// - Returns: The length of the file in bytes.
        /// - Throws: ``MultipartError/Code/limitPartBytes`` if the body is longer, after which the next part can still
        ///   be requested; ``MultipartError`` if something exists at the URL, or the file cannot be created or written;
        ///   else what ``body`` throws.
        @discardableResult
        public func save(to fileURL: URL, upTo limit: UInt64, permissions: Int = 0o600) async throws -> UInt64 {
            let file = FileReceiver(fileURL)
            try await file.perform { receiver throws(MultipartError) in try receiver.create() }
            var length: UInt64 = 0
            while let piece = try await body.nextPiece(after: length, upTo: limit) {
                length += UInt64(piece.count)
                try await file.perform { receiver throws(MultipartError) in try receiver.write(piece) }
            }
            let mode = mode_t(truncatingIfNeeded: permissions)
            try await file.perform { receiver throws(MultipartError) in try receiver.finish(mode: mode) }
            return length
        }

        /// A part's body, piece by piece; never an empty piece.
        ///
        /// The pieces are slices of the message's chunks. A second iterator continues where the first one stopped.
        public struct Body: AsyncSequence, Sendable {
            let index: Int
            let reader: PartReader

            /// An iterator that continues where the last one stopped.
            public func makeAsyncIterator() -> AsyncIterator {
                AsyncIterator(body: self)
            }

            /// The next piece, after so many bytes, if it keeps to a limit on all of them.
            fileprivate func nextPiece(after length: UInt64, upTo limit: UInt64) async throws -> Data? {
                guard let (offset, bytes) = try await reader.nextPiece(ofPart: index, isolation: #isolation) else {
                    return nil
                }
                let room = limit - length
                guard bytes.count <= room else {
                    throw MultipartError(
                        .limitPartBytes,
                        offset: offset + room,
                        partIndex: index,
                        partName: reader.name,
                        limit: limit
                    )
                }
                return bytes
            }

            /// Takes pieces from the message.
            public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
                let body: Body

                /// The next piece; nil at the body's end.
                ///
                /// - Throws: ``MultipartError``, among them ``MultipartError/Code/bodyOutOfTurn`` if it is not the
                ///   part's turn, or what the source throws.
                public mutating func next() async throws -> Data? {
                    try await next(isolation: #isolation)
                }

                /// The next piece.
                ///
                /// - Parameter actor: Where the source is read.
                /// - Returns: The bytes; nil at the body's end.
                /// - Throws: As ``next()`` does.
                public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Data? {
                    try await body.reader.nextPiece(ofPart: body.index, isolation: actor)?.bytes
                }
            }
        }
    }
}

extension BodyPart {
    /// Creates a part that is passed on as it arrives, with the headers it had.
    ///
    /// Only ``MultipartFormData/chunks(of:boundary:ofSize:bytesPerSecond:)`` and
    /// ``MultipartFormData/chunks(ofSize:from:bytesPerSecond:progress:)`` can encode it, while it is the part's turn.
    ///
    /// - Parameters:
    ///   - part: The part.
    ///   - length: The length of its body in bytes, if it is known; fewer or more is an error of the encoding.
    public init(_ part: MultipartParts.Part, length: UInt64? = nil) {
        self.init(headers: part.headers, content: .asynchronous(AsynchronousContent(part.body, length: length)))
    }
}
