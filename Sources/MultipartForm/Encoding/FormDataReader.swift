public import Foundation

/// Yields a form's encoded bytes, buffer by buffer. Every way out pulls from it.
///
/// - Input: a plan.
/// - Output: the message's bytes in order, as many as fit into each buffer; then nothing.
/// - Invariant: at most one content is open; it is closed when it ends, when anything fails, and with the reader.
/// - Cost: one copy of each byte into the caller's buffer. A content is scanned for the boundary, in the buffer, only
///   if the caller chose the boundary.
///
/// Make one with ``MultipartFormData/makeReader(progress:)``.
public struct FormDataReader: ~Copyable, @unchecked Sendable {
    // SAFETY: everything stored is Sendable but the open content. That one is made here from a Sendable description
    // and never handed out, and a reader has one owner at a time since it cannot be copied.
    let plan: EncodingPlan
    private let fileSystem: FileSystem
    var scanner: CollisionScanner?
    private var tally: ProgressTally?
    /// Set when nobody waits any more for what is being read.
    private let abandonment: Abandonment?

    /// The index of the text, or of the content behind it.
    private(set) var index = 0
    var textOffset = 0
    private(set) var isInContent = false
    /// Where the next bytes come from.
    private(set) var source = ByteSource.memory
    /// How much of a content in memory has been read.
    var dataOffset = 0
    /// How much of an asynchronous content has been read.
    var awaitedOffset: UInt64 = 0
    /// The open content, when it is neither in memory nor asynchronous.
    private(set) var content: ContentReader?
    /// The asynchronous content whose bytes the owner has to bring; reading pauses before it.
    private(set) var awaitedContent: AsynchronousContent?
    private var failure: MultipartEncodingError?

    /// The offset in the message of the next byte to be read.
    public internal(set) var offset: UInt64 = 0

    init(
        _ plan: EncodingPlan,
        progress: Progress? = nil,
        abandonment: Abandonment? = nil,
        fileSystem: FileSystem = .system
    ) {
        self.plan = plan
        self.abandonment = abandonment
        self.fileSystem = fileSystem
        self.scanner = plan.form.boundary.isUnpredictable ? nil : CollisionScanner(boundary: plan.form.boundary)
        self.tally = progress.map { ProgressTally($0, total: plan.length) }
    }

    /// How much of a content in memory is copied at a time. Some C libraries copy no faster than in such blocks, and a
    /// progress moves with each.
    private static let blockSize = 512 * 1024

    /// The length of the message in bytes; nil if that of a content is unknown.
    public var length: UInt64? { plan.length }

    /// Whether the whole message has been read.
    var isAtEnd: Bool { index == plan.textEnds.count }

    /// The next bytes of the message; nil at its end.
    ///
    /// - Parameter maxLength: How many bytes at most; at least 1.
    /// - Returns: Exactly so many, but for the message's last bytes.
    /// - Throws: ``MultipartEncodingError`` with its part. A reader that failed stays failed.
    public mutating func next(maxLength: Int) throws(MultipartEncodingError) -> Data? {
        precondition(maxLength > 0, "a length is at least 1")
        try checkState()
        var chunk = ChunkMemory()
        chunk.begin(limit: chunkLength(maxLength))
        try fill(&chunk, from: .stream)
        return chunk.take()
    }

    /// The length of the next chunk; what is left of the message may be less.
    func chunkLength(_ maxLength: Int) -> Int {
        min(maxLength, length.map { Int(clamping: $0 - offset) } ?? .max)
    }

    /// Fills a chunk, but only as far as the bytes come from some sources.
    ///
    /// - Parameters:
    ///   - chunk: The chunk.
    ///   - slowest: The last of the sources to read from.
    /// - Throws: As ``read(into:)`` does.
    mutating func fill(
        _ chunk: inout ChunkMemory,
        from slowest: ByteSource
    ) throws(MultipartEncodingError) {
        while !chunk.isFull, !isAtEnd, source <= slowest {
            do throws(MultipartEncodingError) {
                _ = unsafe try chunk.append { room throws(MultipartEncodingError) in
                    // SAFETY: passed on whole.
                    unsafe try read(into: room, from: slowest)
                }
            } catch {
                throw failForGood(error)
            }
        }
    }

