/// The parser's state machine. It does no I/O, never blocks, and keeps no body bytes.
///
/// - Input: the message's bytes in chunks of any size, each passed until it is used up; then the message's end.
/// - Output: pending events, in the message's order, and perhaps an error. Chunk sizes change only where body bytes are
///   divided.
/// - Invariant: content before `window.reported` has been reported. At a chunk's end, the bytes after it are kept in
///   `held`, because they may begin a delimiter. They are at most a delimiter and its padding.
/// - Cost: linear; each byte is searched once. Allocates for header sections and, rarely, for held bytes.
///
///     state       on                                   reports            next state
///     preamble    a dash-boundary that begins a line   -                  delimiter
///     delimiter   the end of the first delimiter line  -                  headers
///                 the end of a later delimiter line    endOfPart          partEnded
///                 the end of a close delimiter         endOfPart, end     epilogue
///                 a byte that no delimiter line has    -                  body
///     partEnded   the next call                        -                  headers
///     headers     the blank line                       part               body
///     body        a delimiter                          heldBody, body     delimiter
///                 the end of the chunk                 heldBody, body     body
///     epilogue    the end of the message               -                  finished
///     any         an error                             -                  failed
///
/// The end of the message also completes a close delimiter. In a state before the close delimiter, it is an error.
struct ParserMachine: Sendable {
    /// What the machine expects next. Values that belong to a state are properties of the machine, because as payloads
    /// they would be moved at each change of state, which costs 15% of the time of small parts.
    enum State: Sendable {
        /// Before the first dash-boundary; see `preamble`.
        case preamble
        /// After a dash-boundary that begins a line; see `classifier`.
        case delimiter
        /// In a header section; see `headers`.
        case headers
        /// In a body. The last bytes received may begin a delimiter, and are then held.
        case body
        /// After a delimiter that begins another part.
        case partEnded
        case epilogue
        case finished
        case failed
    }

    /// What bounds the length of a body.
    enum Bound: Sendable {
        case limit
        case emptyFilename
        case contentLength
    }

    struct Part: Sendable {
        var fields = HeaderFields()
        /// The offset in the message of the part's header section; after the last part, the offset of the epilogue.
        var sectionOffset: UInt64 = 0
        /// The offset in the message of the part's body.
        var bodyOffset: UInt64 = 0
        /// The length of the body so far, in bytes.
        var length: UInt64 = 0
        /// The Content-Length of the part, in strict mode.
        var contentLength: UInt64?
        /// The maximum length of the body, in bytes.
        var maxLength: UInt64
        /// What sets `maxLength`.
        var bound = Bound.limit
        /// Whether the body so far ends in CR. In a message whose lines end in LF, no CR may precede a delimiter.
        var endsInCarriageReturn = false
    }

    /// Positions in the current chunk.
    struct Window: Sendable {
        /// The offset in the message of the chunk's first byte.
        var offset: UInt64 = 0
        /// The position of the first byte that is not used up.
        var position = 0
        /// The position of the first byte of content that has not been reported.
        var reported = 0

        /// The offset in the message of the next byte to use.
        var messageOffset: UInt64 { offset + UInt64(position) }
    }

    let options: MultipartParser.Options
    /// Finds the first delimiter, and the end of each body.
    var search: BoundarySearch
    /// The line break of the first delimiter line, and so of the message; nil until that line has ended.
    var lineBreak: DelimiterLineClassifier.LineBreak?

    var state = State.preamble
    private(set) var failure: MultipartError?
    var window = Window()
    /// Whether the chunk is known to be used up: another call of ``next(_:)`` would return false, so ``endChunk(_:)``
    /// may follow at once.
    private(set) var isUsedUp = false
    var pending = PendingEvents()
    var preamble = Preamble()
    var classifier: DelimiterLineClassifier
    var headers: HeaderReader
    var part: Part
    var partCount = 0
    /// Bytes of earlier chunks that may begin a delimiter.
    var held: ContiguousArray<UInt8> = []
    /// Bytes that were held and have turned out to be body; kept until the next pending events.
    var heldBody: ContiguousArray<UInt8> = []

    init(boundary: Boundary, _ options: MultipartParser.Options, isNested: Bool) {
        self.options = options.bounded
        let dashBoundary = boundary.dashBoundary
        headers = HeaderReader(self.options, dashBoundary: dashBoundary, isNested: isNested)
        search = BoundarySearch(dashBoundary: dashBoundary)
        classifier = DelimiterLineClassifier(mode: options.mode)
        part = Part(maxLength: self.options.maxPartBytes.map { UInt64($0) } ?? .max)
    }

