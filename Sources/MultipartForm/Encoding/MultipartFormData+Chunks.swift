public import Foundation

extension MultipartFormData {
    /// The encoded form as an asynchronous sequence of chunks, for HTTP clients and sockets that take one.
    ///
    /// ```swift
    /// for try await chunk in form.chunks() { try await connection.send(chunk) }
    /// ```
    ///
    /// Nothing is read before it is requested, and one chunk at a time is held. Bytes in memory are copied, and
    /// asynchronous content is iterated, where the chunks are. Files and streams are never read on a thread of Swift's
    /// tasks: all iterations together read files on up to 8 threads of Dispatch, and streams on up to 32. While 32
    /// streams block, iterations that need another one wait for their turn; nothing else does, neither files nor other
    /// users of Dispatch. A stream must therefore not wait for another iteration's stream: an asynchronous sequence
    /// may, since it holds no thread.
    ///
    /// - Parameters:
    ///   - size: The length of each chunk but the last, in bytes; at least 1.
    ///   - offset: Where in the message to begin, in bytes, to resume an upload there; as
    ///     ``FormDataReader/seek(toOffset:)`` does.
    ///   - bytesPerSecond: The rate to hand bytes out at, at least 1, for slow links: each chunk waits until those
    ///     before it have had their time. Small chunks make a steady flow. Nil for no limit.
    ///   - progress: As in ``encode(progress:)``, for each iteration anew. Cancelling it, too, ends the chunks.
    /// - Returns: A sequence that encodes the form anew with each iteration.
    public func chunks(
        ofSize size: Int = 65536,
        from offset: UInt64 = 0,
        bytesPerSecond: Int? = nil,
        progress: Progress? = nil
    ) -> FormDataChunks {
        FormDataChunks(.form(self, from: offset, progress), size: size, bytesPerSecond: bytesPerSecond)
    }

    /// The form of parts that are yet to come as an asynchronous sequence of chunks, such as those of a message that is
    /// passed on while it arrives.
    ///
    /// ```swift
    /// let parts = try request.body.multipartParts(contentType: request.contentType)
    /// let body = MultipartFormData.chunks(of: parts.filter { $0.name != "password" }.map { BodyPart($0) })
    /// try await client.post(body, contentType: body.contentType)
    /// ```
    ///
    /// No part is requested before the one before it has been encoded, so that one chunk is held, and no part. The
    /// length of the message is unknown. What the sequence throws comes through and ends the chunks, and so does a part
    /// whose content fails, as ``MultipartError/Code/inputStreamReadFailed``: the message then has no end, so that it
    /// is not mistaken for a whole one.
    ///
    /// - Parameters:
    ///   - parts: The parts, in order; iterated anew with each iteration of the chunks.
    ///   - boundary: The boundary between the parts; one that you choose is searched for in the content.
    ///   - size: The length of each chunk but the last, in bytes; at least 1.
    ///   - bytesPerSecond: The rate to hand bytes out at, at least 1; nil for no limit.
    /// - Returns: A sequence that knows the ``FormDataChunks/contentType`` of the message.
    public static func chunks<Parts: AsyncSequence & Sendable>(
        of parts: Parts,
        boundary: Boundary = .random(),
        ofSize size: Int = 65536,
        bytesPerSecond: Int? = nil
    ) -> FormDataChunks where Parts.Element == BodyPart {
        FormDataChunks(
            .parts(boundary) { parts.nextElement() },
            size: size,
            bytesPerSecond: bytesPerSecond
        )
    }
}
