// The states within a part: in its header section and in its body.
extension ParserMachine {
    /// Reads the header section. If the section is complete, begins the body and returns true; otherwise returns false.
    mutating func readHeaders(_ bytes: Span<UInt8>) throws(MultipartError) -> Bool {
        let section: HeaderReader.Section?
        do {
            section = try headers.read(bytes.extracting(droppingFirst: window.position), into: &part.fields)
        } catch {
            throw inSection(error)
        }
        guard let section else {
            window.position = bytes.count
            return false
        }
        window.position += section.length
        if options.mode == .strict { part.contentLength = section.contentLength }
        beginBody(hasEmptyFilename: section.hasEmptyFilename)
        return true
    }

    @inline(__always)
    private mutating func beginBody(hasEmptyFilename: Bool) {
        state = .body
        search.begin()
        window.reported = window.position
        part.bodyOffset = window.messageOffset
        if options.mode == .strict { boundBody(hasEmptyFilename: hasEmptyFilename) }
        pending.append(.part)
    }

    /// Sets the body's maximum length in strict mode, which is the smallest of three bounds.
    ///
    /// If bounds are equal, a body that exceeds them causes the error of the first bound in this order:
    /// 1. the Content-Length
    /// 2. an empty file name, which allows only an empty body
    /// 3. ``MultipartParser/Options/maxPartBytes``
    private mutating func boundBody(hasEmptyFilename: Bool) {
        part.maxLength = options.maxPartBytes.map { UInt64($0) } ?? .max
        part.bound = .limit
        if hasEmptyFilename {
            part.maxLength = 0
            part.bound = .emptyFilename
        }
        if let length = part.contentLength, length <= part.maxLength {
            part.maxLength = length
            part.bound = .contentLength
        }
    }

    /// Throws the first error in the complete lines of an incomplete header section. Does nothing outside of header
    /// sections.
    func checkCompleteLines() throws(MultipartError) {
        guard state == .headers else { return }
        do {
            try headers.checkCompleteLines()
        } catch {
            throw inSection(error)
        }
    }

    /// Converts an error's offset in the header section to an offset in the message.
    private func inSection(_ error: MultipartError) -> MultipartError {
        self.error(error.code, error.ownReason, offset: part.sectionOffset + (error.offset ?? 0), limit: error.limit)
    }

    /// Reports content up to the next delimiter, and returns true. If the chunk has no whole delimiter, returns false,
    /// and does not report bytes at the chunk's end that may begin a delimiter.
    mutating func searchBody(_ bytes: Span<UInt8>) throws(MultipartError) -> Bool {
        guard window.position < bytes.count else { return false }
        // Each iteration finds a dash-boundary, or reaches the end of the chunk.
        while true {
            let place = search.next(in: bytes, from: window.position)
            window.position = place.isWhole ? search.end(of: place) : bytes.count
            let lineBreakLength = lengthOfLineBreak(before: place)
            // In lenient mode, a dash-boundary within a line is content. Strict mode refuses such a dash-boundary,
            // because some parsers split a body there.
            let isContent = lineBreakLength == nil && options.mode == .lenient
            if isContent, place.isWhole { continue }
            // The chunk may end with the first bytes of a dash-boundary that does not begin a line. These bytes are
            // content, whatever the next chunk contains.
            if isContent, search.matched > 0 { search.begin(after: .other) }
            try deliver(bytes, upTo: isContent ? bytes.count : place.start - (lineBreakLength ?? 0))
            guard place.isWhole else { return false }
            guard lineBreakLength != nil else { throw lookalikeError(place) }
            classifier = DelimiterLineClassifier(mode: options.mode)
            state = .delimiter
            return true
        }
    }