    /// Fills a buffer, which is not empty.
    ///
    /// - Parameter buffer: Where to put the bytes.
    /// - Returns: The buffer's length; less for the message's last bytes, and 0 behind them.
    /// - Throws: ``MultipartEncodingError`` with its part. A reader that failed stays failed.
    public mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(MultipartEncodingError) -> Int {
        precondition(buffer.count > 0, "a buffer has room for a byte")
        // SAFETY: passed on whole.
        return unsafe try read(into: buffer, from: .stream)
    }

    private mutating func read(
        into buffer: UnsafeMutableRawBufferPointer,
        from slowest: ByteSource
    ) throws(MultipartEncodingError) -> Int {
        try checkState()
        var filled = 0
        while filled < buffer.count, !isAtEnd, source <= slowest {
            // SAFETY: what is left of the buffer, within its bounds.
            let room = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            filled += unsafe try readPiece(into: room)
        }
        return filled
    }

    /// Appends the next bytes to a buffer, those in memory without a second copy.
    ///
    /// - Returns: Whether there were any.
    mutating func append(
        to data: inout Data,
        _ room: inout BufferRoom,
        through scratch: UnsafeMutableRawBufferPointer
    ) throws(MultipartEncodingError) -> Bool {
        try checkState()
        guard !isAtEnd else { return false }
        if !isInContent {
            let rest = plan.text[textOffset..<plan.textEnds[index]]
            try room.reserve(UInt64(rest.count), in: &data)
            data.append(contentsOf: rest)
            finishText()
            try advance(by: rest.count)
        } else if case .data(let content) = plan.form.parts[index].content {
            let block = content.dropFirst(dataOffset).prefix(Self.blockSize)
            try room.reserve(UInt64(block.count), in: &data)
            if scanner == nil {
                data.append(block)
            } else {
                try appendScanned(block.span, to: &data)
            }
            dataOffset += block.count
            if dataOffset == content.count { finishContent() }
            try advance(by: block.count)
        } else {
            // SAFETY: only what has been read into the scratch is taken from it.
            let count = unsafe try readPiece(into: scratch)
            try room.reserve(UInt64(count), in: &data)
            unsafe data.append(contentsOf: scratch[..<count])
        }
        return true
    }

