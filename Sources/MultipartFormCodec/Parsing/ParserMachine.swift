/// The parser's state machine, which does no I/O and never blocks.
///
/// - Input: the message in chunks of any size, then the message's end. The caller passes each chunk again until it is
///   used up.
/// - Output: pending events in the order of the message, and at most one error. Different chunk sizes change only how a
///   body is divided into events.
/// - Invariant: between chunks, all content has been reported, except bytes that may begin a delimiter. These bytes
///   are in `held`. They are never longer than a line break and the delimiter line after it.
/// - Cost: linear. Allocates memory for header sections and, rarely, for held bytes.
///
///     state       input                                events             next state
///     preamble    a dash-boundary that begins a line   -                  delimiter
///     delimiter   the end of the first delimiter line  -                  headers
///                 the end of a later delimiter line    endOfPart          partEnded
///                 the end of a close delimiter         endOfPart, end     epilogue
///                 a byte that makes the line content   -                  body
///     partEnded   another call of `next(_:)`           -                  headers
///     headers     the blank line                       part               body
///     body        a delimiter                          heldBody, body     delimiter
///                 the end of the chunk                 heldBody, body     body
///     epilogue    the end of the message               -                  finished
///     any         an error                             -                  failed
///
/// The message may end without a line break after its close delimiter. If the message ends before its close delimiter,
/// the machine fails.
struct ParserMachine: Sendable {
    /// What the machine reads next.
    ///
    /// The cases have no associated values: the values that belong to a state are properties of the machine. Associated
    /// values would be moved at each change of state, which would take 15% of the parsing time of small parts.
    enum State: Sendable {
        /// In the preamble, or in the first dash-boundary.
        case preamble
        /// After a dash-boundary that begins a line; `classifier` reads the bytes that follow.
        case delimiter
        /// In a header section, which `headers` reads.
        case headers
        /// In a body. At the end of a chunk, bytes that may begin a delimiter are moved to `held`.
        case body
        /// After a delimiter line that ends one part and begins another part.
        case partEnded
        case epilogue
        case finished
        case failed
    }

    /// What determines the maximum length of a body.
    enum Bound: Sendable {
        case limit
        case emptyFilename
        case contentLength
    }

    struct Part: Sendable {
        var fields = HeaderFields()
        /// The offset of the part's header section in the message. After the last part, it is the offset of the
        /// epilogue.
        var sectionOffset: UInt64 = 0
        /// The offset of the part's body in the message.
        var bodyOffset: UInt64 = 0
        /// The length of the body so far, in bytes.
        var length: UInt64 = 0
        /// The value of the part's Content-Length field; nil in lenient mode, or if there is no such field.
        var contentLength: UInt64?
        /// The maximum length of the body, in bytes.
        var maxLength: UInt64
        var bound = Bound.limit
        /// Whether the body so far ends in CR. In a message whose lines end in LF, a CR before a delimiter is an error.
        var endsInCarriageReturn = false
    }

    /// The current chunk's offset in the message, and positions in the chunk.
    struct Window: Sendable {
        /// The offset of the chunk's first byte in the message.
        var offset: UInt64 = 0
        /// The position of the next byte to parse.
        var position = 0
        /// The position of the first content byte that has not been reported.
        var reported = 0

        /// The offset in the message of the next byte to parse.
        var messageOffset: UInt64 { offset + UInt64(position) }
    }

    let options: MultipartParser.Options
    /// Finds the first dash-boundary, and the end of each body.
    var search: BoundarySearch
    /// The line break of the first delimiter line; nil until that line has ended. All later delimiter lines and header
    /// lines must end in the same line break. In lenient mode, the close delimiter may end in either line break.
    var lineBreak: DelimiterLineClassifier.LineBreak?

    var state = State.preamble
    private(set) var failure: MultipartError?
    var window = Window()
    /// Whether the chunk is used up. If so, the caller need not call ``next(_:)`` again before ``endChunk(_:)``.
    private(set) var isUsedUp = false
    var pending = PendingEvents()
    var preamble = Preamble()
    var classifier: DelimiterLineClassifier
    var headers: HeaderReader
    var part: Part
    var partCount = 0
    /// Bytes of earlier chunks that may begin a delimiter.
    var held: ContiguousArray<UInt8> = []
    /// The bytes of the last `heldBody` event: held bytes that turned out to be content.
    var heldBody: ContiguousArray<UInt8> = []