    /// Returns strict mode's error for a dash-boundary that is within a body but not part of a delimiter.
    private func lookalikeError(_ place: BoundarySearch.Place) -> MultipartError {
        let reason =
            place.predecessor == .start
            ? "part has no line break before its delimiter" : "content has the boundary after two hyphens"
        // `place.start` is negative if the dash-boundary begins in an earlier chunk. Wrapping addition gives the right
        // offset in that case, too.
        return error(
            ErrorCode.malformedDelimiter,
            reason,
            offset: window.offset &+ UInt64(truncatingIfNeeded: place.start)
        )
    }

    /// Returns the length of the line break that begins the delimiter at `place` (RFC 2046 §5.1.1). Returns nil if
    /// there is no delimiter.
    private func lengthOfLineBreak(before place: BoundarySearch.Place) -> Int? {
        switch (place.predecessor, lineBreak) {
        case (.carriageReturnLineFeed, .crlf):
            return 2
        case (.lineFeed, .lf), (.carriageReturnLineFeed, .lf):
            return 1
        case (.carriageReturn, .crlf):
            // A CR at the end of the chunk may be the first byte of a delimiter's line break: in the next chunk, an
            // LF may follow.
            return !place.isWhole && search.matched == 0 ? 1 : nil
        case (.start, _):
            // The dash-boundary directly follows the blank line. In lenient mode, the blank line's CR LF also begins
            // the delimiter, and the body is empty. Strict mode refuses such a message, as some parsers do.
            return options.mode == .lenient ? 0 : nil
        case (.carriageReturn, _), (.lineFeed, _), (.carriageReturnLineFeed, _), (.other, _):
            return nil
        }
    }

    /// Reports the bytes in `held` as content, except the last bytes if `end` is negative. For example, if `end` is -2,
    /// the last two bytes stay in `held`.
    private mutating func releaseHeld(upTo end: Int) throws(MultipartError) {
        let released = held.count + end
        guard released > 0 else { return }
        part.endsInCarriageReturn = held[released - 1] == ASCII.carriageReturn
        let excess = admit(released)
        if released == held.count {
            swap(&held, &heldBody)
            heldBody.removeLast(excess)
            held.removeAll(keepingCapacity: true)
        } else {
            // Moves all but the last bytes of `held` to `heldBody`. The last bytes may belong to a delimiter, or to a
            // dash-boundary that strict mode refuses.
            heldBody.removeAll(keepingCapacity: true)
            heldBody.append(contentsOf: held[..<(released - excess)])
            held.removeFirst(released)
        }
        if !heldBody.isEmpty { pending.append(.heldBody) }
        guard excess == 0 else { throw excessError(excess, before: end) }
    }

    /// Reports all unreported content before `end`, which is a position in the chunk. A negative `end` is in an earlier
    /// chunk, whose last bytes are in `held`.
    private mutating func deliver(_ bytes: Span<UInt8>, upTo end: Int) throws(MultipartError) {
        if !held.isEmpty { try releaseHeld(upTo: min(end, 0)) }
        let start = window.reported
        guard start < end else { return }
        window.reported = end
        part.endsInCarriageReturn = bytes[end - 1] == ASCII.carriageReturn
        let excess = admit(end - start)
        if excess < end - start { pending.append(body: start..<end - excess) }
        guard excess == 0 else { throw excessError(excess, before: end) }
    }

    /// Adds `count` bytes to the length of the body. Returns how many of these bytes exceed the maximum length.
    private mutating func admit(_ count: Int) -> Int {
        part.length += UInt64(count)
        guard part.length > part.maxLength else { return 0 }
        return Int(clamping: min(part.length - part.maxLength, UInt64(count)))
    }

    /// Returns the error of a body that is too long. The last `excess` bytes before the position `end` exceed the
    /// maximum length.
    private func excessError(_ excess: Int, before end: Int) -> MultipartError {
        switch part.bound {
        case .limit: error(.limitPartBytes, at: end - excess, limit: options.maxPartBytes)
        case .emptyFilename: error(ErrorCode.missingFilename, at: end - excess)
        case .contentLength: error(ErrorCode.contentLengthMismatch, at: end - excess)
        }
    }
}
