/// The state of a message that is being read: no I/O, no waiting, no body bytes kept.
///
/// - Input: the message's bytes in chunks of any size, each handed in until it is used up; then its end.
/// - Output: actions, in the message's order. They, and the error that may end them, are the same however the
///   message was cut, but for where body bytes are divided.
/// - Invariant: content before `reported` has been handed out; content from `candidate` on waits for the delimiter
///   that may begin there. Across chunks, what waits is copied to `held`: at most a delimiter and its padding.
/// - Cost: linear; each byte is searched once. Allocates for header sections and, rarely, for held bytes.
struct ParserMachine: Sendable {
    enum State: Sendable {
        case preamble
        /// Behind a dash-boundary that begins a line; `tail` tells how the line went on.
        case delimiterTail
        /// In a header section; `scanner` tells how far.
        case headers
        /// In a body.
        case body
        /// In a body, after bytes that may begin a delimiter; `search` tells how many.
        case candidate
        /// Behind a delimiter that begins another part.
        case partEnded
        case epilogue
        case finished
    }

    let limits: Limits
    let mode: ParsingMode
    let isNested: Bool
    var search: BodySearch
    /// The line break of the first delimiter line, which rules the message; nil before it.
    var lineBreak: DelimiterTail.LineBreak?

    var state = State.preamble
    /// The error that ended the message.
    var failure: MultipartParsingError?
    /// The offset in the message of the chunk's first byte.
    var chunkOffset: UInt64 = 0
    /// The chunk's first byte that is not used up.
    var position = 0

    var preamble: PreambleMatcher
    /// The offset in the message of the preamble's last line.
    var lineOffset: UInt64 = 0
    var tail: DelimiterTail

    var plainSection: PlainSection
    var scanner: HeaderScanner
    /// The header section's bytes of earlier chunks.
    var section: [UInt8] = []
    /// The fields of the part that has just begun.
    var fields = HeaderFields()
    var sectionOffset: UInt64 = 0
    /// The offset in the message of the part's body.
    var bodyOffset: UInt64 = 0

    /// The chunk's first byte of content that has not been handed out.
    var reported = 0
    /// Where a delimiter may begin in the chunk.
    var candidate = 0
    /// The bytes of earlier chunks that belong to the candidate.
    var held: [UInt8] = []
    /// The bytes that were held and are body after all, until the next actions.
    var heldBody: [UInt8] = []
    var partCount = 0
    var partBytes: UInt64 = 0
    /// Whether the last byte of content handed out was CR: where lines end in LF it must not precede a delimiter.
    var endsInCarriageReturn = false

    init(boundary: Boundary, limits: Limits, mode: ParsingMode, isNested: Bool) {
        self.limits = limits.bounded
        self.mode = mode
        self.isNested = isNested
        self.preamble = PreambleMatcher(dashBoundary: boundary.dashBoundary)
        self.tail = DelimiterTail(mode: mode)
        self.search = BodySearch(dashBoundary: boundary.dashBoundary, lineBreak: .crlf, mode: mode)
        self.plainSection = PlainSection(limits: self.limits, mode: mode, isNested: isNested)
        self.scanner = HeaderScanner(limits: self.limits, lineBreak: .crlf)
    }

    /// The offset in the message of the next byte to use.
    var offset: UInt64 { chunkOffset + UInt64(position) }

    /// The next actions that the bytes allow, at least one; nil when the chunk is used up and ``endChunk(_:)`` is due.
    ///
    /// The chunk must be handed in whole, and the same one until nil is returned.
    mutating func next(_ chunk: Span<UInt8>) throws(MultipartParsingError) -> ParserActions? {
        if let failure { throw failure }
        let room = limits.maxTotalBytes.map { $0 - min(chunkOffset, $0) } ?? .max
        let bytes = room < UInt64(chunk.count) ? chunk.extracting(..<Int(room)) : chunk
        var actions = ParserActions()
        do throws(MultipartParsingError) {
            while try step(bytes, &actions) {}
            if actions.isEmpty, bytes.count < chunk.count {
                if state == .headers { try checkCompleteLines() }
                throw fail(.limitTotalBytes, at: bytes.count, limit: limits.maxTotalBytes)
            }
        } catch {
            // What came before the error is handed out first; the error waits in `failure`.
            guard !actions.isEmpty else { throw error }
        }
        return actions.isEmpty ? nil : actions
    }

    /// Whether the chunk is used up for certain, so that ``endChunk(_:)`` may follow without another turn.
    func isUsedUp(_ chunk: Span<UInt8>) -> Bool {
        position == chunk.count && state != .partEnded && failure == nil
    }

    /// Ends a chunk that is used up.
    mutating func endChunk(_ chunk: Span<UInt8>) {
        switch state {
        case .candidate:
            hold(chunk)
        case .delimiterTail where lineBreak != nil:
            hold(chunk)
        case .preamble, .delimiterTail, .headers, .body, .partEnded, .epilogue, .finished:
            break
        }
        chunkOffset += UInt64(chunk.count)
        position = 0
        candidate = 0
        reported = 0
    }

    /// The actions that are left when all chunks are used up and the message ends there; nil if there are none.
    mutating func finish() throws(MultipartParsingError) -> ParserActions? {
        if let failure { throw failure }
        switch state {
        case .delimiterTail where tail.isClosed(mode: mode):
            var actions = ParserActions()
            try endPart(isLast: true, &actions)
            state = .finished
            return actions
        case .epilogue, .finished:
            state = .finished
            return nil
        case .preamble:
            throw fail(.boundaryNotFound, at: position)
        case .headers:
            try checkCompleteLines()
            throw fail(.unexpectedEnd, at: position)
        case .delimiterTail, .body, .candidate, .partEnded:
            throw fail(.unexpectedEnd, at: position)
        }
    }

    /// Goes on; false when the chunk is used up, or when what comes next has to wait until the actions are done.
    private mutating func step(
        _ bytes: Span<UInt8>,
        _ actions: inout ParserActions
    ) throws(MultipartParsingError) -> Bool {
        switch state {
        case .preamble:
            return try skipPreamble(bytes)
        case .delimiterTail:
            return try classify(bytes, &actions)
        case .headers:
            return try readHeaders(bytes, &actions)
        case .body:
            return try searchBody(bytes, &actions)
        case .candidate:
            return try continueCandidate(bytes, &actions)
        case .partEnded:
            guard actions.isEmpty else { return false }
            try beginPart()
            return true
        case .epilogue:
            if mode == .strict { try checkEpilogue(bytes) }
            position = bytes.count
            return false
        case .finished:
            position = bytes.count
            return false
        }
    }

    /// Makes the machine fail for good, unless it has failed, where it is.
    mutating func fail(_ code: MultipartParsingError.Code) -> MultipartParsingError {
        failure ?? fail(code, at: position)
    }

    /// Makes the machine fail for good.
    mutating func fail(
        _ code: MultipartParsingError.Code,
        at place: Int,
        limit: UInt64? = nil
    ) -> MultipartParsingError {
        // A line break may have begun one byte before the chunk.
        let offset = place < 0 ? chunkOffset - UInt64(-place) : chunkOffset + UInt64(place)
        return fail(code, offset: offset, limit: limit)
    }

    mutating func fail(
        _ code: MultipartParsingError.Code,
        offset: UInt64,
        limit: UInt64? = nil
    ) -> MultipartParsingError {
        let error = MultipartParsingError(
            code,
            offset: offset,
            partIndex: state != .epilogue && partCount > 0 ? partCount - 1 : nil,
            limit: limit
        )
        failure = error
        return error
    }
}
