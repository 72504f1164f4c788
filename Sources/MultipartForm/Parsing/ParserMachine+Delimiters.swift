// The states outside of parts: the preamble, delimiter lines and the epilogue.
extension ParserMachine {
    /// Looks for the first dash-boundary and ignores the preamble before it (RFC 2046 §5.1.1).
    mutating func skipPreamble(_ bytes: Span<UInt8>) throws(MultipartError) -> Bool {
        if window.messageOffset == 0, let length = preamble.dashBoundaryLength(atStartOf: bytes) {
            window.position = length
            state = .delimiter
            return true
        }
        let limit = options.maxPreambleBytes
        while window.position < bytes.count {
            let byte = bytes[window.position]
            let isComplete = preamble.consume(byte)
            window.position += 1
            let length = preamble.length
            guard options.mode == .lenient || length == 0 else {
                throw error(.preambleNotAllowed, at: window.position - 1)
            }
            guard length <= limit else {
                let fact = preamble.otherBoundary.map { "\($0), and its preamble exceeds \(limit) bytes" }
                throw error(.limitPreambleBytes, fact, offset: UInt64(limit), limit: limit)
            }
            if isComplete {
                // Text that looks like a delimiter could hide the first part.
                guard preamble.isAtLineStart else { throw error(.malformedDelimiter, offset: length) }
                state = .delimiter
                return true
            }
        }
        return false
    }

    /// Distinguishes a delimiter line from content by the bytes after the boundary.
    mutating func classify(_ bytes: Span<UInt8>) throws(MultipartError) -> Bool {
        // Nearly every delimiter line ends right after its boundary.
        if case .boundary = classifier.state, bytes.count - window.position >= 2,
            bytes[window.position] == ASCII.carriageReturn, bytes[window.position + 1] == ASCII.lineFeed
        {
            window.position += 2
            return try openPart(.crlf)
        }
        while window.position < bytes.count {
            let outcome = classifier.consume(bytes[window.position])
            guard classifier.padding <= options.maxHeaderBytes else {
                throw error(.limitHeaderBytes, at: window.position, limit: options.maxHeaderBytes)
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
                    throw error(.malformedDelimiter, at: window.position)
                }
                return try rejectCandidate()
            }
        }
        return false
    }

    /// Ends a delimiter line that begins a part. The first one determines the line breaks of the message.
    private mutating func openPart(_ end: DelimiterLineClassifier.LineBreak) throws(MultipartError) -> Bool {
        guard let lineBreak else {
            guard options.mode == .lenient || end == .crlf else { throw bareLFError() }
            lineBreak = end
            headers.lineBreak = end
            if end == .lf {
                search = BodySearch(dashBoundary: search.dashBoundary, lineBreak: .lf, mode: options.mode)
            }
            try beginPart()
            return true
        }
        guard end == lineBreak else { throw error(.bareLF, at: window.position - 1) }
        try endPart(isLast: false)
        return true
    }

    /// The error of strict mode for a delimiter line that ends in LF: nothing is known of the lines after it.
    private func bareLFError() -> MultipartError {
        let fact = lineBreak == nil ? "line ends in LF alone" : nil
        return error(.bareLF, fact, offset: window.messageOffset - 1)
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

    mutating func endPart(isLast: Bool) throws(MultipartError) {
        // A whole part whose delimiter is missing would be lost.
        guard lineBreak != nil || !preamble.hasText else {
            let fact = "no delimiter before the close delimiter, but other bytes"
            throw error(.boundaryNotFound, fact, offset: preamble.length)
        }
        // In a message whose lines end in LF, a CR before the delimiter could be content or framing.
        guard lineBreak != .lf || !part.endsInCarriageReturn else { throw error(.bareLF, at: window.position - 1) }
        if let length = part.contentLength, part.length < length {
            throw error(.contentLengthMismatch, offset: part.bodyOffset + part.length)
        }
        if !held.isEmpty { held.removeAll(keepingCapacity: true) }
        if lineBreak != nil { actions.append(.endOfPart) }
        if isLast { actions.append(.end) }
        state = isLast ? .epilogue : .partEnded
    }

    /// Ignores the epilogue. Strict mode allows only line breaks in it, since some parsers read parts there.
    mutating func skipEpilogue(_ bytes: Span<UInt8>) throws(MultipartError) {
        while options.mode == .strict, window.position < bytes.count {
            guard bytes[window.position] == ASCII.carriageReturn || bytes[window.position] == ASCII.lineFeed else {
                throw error(.epilogueNotAllowed, at: window.position)
            }
            window.position += 1
        }
        window.position = bytes.count
    }
}
