import MultipartForm

/// Reads a message in lenient mode to its end, and names what strict mode refuses in it: not only the first thing.
///
/// A strict parser reads beside the lenient one. After a refusal, another one begins at the next delimiter, so the first
/// fault of each part is found, and those before the first part and after the last.
///
/// - Input: the message's bytes in pieces of any size, then its end.
/// - Output: the events of the lenient parser; in strict mode those of the strict one up to its first refusal.
/// - Invariant: the strict parser is a piece ahead of the lenient one, or missing.
/// - Cost: linear: twice that of a parser, and a call for each line between a refusal and the next delimiter. The memory
///   of two parsers, the findings, and the message's last 64 KiB.
struct MessageSurvey {
    typealias Handler = MessageReader.Handler

    private let boundary: Boundary
    /// Those of the strict parsers.
    private let options: MultipartParser.Options
    /// Whether the events are those of the strict parser.
    private let isStrict: Bool
    /// How many bytes precede the first delimiter, with what there is to say of them; nil if it is not among the first
    /// bytes.
    private let preamble: (length: Int, text: String)?

    private var lenient: MultipartParser
    private var strict: MultipartParser?
    /// Where in the message the strict parser's first byte would be, and how many parts there are before it.
    private var origin: (offset: UInt64, part: Int) = (0, 0)
    /// How many bytes the lenient parser has read.
    private var offset: UInt64 = 0
    private var begunParts = 0
    private var endedParts = 0
    /// What strict mode refused last; while it is pending, the lenient parser may yet refuse the same.
    private var lastRefusal: (error: MultipartError, isPending: Bool)?
    /// What strict mode refused first.
    private var firstRefusal: (error: MultipartError, fact: String?)?
    /// The first bytes at the offset of the last refusal, if that is after the close delimiter.
    private var epilogue: ContiguousArray<UInt8> = []
    /// The last bytes that the lenient parser has read.
    private var recent = RecentBytes()
    /// Why the lenient parser has failed, and the line to show, of which the rest is awaited.
    private var malformedLine: (error: MultipartError, line: LineExcerpt)?
    private(set) var findings = FindingList()
    /// What the message's bytes say of the error that was thrown, in better words than its own.
    private(set) var fact: String?

    init(_ boundary: MessageBoundary, _ options: MultipartParser.Options, preamble: (length: Int, text: String)?) {
        self.boundary = boundary.value
        self.preamble = preamble
        isStrict = options.mode == .strict
        var options = options
        options.mode = .lenient
        lenient = MultipartParser(boundary: boundary.value, options: options)
        options.mode = .strict
        strict = MultipartParser(boundary: boundary.value, options: options)
        self.options = options
        // Its offset is one in the field, which the description names.
        if let refusal = boundary.refusal { add(MultipartError(refusal.code), "Content-Type: \(refusal)") }
    }

    mutating func take(_ piece: Span<UInt8>, _ handler: Handler) throws {
        var rest = piece
        // Each pass takes at least a byte.
        while !rest.isEmpty {
            if malformedLine != nil { return try finishLine(rest) }
            try advanceStrict(rest, handler)
            let count = strict == nil ? Self.lengthOfLine(in: rest) : rest.count
            try advanceLenient(rest.extracting(first: count), handler)
            rest = rest.extracting(droppingFirst: count)
        }
    }

    mutating func finish(_ handler: Handler) throws {
        if malformedLine != nil { try finishLine(Span(), isLast: true) }
        try advanceStrict(Span(), isLast: true, handler)
        try advanceLenient(Span(), isLast: true, handler)
        addPending()
        if isStrict, let error = takeFirstRefusal() { throw error }
    }

    private mutating func takeFirstRefusal() -> MultipartError? {
        fact = firstRefusal?.fact
        return firstRefusal?.error
    }

    private mutating func advanceStrict(_ bytes: Span<UInt8>, isLast: Bool = false, _ handler: Handler) throws {
        let isLeading = isStrict && firstRefusal == nil && lastRefusal == nil
        do {
            if isLast {
                try strict?.finish { if isLeading { try handler($0, $1) } }
            } else {
                try strict?.parse(bytes) { if isLeading { try handler($0, $1) } }
            }
        } catch let error as MultipartError {
            strict = nil
            lastRefusal = (placed(error), true)
        }
    }