    /// Determines the next ``pending`` events. Returns false if there are none, because the chunk is used up and
    /// ``endChunk(_:)`` must follow, or because of a ``failure``.
    ///
    /// Pass the same whole chunk until false is returned.
    mutating func next(_ chunk: Span<UInt8>) -> Bool {
        let room = options.maxTotalBytes.map { $0 - min(Int(clamping: window.offset), $0) } ?? .max
        let bytes = room < chunk.count ? chunk.extracting(..<room) : chunk
        pending = PendingEvents()
        do throws(MultipartError) {
            while try step(bytes) {}
            if pending.isEmpty, bytes.count < chunk.count, failure == nil {
                try checkCompleteLines()
                throw error(.limitTotalBytes, at: bytes.count, limit: options.maxTotalBytes)
            }
        } catch {
            // Events before the error are returned first.
            fail(error)
        }
        isUsedUp = window.position == chunk.count && state != .partEnded && state != .failed
        return !pending.isEmpty
    }

    /// Ends a chunk that is used up; keeps the bytes of a body that have not been reported.
    mutating func endChunk(_ chunk: Span<UInt8>) {
        if state == .body || (state == .delimiter && lineBreak != nil) {
            held.append(copying: chunk.extracting(droppingFirst: window.reported))
        }
        window = Window(offset: window.offset + UInt64(chunk.count))
    }

    /// Ends the message after all chunks; returns the last events, or nil if there are none or after a ``failure``.
    mutating func finish() -> PendingEvents? {
        do throws(MultipartError) {
            switch state {
            case .delimiter where classifier.isClosed:
                pending = PendingEvents()
                try endPart(isLast: true)
                state = .finished
                return pending
            case .preamble:
                throw error(.boundaryNotFound, absenceOfDelimiter, offset: window.messageOffset)
            case .delimiter, .headers, .body, .partEnded:
                try checkCompleteLines()
                throw unexpectedEnd
            case .epilogue, .finished:
                state = .finished
            case .failed:
                break
            }
        } catch {
            fail(error)
        }
        return nil
    }

    /// A lower bound for the offsets of later errors: no error of later chunks, or of the message's end, has a smaller
    /// one.
    var earliestErrorOffset: UInt64 {
        switch state {
        case .preamble: preamble.length
        case .delimiter where lineBreak == nil: preamble.length
        case .headers: part.sectionOffset
        case .delimiter, .body: window.messageOffset - UInt64(held.count)
        case .partEnded, .epilogue, .finished, .failed: window.messageOffset
        }
    }

    /// Fails with a code at the current offset. If the machine has already failed, it keeps the first failure.
    mutating func fail(_ code: MultipartError.Code) {
        fail(error(code, at: window.position))
    }

    mutating func fail(_ error: MultipartError) {
        failure = failure ?? error
        state = .failed
    }

    /// Advances to the part's end, or makes one transition between parts; false when it needs more bytes or events are
    /// pending.
    // Inlined. The cases are in the order in which nearly every part passes through the states.
    @inline(__always)
    private mutating func step(_ bytes: Span<UInt8>) throws(MultipartError) -> Bool {
        switch state {
        case .preamble:
            return try skipPreamble(bytes)
        case .partEnded:
            guard pending.isEmpty else { return false }
            try beginPart()
            fallthrough
        case .headers:
            guard try readHeaders(bytes) else { return false }
            fallthrough
        case .body:
            guard try searchBody(bytes) else { return false }
            fallthrough
        case .delimiter:
            return try classify(bytes)
        case .epilogue:
            try skipEpilogue(bytes)
            return false
        case .finished, .failed:
            return false
        }
    }

    /// An error of the current part at a position in the chunk. A negative position is in the bytes held before the
    /// chunk.
    func error(_ code: MultipartError.Code, at position: Int, limit: Int? = nil) -> MultipartError {
        // The wrapping sum also works for a negative position.
        error(code, offset: window.offset &+ UInt64(truncatingIfNeeded: position), limit: limit)
    }

    /// An error of the current part at an offset in the message, with a reason if the code does not say it all.
    func error(
        _ code: MultipartError.Code,
        _ reason: String? = nil,
        offset: UInt64,
        limit: Int? = nil
    ) -> MultipartError {
        let index = partCount > 0 && state != .epilogue && state != .finished ? partCount - 1 : nil
        let isAfterFields = state == .body || state == .delimiter
        let name = isAfterFields ? part.fields.name : nil
        return MultipartError(code, reason, offset: offset, partIndex: index, partName: name, limit: limit)
    }
}