    /// Appends a content while it is scanned.
    private mutating func appendScanned(
        _ content: Span<UInt8>,
        to data: inout Data
    ) throws(MultipartEncodingError) {
        // `Data` grows by writing zeros. So few at a time are still in the core's caches when the bytes come.
        let step = 64 * 1024
        for start in stride(from: 0, to: content.count, by: step) {
            let block = content.extracting(start..<min(start + step, content.count))
            let before = data.count
            data.count += block.count
            let collides = unsafe data.withUnsafeMutableBytes { bytes in
                // SAFETY: what `data` has just grown by, which is as long as the block.
                let room = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[before...])
                return unsafe scanner?.scan(block, copyingTo: room) == true
            }
            if collides { throw fail(MultipartEncodingError(.boundaryCollision)) }
        }
    }

    /// Copies from a text or a content, whichever is next.
    private mutating func readPiece(into buffer: UnsafeMutableRawBufferPointer) throws(MultipartEncodingError) -> Int {
        let count: Int
        // SAFETY: the caller's buffer, passed on whole.
        if isInContent {
            do {
                count = unsafe try readContent(into: buffer)
            } catch {
                throw fail(error)
            }
        } else {
            count = unsafe readText(into: buffer)
        }
        try advance(by: count)
        return count
    }

    /// Throws the error of a reader that failed, or whose progress has been cancelled.
    mutating func checkState() throws(MultipartEncodingError) {
        if let failure { throw failure }
        guard tally?.isCancelled == true || abandonment?.isSet == true else { return }
        throw failForGood(MultipartEncodingError(.cancelled))
    }

    /// Counts bytes that are handed out.
    mutating func advance(by count: Int) throws(MultipartEncodingError) {
        offset += UInt64(count)
        let isAtEnd = isAtEnd
        let isTold = tally?.tell(offset, always: isAtEnd) == true
        if isTold || abandonment?.isSet == true { try checkState() }
    }

    /// Closes the content and makes the reader fail for good, with an error of the part being read.
    mutating func fail(_ error: MultipartEncodingError) -> MultipartEncodingError {
        failForGood(error.located(at: index, name: plan.form[index].name))
    }

    /// Closes the content and makes the reader fail for good.
    mutating func failForGood(_ error: MultipartEncodingError) -> MultipartEncodingError {
        content = nil
        awaitedContent = nil
        failure = error
        return error
    }

    /// Moves back to the start of the message.
    mutating func rewind() {
        content = nil
        awaitedContent = nil
        index = 0
        textOffset = 0
        isInContent = false
        source = .memory
        offset = 0
    }

    /// Tells the progress, if there is one, where the reader is.
    mutating func tellProgress() {
        _ = tally?.tell(offset, always: true)
    }

    /// Copies from the text before a content.
    private mutating func readText(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let end = plan.textEnds[index]
        let count = min(buffer.count, end - textOffset)
        unsafe plan.text.withUnsafeBytes { text in
            // SAFETY: the range lies within the text, and count is at most the buffer's.
            unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: text[textOffset..<textOffset + count]))
        }
        textOffset += count
        if textOffset == end { finishText() }
        return count
    }

    /// The content behind the text begins; behind the last text, the message ends.
    mutating func finishText() {
        textOffset = plan.textEnds[index]
        isInContent = index < plan.form.count
        dataOffset = 0
        scanner?.begin()
        guard isInContent else {
            index += 1
            return
        }
        let content = plan.form.parts[index].content
        source = content.source
        guard case .asynchronous(let asynchronous) = content else { return }
        awaitedContent = asynchronous
        awaitedOffset = 0
    }

    /// The text behind the content begins.
    mutating func finishContent() {
        content = nil
        awaitedContent = nil
        isInContent = false
        source = .memory
        index += 1
    }

    /// Copies from a content; 0 when it has ended, and the next text begins.
    mutating func readContent(
        into buffer: UnsafeMutableRawBufferPointer
    ) throws(MultipartEncodingError) -> Int {
        let count: Int
        let collides: Bool
        let isFinished: Bool
        if case .data(let data) = plan.form.parts[index].content {
            count = min(buffer.count, data.count - dataOffset, Self.blockSize)
            collides = unsafe copy(data.span.extracting(dataOffset..<dataOffset + count), to: buffer)
            dataOffset += count
            isFinished = dataOffset == data.count
        } else {
            count = unsafe try openContent().read(into: buffer)
            isFinished = count == 0
            // SAFETY: the bytes just read, looked at before the caller has them.
            let bytes = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<count])
            collides = unsafe scanner?.scan(bytes.bindMemory(to: UInt8.self).span) == true
        }
        if collides { throw MultipartEncodingError(.boundaryCollision) }
        if isFinished { finishContent() }
        return count
    }

    /// Copies bytes into a buffer that has room for them, and scans them; true if a collision ends there.
    private mutating func copy(_ bytes: Span<UInt8>, to buffer: UnsafeMutableRawBufferPointer) -> Bool {
        if let collides = unsafe scanner?.scan(bytes, copyingTo: buffer) { return collides }
        // SAFETY: the pointer does not leave the closure; copyMemory checks that there is room.
        unsafe bytes.withUnsafeBytes { unsafe buffer.copyMemory(from: $0) }
        return false
    }

    /// The open content, or the part's, now opened.
    mutating func openContent() throws(MultipartEncodingError) -> ContentReader {
        if let content { return content }
        let opened = try ContentReader(plan.form.parts[index].content, fileSystem: fileSystem, abandonment: abandonment)
        content = opened
        return opened
    }
}
