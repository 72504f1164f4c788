extension ParserMachine {
    /// Parses a header section in place if it is plain, else through ``readSection(_:)``.
    mutating func readHeaders(_ bytes: Span<UInt8>) throws(MultipartError) -> Bool {
        guard let lineBreak else { return false }
        if lineBreak == .crlf,
            let length = plainSection.read(bytes.extracting(window.position...), into: &part.fields)
        {
            window.position += length
            beginBody()
            return true
        }
        scanner = HeaderScanner(rules, lineBreak: lineBreak)
        return try readSection(bytes)
    }

    /// Collects a header section, and parses it when it is complete.
    mutating func readSection(_ bytes: Span<UInt8>) throws(MultipartError) -> Bool {
        let rest = bytes.extracting(window.position...)
        let isComplete: Bool
        do {
            isComplete = try scanner.scan(rest)
        } catch {
            held.append(copying: rest.extracting(first: scanner.scanned - held.count))
            try checkCompleteLines()
            throw inSection(error)
        }
        let piece = rest.extracting(first: scanner.scanned - held.count)
        window.position += piece.count
        guard isComplete else {
            held.append(copying: piece)
            state = .section
            return false
        }
        do {
            if held.isEmpty {
                part.fields = try HeaderSection.parse(piece, rules)
            } else {
                held.append(copying: piece)
                part.fields = try HeaderSection.parse(held.span, rules)
                held.removeAll(keepingCapacity: true)
            }
        } catch {
            throw inSection(error)
        }
        beginBody()
        return true
    }

    /// Begins a body. The blank line's break may be that of a delimiter, after an empty body (RFC 2046 §5.1.1).
    private mutating func beginBody() {
        state = .candidate
        search.beginAfterLineBreak()
        window.reported = window.position
        part.bodyOffset = offset
        actions.append(.part)
    }

    /// Checks the complete lines of an incomplete section: an error in one of them precedes the error that follows.
    func checkCompleteLines() throws(MultipartError) {
        guard state == .headers || state == .section else { return }
        do {
            try HeaderSection.checkLines(held.span.extracting(first: scanner.line), rules)
        } catch {
            throw inSection(error)
        }
    }

    /// An error at an offset in the header section, as one at an offset in the message.
    private func inSection(_ error: MultipartError) -> MultipartError {
        self.error(error.code, offset: part.sectionOffset + (error.offset ?? 0), limit: error.limit)
    }

    /// Reports content up to the next delimiter, or up to where one may begin.
    mutating func searchBody(_ bytes: Span<UInt8>) throws(MultipartError) -> Bool {
        guard window.position < bytes.count else { return false }
        let (contentEnd, outcome) = search.search(bytes, from: window.position)
        try deliver(bytes, upTo: contentEnd)
        switch outcome {
        case .delimiter:
            window.position = contentEnd + search.delimiter.count
            beginTail()
        case .lookalike:
            throw error(.malformedDelimiter, at: contentEnd + 1)
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
        while window.position < bytes.count {
            switch search.consume(bytes[window.position]) {
            case .candidate:
                window.position += 1
            case .delimiter:
                window.position += 1
                beginTail()
                return true
            case .lookalike:
                throw error(.malformedDelimiter, at: window.position + 1 - search.dashBoundary.count)
            case .content:
                return try rejectCandidate()
            }
        }
        return false
    }

    private mutating func beginTail() {
        tail = DelimiterTail(mode: options.mode)
        state = .delimiter
    }

    /// Makes the candidate content. None of its bytes can begin a delimiter, so the search continues after it.
    mutating func rejectCandidate() throws(MultipartError) -> Bool {
        state = .body
        guard let last = held.last else { return true }
        part.endsInCarriageReturn = last == ASCII.carriageReturn
        swap(&held, &heldBody)
        held.removeAll(keepingCapacity: true)
        let excess = admit(heldBody.count)
        heldBody.removeLast(excess)
        if !heldBody.isEmpty { actions.append(.heldBody) }
        guard excess == 0 else { throw excessError(excess) }
        return true
    }

    /// Reports the chunk's content up to `end`.
    private mutating func deliver(_ bytes: Span<UInt8>, upTo end: Int) throws(MultipartError) {
        let range = window.reported..<end
        window.reported = end
        guard !range.isEmpty else { return }
        part.endsInCarriageReturn = bytes[end - 1] == ASCII.carriageReturn
        let excess = admit(range.count)
        if excess < range.count { actions.append(body: range.dropLast(excess)) }
        guard excess == 0 else { throw excessError(excess) }
    }

    /// Counts bytes of content; returns how many of them exceed the limit.
    private mutating func admit(_ count: Int) -> Int {
        part.length += UInt64(count)
        guard let limit = options.maxPartBytes, part.length > limit else { return 0 }
        return Int(clamping: part.length - limit)
    }

    private func excessError(_ excess: Int) -> MultipartError {
        error(.limitPartBytes, at: window.reported - excess, limit: options.maxPartBytes)
    }
}
