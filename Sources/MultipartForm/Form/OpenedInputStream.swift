#if FullFoundation
    internal import Foundation

    /// Foundation's stream as a stream of bytes.
    final class OpenedInputStream: ByteStream {
        private let stream: InputStream

        /// Opens the stream unless it is open.
        init(_ stream: InputStream) throws(MultipartError) {
            self.stream = stream
            if stream.streamStatus == .notOpen { stream.open() }
            // The deinitializer closes it.
            guard stream.streamStatus != .error else { throw failure(.bodyPartInputStreamCreationFailed) }
        }

        deinit {
            stream.close()
        }

        func read(into buffer: UnsafeMutableRawBufferPointer) throws(MultipartError) -> Int {
            guard let base = buffer.baseAddress else { return 0 }
            // SAFETY: the raw bytes are bound to bytes for the call, with their own count.
            let count = unsafe stream.read(base.assumingMemoryBound(to: UInt8.self), maxLength: buffer.count)
            guard count >= 0 else { throw failure(.inputStreamReadFailed) }
            return count
        }

        private func failure(_ code: MultipartError.Code) -> MultipartError {
            #if canImport(Darwin)
                MultipartError(code, underlyingError: stream.streamError)
            #else
                // Here `streamError` traps if the stream has no error.
                MultipartError(code)
            #endif
        }
    }
#endif
