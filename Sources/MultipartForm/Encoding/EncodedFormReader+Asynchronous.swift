#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension EncodedFormReader {
    /// Moves bytes of the asynchronous content from a piece to a chunk; true if the content is now complete.
    mutating func fill(_ chunk: inout ChunkMemory, from piece: inout Data) throws(MultipartError) -> Bool {
        try checkState()
        let count = try withContent { content, scanner throws(MultipartError) in
            // More bytes than declared have arrived; the chunk may have no room for them.
            if content?.isComplete == true { try content?.take(1) }
            return unsafe try chunk.append { room throws(MultipartError) in
                let bytes = piece.prefix(room.count)
                try content?.take(bytes.count)
                // SAFETY: the prefix fits into the room.
                let collides = unsafe scanner.scan(bytes.span, copyingTo: room)
                if collides { throw scanner.collision }
                return bytes.count
            }
        }
        piece.removeFirst(count)
        try advance(by: count)
        return content?.isComplete == true
    }

    mutating func finishAwaitedContent() throws(MultipartError) {
        try withContent { content, _ throws(MultipartError) -> Void in try content?.finish() }
        endContent()
    }
}