    /// An error of the strict parser, at its place in the message.
    private func placed(_ error: MultipartError) -> MultipartError {
        guard origin.offset > 0 else { return error }
        // Both wrap if the parser was given more bytes than precede the offset.
        let offset = error.offset.map { $0 &+ origin.offset }
        let part = error.partIndex.map { $0 + origin.part }
        return MultipartError(error.code, offset: offset, partIndex: part, partName: error.partName)
    }

    /// Lets the lenient parser read, and then begins a strict one if a delimiter ends here.
    private mutating func advanceLenient(_ bytes: Span<UInt8>, isLast: Bool = false, _ handler: Handler) throws {
        let isLeading = !isStrict
        var begun: [HeaderFields] = []
        var ended = 0
        var isAtEnd = false
        let observe = { (event: MultipartParser.Event<Void>) in
            switch event {
            case .part(let headers): begun.append(headers)
            case .body: break
            case .endOfPart: ended += 1
            case .end: isAtEnd = true
            }
        }
        var failure: MultipartError?
        do {
            if isLast {
                try lenient.finish {
                    observe($0)
                    if isLeading { try handler($0, $1) }
                }
            } else {
                try lenient.parse(bytes) {
                    observe($0)
                    if isLeading { try handler($0, $1) }
                }
            }
        } catch let error as MultipartError {
            failure = error
        }
        keepEpilogue(bytes)
        recent.append(bytes)
        offset += UInt64(bytes.count)
        for headers in begun { examine(headers, before: failure?.offset ?? offset) }
        endedParts += ended
        if let failure {
            guard failure.code == .malformedHeader, let place = failure.offset else { throw self.failure(failure) }
            malformedLine = (failure, recent.line(at: place, boundary))
            try finishLine(Span(), isLast: isLast)
        } else if strict == nil {
            beginStrict(afterPart: ended > 0, isAtEnd: isAtEnd)
        }
    }

    /// Reads on to the end of a line that is no header field, and then fails.
    private mutating func finishLine(_ bytes: Span<UInt8>, isLast: Bool = false) throws {
        malformedLine?.line.append(bytes)
        if let (error, line) = malformedLine, isLast || line.isComplete { throw failure(error) }
    }

    /// Begins a strict parser at the current offset if it is that of a delimiter, or its end, after the last refusal.
    private mutating func beginStrict(afterPart: Bool, isAtEnd: Bool) {
        guard let lastRefusal, offset > lastRefusal.error.offset ?? 0 else { return }
        let prefix: String
        if isAtEnd {
            prefix = "--\(boundary)--\r\n"
        } else if afterPart, lastRefusal.error.code != .bareLF {
            prefix = "--\(boundary)\r\n"
        } else if preamble.map({ UInt64($0.length) }) == offset {
            prefix = ""
        } else {
            return
        }
        addPending()
        var parser = MultipartParser(boundary: boundary, options: options)
        try? parser.parse(ContiguousArray(prefix.utf8).span) { _, _ in }
        strict = parser
        origin = (offset &- UInt64(prefix.utf8.count), endedParts)
    }

    /// Adds the last refusal: the lenient parser has read on. `headers` are those of its part, if that begins.
    private mutating func addPending(_ headers: HeaderFields? = nil) {
        guard let (refusal, isPending) = lastRefusal, isPending else { return }
        lastRefusal = (refusal, false)
        let name = refusal.partName ?? headers?.name
        let error = MultipartError(refusal.code, offset: refusal.offset, partIndex: refusal.partIndex, partName: name)
        switch error.code {
        case .preambleNotAllowed:
            add(error, preamble?.text)
        case .bareLF:
            add(error, "lines end in LF alone")
        case .epilogueNotAllowed:
            let length = (offset - min(error.offset ?? 0, offset)).inBytes
            add(error, "\(length) after the close delimiter\(formInEpilogue)")
        case .malformedContentDisposition:
            add(error, headers?["Content-Disposition"].map { "Content-Disposition is malformed: \(Self.shown($0))" })
        case .unsupportedTransferEncoding:
            add(error, headers?["Content-Transfer-Encoding"].map(Self.unsupported))
        default:
            add(error, nil)
        }
    }

    private static func unsupported(_ encoding: String) -> String {
        "Content-Transfer-Encoding is \(shown(encoding)), not 7bit, 8bit or binary"
    }

    private static func shown(_ text: String) -> String {
        TerminalText.truncated(TerminalText.escaped(text), toWidth: 64)
    }

