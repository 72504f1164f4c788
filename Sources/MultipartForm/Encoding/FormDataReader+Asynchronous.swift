extension FormDataReader {
    /// Fills a chunk with bytes that the asynchronous content has at hand.
    ///
    /// - Returns: Whether the content now has its declared length, and must end.
    mutating func fill(
        _ chunk: inout ChunkMemory,
        from bytes: inout (any AsynchronousBytes)?
    ) throws(MultipartError) -> Bool {
        try checkState()
        try openContent()
        var count = 0
        do throws(MultipartError) {
            // More than the declared bytes have come; the chunk may have no room for them.
            if content?.isComplete == true { try content?.take(1) }
            count = unsafe try chunk.append { room throws(MultipartError) in
                // SAFETY: the bytes just read, within the room.
                let count = unsafe try bytes?.read(into: room) ?? 0
                let piece = unsafe UnsafeRawBufferPointer(rebasing: room[..<count])
                try content?.take(count)
                if unsafe scanner?.scan(piece.bindMemory(to: UInt8.self).span) == true {
                    throw MultipartError(.boundaryCollision)
                }
                return count
            }
        } catch {
            throw fail(error)
        }
        try advance(by: count)
        return content?.isComplete == true
    }

    /// Ends the asynchronous content; the text after it begins.
    mutating func finishAwaitedContent() throws(MultipartError) {
        try openContent()
        do throws(MultipartError) {
            try content?.finish()
        } catch {
            throw fail(error)
        }
        endContent()
    }
}
