// The states outside of parts: the preamble, delimiter lines and the epilogue.
extension ParserMachine {
    /// Finds the first dash-boundary and ignores the preamble before it (RFC 2046 §5.1.1).
    mutating func skipPreamble(_ bytes: Span<UInt8>) throws(MultipartError) -> Bool {
        let matched = search.matched
        let place = search.next(in: bytes, from: window.position)
        window.position = place.isWhole ? search.end(of: place) : bytes.count
        // The wrapping sum also works for a negative start, in an earlier chunk.
        let length = window.offset &+ UInt64(truncatingIfNeeded: place.start)
        if length > 0 || !place.isWhole {
            guard options.mode == .lenient || length == 0 else {
                throw error(ErrorCode.preambleNotAllowed, at: firstMismatch(in: bytes, after: matched))
            }
            preamble.extend(with: bytes, upTo: place.start, length: length)
            let limit = options.maxPreambleBytes
            guard length <= limit else {
                let reason = preamble.otherBoundary(than: search.dashBoundary, within: limit).map {
                    "\($0), and its preamble exceeds \(limit) bytes"
                }
                throw error(ErrorCode.limitPreambleBytes, reason, offset: UInt64(limit), limit: limit)
            }
        }
        guard place.isWhole else { return false }
        // Throws instead of skipping the text, because text that looks like a delimiter could hide the first part.
        guard place.isAtLineStart else {
            throw error(
                ErrorCode.malformedDelimiter,
                "other bytes precede the first delimiter in its line",
                offset: length
            )
        }
        state = .delimiter
        return true
    }

    /// The offset in the chunk of the first byte that does not continue the dash-boundary; earlier chunks end with its
    /// first `matched` bytes.
    private func firstMismatch(in bytes: Span<UInt8>, after matched: Int) -> Int {
        var position = 0
        while position < bytes.count, bytes[position] == search.dashBoundary[matched + position] { position += 1 }
        return position
    }

    /// Why a message that has ended has no delimiter; nil if the code says it all.
    var absenceOfDelimiter: String? {
        if window.messageOffset == 0 { return "message is empty" }
        if search.matched > 0, search.predecessor.beginsLine { return "message ends in its first delimiter" }
        return preamble.otherBoundary(than: search.dashBoundary, within: .max)
    }

    /// The error of a message that ends before its close delimiter. It names no part if the message ends in a
    /// delimiter.
    var unexpectedEnd: MultipartError {
        let reason: String? =
            switch (state, classifier.state) {
            case (.delimiter, .boundary), (.delimiter, .lineEnd):
                "message ends in a delimiter that is not the close delimiter"
            case (.delimiter, .closedLineEnd):
                "message ends in a CR without its LF, after the close delimiter"
            case (.headers, _) where window.messageOffset == part.sectionOffset:
                "message ends in a delimiter that is not the close delimiter"
            default:
                nil
            }
        guard let reason else { return error(.unexpectedEnd, at: window.position) }
        return MultipartError(.unexpectedEnd, reason, offset: window.messageOffset)
    }

    /// Distinguishes a delimiter line from content by the bytes after the boundary.
    // Inlined, as are `openPart` and `endPart`, and `step` with all states of a part, so that the benchmark `fields`
    // takes 7% fewer instructions.
    @inline(__always)
    mutating func classify(_ bytes: Span<UInt8>) throws(MultipartError) -> Bool {
        // Nearly every delimiter line ends right after its boundary.
        if case .boundary = classifier.state, ASCII.isLineBreak(bytes, at: window.position) {
            window.position += 2
            return try openPart(.crlf)
        }
        return try classifyByteByByte(bytes)
    }

