import MultipartFormCodec

/// An input with a multipart message, which may be the body of an HTTP message. The initializer reads the first bytes.
struct MessageInput {
    let head: HTTPHead?
    let opening: MessageOpening

    private let input: FileDescriptor
    /// The first block of the input, a buffer of fixed size; empty after `readPieces` has taken it.
    private var block: ContiguousArray<UInt8>
    /// The number of bytes that have been read into the current block. The last block may not be full.
    private var count: Int
    private var body: HTTPBody
    /// Whether the head announces the chunked transfer coding, but the body is not in chunks. A proxy or a capturing
    /// program may have joined the chunks.
    let lacksChunks: Bool
    /// The state of the body at the end of the input; nil until the end has been read.
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
        // Finds the first bytes of the message, with a copy of `body`. An error is ignored here, because `readPieces`
        // reads the same bytes again and throws the error.
        var copy = body
        var first = ContiguousArray<UInt8>()
        let isFramed: Void? = try? copy.take(rest.span) { first.append(copying: $0) }
        if isFramed != nil, count < block.count { wholeBody = copy }
        opening = MessageOpening(first[...])
        self.block = block
    }

    /// Reads the input to its end, and calls `take` with pieces of the message of at most `size` bytes. Call this
    /// method once.
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

    /// Reads bytes until the block is full or the input ends; returns the number of bytes.
    private static func fill(_ block: inout ContiguousArray<UInt8>, from input: FileDescriptor) throws -> Int {
        var filled = 0
        // Each pass reads at least one byte or is the last.
        while filled < block.count {
            // SAFETY: the buffer is the unfilled rest of the block, and is used only inside the closure.
            let count = try block.withUnsafeMutableBytes { try input.read(into: .init(rebasing: $0[filled...])) }
            guard count > 0 else { break }
            filled += count
        }
        return filled
    }
}