    /// What there is to say of a form after the close delimiter.
    private var formInEpilogue: String {
        guard epilogue.starts(with: "--".utf8) else { return "" }
        var name: String?
        var parser = MultipartParser(boundary: boundary)
        try? parser.parse(epilogue.span) { event, _ in
            if case .part(let headers) = event { name = name ?? headers.name }
        }
        return ", which begin like another form" + (name.map { ", with part \"\(Self.shown($0))\"" } ?? "")
    }

    /// Adds what strict mode refuses. In strict mode the first refusal is the error that ``finish(_:)`` throws.
    private mutating func add(_ error: MultipartError, _ fact: String?) {
        let isFirst = firstRefusal == nil
        firstRefusal = firstRefusal ?? (error, fact)
        if !isFirst || !isStrict { findings.append(Finding(error, fact)) }
    }

    /// The error with which the survey ends when the lenient parser fails.
    private mutating func failure(_ failure: MultipartError) -> MultipartError {
        let isSame = lastRefusal.map { isSameRefusal($0.error, failure) } ?? false
        var (error, fact) = (failure, malformedLine?.line.fact(boundary))
        if isStrict, isSame, let lastRefusal { error = lastRefusal.error }
        if error.code == .unexpectedEnd, recent.endsInDelimiter(boundary) {
            // No part has begun after it.
            error = MultipartError(error.code, offset: error.offset)
            let close = TerminalText.escaped("--\(boundary)--")
            fact = "message ends in a delimiter that is not the close delimiter, \(close)"
        }
        // The same refusal is not one of strict mode alone, and no preamble is tolerated without a part after it.
        let isPreamble = lastRefusal?.error.code == .preambleNotAllowed && begunParts == 0
        if !isSame, isStrict || !isPreamble { addPending() }
        guard isStrict, let first = takeFirstRefusal() else {
            self.fact = fact
            return error
        }
        findings.append(Finding(error, fact))
        return first
    }

    /// Whether strict mode refused the same as lenient mode, which may see it later in a line.
    private func isSameRefusal(_ refusal: MultipartError, _ failure: MultipartError) -> Bool {
        guard refusal != failure else { return true }
        guard refusal.code == failure.code, let line = malformedLine?.line else { return false }
        return refusal.offset ?? 0 >= line.offset
    }

    private mutating func keepEpilogue(_ bytes: Span<UInt8>) {
        guard let error = lastRefusal?.error, error.code == .epilogueNotAllowed, let start = error.offset else {
            return
        }
        let first = Int(clamping: start > offset ? start - offset : 0)
        let end = min(bytes.count, first + Self.epilogueLimit - epilogue.count)
        for index in first..<max(first, end) { epilogue.append(bytes[index]) }
    }

    /// How much of an epilogue is kept: enough for the header fields of a part.
    private static let epilogueLimit = 1024

    /// Adds what the names and the fields of a part that begins say. The lenient parser has accepted what is before `end`.
    private mutating func examine(_ headers: HeaderFields, before end: UInt64) {
        let index = begunParts
        begunParts += 1
        // The lenient parser has accepted the fields before the body, so it will not refuse the same.
        if let refusal = lastRefusal?.error, refusal.offset ?? end < end, refusal.partIndex ?? 0 <= index {
            addPending(headers)
        }
        let name = headers.name
        let encoding = headers["Content-Transfer-Encoding"]
        let isPlain = encoding.map { ["7bit", "8bit", "binary"].contains($0.lowercased()) } ?? true
        let code = MultipartError.Code.unsupportedTransferEncoding
        let isRefused = lastRefusal?.error.code == code && lastRefusal?.error.partIndex == index
        // A strict parser that reads on has accepted the part's fields.
        if !isPlain, strict == nil, !isRefused {
            let error = MultipartError(code, offset: offset, partIndex: index, partName: name)
            add(error, encoding.map(Self.unsupported))
        }
        for remark in NameRemarks.all(name: name, filename: headers.filename) {
            findings.append(Finding(remark: remark, part: index, name: name))
        }
    }

    /// How many bytes there are up to the first LF, and with it.
    private static func lengthOfLine(in bytes: Span<UInt8>) -> Int {
        // SAFETY: the address found lies in the buffer, which is used inside the closure only.
        bytes.withUnsafeBytes { buffer in
            let found = buffer.baseAddress.flatMap { start in
                memchr(start, Int32(UInt8(ascii: "\n")), buffer.count).map { UnsafeRawPointer($0) - start + 1 }
            }
            return found ?? buffer.count
        }
    }
}
