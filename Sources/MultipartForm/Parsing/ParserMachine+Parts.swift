// The states within a part: its header section and its body.
extension ParserMachine {
    /// Reads the header section, and begins the body after it.
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

    /// Begins a body. The blank line's break may be that of a delimiter, after an empty body (RFC 2046 §5.1.1).
    @inline(__always)
    private mutating func beginBody(hasEmptyFilename: Bool) {
        state = .candidate
        search.beginAfterLineBreak()
        window.reported = window.position
        part.bodyOffset = window.messageOffset
        if options.mode == .strict { boundBody(hasEmptyFilename: hasEmptyFilename) }
        actions.append(.part)
    }

    /// Determines how long the body may be in strict mode; in lenient mode only the limit bounds it.
    ///
    /// Of equal bounds, the Content-Length comes first, and the limit last.
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

    /// Fails if the message ends in a header section of which a complete line is at fault.
    func checkCompleteLines() throws(MultipartError) {
        guard state == .headers else { return }
        do {
            try headers.checkCompleteLines()
        } catch {
            throw inSection(error)
        }
    }

    /// An error at an offset in the header section, as one at an offset in the message.
    private func inSection(_ error: MultipartError) -> MultipartError {
        self.error(error.code, error.ownFact, offset: part.sectionOffset + (error.offset ?? 0), limit: error.limit)
    }

    /// Reports content up to the next delimiter, or up to where one may begin.
    mutating func searchBody(_ bytes: Span<UInt8>) throws(MultipartError) -> Bool {
        guard window.position < bytes.count else { return false }
        let (contentEnd, outcome) = search.search(bytes, from: window.position)
        try deliver(bytes, upTo: contentEnd)
        switch outcome {
        case .delimiter:
            window.position = contentEnd + search.delimiter.count
            beginDelimiterLine()
        case .lookalike:
            throw error(.malformedDelimiter, at: contentEnd)
        case .candidate:
            window.position = bytes.count
            state = .candidate
        case .content:
            window.position = bytes.count
        }
        return true
    }

    /// Continues a candidate from an earlier chunk or the blank line.
    mutating func continueCandidate(_ bytes: Span<UInt8>) throws(MultipartError) -> Bool {
        // Where it begins, before the chunk. What goes before a shorter one is released once: in 4 KiB of hyphens, strict
        // mode takes half the time.
        var start = -held.count
        while window.position < bytes.count {
            switch search.consume(bytes[window.position]) {
            case .candidate:
                window.position += 1
            case .delimiter:
                try releaseHeld(upTo: start)
                window.position += 1
                beginDelimiterLine()
                return true
            case .lookalike:
                try releaseHeld(upTo: start)
                throw error(.malformedDelimiter, at: window.position + 1 - search.dashBoundary.count)
            case .content:
                start = window.position - search.matched
                if start >= 0 { return try rejectCandidate(keeping: search.matched) }
            }
        }
        try releaseHeld(upTo: start)
        return false
    }

    private mutating func beginDelimiterLine() {
        classifier = DelimiterLineClassifier(mode: options.mode)
        state = .delimiter
    }

    /// Makes the candidate content, but for its last `kept` bytes, which begin a shorter one: if that lies in the chunk,
    /// the search starts again there.
    mutating func rejectCandidate(keeping kept: Int = 0) throws(MultipartError) -> Bool {
        let shorter = window.position - kept
        if shorter >= 0 {
            state = .body
            window.position = shorter
        }
        if !held.isEmpty { try releaseHeld(upTo: min(shorter, 0)) }
        return true
    }

    /// Makes held bytes content, up to a position that is not in the chunk.
    private mutating func releaseHeld(upTo end: Int) throws(MultipartError) {
        let released = held.count + end
        guard released > 0 else { return }
        part.endsInCarriageReturn = held[released - 1] == ASCII.carriageReturn
        let excess = admit(released)
        if released == held.count, !actions.contains(.heldBody) {
            swap(&held, &heldBody)
            heldBody.removeLast(excess)
            held.removeAll(keepingCapacity: true)
        } else {
            // In one chunk, a candidate may shrink and its delimiter line be rejected.
            if !actions.contains(.heldBody) { heldBody.removeAll(keepingCapacity: true) }
            heldBody.append(contentsOf: held[..<(released - excess)])
            held.removeFirst(released)
        }
        if !heldBody.isEmpty { actions.append(.heldBody) }
        guard excess == 0 else { throw excessError(excess, before: end) }
    }

    /// Reports the chunk's content up to `end`.
    private mutating func deliver(_ bytes: Span<UInt8>, upTo end: Int) throws(MultipartError) {
        let start = window.reported
        window.reported = end
        guard start < end else { return }
        part.endsInCarriageReturn = bytes[end - 1] == ASCII.carriageReturn
        let excess = admit(end - start)
        if excess < end - start { actions.append(body: start..<end - excess) }
        guard excess == 0 else { throw excessError(excess, before: end) }
    }

    /// Counts bytes of content; returns how many of them are too many.
    private mutating func admit(_ count: Int) -> Int {
        part.length += UInt64(count)
        guard part.length > part.maxLength else { return 0 }
        return Int(clamping: min(part.length - part.maxLength, UInt64(count)))
    }

    /// The error of content that has `excess` bytes too many before `end`.
    private func excessError(_ excess: Int, before end: Int) -> MultipartError {
        switch part.bound {
        case .limit: error(.limitPartBytes, at: end - excess, limit: options.maxPartBytes)
        case .emptyFilename: error(.missingFilename, at: end - excess)
        case .contentLength: error(.contentLengthMismatch, at: end - excess)
        }
    }
}
