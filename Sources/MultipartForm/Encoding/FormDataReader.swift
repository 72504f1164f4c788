public import Foundation

/// Yields a form's encoded bytes, buffer by buffer.
///
/// - Input: a plan.
/// - Output: the message's bytes in order, as many as fit into each buffer; then none.
/// - Invariant: at most one content is open; it is closed when it ends, when anything fails, and with the reader.
/// - Cost: one copy of each byte into the caller's buffer. A content is searched for the boundary, in the buffer, only
///   if the caller chose the boundary.
///
/// Every encoding pulls from a reader. Make one with ``MultipartFormData/makeReader(progress:)``.
public struct FormDataReader: ~Copyable, @unchecked Sendable {
    // SAFETY: everything stored is Sendable except the open content. That is made here from a Sendable description and
    // never leaves, and a reader has one owner at a time since it cannot be copied.
    let plan: EncodingPlan
    private let fileSystem: FileSystem
    private var tally: ProgressTally?
    /// Set when the result is no longer needed.
    private let abandonment: Abandonment?
    private var failure: MultipartError?

    /// The index of the text, or of the content after it.
    private(set) var index = 0
    private(set) var textOffset = 0
    private(set) var isInContent = false
    /// Where the next bytes come from.
    private(set) var source = ByteSource.memory
    /// The open content.
    var content: ContentReader?
    var scanner: CollisionScanner?

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
        self.scanner = plan.boundary.isUnpredictable ? nil : CollisionScanner(boundary: plan.boundary)
        self.tally = progress.map { ProgressTally($0, total: plan.length) }
    }

    /// The length of the message in bytes; nil if that of a content is unknown.
    public var length: UInt64? { plan.length }

    /// Whether the whole message has been read.
    var isAtEnd: Bool { index == plan.textEnds.count }

    /// The asynchronous content whose bytes the owner must supply before reading continues.
    var awaitedContent: AsynchronousContent? {
        guard isInContent, case .asynchronous(let content) = plan.parts[index].content else { return nil }
        return content
    }

    /// The next bytes of the message; nil at its end.
    ///
    /// - Parameter maxLength: How many bytes at most; at least 1.
    /// - Returns: Exactly so many, except for the message's last bytes.
    /// - Throws: ``MultipartError`` with its part. A reader that failed stays failed.
    public mutating func next(maxLength: Int) throws(MultipartError) -> Data? {
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

    /// Fills a chunk with the next bytes, as long as they come from a source no slower than `slowest`.
    mutating func fill(_ chunk: inout ChunkMemory, from slowest: ByteSource) throws(MultipartError) {
        while !chunk.isFull, !isAtEnd, source <= slowest {
            do throws(MultipartError) {
                _ = unsafe try chunk.append { room throws(MultipartError) in
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
    /// - Returns: The buffer's length; less for the message's last bytes, and 0 after them.
    /// - Throws: ``MultipartError`` with its part. A reader that failed stays failed.
    public mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(MultipartError) -> Int {
        precondition(buffer.count > 0, "a buffer has room for a byte")
        // SAFETY: passed on whole.
        return unsafe try read(into: buffer, from: .stream)
    }

    private mutating func read(
        into buffer: UnsafeMutableRawBufferPointer,
        from slowest: ByteSource
    ) throws(MultipartError) -> Int {
        try checkState()
        var filled = 0
        while filled < buffer.count, !isAtEnd, source <= slowest {
            // SAFETY: what is left of the buffer, within its bounds.
            let room = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let count = isInContent ? unsafe try readContent(into: room) : unsafe readText(into: room)
            try advance(by: count)
            filled += count
        }
        return filled
    }

    /// Appends what is left of a content in memory, unless it has to be scanned or reported piece by piece; false if it
    /// has, or is elsewhere.
    mutating func appendContent(to data: inout Data) throws(MultipartError) -> Bool {
        guard isInContent, scanner == nil, tally == nil, case .data(let bytes) = plan.parts[index].content else {
            return false
        }
        let rest = bytes.dropFirst(Int(content?.delivered ?? 0))
        data.append(rest)
        endContent()
        try advance(by: rest.count)
        return true
    }

    /// Throws the error of a reader that failed, or whose progress has been cancelled.
    mutating func checkState() throws(MultipartError) {
        if let failure { throw failure }
        guard tally?.isCancelled == true || abandonment?.isSet == true else { return }
        throw failForGood(MultipartError(.cancelled))
    }

    /// Counts bytes that have been delivered.
    mutating func advance(by count: Int) throws(MultipartError) {
        offset += UInt64(count)
        let isAtEnd = isAtEnd
        let isReported = tally?.report(offset, always: isAtEnd) == true
        if isReported || abandonment?.isSet == true { try checkState() }
    }

    /// Reports to the progress, if there is one, where the reader is.
    mutating func reportProgress() {
        _ = tally?.report(offset, always: true)
    }

    /// Closes the content and makes the reader fail for good, with an error of the part being read.
    mutating func fail(_ error: MultipartError) -> MultipartError {
        failForGood(error.located(at: plan.firstIndex + index, name: plan.parts[index].name))
    }

    /// Closes the content and makes the reader fail for good.
    mutating func failForGood(_ error: MultipartError) -> MultipartError {
        content = nil
        failure = error
        return error
    }

    /// Moves back to the start of the message.
    mutating func rewind() {
        content = nil
        index = 0
        textOffset = 0
        isInContent = false
        source = .memory
        offset = 0
    }

    /// Copies from the text before a content.
    private mutating func readText(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(buffer.count, plan.textEnds[index] - textOffset)
        unsafe plan.text.withUnsafeBytes { text in
            // SAFETY: the range lies within the text, and count is at most the buffer's.
            unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: text[textOffset..<textOffset + count]))
        }
        skipText(count)
        return count
    }

    /// Passes over some bytes of the text.
    mutating func skipText(_ count: Int) {
        textOffset += count
        if textOffset == plan.textEnds[index] { endText() }
    }

    /// The content after the text begins; after the last text, the message ends.
    private mutating func endText() {
        textOffset = plan.textEnds[index]
        scanner?.begin()
        isInContent = index < plan.parts.count
        guard isInContent else {
            index += 1
            return
        }
        source = plan.parts[index].content.source
    }

    /// The text after the content begins.
    mutating func endContent() {
        content = nil
        isInContent = false
        source = .memory
        index += 1
    }

    /// Ends the content if it has given no bytes, or all it has.
    private mutating func endContent(after count: Int) {
        if count == 0 || content?.isComplete == true { endContent() }
    }

    /// Copies from a content; 0 when it has ended, and the next text begins.
    mutating func readContent(into buffer: UnsafeMutableRawBufferPointer) throws(MultipartError) -> Int {
        // Most need no more than a copy.
        if content == nil, scanner == nil, let data = plan.parts[index].content.shortBytes(upTo: buffer.count) {
            // SAFETY: the buffer has room for so many bytes.
            unsafe data.span.withUnsafeBytes { unsafe buffer.copyMemory(from: $0) }
            endContent()
            return data.count
        }
        try openContent()
        do throws(MultipartError) {
            // SAFETY: the caller's buffer, passed on whole.
            let count = unsafe try Self.read(&content, &scanner, into: buffer)
            endContent(after: count)
            return count
        } catch {
            throw fail(error)
        }
    }

    /// Copies from a content while its bytes are scanned.
    private static func read(
        _ content: inout ContentReader?,
        _ scanner: inout CollisionScanner?,
        into buffer: UnsafeMutableRawBufferPointer
    ) throws(MultipartError) -> Int {
        // SAFETY: no more bytes are lent than the buffer has room for.
        let count = unsafe try content?.next(through: buffer) { bytes, isInBuffer throws(MultipartError) in
            let collides: Bool
            if isInBuffer {
                collides = unsafe scanner?.scan(bytes) == true
            } else if let result = unsafe scanner?.scan(bytes, copyingTo: buffer) {
                collides = result
            } else {
                unsafe bytes.withUnsafeBytes { unsafe buffer.copyMemory(from: $0) }
                collides = false
            }
            if collides { throw MultipartError(.boundaryCollision) }
        }
        return count ?? 0
    }

    /// Opens the part's content, unless it is open.
    mutating func openContent() throws(MultipartError) {
        guard content == nil else { return }
        do throws(MultipartError) {
            content = try ContentReader(plan.parts[index].content, fileSystem: fileSystem, abandonment: abandonment)
        } catch {
            throw fail(error)
        }
    }
}
