/// Delimiter lines: which they are, and what they begin and end.
extension ParserMachine {
    /// Looks for the first dash-boundary (RFC 2046 §5.1.1: the preamble is to be ignored).
    mutating func skipPreamble(_ bytes: Span<UInt8>) throws(MultipartParsingError) -> Bool {
        while position < bytes.count {
            let byte = bytes[position]
            let isComplete = preamble.consume(byte)
            position += 1
            if byte == ASCII.lineFeed { lineOffset = offset }
            let length = offset - UInt64(preamble.matched)
            guard mode == .lenient || length == 0 else { throw fail(.preambleNotAllowed, at: position - 1) }
            let limit = UInt64(limits.maxPreambleBytes)
            guard length <= limit else { throw fail(.limitPreambleBytes, offset: limit, limit: limit) }
            if isComplete {
                // Text that only looks like a delimiter could hide the first part: refuse it.
                guard length == lineOffset else { throw fail(.malformedDelimiter, offset: length) }
                state = .delimiterTail
                return true
            }
        }
        return false
    }

    /// Tells a delimiter line from content by what follows the boundary.
    mutating func classify(
        _ bytes: Span<UInt8>,
        _ actions: inout ParserActions
    ) throws(MultipartParsingError) -> Bool {
        // Nearly every delimiter line ends right behind its boundary.
        if case .boundary = tail.state, bytes.count - position >= 2, bytes[position] == ASCII.carriageReturn,
            bytes[position + 1] == ASCII.lineFeed
        {
            position += 2
            return try openPart(.crlf, &actions)
        }
        while position < bytes.count {
            let outcome = tail.consume(bytes[position])
            guard tail.padding <= limits.maxHeaderBytes else {
                throw fail(.limitHeaderBytes, at: position, limit: UInt64(limits.maxHeaderBytes))
            }
            switch outcome {
            case .more:
                position += 1
            case .open(let end):
                position += 1
                return try openPart(end, &actions)
            case .close(let end):
                position += 1
                guard mode == .lenient || end == .crlf else { throw fail(.bareLF, at: position - 1) }
                try endPart(isLast: true, &actions)
                return true
            case .content:
                guard mode == .lenient, lineBreak != nil else { throw fail(.malformedDelimiter, at: position) }
                return try rejectCandidate(&actions)
            }
        }
        return false
    }

    /// A delimiter line that begins a part. The first one fixes how the message's lines end.
    private mutating func openPart(
        _ end: DelimiterTail.LineBreak,
        _ actions: inout ParserActions
    ) throws(MultipartParsingError) -> Bool {
        guard let lineBreak else {
            guard mode == .lenient || end == .crlf else { throw fail(.bareLF, at: position - 1) }
            lineBreak = end
            if end == .lf {
                let dashBoundary = Array(search.delimiter.suffix(search.dashBoundaryLength))
                search = BodySearch(dashBoundary: dashBoundary, lineBreak: .lf, mode: mode)
            }
            try beginPart()
            return true
        }
        guard end == lineBreak else { throw fail(.bareLF, at: position - 1) }
        try endPart(isLast: false, &actions)
        return true
    }

    mutating func beginPart() throws(MultipartParsingError) {
        partCount += 1
        guard partCount <= limits.maxParts, let lineBreak else {
            throw fail(.limitParts, at: position, limit: UInt64(limits.maxParts))
        }
        partBytes = 0
        endsInCarriageReturn = false
        sectionOffset = offset
        scanner = HeaderScanner(limits: limits, lineBreak: lineBreak)
        state = .headers
    }

    mutating func endPart(isLast: Bool, _ actions: inout ParserActions) throws(MultipartParsingError) {
        // CR LF before a delimiter, in a message of LF lines: content or framing? Never guessed.
        guard lineBreak != .lf || !endsInCarriageReturn else { throw fail(.bareLF, at: position - 1) }
        if !held.isEmpty { held.removeAll(keepingCapacity: true) }
        if lineBreak != nil { actions.append(.endOfPart) }
        if isLast { actions.append(.end) }
        state = isLast ? .epilogue : .partEnded
    }

    /// Strict mode: nothing but line breaks may follow the close delimiter, since some parsers read parts there.
    mutating func checkEpilogue(_ bytes: Span<UInt8>) throws(MultipartParsingError) {
        while position < bytes.count {
            guard bytes[position] == ASCII.carriageReturn || bytes[position] == ASCII.lineFeed else {
                throw fail(.epilogueNotAllowed, at: position)
            }
            position += 1
        }
    }
}
