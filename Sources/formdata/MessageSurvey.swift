package import MultipartForm

/// Reads a message in lenient mode to its end, and names what strict mode refuses in it: not only the first thing.
///
/// A ``StrictScout`` reads beside the lenient parser. After a refusal, another one begins at the next delimiter, so the
/// first fault of each part is found, and those before the first part and after the last.
///
/// - Input: the message's bytes in pieces of any size, then its end.
/// - Output: the events of the lenient parser; in strict mode those of a strict one. They, the findings and the error
///   do not depend on how the message was cut.
/// - Invariant: the scout has read what the lenient parser has read, at least, or is missing.
/// - Cost: linear: that of five parsers at most, and a call for each part and each piece between a refusal and the next
///   delimiter. The memory of four parsers, the findings, and less than 1 MiB of the message's last bytes.
package struct MessageSurvey {
    package typealias Handler = (MultipartParser.Event<Void>, Span<UInt8>) throws -> Void

    /// Where in the message the lenient parser is.
    private enum Place {
        case preamble
        /// In a delimiter that has ended, or in header fields.
        case headers
        case body
        case epilogue
    }

    private let boundary: Boundary
    /// Two hyphens and the boundary.
    private let delimiter: [UInt8]
    /// Those of the lenient parsers.
    private let options: MultipartParser.Options
    /// Whether the events are those of the strict parser.
    private let isStrict: Bool
    /// What precedes the first delimiter; nil if it is not among the first bytes.
    private let preamble: MessagePreamble?

    private var lenient: MultipartParser
    private var place = Place.preamble
    private var scout: StrictScout?
    /// In strict mode, the parser whose events are passed on; nil once it has failed.
    private var strict: MultipartParser?
    private var strictError: MultipartError?
    /// How many bytes the lenient parser has read: up to its failure.
    private var offset: UInt64 = 0
    private var begunParts = 0
    private var endedParts = 0
    /// What strict mode refused last; while it is pending, the lenient parser may yet refuse the same.
    private var lastRefusal: (error: MultipartError, isPending: Bool)?
    /// A refusal of the preamble, until a part follows.
    private var preambleRefusal: MultipartError?
    /// What strict mode refused first.
    private var firstRefusal: (error: MultipartError, fact: String?)?
    /// The first bytes at the offset of the last refusal, if that is after the close delimiter.
    private var epilogue: ContiguousArray<UInt8> = []
    /// The last bytes that the lenient parser has read.
    private var recent: RecentBytes
    /// Why the lenient parser has failed, and the line to show, if there is one, of which the rest is awaited.
    private var failure: (error: MultipartError, line: LineExcerpt?)?
    package private(set) var findings = FindingList()
    /// What the message's bytes say of the error that was thrown, in better words than its own.
    package private(set) var fact: String?

    package init(_ boundary: MessageBoundary, _ options: MultipartParser.Options, preamble: MessagePreamble?) {
        self.boundary = boundary.value
        self.preamble = preamble
        delimiter = boundary.value.dashBoundary
        isStrict = options.mode == .strict
        recent = RecentBytes(maxHeaderBytes: options.maxHeaderBytes, preamble: preamble)
        if isStrict, boundary.refusal == nil { strict = MultipartParser(boundary: boundary.value, options: options) }
        var options = options
        options.mode = .lenient
        self.options = options
        lenient = MultipartParser(boundary: boundary.value, options: options)
        scout = StrictScout(boundary.value, options, prefix: "", offset: 0, parts: 0)
        // Its offset is one in the field, which the description names.
        if let refusal = boundary.refusal {
            let text = TerminalText.escaped("\(refusal)")
            add(MultipartError(refusal.code), text.hasPrefix("Content-Type ") ? text : "Content-Type: \(text)")
        }
    }

    package mutating func take(_ piece: Span<UInt8>, _ handler: Handler) throws {
        try advanceStrict(piece, handler)
        // One that begins in the piece reads it bit by bit, lest many of them read all of it.
        var isAhead = scout != nil
        if isAhead { advanceScout(piece) }
        var rest = piece
        // Each pass takes a byte at least.
        while !rest.isEmpty, failure == nil {
            let isWhole = isAhead && scout != nil
            let count = isWhole ? rest.count : lengthToCut(in: rest, isLineStart: rest.count < piece.count)
            let bytes = rest.extracting(first: count)
            if scout == nil { isAhead = false }
            if !isAhead { advanceScout(bytes) }
            try advanceLenient(bytes, handler)
            rest = rest.extracting(droppingFirst: count)
        }
        if failure != nil { try finishFailure(rest) }
    }

    package mutating func finish(_ handler: Handler) throws {
        try advanceStrict(Span(), isLast: true, handler)
        if failure == nil {
            scout?.finish()
            takeRefusal()
            try advanceLenient(Span(), isLast: true, handler)
        }
        if failure != nil { try finishFailure(Span(), isLast: true) }
        addPreamble()
        addPending()
        guard isStrict else { return }
        fact = firstRefusal?.fact
        if let error = firstRefusal?.error ?? strictError { throw error }
    }

    private mutating func advanceStrict(_ bytes: Span<UInt8>, isLast: Bool = false, _ handler: Handler) throws {
        do {
            if isLast { try strict?.finish(handler) } else { try strict?.parse(bytes, handler) }
        } catch let error as MultipartError {
            (strict, strictError) = (nil, error)
        }
    }

    private mutating func advanceScout(_ bytes: Span<UInt8>) {
        scout?.take(bytes)
        takeRefusal()
    }

    private mutating func takeRefusal() {
        guard let refusal = scout?.refusal else { return }
        lastRefusal = (refusal, true)
        scout = nil
    }

    /// Lets the lenient parser read, and then begins a scout if a delimiter ends here.
    private mutating func advanceLenient(_ bytes: Span<UInt8>, isLast: Bool = false, _ handler: Handler) throws {
        let isLeading = !isStrict
        var begun: [HeaderFields] = []
        var ended = 0
        var place = place
        let observe = { (event: MultipartParser.Event<Void>) in
            switch event {
            case .part(let headers):
                begun.append(headers)
                place = .body
            case .body: break
            case .endOfPart:
                ended += 1
                place = .headers
            case .end: place = .epilogue
            }
        }
        var error: MultipartError?
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
        } catch let failure as MultipartError {
            error = failure
        }
        let isAtEnd = place == .epilogue && self.place != .epilogue
        self.place = place
        // Up to the failure, wherever the piece ends.
        let count = error?.offset.map { min(bytes.count, Int(clamping: $0 - min($0, offset))) } ?? bytes.count
        let read = bytes.extracting(first: count)
        keepEpilogue(read)
        recent.append(read)
        offset += UInt64(count)
        for headers in begun { examine(headers) }
        endedParts += ended
        if isAtEnd { addPreamble() }
        if let error {
            var line =
                error.code == ErrorCode.malformedHeader ? error.offset.flatMap { recent.line(at: $0, boundary) } : nil
            line?.append(bytes.extracting(droppingFirst: count))
            failure = (error, line)
        } else if scout == nil {
            beginScout(afterPart: ended > 0, isAtEnd: isAtEnd)
        }
    }

    /// Reads on to the end of a line that is no header field, in strict mode also to the strict parser's error, and
    /// then fails.
    private mutating func finishFailure(_ bytes: Span<UInt8>, isLast: Bool = false) throws {
        failure?.line?.append(bytes)
        guard let (error, line) = failure else { return }
        let isComplete = strict == nil && line?.isComplete != false
        if isLast || isComplete { throw self.error(of: error, line) }
    }

    /// Begins a scout if the current offset is that of a delimiter, or its end, after the last refusal.
    private mutating func beginScout(afterPart: Bool, isAtEnd: Bool) {
        guard let lastRefusal, offset > lastRefusal.error.offset ?? 0 else { return }
        let prefix: String
        if isAtEnd {
            prefix = "--\(boundary)--\r\n"
        } else if afterPart, lastRefusal.error.code != ErrorCode.bareLF {
            prefix = "--\(boundary)\r\n"
        } else if preamble.map({ UInt64($0.length) }) == offset {
            prefix = ""
            self.lastRefusal = (lastRefusal.error, false)
            preambleRefusal = lastRefusal.error
        } else {
            return
        }
        if isStrict { addPreamble() }
        addPending()
        scout = StrictScout(boundary, options, prefix: prefix, offset: offset, parts: endedParts)
    }

    /// How many bytes to let the lenient parser read while no scout is ahead of it: up to the end of each delimiter and
    /// of each header section, so that what it has read ends there.
    private func lengthToCut(in bytes: Span<UInt8>, isLineStart: Bool) -> Int {
        if place == .epilogue { return bytes.count }
        let first = place == .preamble ? preamble.map { UInt64($0.length) } : nil
        if let first, offset < first { return min(bytes.count, Int(clamping: first - offset)) }
        let isInHeaders = place == .headers || first != nil
        // SAFETY: the addresses found lie in the buffer, which is used inside the closure only.
        return bytes.withUnsafeBytes { buffer in
            guard let address = buffer.baseAddress else { return 0 }
            var line = 0
            // Each pass takes a line. Nothing is known of the first one if it began in another piece.
            while let found = memchr(address + line, Int32(UInt8(ascii: "\n")), buffer.count - line) {
                let end = UnsafeRawPointer(found) - address + 1
                let isEnd =
                    isInHeaders
                    ? end - line < 3 && Self.isEmptyLine(buffer[line..<end])
                    : end - line > delimiter.count && isDelimiter(buffer, line..<end)
                if isEnd || line == 0 && (!isLineStart || offset == first) { return end }
                line = end
            }
            return buffer.count
        }
    }

    private static func isEmptyLine(_ line: Slice<UnsafeRawBufferPointer>) -> Bool {
        line.count == 1 || line.first == UInt8(ascii: "\r")
    }

    /// Whether a line may be a delimiter: where it is none, only time is lost.
    private func isDelimiter(_ bytes: UnsafeRawBufferPointer, _ line: Range<Int>) -> Bool {
        if preamble?.endsInLF == false, line.lowerBound > 1 {
            guard bytes[line.lowerBound - 2] == UInt8(ascii: "\r") else { return false }
        }
        let rest = bytes[line].dropFirst(delimiter.count)
        return bytes[line].starts(with: delimiter) && rest.allSatisfy { "- \t\r\n".utf8.contains($0) }
    }

    /// Adds the last refusal: the lenient parser has read on. `headers` are those of its part, if that begins.
    private mutating func addPending(_ headers: HeaderFields? = nil) {
        guard let (refusal, isPending) = lastRefusal, isPending else { return }
        lastRefusal = (refusal, false)
        let name = refusal.partName ?? headers?.name
        let error = MultipartError(
            refusal.code,
            refusal.ownFact,
            offset: refusal.offset,
            partIndex: refusal.partIndex,
            partName: name
        )
        switch error.code {
        case ErrorCode.preambleNotAllowed:
            add(error, preamble?.text)
        case ErrorCode.bareLF:
            add(error, "lines end in LF alone")
        case ErrorCode.epilogueNotAllowed:
            let length = (offset - min(error.offset ?? 0, offset)).inBytes
            add(error, "\(length) after the close delimiter\(formInEpilogue)")
        default:
            add(error, nil)
        }
    }

    private static func isIdentity(_ encoding: String) -> Bool {
        ["7bit", "8bit", "binary"].contains(encoding.lowercased())
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

    /// Adds a refusal of the preamble, which a part follows, or the end of the message.
    private mutating func addPreamble() {
        guard let error = preambleRefusal else { return }
        preambleRefusal = nil
        add(error, preamble?.text)
    }

    /// The error with which the survey ends when the lenient parser fails.
    private mutating func error(of failure: MultipartError, _ line: LineExcerpt?) -> MultipartError {
        var (error, fact) = (failure, line?.fact(boundary))
        if error.code == .unexpectedEnd, recent.endsInDelimiter(boundary) {
            // No part has begun after it.
            error = MultipartError(error.code, offset: error.offset)
            let close = TerminalText.escaped("--\(boundary)--")
            fact = "message ends in a delimiter that is not the close delimiter, \(close)"
        }
        // The same refusal is not one of strict mode alone, nor is what follows, and no preamble is tolerated without a
        // part after it.
        if let refusal = lastRefusal?.error {
            let isAfter = refusal.offset ?? 0 > failure.offset ?? .max
            let isPreamble = refusal.code == ErrorCode.preambleNotAllowed && begunParts == 0
            if !isAfter, refusal != failure, isStrict || !isPreamble { addPending() }
        }
        self.fact = fact
        guard isStrict else { return error }
        if let firstRefusal {
            self.fact = firstRefusal.fact
            findings.append(Finding(error, fact))
            return firstRefusal.error
        }
        guard let strictError, strictError != failure else { return error }
        self.fact = nil
        findings.append(Finding(error, fact))
        return strictError
    }

    private mutating func keepEpilogue(_ bytes: Span<UInt8>) {
        guard let error = lastRefusal?.error, error.code == ErrorCode.epilogueNotAllowed, let start = error.offset
        else {
            return
        }
        let first = Int(clamping: start > offset ? start - offset : 0)
        let end = min(bytes.count, first + Self.epilogueLimit - epilogue.count)
        for index in first..<max(first, end) { epilogue.append(bytes[index]) }
    }

    /// How much of an epilogue is kept: enough for the header fields of a part.
    private static let epilogueLimit = 1024

    /// Adds what the names and the fields of a part that begins say.
    private mutating func examine(_ headers: HeaderFields) {
        let index = begunParts
        begunParts += 1
        addPreamble()
        // What was refused after the fields is added after what they say.
        let isRefused = lastRefusal.map { $0.error.offset ?? offset < offset } ?? false
        if isRefused, lastRefusal?.error.partIndex ?? 0 <= index { addPending(headers) }
        let name = headers.name
        if let encoding = headers["Content-Transfer-Encoding"], !Self.isIdentity(encoding) {
            findings.append(Finding(remark: Self.unsupported(encoding), part: index, name: name))
        }
        for remark in Finding.remarks(name: name, filename: headers.filename) {
            findings.append(Finding(remark: remark, part: index, name: name))
        }
    }
}
