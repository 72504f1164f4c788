extension FormDataReader {
    /// Fills a chunk with bytes of the asynchronous content, which has some at hand.
    ///
    /// - Returns: Whether the content now has its declared length, and must end.
    mutating func fill(
        _ chunk: inout ChunkMemory,
        from bytes: inout (any AsynchronousBytes)?
    ) throws(MultipartEncodingError) -> Bool {
        try checkState()
        let declared = awaitedContent?.length
        if let declared, awaitedOffset == declared { throw failByExcess(over: declared) }
        var collides = false
        let count: Int
        do throws(MultipartEncodingError) {
            count = unsafe try chunk.append { room throws(MultipartEncodingError) in
                // SAFETY: the bytes just read, within the room.
                let count = unsafe try bytes?.read(into: room) ?? 0
                let piece = unsafe UnsafeRawBufferPointer(rebasing: room[..<count])
                collides = unsafe scanner?.scan(piece.bindMemory(to: UInt8.self).span) == true
                return count
            }
        } catch {
            throw fail(error)
        }
        awaitedOffset += UInt64(count)
        if let declared, awaitedOffset > declared { throw failByExcess(over: declared) }
        if collides { throw fail(MultipartEncodingError(.boundaryCollision)) }
        try advance(by: count)
        return awaitedOffset == declared
    }

    private mutating func failByExcess(over declared: UInt64) -> MultipartEncodingError {
        fail(MultipartEncodingError(.bodyPartLengthMismatch(expected: declared, actual: declared + 1)))
    }

    /// Ends the asynchronous content; the text behind it begins.
    mutating func finishAwaitedContent() throws(MultipartEncodingError) {
        if let declared = awaitedContent?.length, awaitedOffset < declared {
            throw fail(
                MultipartEncodingError(.bodyPartLengthMismatch(expected: declared, actual: awaitedOffset))
            )
        }
        finishContent()
    }
}
