#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Reads the content of one part from start to end, and checks that the content has the declared length.
///
/// - Input: a part's content, and buffers to fill. An asynchronous sequence is read by the reader's owner; the reader
///   only counts the bytes.
/// - Output: the content's bytes, or an error in these cases:
///   - There are fewer or more bytes than declared.
///   - The bytes cannot be read.
///   - The file has changed. The reader checks the file when it opens the file, before it seeks, and before it returns
///     the last bytes.
/// - Invariant: the reader never returns more bytes than declared.
/// - Cost: bytes of a `Data` are not copied. Bytes of a file or a stream are copied once, to the buffer. Releasing the
///   reader closes the file or the stream.
struct ContentReader: ~Copyable {
    private enum Opened {
        case memory(Data)
        /// An open file, and its ``CheckedFile``, which detects changes of the file.
        case file(InputFile, CheckedFile)
        case stream(any ByteStream)
        /// An asynchronous sequence. The reader's owner awaits the bytes, and passes their number to ``take(_:)``.
        case asynchronous
    }

    private let opened: Opened
    private let cancellation: Cancellation?
    /// The offset in the file at which the content begins.
    private var base: UInt64 = 0
    private let declared: UInt64?
    /// Whether bytes after the declared length are an error; false for a range of a file.
    private var checksEnd = true
    /// The position in the content: the number of bytes that have been delivered or skipped.
    private(set) var delivered: UInt64 = 0

    /// The maximum number of bytes that one call of `next` takes from content in memory. Larger pieces would delay
    /// reports of progress, and are rarely copied faster.
    private static let blockSize = 512 * 1024

    /// Opens the content of a part. If the content is `refused`, throws its error. Other errors of the reader do not
    /// name the part.
    init(_ content: BodyContent, cancellation: Cancellation? = nil) throws(MultipartError) {
        self.cancellation = cancellation
        declared = content.length
        switch content {
        case .data, .inline:
            opened = .memory(content.dataInMemory ?? Data())
        case .file(let file, let range):
            let input = try file.open()
            if let range {
                try file.seek(input, toOffset: range.lowerBound)
                base = range.lowerBound
                checksEnd = false
            }
            opened = .file(input, file)
        case .temporaryFile(let file):
            opened = try file.withLocation { location throws(MultipartError) in
                .file(try location.open(), location)
            }
        case .stream(let stream, _):
            opened = .stream(try stream.open())
        case .asynchronous:
            opened = .asynchronous
        case .refused(let error, _):
            throw error
        }
    }

    /// Creates a reader of a stream that is not a part's content. The stream may have any length.
    init(_ stream: any ByteStream) {
        cancellation = nil
        declared = nil
        opened = .stream(stream)
    }

    /// Whether all declared bytes have been read; false if the length is unknown.
    var isComplete: Bool { delivered == declared }

    /// Calls `body` with the next bytes, at most as many as fit into `buffer`.
    ///
    /// Content in memory is passed in place, and `isInBuffer` is false. Other bytes are first read into `buffer`, and
    /// `isInBuffer` is true.
    ///
    /// - Returns: The number of bytes. It is 0 at the end of the content; `body` is then not called.
    mutating func next(
        through buffer: UnsafeMutableRawBufferPointer,
        _ body: (_ bytes: Span<UInt8>, _ isInBuffer: Bool) throws(MultipartError) -> Void
    ) throws(MultipartError) -> Int {
        if case .memory(let data) = opened {
            let start = Int(clamping: delivered)
            let count = min(buffer.count, data.count - start, Self.blockSize)
            guard count > 0 else { return 0 }
            try body(data.span.extracting(start..<start + count), false)
            delivered += UInt64(count)
            return count
        }
        let count = unsafe try read(into: buffer)
        guard count > 0 else { return 0 }
        // SAFETY: the first `count` bytes of the buffer have just been read.
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<count])
        try body(unsafe bytes.bindMemory(to: UInt8.self).span, true)
        return count
    }

    mutating func forEachPiece(_ sink: (Span<UInt8>) throws(MultipartError) -> Void) throws(MultipartError) {
        let scratch = ScratchBuffer(count: 256 * 1024)
        // SAFETY: the sink uses the bytes only during the call.
        while unsafe try next(through: scratch.bytes, { bytes, _ throws(MultipartError) in try sink(bytes) }) > 0 {}
    }

    /// Counts bytes of an asynchronous sequence that have arrived; throws if more bytes than declared have arrived.
    mutating func take(_ count: Int) throws(MultipartError) {
        delivered += UInt64(count)
        guard let declared, delivered > declared else { return }
        throw Self.mismatch(expected: declared, actual: declared + 1)
    }

    /// Checks the length at the end of an asynchronous sequence: throws if fewer bytes than declared have arrived.
    func finish() throws(MultipartError) {
        guard let declared, delivered < declared else { return }
        throw Self.mismatch(expected: declared, actual: delivered)
    }

    /// Moves forward to `offset`. If a length is declared, `offset` must be less than the length.
    /// - In memory, sets the position.
    /// - In a file, seeks; throws if the file has changed.
    /// - In a stream, reads and discards bytes; calls `check` before each read.
    /// - In an asynchronous sequence, throws.
    ///
    /// - Returns: The new position: `offset`, or less if a stream of unknown length ends before `offset`.
    mutating func skip(
        toOffset offset: UInt64,
        checking check: () throws(MultipartError) -> Void
    ) throws(MultipartError) -> UInt64 {
        switch opened {
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
                // SAFETY: the prefix is within the buffer.
                let room = unsafe scratch.bytes.prefix(Int(clamping: offset - delivered))
                guard unsafe try read(into: UnsafeMutableRawBufferPointer(rebasing: room)) > 0 else { break }
            }
        case .asynchronous:
            throw MultipartError(ErrorCode.bodyPartIsAsynchronous, "offset is within an asynchronous sequence")
        }
        return delivered
    }

    /// Reads at least one byte of a file or a stream into `buffer`, which is not empty, and returns the number of
    /// bytes; returns 0 at the end of the content.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(MultipartError) -> Int {
        let rest = declared.map { $0 - delivered } ?? .max
        guard rest > 0 else {
            if declared == 0 { try checkEnd(0) }
            return 0
        }
        // SAFETY: the prefix is within the caller's buffer.
        let room = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(Int(clamping: rest)))
        let count = unsafe try readOpened(into: room)
        delivered += UInt64(count)
        guard let declared else { return count }
        guard count > 0 else { throw Self.mismatch(expected: declared, actual: delivered) }
        if delivered == declared { try checkEnd(declared) }
        return count
    }

    /// Throws if there is a byte after the declared length, or if the file has changed since it was opened.
    private func checkEnd(_ declared: UInt64) throws(MultipartError) {
        if checksEnd {
            var byte: UInt8 = 0
            // SAFETY: the pointer to the local byte is used only inside the closure.
            let count = unsafe try withUnsafeMutableBytes(of: &byte) { buffer throws(MultipartError) in
                unsafe try readOpened(into: buffer)
            }
            guard count == 0 else { throw Self.mismatch(expected: declared, actual: declared + 1) }
        }
        if case .file(let file, let expected) = opened { try expected.check(file) }
    }

    private func readOpened(into buffer: UnsafeMutableRawBufferPointer) throws(MultipartError) -> Int {
        switch opened {
        case .file(let file, let expected):
            return unsafe try expected.read(file, into: buffer)
        case .stream(let stream):
            // A read may block, so a cancelled operation must not begin another read.
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
