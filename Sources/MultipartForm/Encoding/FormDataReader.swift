public import Foundation

/// Yields a form's encoded bytes, buffer by buffer. Every way out pulls from it.
///
/// - Input: a plan.
/// - Output: the message's bytes in order, as many as fit into each buffer; then nothing.
/// - Invariant: at most one content is open; it is closed when it ends, when anything fails, and with the reader.
/// - Cost: one copy of each byte into the caller's buffer. A content is scanned for the boundary, in the buffer, only
///   if the caller chose the boundary.
///
/// Make one with ``MultipartFormData/makeReader()``.
public struct FormDataReader: ~Copyable, @unchecked Sendable {
    // SAFETY: everything stored is Sendable but the open content. That one is made here from a Sendable description
    // and never handed out, and a reader has one owner at a time since it cannot be copied.
    private let plan: EncodingPlan
    private let fileSystem: FileSystem
    private var scanner: CollisionScanner?

    /// The index of the text, or of the content behind it.
    private var index = 0
    private var textOffset = 0
    private var isInContent = false
    /// How much of a content in memory has been read.
    private var dataOffset = 0
    /// The open content, when it is not in memory.
    private var content: ContentReader?
    private var failure: MultipartEncodingError?

    init(_ plan: EncodingPlan, fileSystem: FileSystem = .system) {
        self.plan = plan
        self.fileSystem = fileSystem
        self.scanner = plan.form.boundary.isUnpredictable ? nil : CollisionScanner(boundary: plan.form.boundary)
    }

    /// The length of the message in bytes; nil if that of a content is unknown.
    public var length: UInt64? { plan.length }

    /// The next bytes of the message; nil at its end.
    ///
    /// - Parameter maxLength: How many bytes at most; at least 1.
    /// - Returns: Exactly so many, but for the message's last bytes.
    /// - Throws: ``MultipartEncodingError`` with its part. A reader that failed stays failed.
    public mutating func next(maxLength: Int) throws(MultipartEncodingError) -> Data? {
        precondition(maxLength > 0, "a length is at least 1")
        var data = Data()
        // SAFETY: the buffer is freed on every exit; only the bytes that were read are copied.
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: min(maxLength, 256 * 1024), alignment: 16)
        defer { unsafe buffer.deallocate() }
        // Memory grows with what has come, not with what was asked for.
        while data.count < maxLength {
            let room = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(maxLength - data.count))
            let count = unsafe try read(into: room)
            guard count > 0 else { break }
            unsafe data.append(contentsOf: room[..<count])
        }
        return data.isEmpty ? nil : data
    }

    /// Fills a buffer, which is not empty.
    ///
    /// - Parameter buffer: Where to put the bytes.
    /// - Returns: The buffer's length; less for the message's last bytes, and 0 behind them.
    /// - Throws: ``MultipartEncodingError`` with its part. A reader that failed stays failed.
    public mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(MultipartEncodingError) -> Int {
        precondition(buffer.count > 0, "a buffer has room for a byte")
        var filled = 0
        while filled < buffer.count, index < plan.textEnds.count {
            // SAFETY: what is left of the caller's buffer, within its bounds.
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
        through scratch: UnsafeMutableRawBufferPointer
    ) throws(MultipartEncodingError) -> Bool {
        if let failure { throw failure }
        guard index < plan.textEnds.count else { return false }
        if !isInContent {
            let end = plan.textEnds[index]
            data.append(contentsOf: plan.text[textOffset..<end])
            finishText()
        } else if case .data(let content) = plan.form.parts[index].content {
            let rest = content.dropFirst(dataOffset)
            if scanner == nil {
                data.append(rest)
            } else {
                try appendScanned(rest.span, to: &data)
            }
            finishContent()
        } else {
            let count = unsafe try readPiece(into: scratch)
            unsafe data.append(contentsOf: scratch[..<count])
        }
        return true
    }

    /// Appends a content while it is scanned.
    private mutating func appendScanned(
        _ content: Span<UInt8>,
        to data: inout Data
    ) throws(MultipartEncodingError) {
        // `Data` grows by writing zeros. So few at a time are still in the core's nearest cache when the bytes come.
        let step = 4 * 1024
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
        if let failure { throw failure }
        guard isInContent else { return unsafe readText(into: buffer) }
        do {
            return unsafe try readContent(into: buffer)
        } catch {
            throw fail(error)
        }
    }

    /// Closes the content and makes the reader fail for good.
    private mutating func fail(_ error: MultipartEncodingError) -> MultipartEncodingError {
        content = nil
        let located = error.located(at: index, name: plan.form[index].name)
        failure = located
        return located
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
    private mutating func finishText() {
        textOffset = plan.textEnds[index]
        isInContent = index < plan.form.parts.count
        if !isInContent { index += 1 }
        dataOffset = 0
        scanner?.begin()
    }

    /// The text behind the content begins.
    private mutating func finishContent() {
        content = nil
        isInContent = false
        index += 1
    }

    /// Copies from a content; 0 when it has ended, and the next text begins.
    private mutating func readContent(
        into buffer: UnsafeMutableRawBufferPointer
    ) throws(MultipartEncodingError) -> Int {
        let count: Int
        let collides: Bool
        let isFinished: Bool
        if case .data(let data) = plan.form.parts[index].content {
            count = min(buffer.count, data.count - dataOffset)
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
    private mutating func openContent() throws(MultipartEncodingError) -> ContentReader {
        if let content { return content }
        let opened = try ContentReader(plan.form.parts[index].content, fileSystem: fileSystem)
        content = opened
        return opened
    }
}
