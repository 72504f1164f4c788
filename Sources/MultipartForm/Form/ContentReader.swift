internal import Foundation

/// Reads one content from its start to its end, and checks that it has the length it declared.
///
/// - Input: a content; buffers to fill, or, of an asynchronous content, how many bytes have come.
/// - Output: its bytes; or an error if they are fewer or more than declared, or cannot be read, or if the file that holds
///   them is another one than it was: checked when it is opened, after a seek, and before the last bytes are handed out.
/// - Invariant: never hands out more bytes than declared.
/// - Cost: bytes in memory are lent where they are; others cost one copy to the buffer. What was opened is closed with the
///   reader.
package struct ContentReader: ~Copyable {
    private enum Source {
        case memory(Data)
        /// An open file, and what it must be as long as it is read.
        case file(InputFile, SourceFile)
        case stream(InputStream)
        /// The owner brings the bytes.
        case asynchronous
    }

    private let source: Source
    private let abandonment: Abandonment?
    /// Where the content begins in its file.
    private let base: UInt64
    private let declared: UInt64?
    /// Whether there may be more than was declared, which is then an error.
    private let checksEnd: Bool
    /// How many bytes have been handed out or skipped.
    package private(set) var delivered: UInt64 = 0

    /// How much of a content in memory is lent at a time. Some C libraries copy no faster than in such blocks, and a
    /// progress moves with each.
    private static let blockSize = 512 * 1024

    /// Opens a content.
    ///
    /// - Throws: ``MultipartError`` without its part.
    package init(
        _ content: BodyContent,
        fileSystem: FileSystem = .system,
        abandonment: Abandonment? = nil
    ) throws(MultipartError) {
        self.abandonment = abandonment
        declared = content.length
        switch content {
        case .data(let data):
            source = .memory(data)
            (base, checksEnd) = (0, false)
        case .file(let file, _):
            source = .file(try file.open(fileSystem), file)
            (base, checksEnd) = (0, true)
        case .temporaryFile(let file):
            source = try file.withLocation { location throws(MultipartError) in
                .file(try location.open(fileSystem), location)
            }
            (base, checksEnd) = (0, true)
        case .fileRange(let file, let range):
            let opened = try file.open(fileSystem)
            try file.seek(opened, toOffset: range.lowerBound)
            source = .file(opened, file)
            (base, checksEnd) = (range.lowerBound, false)
        case .stream(let box, _):
            guard let stream = box.take() else { throw MultipartError(.bodyPartStreamConsumed) }
            source = .stream(try Self.open(stream))
            (base, checksEnd) = (0, true)
        case .replayable(let length, let opening):
            let stream: InputStream
            do {
                stream = try opening()
            } catch {
                throw MultipartError(.bodyPartInputStreamCreationFailed, underlying: error)
            }
            source = .stream(try Self.open(stream))
            (base, checksEnd) = (0, length != nil)
        case .asynchronous:
            source = .asynchronous
            (base, checksEnd) = (0, false)
        }
    }

    /// Opens a stream that is not a part's content: one of any length.
    ///
    /// - Throws: ``MultipartError`` without a part.
    init(_ stream: InputStream) throws(MultipartError) {
        abandonment = nil
        source = .stream(try Self.open(stream))
        (base, declared, checksEnd) = (0, nil, false)
    }

    deinit {
        if case .stream(let stream) = source { stream.close() }
    }

    /// Whether all declared bytes have been handed out; false if the length is unknown.
    package var isComplete: Bool { delivered == declared }

    /// Lends the next bytes: those in memory where they are, others after they have been read into a buffer.
    ///
    /// - Parameters:
    ///   - buffer: Room for bytes that are not in memory, and the most to lend; not empty.
    ///   - body: Called with the bytes, unless there are none, and with whether they are in the buffer.
    /// - Returns: How many; 0 when the content has ended with the length it declared.
    /// - Throws: ``MultipartError`` without its part.
    @inline(__always)
    package mutating func next(
        through buffer: UnsafeMutableRawBufferPointer,
        _ body: (_ bytes: Span<UInt8>, _ isInBuffer: Bool) throws(MultipartError) -> Void
    ) throws(MultipartError) -> Int {
        if case .memory(let data) = source {
            let start = Int(delivered)
            let count = min(buffer.count, data.count - start, Self.blockSize)
            guard count > 0 else { return 0 }
            try body(data.span.extracting(start..<start + count), false)
            delivered += UInt64(count)
            return count
        }
        let count = unsafe try read(into: buffer)
        guard count > 0 else { return 0 }
        // SAFETY: the bytes just read, within the buffer.
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<count])
        try body(unsafe bytes.bindMemory(to: UInt8.self).span, true)
        return count
    }

    /// Copies all that is left to a sink, piece by piece.
    ///
    /// - Throws: ``MultipartError`` without its part, or what the sink throws.
    package mutating func forEachPiece(
        _ sink: (Span<UInt8>) throws(MultipartError) -> Void
    ) throws(MultipartError) {
        let scratch = ScratchBuffer(count: 256 * 1024)
        // SAFETY: the sink uses the bytes inside the call only.
        while unsafe try next(through: scratch.bytes, { bytes, _ throws(MultipartError) in try sink(bytes) }) > 0 {}
    }

    /// Counts bytes of an asynchronous content that have come.
    ///
    /// - Throws: ``MultipartError`` without its part if they are too many.
    package mutating func take(_ count: Int) throws(MultipartError) {
        delivered += UInt64(count)
        guard let declared, delivered > declared else { return }
        throw Self.mismatch(declared, declared + 1)
    }

    /// Ends an asynchronous content.
    ///
    /// - Throws: ``MultipartError`` without its part if bytes are missing.
    package func finish() throws(MultipartError) {
        guard let declared, delivered < declared else { return }
        throw Self.mismatch(declared, delivered)
    }

    /// Moves forward to an offset within the content: a seek in a file; bytes of a stream are read and dropped.
    ///
    /// - Parameters:
    ///   - offset: Where the next byte is to be read; less than the declared length.
    ///   - check: Called before each read of a stream; may throw to end the skipping.
    /// - Returns: Where it is; less than requested only if the length is unknown and the content has ended.
    /// - Throws: ``MultipartError`` without its part, also for a file that has changed.
    package mutating func skip(
        toOffset offset: UInt64,
        checking check: () throws(MultipartError) -> Void
    ) throws(MultipartError) -> UInt64 {
        switch source {
        case .memory:
            delivered = offset
        case .file(let file, let expected):
            try expected.check(file)
            try expected.seek(file, toOffset: base + offset)
            delivered = offset
        case .stream:
            let scratch = ScratchBuffer(count: 256 * 1024)
            while delivered < offset {
                try check()
                // SAFETY: a part of the buffer.
                let room = unsafe scratch.bytes.prefix(Int(clamping: offset - delivered))
                guard unsafe try read(into: UnsafeMutableRawBufferPointer(rebasing: room)) > 0 else { break }
            }
        case .asynchronous:
            throw MultipartError(.bodyPartIsAsynchronous)
        }
        return delivered
    }

    /// Reads some bytes of a file or a stream into a buffer, which is not empty; 0 at the end.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(MultipartError) -> Int {
        guard let declared else {
            let count = unsafe try readSource(into: buffer)
            delivered += UInt64(count)
            return count
        }
        let rest = declared - delivered
        guard rest > 0 else {
            if declared == 0 { try checkEnd(declared) }
            return 0
        }
        // SAFETY: a part of the caller's buffer.
        let room = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(Int(clamping: rest)))
        let count = unsafe try readSource(into: room)
        delivered += UInt64(count)
        guard count > 0 else { throw Self.mismatch(declared, delivered) }
        if delivered == declared { try checkEnd(declared) }
        return count
    }

    /// Fails when there is another byte after the declared length, or the file has changed while it was read.
    private func checkEnd(_ declared: UInt64) throws(MultipartError) {
        if checksEnd { try checkNothingFollows(declared) }
        if case .file(let file, let expected) = source { try expected.check(file) }
    }

    private func checkNothingFollows(_ declared: UInt64) throws(MultipartError) {
        var byte: UInt8 = 0
        // SAFETY: the pointer to the local byte is used inside the closure only.
        let count = unsafe try withUnsafeMutableBytes(of: &byte) { buffer throws(MultipartError) in
            unsafe try readSource(into: buffer)
        }
        guard count == 0 else { throw Self.mismatch(declared, declared + 1) }
    }

    private func readSource(into buffer: UnsafeMutableRawBufferPointer) throws(MultipartError) -> Int {
        switch source {
        case .file(let file, let expected):
            return unsafe try expected.read(file, into: buffer)
        case .stream(let stream):
            guard let base = buffer.baseAddress else { return 0 }
            // Another read might block again.
            if abandonment?.isSet == true { throw MultipartError(.cancelled) }
            // SAFETY: the raw buffer is bound to bytes for the call, with its own count.
            let count = unsafe stream.read(base.assumingMemoryBound(to: UInt8.self), maxLength: buffer.count)
            guard count >= 0, count <= buffer.count else { throw Self.failure(.inputStreamReadFailed, of: stream) }
            return count
        case .memory, .asynchronous:
            throw MultipartError(.bodyPartIsAsynchronous)
        }
    }

    private static func open(_ stream: InputStream) throws(MultipartError) -> InputStream {
        if stream.streamStatus == .notOpen { stream.open() }
        guard stream.streamStatus != .error else {
            let error = failure(.bodyPartInputStreamCreationFailed, of: stream)
            stream.close()
            throw error
        }
        return stream
    }

    private static func mismatch(_ expected: UInt64, _ actual: UInt64) -> MultipartError {
        MultipartError(.bodyPartLengthMismatch, expectedLength: expected, actualLength: actual)
    }

    private static func failure(_ code: MultipartError.Code, of stream: InputStream) -> MultipartError {
        #if canImport(Darwin)
            MultipartError(code, underlying: stream.streamError)
        #else
            // Asking a stream that has no error for it ends the process here.
            MultipartError(code)
        #endif
    }
}
