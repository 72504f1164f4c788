/// The state of a message that is being read: no I/O, no waiting, no body bytes kept.
///
/// - Input: the message's bytes in chunks of any size, each passed until it is used up; then its end.
/// - Output: actions, in the message's order. They, and the error that may end them, are the same however the
///   message was cut, except for where body bytes are divided.
/// - Invariant: content before `window.reported` has been reported; content from `window.candidate` on waits for the
///   delimiter that may begin there. Across chunks, what waits is copied to `held`: at most a delimiter and its
///   padding.
/// - Cost: linear; each byte is searched once. Allocates for header sections and, rarely, for held bytes.
struct ParserMachine: Sendable {
    /// Where the machine is. What a state knows stands beside it, in one value each: in the cases, it would be moved at
    /// each of a part's changes of state, which costs 15% of the time of small parts.
    enum State: Sendable {
        /// Before the first dash-boundary; `preamble` has come so far.
        case preamble
        /// After a dash-boundary that begins a line; `tail` has come so far.
        case delimiter
        /// At the start of a header section.
        case headers
        /// In a header section that began in an earlier chunk, or that is not plain; `section` has come so far.
        case section
        /// In a body.
        case body
        /// In a body, after bytes that may begin a delimiter; `search` knows how many.
        case candidate
        /// After a delimiter that begins another part.
        case partEnded
        /// After the close delimiter.
        case epilogue
        /// After the end of the message.
        case finished
        /// After an error, for good.
        case failed
    }

    /// A header section that has not come whole.
    struct PartialSection: Sendable {
        var scanner: HeaderScanner
        /// The bytes of earlier chunks.
        var bytes: [UInt8] = []
    }

    /// The current part.
    struct Part: Sendable {
        var fields = HeaderFields()
        /// The offsets in the message of the part's header section and of its body.
        var sectionOffset: UInt64 = 0
        var bodyOffset: UInt64 = 0
        /// How long the body is so far.
        var length: UInt64 = 0
        /// Whether the body ends in CR so far: where lines end in LF it must not precede a delimiter.
        var endsInCarriageReturn = false
    }

    /// The current chunk.
    struct Window: Sendable {
        /// The offset in the message of the first byte.
        var offset: UInt64 = 0
        /// The first byte that is not used up.
        var position = 0
        /// The first byte of content that has not been reported.
        var reported = 0
        /// Where a delimiter may begin.
        var candidate = 0
    }

    let options: MultipartParser.Options
    let rules: HeaderRules
    var search: BodySearch
    /// The line break of the first delimiter line, which rules the message; nil before it.
    var lineBreak: DelimiterTail.LineBreak?
    var plainSection: PlainSection

    var state = State.preamble
    /// The error that ended the message.
    private(set) var failure: MultipartError?
    var window = Window()
    var preamble: PreambleMatcher
    var tail: DelimiterTail
    var section: PartialSection
    var part = Part()
    var partCount = 0
    /// The bytes of earlier chunks that belong to the candidate.
    var held: [UInt8] = []
    /// The bytes that were held and are body after all, until the next actions.
    var heldBody: [UInt8] = []

    init(boundary: Boundary, _ options: MultipartParser.Options, isNested: Bool) {
        self.options = options.bounded
        rules = HeaderRules(mode: options.mode, isNested: isNested)
        search = BodySearch(dashBoundary: boundary.dashBoundary, lineBreak: .crlf, mode: options.mode)
        plainSection = PlainSection(self.options, rules)
        preamble = PreambleMatcher(dashBoundary: boundary.dashBoundary)
        tail = DelimiterTail(mode: options.mode)
        section = PartialSection(scanner: HeaderScanner(self.options, lineBreak: .crlf))
    }

    /// The offset in the message of the next byte to use.
    var offset: UInt64 { window.offset + UInt64(window.position) }

