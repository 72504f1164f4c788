// Moves a reader to an offset in the message, to resume an upload.
extension EncodedFormReader {
    /// Moves forward to the offset `target`, and returns true.
    ///
    /// Does not read from a place that is slower than `slowestPlace`. For instance, if `slowestPlace` is `.file` and
    /// the move must read a stream, stops before the stream and returns false.
    mutating func move(to target: UInt64, from slowestPlace: ContentPlace) throws(MultipartError) -> Bool {
        if let length, target > length { throw fail(Self.beyondEnd(target, of: length)) }
        // Each iteration reaches `target`, the end of a content, or the end of the text between two contents.
        while offset < target {
            guard !isAtEnd else { throw fail(Self.beyondEnd(target, of: offset)) }
            if !isInContent {
                let count = min(UInt64(plan.textLength(at: index) - textOffset), target - offset)
                offset += count
                skipText(Int(clamping: count))
            } else if !skipWholeContent(before: target) {
                // Returns false if the content is in a place that is too slow for this call. The exception is
                // asynchronous content, which no call can read: `moveWithinContent` throws an error at once.
                guard place <= slowestPlace || place == .asynchronous else { return false }
                try moveWithinContent(to: target)
            }
        }
        try checkStreams()
        try reportProgress()
        return true
    }

    /// Returns the error for an offset after the end of a message of `length` bytes.
    static func beyondEnd(_ offset: UInt64, of length: UInt64) -> MultipartError {
        MultipartError(ErrorCode.offsetBeyondEnd, "offset \(offset) is beyond the end of the message, \(length)")
    }

    /// Moves to the end of the content without reading it, and returns true. Returns false if the end is unknown or
    /// after `target`.
    private mutating func skipWholeContent(before target: UInt64) -> Bool {
        guard let length = plan.parts.length(at: index) else { return false }
        let rest = length - (content?.delivered ?? 0)
        guard rest <= target - offset else { return false }
        offset += rest
        endContent()
        return true
    }

    /// Moves to the offset `target` in the content. If content of unknown length ends before `target`, moves to the end
    /// of the content.
    private mutating func moveWithinContent(to target: UInt64) throws(MultipartError) {
        let start = content?.delivered ?? 0
        let distance = target - offset
        if content == nil, case .stream(let stream, _) = nextContent, stream.isTaken {
            throw failPart(MultipartError(ErrorCode.notReplayable))
        }
        let overlap = UInt64(collisionCheck?.overlap ?? 0)
        if distance > overlap {
            let contentTarget = start + distance - overlap
            let check = checkCancellation
            let reached = try withContent { content, _ throws(MultipartError) in
                try content?.skip(toOffset: contentTarget, checking: check)
            }
            offset += (reached ?? contentTarget) - start
        }
        try readContent(upTo: target)
    }

    private mutating func readContent(upTo target: UInt64) throws(MultipartError) {
        guard offset < target else { return }
        let scratch = ScratchBuffer(count: min(Int(clamping: target - offset), 64 * 1024))
        while offset < target {
            try checkState()
            // SAFETY: `prefix` stays within the bounds of the buffer.
            let room = unsafe scratch.bytes.prefix(Int(clamping: target - offset))
            let count = unsafe try readContent(into: UnsafeMutableRawBufferPointer(rebasing: room))
            guard count > 0 else { return }
            offset += UInt64(count)
        }
    }

    /// Throws `not-replayable` if the reader must still open a stream, but the stream can be opened only once and has
    /// already been opened.
    private mutating func checkStreams() throws(MultipartError) {
        for other in plan.parts.indices.dropFirst(index) {
            guard case .stream(let stream, _)? = plan.parts.storedContent(at: other), stream.isTaken else { continue }
            if other == index, content != nil { continue }
            throw failPart(MultipartError(ErrorCode.notReplayable), at: other)
        }
    }
}
