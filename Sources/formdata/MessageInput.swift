import MultipartForm

/// An input whose first bytes have been read: a multipart message, or an HTTP message with a multipart message as its
/// body.
struct MessageInput {
    let head: HTTPHead?
    let opening: MessageOpening

    private let input: FileDescriptor
    /// The input's first bytes, until they are passed on.
    private var block: ContiguousArray<UInt8>
    /// How many bytes of `block` are from the input.
    private var count: Int
    private var body: HTTPBody
    /// Whether the head announces chunks but none follow, as if a program had joined them.
    let lacksChunks: Bool
    /// The body as it is at the end of the input; nil before the end is read.
    private(set) var wholeBody: HTTPBody?
    private var progress: ProgressBar

    init(_ input: FileDescriptor) throws {
        self.input = input
        progress = ProgressBar(total: input.remainingLength)
        var block = ContiguousArray<UInt8>(repeating: 0, count: 1 << 18)
        count = try Self.fill(&block, from: input)
        head = try HTTPHead(block[..<count], isWholeInput: count < block.count)
        let rest = block[(head?.length ?? 0)..<count]
        let isChunked = head?.isChunked ?? false
        lacksChunks = isChunked && rest.first.map { ASCII.hexadecimalValue($0) == nil } ?? false
        body = isChunked && !lacksChunks ? .chunked : HTTPBody(contentLength: head?.contentLength)
        // An error is ignored here, because reading the body throws it again.
        var copy = body
        var first = ContiguousArray<UInt8>()
        let isFramed: Void? = try? copy.take(rest.span) { first.append(copying: $0) }
        if isFramed != nil, count < block.count { wholeBody = copy }
        opening = MessageOpening(first[...])
        self.block = block
    }

    /// Reads to the end of the input, and passes the message on in pieces. Call it once.
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

    /// Fills a block, or as much of it as the input has, and returns the number of bytes.
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
