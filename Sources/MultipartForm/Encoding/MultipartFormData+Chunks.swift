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
    ///   - offset: Where in the message to begin, in bytes, to resume an upload there; as ``makeReader(from:)`` does. It
    ///     cannot be in an asynchronous content: `body-part-is-asynchronous`.
    ///   - bytesPerSecond: The highest rate, at least 1, for slow links; nil for no limit. Small chunks are steadier.
    ///   - progress: Receives how much has been encoded; each iteration starts again.
    /// - Returns: A sequence that encodes the form again with each iteration.
    public func chunks(
        ofSize size: Int = 65536,
        from offset: UInt64 = 0,
        bytesPerSecond: Int? = nil,
        progress: EncodingProgress? = nil
    ) -> EncodedFormChunks {
        EncodedFormChunks(.form(self, from: offset, progress), size: size, bytesPerSecond: bytesPerSecond)
    }
}