    // Not inlined: otherwise the compiler would inline fewer of the other functions.
    @inline(never)
    private mutating func classifyByteByByte(_ bytes: Span<UInt8>) throws(MultipartError) -> Bool {
        while window.position < bytes.count {
            let outcome = classifier.consume(bytes[window.position])
            guard classifier.padding <= options.maxHeaderBytes else {
                throw error(ErrorCode.limitHeaderBytes, at: window.position, limit: options.maxHeaderBytes)
            }
            switch outcome {
            case .more:
                window.position += 1
            case .open(let end):
                window.position += 1
                return try openPart(end)
            case .close(let end):
                window.position += 1
                guard options.mode == .lenient || end == .crlf else { throw bareLFError() }
                try endPart(isLast: true)
                return true
            case .content:
                guard options.mode == .lenient, lineBreak != nil else {
                    let isPadding = ASCII.isWhitespace(bytes[window.position])
                    let reason =
                        "\(isPadding ? "white space" : "other bytes") after the boundary, in a delimiter's line"
                    throw error(ErrorCode.malformedDelimiter, reason, offset: window.messageOffset)
                }
                // The line is content. If a CR precedes this byte, it begins no line break: with an LF here, the line
                // would be a delimiter line.
                search.begin(after: .other)
                state = .body
                return true
            }
        }
        return false
    }

    /// Ends a delimiter line that begins a part. The first one determines the line breaks of the message.
    @inline(__always)
    private mutating func openPart(_ end: DelimiterLineClassifier.LineBreak) throws(MultipartError) -> Bool {
        guard let lineBreak else {
            guard options.mode == .lenient || end == .crlf else { throw bareLFError() }
            lineBreak = end
            headers.lineBreak = end
            try beginPart()
            return true
        }
        guard end == lineBreak else { throw error(ErrorCode.bareLF, at: window.position - 1) }
        try endPart(isLast: false)
        return true
    }

    /// Strict mode's error for a delimiter line that ends in LF. For the first delimiter line it has its own reason,
    /// because the text of the code compares the line with others.
    private func bareLFError() -> MultipartError {
        let reason = lineBreak == nil ? "line ends in LF alone" : nil
        return error(ErrorCode.bareLF, reason, offset: window.messageOffset - 1)
    }

    mutating func beginPart() throws(MultipartError) {
        partCount += 1
        guard partCount <= options.maxParts else {
            throw error(.limitParts, at: window.position, limit: options.maxParts)
        }
        part.length = 0
        part.endsInCarriageReturn = false
        part.sectionOffset = window.messageOffset
        state = .headers
    }

    @inline(__always)
    mutating func endPart(isLast: Bool) throws(MultipartError) {
        // If a close delimiter is the message's first delimiter, only line breaks may precede it. Otherwise a whole
        // part without its delimiter would be lost.
        guard lineBreak != nil || !preamble.hasText else {
            let reason = "no delimiter before the close delimiter, but other bytes"
            throw error(.boundaryNotFound, reason, offset: preamble.length)
        }
        // In a message whose lines end in LF, a CR before the delimiter could be content or framing.
        guard lineBreak != .lf || !part.endsInCarriageReturn else {
            throw error(ErrorCode.bareLF, at: window.position - 1)
        }
        if let length = part.contentLength, part.length < length {
            throw error(ErrorCode.contentLengthMismatch, offset: part.bodyOffset + part.length)
        }
        if !held.isEmpty { held.removeAll(keepingCapacity: true) }
        if lineBreak != nil { pending.append(.endOfPart) }
        if isLast {
            pending.append(.end)
            part.sectionOffset = window.messageOffset
        }
        state = isLast ? .epilogue : .partEnded
    }

    /// Ignores the epilogue. Strict mode allows only line breaks in it, since some parsers read parts there.
    mutating func skipEpilogue(_ bytes: Span<UInt8>) throws(MultipartError) {
        while options.mode == .strict, window.position < bytes.count {
            guard bytes[window.position] == ASCII.carriageReturn || bytes[window.position] == ASCII.lineFeed else {
                throw error(ErrorCode.epilogueNotAllowed, at: window.position)
            }
            window.position += 1
        }
        window.position = bytes.count
    }
}
