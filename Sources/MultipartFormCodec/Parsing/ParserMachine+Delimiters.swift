// The states outside of parts: in the preamble, in a delimiter line and in the epilogue.
extension ParserMachine {
    /// Skips the preamble and the first dash-boundary (RFC 2046 §5.1.1). Returns false if more bytes are needed.
    mutating func skipPreamble(_ bytes: Span<UInt8>) throws(MultipartError) -> Bool {
        let matched = search.matched
        let place = search.next(in: bytes, from: window.position)
        window.position = place.isWhole ? search.end(of: place) : bytes.count
        // `place.start` is negative if the dash-boundary begins in an earlier chunk. Wrapping addition gives the right
        // offset in that case, too.
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
        // Refuses a dash-boundary within a line. If the sender means it as the first delimiter, skipping it would lose
        // the first part.
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

    /// Returns the position in the chunk of the first byte that differs from the dash-boundary. The first `matched`
    /// bytes of the dash-boundary are in earlier chunks.
    private func firstMismatch(in bytes: Span<UInt8>, after matched: Int) -> Int {
        var position = 0
        while position < bytes.count, bytes[position] == search.dashBoundary[matched + position] { position += 1 }
        return position
    }

    /// The reason to show if a message ends before its first delimiter is complete, such as "message is empty". Nil
    /// means the default text of ``MultipartError/Code/boundaryNotFound``.
    var absenceOfDelimiter: String? {
        if window.messageOffset == 0 { return "message is empty" }
        if search.matched > 0, search.predecessor.beginsLine { return "message ends in its first delimiter" }
        return preamble.otherBoundary(than: search.dashBoundary, within: .max)
    }

    /// The error of a message that ends before its close delimiter. If the message ends between parts, the error names
    /// no part.
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

    /// Reads the bytes after a dash-boundary, and decides whether the line is a delimiter line or content. Returns
    /// false if more bytes are needed.
    // Inlined, as are `openPart`, `endPart` and `step`, so that the benchmark `fields` takes 7% fewer instructions.
    @inline(__always)
    mutating func classify(_ bytes: Span<UInt8>) throws(MultipartError) -> Bool {
        // Nearly every delimiter line ends right after its boundary.
        if case .boundary = classifier.state, ASCII.isLineBreak(bytes, at: window.position) {
            window.position += 2
            return try openPart(.crlf)
        }
        return try classifyByteByByte(bytes)
    }

    // Not inlined. If this rare case were inlined, the compiler would inline fewer other functions.
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
                    let reason = malformedLine(at: bytes[window.position], "the boundary, in a delimiter's line")
                    throw error(ErrorCode.malformedDelimiter, reason, offset: window.messageOffset)
                }
                // The line is content. The search continues at the current byte, with no line break before it: even if
                // the last byte was a CR, the current byte is not LF, because CR LF would have ended a delimiter line.
                state = .body
                return true
            case .malformedClose:
                let length = search.dashBoundary.count + classifier.lengthOfClose
                let reason = malformedLine(at: bytes[window.position], "the close delimiter, in its line")
                throw error(ErrorCode.malformedDelimiter, reason, offset: window.messageOffset - UInt64(length))
            }
        }
        return false
    }

    /// The reason to show for a delimiter line that has `byte` after `place`.
    private func malformedLine(at byte: UInt8, _ place: StaticString) -> String {
        ASCII.isWhitespace(byte)
            ? "white space after the boundary, in a delimiter's line" : "other bytes after \(place)"
    }

    /// Ends a delimiter line that precedes a part. The first delimiter line sets the line break for the whole message.
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

    /// Returns strict mode's error for a delimiter line that ends in LF alone. The error's text depends on the line:
    ///
    /// - the first delimiter line: "line ends in LF alone"
    /// - a later delimiter line: "message has both LF and CR LF line breaks"
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
        // If the first delimiter is the close delimiter, only line breaks may precede it. Other bytes could be a part
        // whose delimiter is missing, and that part would be lost.
        guard lineBreak != nil || !preamble.hasText else {
            let reason = "no delimiter before the close delimiter, but other bytes"
            throw error(.boundaryNotFound, reason, offset: preamble.length)
        }
        // In a message whose lines end in LF, a CR before the delimiter's LF is an error: it could belong to the
        // content or to the line break.
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

    /// Skips the epilogue. In strict mode, throws if the epilogue has bytes other than line breaks, because some
    /// parsers read parts in the epilogue.
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

/// The preamble of a message: all bytes before the first dash-boundary.
struct Preamble: Sendable {
    /// The length of the preamble so far, in bytes. Bytes at the end of the chunk that may begin the dash-boundary do
    /// not count.
    private(set) var length: UInt64 = 0
    /// Whether the preamble has bytes other than line breaks.
    private(set) var hasText = false
    /// The first nonempty line of the message, which an error may quote. A line that is too long for a delimiter is
    /// cut.
    private var firstLine: ContiguousArray<UInt8> = []
    private var isInFirstLine = true
    /// The number of CR and LF bytes before `firstLine`.
    private var emptyLength = 0

    /// The maximum length of a dash-boundary: two hyphens, and a boundary of 70 bytes.
    private static let maxDelimiterLength = 2 + 70

    /// Extends the preamble up to the position `end` in the chunk `bytes`, and sets its new length. A negative `end` is
    /// in an earlier chunk.
    mutating func extend(with bytes: Span<UInt8>, upTo end: Int, length: UInt64) {
        // An earlier chunk may have ended with bytes that looked like the beginning of the dash-boundary. If these
        // bytes belong to the preamble after all, they are text, because the dash-boundary has no line breaks.
        if length > self.length, self.length < length &- UInt64(max(end, 0)) { hasText = true }
        self.length = length
        var index = 0
        while !hasText, index < end {
            hasText = bytes[index] != ASCII.carriageReturn && bytes[index] != ASCII.lineFeed
            index += 1
        }
        index = 0
        while isInFirstLine, index < bytes.count {
            keep(bytes[index])
            index += 1
        }
    }

    private mutating func keep(_ byte: UInt8) {
        if byte != ASCII.carriageReturn, byte != ASCII.lineFeed {
            firstLine.append(byte)
            isInFirstLine = firstLine.count <= Self.maxDelimiterLength
        } else if firstLine.isEmpty {
            emptyLength += 1
        } else {
            isInFirstLine = false
        }
    }

    /// Returns a reason that names the boundary in the first line and the expected boundary. Returns nil if the first
    /// line does not look like a delimiter. Uses only the first `limit` bytes of the message.
    func otherBoundary(than dashBoundary: [UInt8], within limit: Int) -> String? {
        let line = firstLine.prefix(max(0, limit - emptyLength))
        guard line.starts(with: [ASCII.hyphen, ASCII.hyphen]) else { return nil }
        guard let boundary = try? Boundary(validating: line.dropFirst(2), mode: .strict) else { return nil }
        let expected = String(decoding: dashBoundary.dropFirst(2), as: UTF8.self).printable(upTo: 64)
        return "message begins with boundary \"\(boundary)\", not \"\(expected)\""
    }
}
