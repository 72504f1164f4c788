// The states within a part: its header section and its body.
extension ParserMachine {
    /// Reads the header section, and begins the body after it; false if the section is incomplete.
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

    /// Determines how long the body may be in strict mode; in lenient mode only the limit bounds it.
    ///
    /// On a tie, the error of the Content-Length comes before that of the empty file name, and this before that of the
    /// limit.
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

    /// In a header section, throws the first error of its complete lines; in other states, does nothing.
    func checkCompleteLines() throws(MultipartError) {
        guard state == .headers else { return }
        do {
            try headers.checkCompleteLines()
        } catch {
            throw inSection(error)
        }
    }

    /// The same error, with its offset in the message instead of the header section.
    private func inSection(_ error: MultipartError) -> MultipartError {
        self.error(error.code, error.ownReason, offset: part.sectionOffset + (error.offset ?? 0), limit: error.limit)
    }

    /// Reports content up to the next delimiter, or up to where a delimiter may begin at the chunk's end.
    mutating func searchBody(_ bytes: Span<UInt8>) throws(MultipartError) -> Bool {
        guard window.position < bytes.count else { return false }
        // Each pass finds a dash-boundary, or ends the chunk.
        while true {
            let place = search.next(in: bytes, from: window.position)
            window.position = place.isWhole ? search.end(of: place) : bytes.count
            let lineBreakLength = lengthOfLineBreak(before: place)
            // Within a line, lenient mode takes a dash-boundary for content; some parsers split a body there.
            let isContent = lineBreakLength == nil && options.mode == .lenient
            if isContent, place.isWhole { continue }
            // The bytes are content even if the next chunk completes the dash-boundary.
            if isContent, search.matched > 0 { search.begin(after: .other) }
            try deliver(bytes, upTo: isContent ? bytes.count : place.start - (lineBreakLength ?? 0))
            guard place.isWhole else { return false }
            guard lineBreakLength != nil else { throw lookalikeError(place) }
            classifier = DelimiterLineClassifier(mode: options.mode)
            state = .delimiter
            return true
        }
    }

    /// Strict mode's error for a dash-boundary without a line break that belongs to it.
    private func lookalikeError(_ place: BoundarySearch.Place) -> MultipartError {
        let reason =
            place.predecessor == .start
            ? "part has no line break before its delimiter" : "content has the boundary after two hyphens"
        // The wrapping sum also works for a negative start, in an earlier chunk.
        return error(
            ErrorCode.malformedDelimiter,
            reason,
            offset: window.offset &+ UInt64(truncatingIfNeeded: place.start)
        )
    }

    /// The length of the line break that belongs to the delimiter at a place; nil if there is no delimiter (RFC 2046
    /// §5.1.1).
    private func lengthOfLineBreak(before place: BoundarySearch.Place) -> Int? {
        switch (place.predecessor, lineBreak) {
        case (.carriageReturnLineFeed, .crlf):
            return 2
        case (.lineFeed, .lf), (.carriageReturnLineFeed, .lf):
            return 1
        case (.carriageReturn, .crlf):
            // A CR at the chunk's end may be the first byte of a delimiter's line break, because in the next chunk an
            // LF may follow.
            return !place.isWhole && search.matched == 0 ? 1 : nil
        case (.start, _):
            // The delimiter follows the blank line: in lenient mode that line's break also belongs to the delimiter,
            // and the body is empty. Some parsers do not accept that.
            return options.mode == .lenient ? 0 : nil
        case (.carriageReturn, _), (.lineFeed, _), (.carriageReturnLineFeed, _), (.other, _):
            return nil
        }
    }

    /// Reports held bytes as content up to `end`, an offset from the chunk's start. It is never positive, because held
    /// bytes precede the chunk.
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
            // The rest stays held: in strict mode, it may begin a dash-boundary that is an error.
            heldBody.removeAll(keepingCapacity: true)
            heldBody.append(contentsOf: held[..<(released - excess)])
            held.removeFirst(released)
        }
        if !heldBody.isEmpty { pending.append(.heldBody) }
        guard excess == 0 else { throw excessError(excess, before: end) }
    }

    /// Reports content up to `end`, a position in the chunk or, if it is negative, in the held bytes.
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

    /// Counts bytes of content; returns how many of them exceed the maximum.
    private mutating func admit(_ count: Int) -> Int {
        part.length += UInt64(count)
        guard part.length > part.maxLength else { return 0 }
        return Int(clamping: min(part.length - part.maxLength, UInt64(count)))
    }

    /// The error of content that has `excess` bytes too many before `end`.
    private func excessError(_ excess: Int, before end: Int) -> MultipartError {
        switch part.bound {
        case .limit: error(.limitPartBytes, at: end - excess, limit: options.maxPartBytes)
        case .emptyFilename: error(ErrorCode.missingFilename, at: end - excess)
        case .contentLength: error(ErrorCode.contentLengthMismatch, at: end - excess)
        }
    }
}
