import MultipartForm

/// An input whose first bytes have been read: a message, or an HTTP message with one in its body.
struct MessageInput {
    let head: HTTPHead?
    let opening: MessageOpening

    private let input: FileDescriptor
    /// The input's first bytes, until they are passed on.
    private var block: ContiguousArray<UInt8>
    /// How many bytes of the block were read.
    private var count: Int
    private var body: HTTPBody
    /// Whether the head announces chunks, and none follow, as if a program had joined them.
    private let isJoined: Bool
    /// The body at the end of the input; nil before that is read.
    private var wholeBody: HTTPBody?
    private var progress: ProgressBar

    init(_ input: FileDescriptor) throws {
        self.input = input
        progress = ProgressBar(total: input.remainingLength)
        var block = ContiguousArray<UInt8>(repeating: 0, count: 1 << 18)
        count = try Self.fill(&block, from: input)
        head = try HTTPHead(block[..<count], isWholeInput: count < block.count)
        try head?.checkCodings()
        try head?.checkLength()
        let rest = block[(head?.length ?? 0)..<count]
        let isChunked = head?.isChunked ?? false
        isJoined = isChunked && rest.first.map { ASCII.hexadecimalValue($0) == nil } ?? false
        body = isChunked && !isJoined ? .chunked : HTTPBody(contentLength: head?.contentLength)
        // An error comes again when the body is read.
        var copy = body
        var first = ContiguousArray<UInt8>()
        let isFramed: Void? = try? copy.take(rest.span) { first.append(copying: $0) }
        if isFramed != nil, count < block.count { wholeBody = copy }
        opening = MessageOpening(first[...])
        self.block = block
    }

    /// The boundary of the first line.
    func ownBoundary(_ mode: ParsingMode) throws -> MessageBoundary {
        if opening.isEmpty { throw MultipartError(.boundaryNotFound, offset: 0) }
        guard let text = opening.boundary else {
            let later = opening.laterDelimiter.map { offset, boundary in
                "; the line at offset \(offset) may: --boundary \(TerminalText.shellWord(boundary))"
            }
            let bare = opening.bareBoundary(nil).map { "; it may be the boundary, without two hyphens: \($0)" }
            let fact = "first line does not give the boundary\(later ?? bare ?? "")"
            throw ToolError(.malformed, "boundary-not-found", "\(fact) (at offset 0)", offset: 0)
        }
        return try MessageBoundary(mode) { try Boundary(parsing: text, mode: $0) }
    }

    /// Reads to the end of the input; passes the message on in pieces. To be called once.
    mutating func readPieces(ofSize size: Int, _ take: (Span<UInt8>) throws -> Void) throws {
        defer { progress.finish() }
        var bytes = block
        block = []
        var start = head?.length ?? 0
        while count > 0 {
            try Interruption.check()
            try body.take(bytes.span.extracting(start..<count)) { piece in
                for start in stride(from: 0, to: piece.count, by: size) {
                    try take(piece.extracting(start..<start + min(size, piece.count - start)))
                }
            }
            progress.advance(by: count)
            count = count < bytes.count ? 0 : try Self.fill(&bytes, from: input)
            start = 0
        }
        wholeBody = body
    }

    /// What does not fit in the message's frame, once the end of the input has been read.
    var findings: [Finding] {
        guard let head, let wholeBody else { return [] }
        var texts = [head.framingRemark].compactMap(\.self)
        if isJoined { texts.append("Transfer-Encoding of the HTTP head is chunked, but its body has no chunks") }
        if let shortfall {
            texts.append(shortfall)
        } else if wholeBody.surplus > 0 {
            let verb = wholeBody.surplus == 1 ? "follows" : "follow"
            let start = declaredLength.map { "\($0), but " } ?? ""
            texts.append("\(start)\(wholeBody.surplus.inBytes) \(verb) the HTTP body")
        }
        return texts.map { Finding(remark: $0) }
    }

    /// Which bytes of the HTTP body are missing at the end of the input, in words; nil if none are, or before that is
    /// read.
    var shortfall: String? {
        guard let wholeBody, wholeBody.isCutOff else { return nil }
        let shortfall = declaredLength.map { "\($0), but its body has \(wholeBody.length.inBytes)" }
        return shortfall ?? "the last chunk is missing"
    }

    private var declaredLength: String? {
        head?.contentLength.map { "Content-Length of the HTTP head is \($0)" }
    }

    /// An error with what the message's first bytes say of it, or else with another fact.
    func explained(_ error: any Error, _ boundary: Boundary?, _ fact: String? = nil) -> any Error {
        guard let error = error as? MultipartError else { return error }
        let explanation = error.partIndex == nil ? explanation(of: error, boundary) : nil
        var end: String?
        if error.code == .unexpectedEnd, let line = boundary.flatMap({ opening.laterDelimiter(unlike: $0) }) {
            end = "message ends before its close delimiter; \(line)"
        }
        guard let fact = explanation ?? fact ?? end else { return error }
        let finding = Finding(error, fact)
        return ToolError(
            .malformed,
            error.code.description,
            finding.message,
            offset: finding.offset,
            part: finding.part
        )
    }

    private func explanation(of error: MultipartError, _ boundary: Boundary?) -> String? {
        switch error.code {
        case .missingBoundary:
            return opening.boundary.map { "Content-Type has no boundary parameter; the message begins with \"\($0)\"" }
        case .boundaryNotFound where opening.isEmpty:
            return head.map { "nothing follows the HTTP head of \($0.length) bytes" } ?? "message is empty"
        case .boundaryNotFound, ErrorCode.malformedDelimiter, ErrorCode.preambleNotAllowed, .limitPreambleBytes:
            if opening.hasByteOrderMark { return "message begins with a byte order mark, the bytes EF BB BF" }
            if let bare = boundary.flatMap({ opening.bareBoundary($0) }) {
                return "message begins with boundary \"\(TerminalText.escaped(bare))\" without two hyphens before it"
            }
            guard let difference = boundary.flatMap({ opening.difference(from: "\($0)") }) else { return nil }
            return difference + (error.limit.map { ", and its preamble exceeds \($0) bytes" } ?? "")
        default:
            return nil
        }
    }

    /// Fills a block as far as the input goes, and returns how many bytes that are.
    private static func fill(_ block: inout ContiguousArray<UInt8>, from input: FileDescriptor) throws -> Int {
        var filled = 0
        // Each pass reads at least one byte or is the last.
        while filled < block.count {
            // SAFETY: the rest of the block, used inside the closure only.
            let count = try block.withUnsafeMutableBytes { try input.read(into: .init(rebasing: $0[filled...])) }
            guard count > 0 else { break }
            filled += count
        }
        return filled
    }
}
