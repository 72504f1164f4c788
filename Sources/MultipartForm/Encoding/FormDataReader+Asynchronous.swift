internal import Foundation

extension FormDataReader {
    /// Moves bytes of the asynchronous content from a piece to a chunk; true if the content is now complete.
    mutating func fill(_ chunk: inout ChunkMemory, from piece: inout Data) throws(MultipartError) -> Bool {
        try checkState()
        try openContent()
        var count = 0
        do throws(MultipartError) {
            // More bytes than declared have arrived; the chunk may have no room for them.
            if content?.isComplete == true { try content?.take(1) }
            count = unsafe try chunk.append { room throws(MultipartError) in
                let bytes = piece.prefix(room.count)
                try content?.take(bytes.count)
                // SAFETY: the prefix fits into the room.
                if unsafe scanner?.scan(bytes.span) == true { throw MultipartError(.boundaryCollision) }
                unsafe bytes.span.withUnsafeBytes { unsafe room.copyMemory(from: $0) }
                return bytes.count
            }
            piece.removeFirst(count)
        } catch {
            throw fail(error)
        }
        try advance(by: count)
        return content?.isComplete == true
    }

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
