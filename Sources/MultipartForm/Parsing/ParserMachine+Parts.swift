/// Header sections and bodies.
extension ParserMachine {
    /// Collects the header section; it is read in place when the chunk holds it whole.
    mutating func readHeaders(
        _ bytes: Span<UInt8>,
        _ actions: inout ParserActions
    ) throws(MultipartParsingError) -> Bool {
        let start = position
        if scanner.isAtStart, lineBreak == .crlf,
            let length = plainSection.read(bytes.extracting(start...), into: &fields)
        {
            position = start + length
        } else {
            let end: Int?
            do throws(HeaderScanner.Failure) {
                end = try scanner.scan(bytes, from: start)
            } catch {
                section.append(copying: bytes.extracting(start..<start + error.length))
                try checkCompleteLines()
                throw fail(error.code, offset: sectionOffset + UInt64(error.offset), limit: error.limit)
            }
            position = end ?? bytes.count
            let piece = bytes.extracting(start..<position)
            guard end != nil else {
                section.append(copying: piece)
                return false
            }
            if section.isEmpty {
                fields = try readFields(piece)
            } else {
                section.append(copying: piece)
                let whole = section
                section.removeAll(keepingCapacity: true)
                fields = try readFields(whole.span)
            }
        }
        // The blank line's break may be that of a delimiter: the part then has no body (RFC 2046 §5.1.1).
        state = .candidate
        search.beginAfterLineBreak()
        candidate = position
        reported = position
        bodyOffset = offset
        actions.append(.part)
        return true
    }

    /// Judges the complete lines of a section that will never be: what is wrong with one of them comes before what ended
    /// the section.
    mutating func checkCompleteLines() throws(MultipartParsingError) {
        do {
            try HeaderSection.checkLines(section.span, mode: mode)
        } catch {
            throw fail(error.code, offset: sectionOffset + error.offset)
        }
    }

    private mutating func readFields(_ bytes: Span<UInt8>) throws(MultipartParsingError) -> HeaderFields {
        do {
            return try HeaderSection.parse(bytes, mode: mode, isNested: isNested)
        } catch {
            throw fail(error.code, offset: sectionOffset + min(error.offset, UInt64(bytes.count - 1)))
        }
    }

    /// Hands out content up to the next delimiter, or up to where one may begin.
    mutating func searchBody(
        _ bytes: Span<UInt8>,
        _ actions: inout ParserActions
    ) throws(MultipartParsingError) -> Bool {
        guard position < bytes.count else { return false }
        switch search.search(bytes, from: position) {
        case .delimiter(let range):
            candidate = range.lowerBound
            position = range.upperBound
            state = .delimiterTail
            tail = DelimiterTail(mode: mode)
        case .lookalike(let place):
            candidate = place
            guard try deliver(bytes, upTo: place, &actions) else { return false }
            throw fail(.malformedDelimiter, at: place + 1)
        case .candidate(let place):
            candidate = place
            position = bytes.count
            state = .candidate
        case .content:
            candidate = bytes.count
            position = bytes.count
        }
        return try deliver(bytes, upTo: candidate, &actions)
    }

    /// Goes on with a delimiter that may have begun in an earlier chunk, or with the blank line.
    mutating func continueCandidate(
        _ bytes: Span<UInt8>,
        _ actions: inout ParserActions
    ) throws(MultipartParsingError) -> Bool {
        while position < bytes.count {
            switch search.consume(bytes[position]) {
            case .more:
                position += 1
            case .delimiter:
                position += 1
                state = .delimiterTail
                tail = DelimiterTail(mode: mode)
                return true
            case .lookalike:
                position += 1
                throw fail(.malformedDelimiter, at: position - search.dashBoundaryLength)
            case .content:
                return try rejectCandidate(&actions)
            }
        }
        return false
    }

    /// The candidate is content. None of its bytes can begin a delimiter, so the search goes on behind them.
    mutating func rejectCandidate(_ actions: inout ParserActions) throws(MultipartParsingError) -> Bool {
        state = .body
        reported = candidate
        guard let last = held.last else { return true }
        endsInCarriageReturn = last == ASCII.carriageReturn
        swap(&held, &heldBody)
        held.removeAll(keepingCapacity: true)
        let allowed = try admit(heldBody.count)
        heldBody.removeLast(heldBody.count - allowed)
        actions.append(.heldBody)
        return failure == nil
    }

    /// Hands out the chunk's content up to `end`.
    private mutating func deliver(
        _ bytes: Span<UInt8>,
        upTo end: Int,
        _ actions: inout ParserActions
    ) throws(MultipartParsingError) -> Bool {
        let range = reported..<end
        reported = end
        guard !range.isEmpty else { return true }
        endsInCarriageReturn = bytes[end - 1] == ASCII.carriageReturn
        actions.append(body: range.prefix(try admit(range.count)))
        return failure == nil
    }

    /// How many of the next bytes of content the limit allows. If not all, the machine fails behind them.
    private mutating func admit(_ count: Int) throws(MultipartParsingError) -> Int {
        partBytes += UInt64(count)
        guard let limit = limits.maxPartBytes, partBytes > limit else { return count }
        let excess = Int(partBytes - limit)
        let error = fail(.limitPartBytes, at: reported - excess, limit: limit)
        guard excess < count else { throw error }
        return count - excess
    }

    mutating func hold(_ bytes: Span<UInt8>) {
        held.append(copying: bytes.extracting(candidate...))
    }
}