    init(boundary: Boundary, _ options: MultipartParser.Options, isNested: Bool) {
        self.options = options.bounded
        let dashBoundary = boundary.dashBoundary
        headers = HeaderReader(self.options, dashBoundary: dashBoundary, isNested: isNested)
        search = BoundarySearch(dashBoundary: dashBoundary)
        classifier = DelimiterLineClassifier(mode: options.mode)
        part = Part(maxLength: self.options.maxPartBytes.map { UInt64($0) } ?? .max)
    }

    /// Parses a chunk up to the next events, and stores them in ``pending``. Returns false if there are no events.
    ///
    /// Pass the same whole chunk until the result is false. Then the machine has a ``failure``, or the chunk is used up
    /// and ``endChunk(_:)`` must follow.
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
            // Events before the error stay in `pending`, and are returned first.
            fail(error)
        }
        isUsedUp = window.position == chunk.count && state != .partEnded && state != .failed
        return !pending.isEmpty
    }

    /// Ends a chunk that is used up, and copies unreported content to `held`.
    mutating func endChunk(_ chunk: Span<UInt8>) {
        if state == .body || (state == .delimiter && lineBreak != nil) {
            held.append(copying: chunk.extracting(droppingFirst: window.reported))
        }
        window = Window(offset: window.offset + UInt64(chunk.count))
    }

    /// Ends the message after its last chunk. Returns the last events, or nil if there are none or the machine has
    /// failed.
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

    /// An offset in the message. No error in later chunks or at the end of the message has a smaller offset.
    var earliestErrorOffset: UInt64 {
        switch state {
        case .preamble: preamble.length
        case .delimiter where lineBreak == nil: preamble.length
        case .headers: part.sectionOffset
        case .delimiter, .body: window.messageOffset - UInt64(held.count)
        case .partEnded, .epilogue, .finished, .failed: window.messageOffset
        }
    }

    /// Fails with an error at the current offset, unless the machine has already failed.
    mutating func fail(_ code: MultipartError.Code) {
        fail(error(code, at: window.position))
    }

    /// Fails because the caller's handler has thrown. Replaces an error that the machine has found later in the same
    /// chunk: if the chunk had ended earlier, the machine would not have read that far.
    mutating func abandon() {
        failure = MultipartError(ErrorCode.abandoned)
        state = .failed
    }

    mutating func fail(_ error: MultipartError) {
        failure = failure ?? error
        state = .failed
    }

    /// Parses at most to the end of the next delimiter line. Returns true if the caller may call again at once. Returns
    /// false if the caller must first take the pending events or pass more bytes, or if nothing is left to parse.
    // Inlined. The cases are ordered so that nearly every part falls through from one state to the next.
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

    /// Returns an error of the current part at a position in the chunk. A negative position is in an earlier chunk.
    func error(_ code: MultipartError.Code, at position: Int, limit: Int? = nil) -> MultipartError {
        // Wrapping addition gives the right offset for a negative position, too.
        error(code, offset: window.offset &+ UInt64(truncatingIfNeeded: position), limit: limit)
    }

    /// Returns an error of the current part at an offset in the message. Pass a reason if the code alone does not
    /// explain the error.
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

/// Parsed events of at most one part, which the caller has not yet received.
///
/// Each event occurs at most once. The events are in the order of the cases of ``Event``.
struct PendingEvents: Sendable, Equatable {
    enum Event: UInt8, Sendable {
        /// A part begins. Its header fields are in ``ParserMachine/Part/fields``.
        case part
        /// Body bytes from earlier chunks. They are in ``ParserMachine/heldBody``.
        case heldBody
        /// Body bytes in the current chunk. ``PendingEvents/body`` is their range.
        case body
        case endOfPart
        case end
    }

    /// One bit for each event. The lowest bit is for the first case of ``Event``.
    private var bits: UInt8 = 0

    private(set) var body = 0..<0

    var isEmpty: Bool { bits == 0 }

    func contains(_ event: Event) -> Bool { bits & 1 << event.rawValue != 0 }

    /// Appends an event. Precondition: no pending event follows it in the order of the cases of ``Event``.
    mutating func append(_ event: Event) {
        bits |= 1 << event.rawValue
    }

    mutating func append(body range: Range<Int>) {
        let lower = body.isEmpty ? range.lowerBound : body.lowerBound
        body = lower..<range.upperBound
        append(.body)
    }

    mutating func popFirst(_ event: Event) -> Bool {
        guard bits.trailingZeroBitCount == event.rawValue else { return false }
        bits &= bits &- 1
        return true
    }

    mutating func popFirst() -> Event? {
        let first = Event(rawValue: UInt8(truncatingIfNeeded: bits.trailingZeroBitCount))
        bits &= bits &- 1
        return first
    }
}
