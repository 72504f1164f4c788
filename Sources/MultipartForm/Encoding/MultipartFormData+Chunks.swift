public import Foundation

extension MultipartFormData {
    /// The encoded form as an asynchronous sequence of chunks, for HTTP clients and sockets that take one.
    ///
    /// ```swift
    /// for try await chunk in form.chunks() { try await connection.send(chunk) }
    /// ```
    ///
    /// Bytes are read when they are requested, and one chunk is held at a time. Bytes in memory are copied, and
    /// asynchronous content is iterated, where the chunks are iterated. Files and streams are never read on a thread of
    /// Swift's tasks: all iterations together read files on up to 8 threads of Dispatch, and streams on up to 32. While
    /// 32 streams block, other streams wait; files and other users of Dispatch do not. A stream must therefore not
    /// wait for another iteration's stream. An asynchronous sequence may, since it holds no thread.
    ///
    /// - Parameters:
    ///   - size: The length of each chunk but the last, in bytes; at least 1.
    ///   - offset: Where in the message to begin, in bytes, to resume an upload there; as
    ///     ``EncodedFormReader/seek(toOffset:)`` does.
    ///   - bytesPerSecond: The highest rate, at least 1, for slow links; nil for no limit. Small chunks are steadier.
    ///   - progress: As in ``encode(progress:)``; each iteration starts it again. Cancelling it ends the chunks.
    /// - Returns: A sequence that encodes the form again with each iteration.
    public func chunks(
        ofSize size: Int = 65536,
        from offset: UInt64 = 0,
        bytesPerSecond: Int? = nil,
        progress: Progress? = nil
    ) -> EncodedFormChunks {
        EncodedFormChunks(.form(self, from: offset, progress), size: size, bytesPerSecond: bytesPerSecond)
    }

    /// Encodes parts that arrive one by one as a sequence of chunks, for instance to forward a message as it arrives.
    ///
    /// ```swift
    /// let parts = try request.body.multipartParts(contentType: request.contentType)
    /// let body = MultipartFormData.chunks(of: parts.filter { $0.name != "password" }.map { BodyPart($0) })
    /// try await client.post(body, contentType: body.contentType)
    /// ```
    ///
    /// A part is requested when the one before it has been encoded, so one chunk is held and no part. The length of
    /// the message is unknown. The chunks throw what the sequence throws, and
    /// ``MultipartError/Code/inputStreamReadFailed`` if a part's content fails. The message is then incomplete, so a
    /// receiver cannot mistake it for a whole one.
    ///
    /// - Parameters:
    ///   - parts: The parts, in order; iterated again in each iteration of the chunks.
    ///   - boundary: The boundary between the parts; the content is searched for one that you choose.
    ///   - size: The length of each chunk but the last, in bytes; at least 1.
    ///   - bytesPerSecond: The highest rate, at least 1; nil for no limit.
    /// - Returns: A sequence that knows the ``EncodedFormChunks/contentType`` of the message.
    public static func chunks<Parts: AsyncSequence & Sendable>(
        of parts: Parts,
        boundary: Boundary = .random(),
        ofSize size: Int = 65536,
        bytesPerSecond: Int? = nil
    ) -> EncodedFormChunks where Parts.Element == BodyPart {
        EncodedFormChunks(.parts(boundary) { parts.nextElement() }, size: size, bytesPerSecond: bytesPerSecond)
    }
}
