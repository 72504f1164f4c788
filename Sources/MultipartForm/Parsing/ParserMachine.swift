/// The state of a message that is being read: no I/O, no waiting, no body bytes kept.
///
/// - Input: the message's bytes in chunks of any size, each handed in until it is used up; then its end.
/// - Output: actions, in the message's order. They, and the error that may end them, are the same however the
///   message was cut, but for where body bytes are divided.
/// - Invariant: content before `reported` has been handed out; content from `candidate` on waits for the delimiter
///   that may begin there. Across chunks, what waits is copied to `held`: at most a delimiter and its padding.
/// - Cost: linear; each byte is searched once. Allocates for header sections and, rarely, for held bytes.
struct ParserMachine: Sendable {
    /// What the caller has to do. The cases are small: what a part or held bytes are is asked for separately.
    enum Action: Sendable, Equatable {
        /// A part begins; ``ParserMachine/fields`` are its header fields.
        case part
        /// These bytes of the chunk are body.
        case body(Range<Int>)
        /// Bytes of earlier chunks are body; ``ParserMachine/heldBody`` are they.
        case heldBody
        /// The part is complete.
        case endOfPart
        /// The message is complete; the rest is epilogue.
        case end
    }

    enum State: Sendable {
        case preamble
        /// Behind a dash-boundary that begins a line.
        case delimiterTail(DelimiterTail)
        case headers(HeaderScanner)
        /// In a body; how many bytes of the needle the bytes before end with.
        case body(matched: Int)
        /// Behind a delimiter that ended a part.
        case partEnded(isLast: Bool)
        case epilogue
        case finished
    }

    /// What a state's work led to.
    enum Step {
        /// Another state goes on with the bytes.
        case again
        /// The chunk is used up.
        case more
        case action(Action)
    }

    let limits: Limits
    let mode: ParsingMode
    let isNested: Bool
    var search: DelimiterSearch
    /// The line break of the first delimiter line, which rules the message; nil before it.
    var lineBreak: DelimiterTail.LineBreak?

    /// The states hold plain values only, so that changing them costs no reference counting.
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

    /// The header section's bytes of earlier chunks.
    var section: [UInt8] = []
    /// The fields of the part that has just begun.
    var fields = HeaderFields()
    var sectionOffset: UInt64 = 0

    /// The chunk's first byte of content that has not been handed out.
    var reported = 0
    /// Where a delimiter may begin in the chunk.
    var candidate = 0
    /// The bytes of earlier chunks that belong to the candidate.
    var held: [UInt8] = []
    /// How many of them are body after all, and have just been handed out.
    var heldBodyLength = 0
    var partCount = 0
    var partBytes: UInt64 = 0
    /// Whether the last byte of content handed out was CR: where lines end in LF it must not precede a delimiter.
    var endsInCarriageReturn = false

    init(boundary: Boundary, limits: Limits, mode: ParsingMode, isNested: Bool) {
        self.limits = limits.bounded
        self.mode = mode
        self.isNested = isNested
        self.preamble = PreambleMatcher(dashBoundary: boundary.dashBoundary)
        self.search = DelimiterSearch(needle: [ASCII.carriageReturn, ASCII.lineFeed] + boundary.dashBoundary)
    }

    /// The offset in the message of the next byte to use.
    var offset: UInt64 { chunkOffset + UInt64(position) }

    /// The next action that the bytes allow; nil when the chunk is used up and ``endChunk(_:)`` is due.
    ///
    /// The chunk must be handed in whole, and the same one until nil is returned.
    mutating func next(_ chunk: Span<UInt8>) throws(MultipartParsingError) -> Action? {
        if let failure { throw failure }
        if heldBodyLength > 0 {
            held.removeAll(keepingCapacity: true)
            heldBodyLength = 0
        }
        let room = limits.maxTotalBytes.map { $0 - min(chunkOffset, $0) } ?? .max
        let bytes = room < UInt64(chunk.count) ? chunk.extracting(..<Int(room)) : chunk
        while true {
            switch try step(bytes) {
            case .again:
                continue
            case .action(let action):
                return action
            case .more where bytes.count < chunk.count:
                throw fail(.limitTotalBytes, at: bytes.count, limit: limits.maxTotalBytes)
            case .more:
                return nil
            }
        }
    }

    /// The bytes that ``Action/heldBody`` told of, until the next action.
    var heldBody: ArraySlice<UInt8> { held.prefix(heldBodyLength) }

    /// Ends a chunk that is used up.
    mutating func endChunk(_ chunk: Span<UInt8>) {
        switch state {
        case .body(let matched) where matched > 0:
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

    /// The actions that are left when all chunks are used up and the message ends there; nil behind the last.
    mutating func finish() throws(MultipartParsingError) -> Action? {
        if let failure { throw failure }
        switch state {
        case .delimiterTail(let tail) where tail.isClosed(mode: mode):
            if case .action(let action) = try endPart(isLast: true) { return action }
            return try finish()
        case .partEnded(isLast: true), .epilogue, .finished:
            defer { state = .finished }
            if case .partEnded = state { return .end }
            return nil
        case .preamble:
            throw fail(.boundaryNotFound, at: position)
        case .delimiterTail, .headers, .body, .partEnded:
            throw fail(.unexpectedEnd, at: position)
        }
    }

    mutating func step(_ bytes: Span<UInt8>) throws(MultipartParsingError) -> Step {
        switch state {
        case .preamble:
            return try skipPreamble(bytes)
        case .delimiterTail(let tail):
            return try classify(tail, bytes)
        case .headers(let scanner):
            return try readHeaders(scanner, bytes)
        case .body(matched: 0):
            return try searchBody(bytes)
        case .body(let matched):
            return try continueCandidate(matched, bytes)
        case .partEnded(isLast: true):
            state = .epilogue
            return .action(.end)
        case .partEnded(isLast: false):
            try beginPart()
            return .again
        case .epilogue, .finished:
            position = bytes.count
            return .more
        }
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
        let isInPart =
            if case .epilogue = state { false } else { partCount > 0 }
        let error = MultipartParsingError(
            code,
            offset: offset,
            partIndex: isInPart ? partCount - 1 : nil,
            limit: limit
        )
        failure = error
        return error
    }
}
