#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Reads one content from start to end, and checks that it has its declared length.
///
/// - Input: a content; buffers to fill or, for an asynchronous content, how many bytes have arrived.
/// - Output: the content's bytes. Throws if there are fewer or more than declared, if they cannot be read, or if their
///   file has changed. A change is checked for when the file is opened, before a seek, and before the last bytes are
///   returned.
/// - Invariant: never returns more bytes than declared.
/// - Cost: bytes in memory are not copied; others are copied once, to the buffer. The source is closed with the reader.
struct ContentReader: ~Copyable {
    private enum Source {
        case memory(Data)
        /// An open file, and the ``SourceFile`` that it is compared with, to detect changes.
        case file(InputFile, SourceFile)
        case stream(any ByteStream)
        /// An asynchronous sequence: the reader's owner awaits the bytes, and passes their count to ``take(_:)``.
        case asynchronous
    }

    private let source: Source
    private let cancellation: Cancellation?
    /// The offset in the file at which the content begins.
    private var base: UInt64 = 0
    private let declared: UInt64?
    /// Whether bytes after the declared ones are an error; false for a range of a file.
    private var checksEnd = true
    /// How many bytes have been read or skipped.
    private(set) var delivered: UInt64 = 0

    /// The maximum number of bytes to return at a time from content in memory. Longer copies are rarely faster, and
    /// delay the reports of progress.
    private static let blockSize = 512 * 1024

    /// Opens a content. The errors of this and all other methods do not name the part.
    init(_ content: BodyContent, cancellation: Cancellation? = nil) throws(MultipartError) {
        self.cancellation = cancellation
        declared = content.length
        switch content {
        case .data, .inline:
            source = .memory(content.dataInMemory ?? Data())
        case .file(let file, let range):
            let opened = try file.open()
            if let range {
                try file.seek(opened, toOffset: range.lowerBound)
                base = range.lowerBound
                checksEnd = false
            }
            source = .file(opened, file)
        case .temporaryFile(let file):
            source = try file.withLocation { location throws(MultipartError) in
                .file(try location.open(), location)
            }
        case .stream(let stream, _):
            source = .stream(try stream.open())
        case .asynchronous:
            source = .asynchronous
        case .refused(let error, _):
            throw error
        }
    }

    /// Creates a reader of a stream of any length that is not a part's content.
    init(_ stream: any ByteStream) {
        cancellation = nil
        declared = nil
        source = .stream(stream)
    }

    /// Whether all declared bytes have been read; false if the length is unknown.
    var isComplete: Bool { delivered == declared }

    /// Calls `body` with the next bytes, at most as many as fit into `buffer`. Bytes in memory are passed in place;
    /// other bytes are read into `buffer` first.
    ///
    /// - Returns: The number of bytes; 0 at the end of the content, without a call of `body`.
    mutating func next(
        through buffer: UnsafeMutableRawBufferPointer,
        _ body: (_ bytes: Span<UInt8>, _ isInBuffer: Bool) throws(MultipartError) -> Void
    ) throws(MultipartError) -> Int {
        if case .memory(let data) = source {
            let start = Int(clamping: delivered)
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

    mutating func forEachPiece(_ sink: (Span<UInt8>) throws(MultipartError) -> Void) throws(MultipartError) {
        let scratch = ScratchBuffer(count: 256 * 1024)
        // SAFETY: the sink uses the bytes only during the call.
        while unsafe try next(through: scratch.bytes, { bytes, _ throws(MultipartError) in try sink(bytes) }) > 0 {}
    }

    /// Counts bytes of an asynchronous content that have arrived; throws if these are more than declared.
    mutating func take(_ count: Int) throws(MultipartError) {
        delivered += UInt64(count)
        guard let declared, delivered > declared else { return }
        throw Self.mismatch(expected: declared, actual: declared + 1)
    }

    /// Ends an asynchronous content; throws if bytes are missing.
    func finish() throws(MultipartError) {
        guard let declared, delivered < declared else { return }
        throw Self.mismatch(expected: declared, actual: delivered)
    }

    /// Moves forward to an offset less than the declared length. Seeks in a file, and throws if it has changed; reads
    /// and discards the bytes of a stream, and calls `check` before each read.
    ///
    /// - Returns: The new offset; less than requested only if the length is unknown and the content has ended.
    mutating func skip(
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
                // SAFETY: a prefix of the buffer.
                let room = unsafe scratch.bytes.prefix(Int(clamping: offset - delivered))
                guard unsafe try read(into: UnsafeMutableRawBufferPointer(rebasing: room)) > 0 else { break }
            }
        case .asynchronous:
            throw MultipartError(ErrorCode.bodyPartIsAsynchronous, "offset is within an asynchronous sequence")
        }
        return delivered
    }

    /// Reads some bytes of a file or a stream into a buffer that is not empty, and returns their count; 0 at the end.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(MultipartError) -> Int {
        let rest = declared.map { $0 - delivered } ?? .max
        guard rest > 0 else {
            if declared == 0 { try checkEnd(0) }
            return 0
        }
        // SAFETY: a prefix of the caller's buffer.
        let room = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(Int(clamping: rest)))
        let count = unsafe try readSource(into: room)
        delivered += UInt64(count)
        guard let declared else { return count }
        guard count > 0 else { throw Self.mismatch(expected: declared, actual: delivered) }
        if delivered == declared { try checkEnd(declared) }
        return count
    }

    /// Throws if there is a byte after the declared length, or the file has changed while it was read.
    private func checkEnd(_ declared: UInt64) throws(MultipartError) {
        if checksEnd {
            var byte: UInt8 = 0
            // SAFETY: the pointer to the local byte is used only inside the closure.
            let count = unsafe try withUnsafeMutableBytes(of: &byte) { buffer throws(MultipartError) in
                unsafe try readSource(into: buffer)
            }
            guard count == 0 else { throw Self.mismatch(expected: declared, actual: declared + 1) }
        }
        if case .file(let file, let expected) = source { try expected.check(file) }
    }

    private func readSource(into buffer: UnsafeMutableRawBufferPointer) throws(MultipartError) -> Int {
        switch source {
        case .file(let file, let expected):
            return unsafe try expected.read(file, into: buffer)
        case .stream(let stream):
            // The last read may have blocked, and so may the next one; so check for cancellation first.
            if cancellation?.isCancelled == true { throw MultipartError(.cancelled) }
            // SAFETY: the whole buffer is passed on.
            let count = unsafe try stream.read(into: buffer)
            guard 0...buffer.count ~= count else { throw MultipartError(.inputStreamReadFailed) }
            return count
        case .memory, .asynchronous:
            throw MultipartError(ErrorCode.bodyPartIsAsynchronous)
        }
    }

    private static func mismatch(expected: UInt64, actual: UInt64) -> MultipartError {
        MultipartError(.bodyPartLengthMismatch, expectedLength: expected, actualLength: actual)
    }
}