    /// The next actions that the bytes allow, at least one; nil when the chunk is used up and ``endChunk(_:)`` is due,
    /// or when there is a ``failure``.
    ///
    /// The whole chunk must be passed, and the same one until nil is returned.
    mutating func next(_ chunk: Span<UInt8>) -> ParserActions? {
        let room = options.maxTotalBytes.map { $0 - min(window.offset, $0) } ?? .max
        let bytes = room < UInt64(chunk.count) ? chunk.extracting(..<Int(room)) : chunk
        var actions = ParserActions()
        do throws(MultipartError) {
            while try step(bytes, &actions) {}
            if actions.isEmpty, bytes.count < chunk.count, failure == nil {
                try checkCompleteLines()
                throw error(.limitTotalBytes, at: bytes.count, limit: options.maxTotalBytes)
            }
        } catch {
            // What came before the error is reported first.
            fail(error)
        }
        return actions.isEmpty ? nil : actions
    }

    /// Whether the chunk is used up for certain, so that ``endChunk(_:)`` may follow without another turn.
    func isUsedUp(_ chunk: Span<UInt8>) -> Bool {
        guard window.position == chunk.count else { return false }
        switch state {
        case .partEnded, .failed: return false
        case .preamble, .delimiter, .headers, .section, .body, .candidate, .epilogue, .finished: return true
        }
    }

    /// Ends a chunk that is used up.
    mutating func endChunk(_ chunk: Span<UInt8>) {
        switch state {
        case .candidate:
            held.append(copying: chunk.extracting(window.candidate...))
        case .delimiter where lineBreak != nil:
            held.append(copying: chunk.extracting(window.candidate...))
        case .preamble, .delimiter, .headers, .section, .body, .partEnded, .epilogue, .finished, .failed:
            break
        }
        window = Window(offset: window.offset + UInt64(chunk.count))
    }

    /// The actions that are left when all chunks are used up and the message ends there; nil if there are none, or a
    /// ``failure``.
    mutating func finish() -> ParserActions? {
        do throws(MultipartError) {
            switch state {
            case .delimiter where tail.isClosed(mode: options.mode):
                var actions = ParserActions()
                try endPart(isLast: true, &actions)
                state = .finished
                return actions
            case .preamble:
                throw error(.boundaryNotFound, at: window.position)
            case .delimiter, .headers, .section, .body, .candidate, .partEnded:
                try checkCompleteLines()
                throw error(.unexpectedEnd, at: window.position)
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

    /// Makes the machine fail for good where it is, unless it has failed.
    mutating func fail(_ code: MultipartError.Code) {
        fail(error(code, at: window.position))
    }

    /// Makes the machine fail for good, unless it has failed.
    mutating func fail(_ error: MultipartError) {
        failure = failure ?? error
        state = .failed
    }

    /// Advances one step; false when it needs more bytes or actions are pending.
    private mutating func step(
        _ bytes: Span<UInt8>,
        _ actions: inout ParserActions
    ) throws(MultipartError) -> Bool {
        switch state {
        case .preamble:
            return try skipPreamble(bytes)
        case .delimiter:
            return try classify(bytes, &actions)
        case .headers:
            return try readHeaders(bytes, &actions)
        case .section:
            return try readSection(bytes, &actions)
        case .body:
            return try searchBody(bytes, &actions)
        case .candidate:
            return try continueCandidate(bytes, &actions)
        case .partEnded:
            guard actions.isEmpty else { return false }
            try beginPart()
            return true
        case .epilogue:
            try skipEpilogue(bytes)
            return false
        case .finished:
            window.position = bytes.count
            return false
        case .failed:
            return false
        }
    }

    /// An error at a place in the chunk.
    func error(_ code: MultipartError.Code, at place: Int, limit: UInt64? = nil) -> MultipartError {
        // A line break may have begun one byte before the chunk.
        let offset = place < 0 ? window.offset - UInt64(-place) : window.offset + UInt64(place)
        return error(code, offset: offset, limit: limit)
    }

    /// An error at an offset in the message, with its part.
    func error(_ code: MultipartError.Code, offset: UInt64, limit: UInt64? = nil) -> MultipartError {
        var index: Int? = partCount > 0 ? partCount - 1 : nil
        var name: String?
        switch state {
        case .delimiter, .body, .candidate: name = part.fields.name
        case .epilogue: index = nil
        case .preamble, .headers, .section, .partEnded, .finished, .failed: break
        }
        return MultipartError(code, offset: offset, partIndex: index, partName: name, limit: limit)
    }
}
