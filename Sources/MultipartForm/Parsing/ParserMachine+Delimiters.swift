// The states outside of parts: the preamble, delimiter lines and the epilogue.
extension ParserMachine {
    /// Looks for the first dash-boundary and ignores the preamble before it (RFC 2046 §5.1.1).
    mutating func skipPreamble(_ bytes: Span<UInt8>) throws(MultipartError) -> Bool {
        let matched = search.matched
        let place = search.next(in: bytes, from: window.position)
        window.position = place.isWhole ? search.end(of: place) : bytes.count
        // The sum wraps for a negative offset.
        let length = window.offset &+ UInt64(truncatingIfNeeded: place.start)
        if length > 0 || !place.isWhole {
            guard options.mode == .lenient || length == 0 else {
                throw error(ErrorCode.preambleNotAllowed, at: firstMismatch(in: bytes, after: matched))
            }
            preamble.extend(with: bytes, upTo: place.start, length: length)
            let limit = options.maxPreambleBytes
            guard length <= limit else {
                let reason = preamble.otherBoundary(within: limit).map {
                    "\($0), and its preamble exceeds \(limit) bytes"
                }
                throw error(.limitPreambleBytes, reason, offset: UInt64(limit), limit: limit)
            }
        }
        guard place.isWhole else { return false }
        // Text that looks like a delimiter could hide the first part.
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

    /// The offset of the first byte of a message that does not continue the dash-boundary, of which earlier chunks have
    /// `matched` bytes.
    private func firstMismatch(in bytes: Span<UInt8>, after matched: Int) -> Int {
        var position = 0
        while position < bytes.count, bytes[position] == search.dashBoundary[matched + position] { position += 1 }
        return position
    }

    /// Why a message that has ended has no delimiter; nil if nothing is known.
    var absenceOfDelimiter: String? {
        if window.messageOffset == 0 { return "message is empty" }
        if search.matched > 0, search.predecessor.beginsLine { return "message ends in its first delimiter" }
        return preamble.otherBoundary(within: .max)
    }

    /// The error of a message that ends before its close delimiter. One that ends in a delimiter is not that of a part.
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
    // Inlined, as are `openPart` and `endPart`, and `step` with all states of a part: `fields` takes 7% fewer
    // instructions.
    @inline(__always)
    mutating func classify(_ bytes: Span<UInt8>) throws(MultipartError) -> Bool {
        // Nearly every delimiter line ends right after its boundary.
        if case .boundary = classifier.state, ASCII.isLineBreak(bytes, at: window.position) {
            window.position += 2
            return try openPart(.crlf)
        }
        return try classifyByteByByte(bytes)
    }

    // Not inlined: with it, the compiler inlines fewer of the others.
    @inline(never)
    private mutating func classifyByteByByte(_ bytes: Span<UInt8>) throws(MultipartError) -> Bool {
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
                    let isPadding = ASCII.isWhitespace(bytes[window.position])
                    let reason =
                        "\(isPadding ? "white space" : "other bytes") after the boundary, in a delimiter's line"
                    throw error(ErrorCode.malformedDelimiter, reason, offset: window.messageOffset)
                }
                // The line is content. A CR right before this byte ends no line, since LF would have ended the
                // delimiter's.
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

    /// The error of strict mode for a delimiter line that ends in LF: nothing is known of the lines after it.
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
        // A whole part whose delimiter is missing would be lost.
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

/// What precedes the first delimiter of a message.
struct Preamble: Sendable {
    /// Its length so far, in bytes, without those that may begin the delimiter.
    private(set) var length: UInt64 = 0
    /// Whether any of these are not line breaks.
    private(set) var hasText = false
    /// The first line that is not empty, cut where it is too long for a delimiter; an error shows it.
    private var firstLine: ContiguousArray<UInt8> = []
    private var isInFirstLine = true
    /// The length of the line breaks before it.
    private var emptyLength = 0

    /// Two hyphens and a boundary.
    private static let maxDelimiterLength = 2 + 70

    /// Extends the preamble with a chunk up to `end`, which is negative if it ends in an earlier one; to a new length.
    mutating func extend(with bytes: Span<UInt8>, upTo end: Int, length: UInt64) {
        // Bytes of earlier chunks that began a dash-boundary, but no whole one.
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

    /// The boundary of the first line, in words, if that looks like a delimiter; of a message cut at a limit.
    func otherBoundary(within limit: Int) -> String? {
        let line = firstLine.prefix(max(0, limit - emptyLength))
        guard line.starts(with: [ASCII.hyphen, ASCII.hyphen]) else { return nil }
        guard let boundary = try? Boundary(validating: line.dropFirst(2), mode: .strict) else { return nil }
        return "message begins with another boundary, \"\(boundary)\""
    }
}

/// Classifies, byte by byte, a line that begins with the dash-boundary (RFC 2046 §5.1.1).
///
///     state           SP HTAB        -               CR              LF         other   end of message
///     boundary        boundary       hyphen          lineEnd         open LF    -       unexpected end
///     hyphen          -              closed          -               -          -       unexpected end
///     closed          closed         -               closedLineEnd   close LF   -       close
///     lineEnd         -              -               -               open CRLF  -       unexpected end
///     closedLineEnd   -              -               -               close CRLF -       close, or unexpected end
///
/// `-` means no delimiter line, as a hyphen after white space does. Strict mode allows no white space: parsers differ.
struct DelimiterLineClassifier: Sendable {
    enum State: Sendable {
        case boundary
        case hyphen
        case closed
        case lineEnd
        case closedLineEnd
    }

    enum LineBreak: Sendable {
        case crlf
        case lf
    }

    enum Outcome: Sendable {
        case more
        /// This is a delimiter line that begins a part.
        case open(LineBreak)
        /// This is the close delimiter's line.
        case close(LineBreak)
        case content
    }

    private let mode: ParsingMode
    private(set) var state = State.boundary
    /// How many bytes of white space were read.
    private(set) var padding = 0

    init(mode: ParsingMode) {
        self.mode = mode
    }

    mutating func consume(_ byte: UInt8) -> Outcome {
        switch (state, byte) {
        case (.boundary, ASCII.space), (.boundary, ASCII.tab), (.closed, ASCII.space), (.closed, ASCII.tab):
            guard mode == .lenient else { return .content }
            padding += 1
        case (.boundary, ASCII.hyphen) where padding == 0:
            state = .hyphen
        case (.hyphen, ASCII.hyphen):
            state = .closed
        case (.boundary, ASCII.carriageReturn):
            state = .lineEnd
        case (.closed, ASCII.carriageReturn):
            state = .closedLineEnd
        case (.boundary, ASCII.lineFeed):
            return .open(.lf)
        case (.closed, ASCII.lineFeed):
            return .close(.lf)
        case (.lineEnd, ASCII.lineFeed):
            return .open(.crlf)
        case (.closedLineEnd, ASCII.lineFeed):
            return .close(.crlf)
        default:
            return .content
        }
        return .more
    }

    /// Whether a complete message may end here.
    var isClosed: Bool { state == .closed || (state == .closedLineEnd && mode == .lenient) }
}
