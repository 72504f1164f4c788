internal import Foundation

extension FormDataReader {
    /// Moves to an offset in the message, to resume an upload there.
    ///
    /// Contents before the offset are skipped by their lengths, without being opened. In a content in memory or in a
    /// file this is a real seek; bytes of a stream that lie before the offset are read and dropped, and so are whole
    /// contents of unknown length. A content that is entered is still checked to have its declared length.
    ///
    /// With a boundary of the caller's choice, the scan goes on as far before the offset as a collision behind it could
    /// begin. What lies further before is not scanned again.
    ///
    /// - Parameter target: The offset of the next byte to read, from the message's start; at most its length.
    /// - Throws: ``MultipartEncodingError``: ``MultipartEncodingError/Reason/offsetBeyondEnd``;
    ///   ``MultipartEncodingError/Reason/notReplayable`` if a stream that has been read would have to be read again; or
    ///   what a content throws. The reader has then failed for good.
    public mutating func seek(toOffset target: UInt64) throws(MultipartEncodingError) {
        try checkState()
        if let length, target > length { throw failForGood(MultipartEncodingError(.offsetBeyondEnd)) }
        if target < offset { rewind() }
        // Each turn ends a text or a content, or reaches the target.
        while offset < target {
            guard !isAtEnd else { throw failForGood(MultipartEncodingError(.offsetBeyondEnd)) }
            guard isInContent else {
                skipText(toward: target)
                continue
            }
            do {
                try skipContent(toward: target)
            } catch {
                throw fail(error)
            }
        }
        try checkStreams()
        tellProgress()
    }

    private mutating func skipText(toward target: UInt64) {
        let end = plan.textEnds[index]
        let count = min(UInt64(end - textOffset), target - offset)
        textOffset += Int(count)
        offset += count
        if textOffset == end { finishText() }
    }

    /// Skips a content, or moves into it.
    private mutating func skipContent(toward target: UInt64) throws(MultipartEncodingError) {
        let start = contentOffset
        let distance = target - offset
        if let length = plan.form.parts[index].content.length, distance >= length - start {
            offset += length - start
            finishContent()
            return
        }
        let reach = UInt64(scanner?.reach ?? 0)
        if distance > reach {
            try jump(to: start + distance - reach)
            offset += contentOffset - start
            // What was skipped may end in a line break, but then a collision ends before the target.
            scanner?.beginWithinLine()
        }
        try readContent(upTo: target)
    }

    /// How much of the current content lies behind.
    private var contentOffset: UInt64 {
        if case .data = plan.form.parts[index].content { return UInt64(dataOffset) }
        return content?.delivered ?? 0
    }

    private mutating func jump(to place: UInt64) throws(MultipartEncodingError) {
        if case .data = plan.form.parts[index].content {
            dataOffset = Int(place)
        } else {
            let content = try openForSeeking()
            _ = try content.skip(toOffset: place) { () throws(MultipartEncodingError) in try checkState() }
        }
    }

    /// Reads and scans what lies right before the target.
    private mutating func readContent(upTo target: UInt64) throws(MultipartEncodingError) {
        guard offset < target else { return }
        if case .data = plan.form.parts[index].content {} else { _ = try openForSeeking() }
        // SAFETY: the buffer is freed on every exit, and holds each part of it that is read into.
        let size = Int(min(target - offset, 64 * 1024))
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 1)
        defer { unsafe buffer.deallocate() }
        while offset < target {
            try checkState()
            let room = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(Int(clamping: target - offset)))
            let count = unsafe try readContent(into: room)
            guard count > 0 else { return }
            offset += UInt64(count)
        }
    }

    private mutating func openForSeeking() throws(MultipartEncodingError) -> ContentReader {
        if content == nil, case .stream(let box, _) = plan.form.parts[index].content, box.isTaken {
            throw MultipartEncodingError(.notReplayable)
        }
        return try openContent()
    }

    /// Fails if a stream that is yet to be read has been taken.
    private mutating func checkStreams() throws(MultipartEncodingError) {
        for place in plan.form.indices.dropFirst(index) {
            guard case .stream(let box, _) = plan.form.parts[place].content, box.isTaken else { continue }
            if place == index, content != nil { continue }
            let error = MultipartEncodingError(.notReplayable)
            throw failForGood(error.located(at: place, name: plan.form[place].name))
        }
    }
}
