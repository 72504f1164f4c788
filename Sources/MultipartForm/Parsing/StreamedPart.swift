public import Foundation

/// A part of a message that is still arriving: its header fields are here, its body is yet to come.
///
/// The part's turn lasts until the next part is asked for. Using its body later is
/// ``MultipartReceivingError/Code/bodyOutOfTurn``.
public struct StreamedPart: Sendable {
    /// The header fields.
    public let headers: HeaderFields

    /// The body, piece by piece.
    public let body: Body

    init(headers: HeaderFields, index: Int, source: any BodySource) {
        self.headers = headers
        self.body = Body(index: index, source: source)
    }

    /// The name of the form's field; nil when it was not sent.
    public var name: String? { headers.name }

    /// The file name as it was sent; nil for a part that is not a file. Never use it as a path.
    public var filename: String? { headers.filename }

    /// The last component of ``filename``, safe to join to a directory's path; nil if nothing usable is left.
    ///
    /// At most 255 bytes of UTF-8; ``ContentDisposition/safeFilename`` tells how it is made.
    public var safeFilename: String? { headers.safeFilename }

    /// The value of Content-Type as it was sent; nil when there is none.
    ///
    /// A part without one is text/plain (RFC 7578 §4.4).
    public var contentType: String? { headers.contentType }

    /// The rest of the body, whole in memory.
    ///
    /// If it is too long, what came of it is lost, and the next part can still be asked for.
    ///
    /// - Parameter limit: How many bytes at most; not negative.
    /// - Returns: The bytes, in storage of their own.
    /// - Throws: ``MultipartParsingError/Code/limitPartBytes`` if there are more; else what ``body`` throws.
    public func collect(upTo limit: Int) async throws -> Data {
        precondition(limit >= 0, "a limit is not negative")
        var data = Data()
        while let (offset, bytes) = try await body.source.nextPiece(ofPart: body.index) {
            let room = limit - data.count
            guard bytes.count <= room else {
                throw MultipartParsingError(
                    .limitPartBytes,
                    offset: offset + UInt64(room),
                    partIndex: body.index,
                    limit: UInt64(limit)
                )
            }
            data.append(bytes)
        }
        return data
    }

    /// A part's body, piece by piece; never an empty piece.
    ///
    /// The pieces are slices of the message's chunks. A second iterator goes on where the first one stopped.
    public struct Body: AsyncSequence, Sendable {
        /// Some bytes of the body.
        public typealias Element = Data
        /// What the source throws, ``MultipartParsingError`` or ``MultipartReceivingError``.
        public typealias Failure = any Error

        let index: Int
        let source: any BodySource

        /// An iterator that goes on where the last one stopped.
        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(body: self)
        }

        /// Takes pieces from the message.
        public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
            let body: Body

            /// The next piece; nil at the body's end.
            ///
            /// - Parameter actor: Where the caller is. The source is read outside any actor.
            /// - Returns: The bytes.
            /// - Throws: ``MultipartReceivingError`` if it is not the part's turn, ``MultipartParsingError``, or what the
            ///   source throws.
            public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Data? {
                try await body.source.nextPiece(ofPart: body.index)?.bytes
            }
        }
    }
}
