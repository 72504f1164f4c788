internal import Foundation

/// Reads one content from its start to its end, and checks that it has the length it declared.
///
/// - Input: a content; buffers to fill.
/// - Output: its bytes; or an error if they are fewer or more than declared, or cannot be read, or if the file that holds
///   them is another one than it was: looked at when it is opened, after a seek, and before the last bytes are handed out.
/// - Invariant: never hands out more bytes than declared.
/// - Cost: one copy from memory, file or stream to the buffer. What was opened is closed with the reader.
package final class ContentReader {
    private enum Source {
        /// An open file, and what it must be as long as it is read.
        case file(InputFile, SourceFile)
        case stream(InputStream)
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

    /// Opens a content.
    ///
    /// - Throws: ``MultipartEncodingError`` without its part.
    package init(
        _ content: BodyContent,
        fileSystem: FileSystem = .system,
        abandonment: Abandonment? = nil
    ) throws(MultipartEncodingError) {
        self.abandonment = abandonment
        declared = content.length
        if case .fileRange(_, let range) = content { base = range.lowerBound } else { base = 0 }
        switch content {
        case .data(let data):
            source = .stream(try Self.open(InputStream(data: data)))
            checksEnd = false
        case .file(let file, _):
            source = .file(try file.open(fileSystem), file)
            checksEnd = true
        case .temporaryFile(let file):
            source = try file.withLocation { location throws(MultipartEncodingError) in
                .file(try location.open(fileSystem), location)
            }
            checksEnd = true
        case .fileRange(let file, let range):
            let opened = try file.open(fileSystem)
            do {
                try opened.seek(toOffset: range.lowerBound)
            } catch {
                throw MultipartEncodingError(.inputStreamReadFailed, underlying: error)
            }
            source = .file(opened, file)
            checksEnd = false
        case .stream(let box, _):
            guard let stream = box.take() else { throw MultipartEncodingError(.bodyPartStreamConsumed) }
            source = .stream(try Self.open(stream))
            checksEnd = true
        case .replayable(let length, let opening):
            let stream: InputStream
            do {
                stream = try opening()
            } catch {
                throw MultipartEncodingError(.bodyPartInputStreamCreationFailed(for: nil), underlying: error)
            }
            source = .stream(try Self.open(stream))
            checksEnd = length != nil
        case .asynchronous:
            throw MultipartEncodingError(.bodyPartIsAsynchronous)
        }
    }

    /// Opens a stream that is not a part's content: one of any length.
    ///
    /// - Throws: ``MultipartEncodingError`` without a part.
    init(_ stream: InputStream) throws(MultipartEncodingError) {
        abandonment = nil
        source = .stream(try Self.open(stream))
        base = 0
        declared = nil
        checksEnd = false
    }

    deinit {
        if case .stream(let stream) = source { stream.close() }
    }

    /// Reads some bytes into a buffer, which is not empty.
    ///
    /// - Parameter buffer: Where to put them.
    /// - Returns: How many; 0 when the content has ended with the length it declared.
    /// - Throws: ``MultipartEncodingError`` without its part.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(MultipartEncodingError) -> Int {
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
        let length = rest < UInt64(buffer.count) ? Int(rest) : buffer.count
        // SAFETY: a part of the caller's buffer, within its bounds.
        let room = unsafe UnsafeMutableRawBufferPointer(start: buffer.baseAddress, count: length)
        let count = unsafe try readSource(into: room)
        delivered += UInt64(count)
        guard count > 0 else {
            throw MultipartEncodingError(.bodyPartLengthMismatch(expected: declared, actual: delivered))
        }
        if delivered == declared { try checkEnd(declared) }
        return count
    }

    /// Moves forward to an offset within the content: a seek in a file; bytes of a stream are read and dropped.
    ///
    /// - Parameters:
    ///   - offset: Where the next byte is to be read; less than the declared length.
    ///   - check: Called before each read of a stream; may throw to end the skipping.
    /// - Returns: Where it is; less than asked for only if the length is unknown and the content has ended.
    /// - Throws: ``MultipartEncodingError`` without its part, also for a file that has changed.
    package func skip(
        toOffset offset: UInt64,
        checking check: () throws(MultipartEncodingError) -> Void
    ) throws(MultipartEncodingError) -> UInt64 {
        switch source {
        case .file(let file, let expected):
            try expected.check(file)
            do {
                try file.seek(toOffset: base + offset)
            } catch {
                throw MultipartEncodingError(.inputStreamReadFailed, underlying: error)
            }
            delivered = offset
            return offset
        case .stream:
            // SAFETY: the buffer is freed on every exit, and holds each part of it that is read into.
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 16)
            defer { unsafe buffer.deallocate() }
            while delivered < offset {
                try check()
                let room = unsafe buffer.prefix(Int(min(offset - delivered, UInt64(buffer.count))))
                guard unsafe try read(into: UnsafeMutableRawBufferPointer(rebasing: room)) > 0 else { break }
            }
            return delivered
        }
    }

    /// Fails when there is another byte after the declared length, or the file has changed while it was read.
    private func checkEnd(_ declared: UInt64) throws(MultipartEncodingError) {
        if checksEnd { try checkNothingFollows(declared) }
        if case .file(let file, let expected) = source { try expected.check(file) }
    }

    private func checkNothingFollows(_ declared: UInt64) throws(MultipartEncodingError) {
        var byte: UInt8 = 0
        // SAFETY: the pointer to the local byte is used inside the closure only.
        let count = unsafe try withUnsafeMutableBytes(of: &byte) { buffer throws(MultipartEncodingError) in
            unsafe try readSource(into: buffer)
        }
        guard count == 0 else {
            throw MultipartEncodingError(.bodyPartLengthMismatch(expected: declared, actual: declared + 1))
        }
    }

    private func readSource(into buffer: UnsafeMutableRawBufferPointer) throws(MultipartEncodingError) -> Int {
        switch source {
        case .file(let file, _):
            do {
                return unsafe try file.read(into: buffer)
            } catch {
                throw MultipartEncodingError(.inputStreamReadFailed, underlying: error)
            }
        case .stream(let stream):
            guard let base = buffer.baseAddress else { return 0 }
            // Asked again, the stream might block again.
            if abandonment?.isSet == true { throw MultipartEncodingError(.cancelled) }
            // SAFETY: the raw buffer is bound to bytes for the call, with its own count.
            let count = unsafe stream.read(base.assumingMemoryBound(to: UInt8.self), maxLength: buffer.count)
            guard count >= 0, count <= buffer.count else { throw Self.failure(.inputStreamReadFailed, of: stream) }
            return count
        }
    }

    private static func open(_ stream: InputStream) throws(MultipartEncodingError) -> InputStream {
        if stream.streamStatus == .notOpen { stream.open() }
        guard stream.streamStatus != .error else {
            let error = failure(.bodyPartInputStreamCreationFailed(for: nil), of: stream)
            stream.close()
            throw error
        }
        return stream
    }

    private static func failure(_ reason: MultipartEncodingError.Reason, of stream: InputStream)
        -> MultipartEncodingError
    {
        #if canImport(Darwin)
            MultipartEncodingError(reason, underlying: stream.streamError)
        #else
            // Asking a stream that has no error for it ends the process here.
            MultipartEncodingError(reason)
        #endif
    }
}
