#if FullFoundation
    public import Foundation

    extension MultipartFormData {
        /// The encoded form as an input stream, read as it is sent, for `URLRequest.httpBodyStream`.
        ///
        /// A stream is read once: make a new one for each `urlSession(_:task:needNewBodyStream:)`, and one that begins at
        /// the offset for `urlSession(_:task:needNewBodyStreamFrom:)`.
        ///
        /// On Apple's platforms, a `URLRequest` with a Content-Length of ``encodedLength`` is sent with that length.
        /// Elsewhere omit it: URLSession sends every stream with the chunked transfer coding, and servers may refuse a
        /// message that has both (RFC 9112 §6.1).
        ///
        /// If encoding fails, reading returns -1 and `streamError` is the error, even after the stream is closed. Read by
        /// polling or blocking; the stream sends no events to a run loop.
        ///
        /// Any thread may use the stream, and so may a content being read. While one thread reads, other reads return -1.
        ///
        /// Close the stream to end a read, for instance after a timeout. Closing does not block. A read that waits for the
        /// rate ends at once; a read that a content blocks ends when the content returns. Such a read returns -1, never 0,
        /// so that a message that was cut off is not mistaken for a complete one; `streamError` is then nil.
        ///
        /// - Parameters:
        ///   - offset: Where in the message to begin, in bytes. The first read moves there, as ``makeReader(from:)`` does.
        ///   - bytesPerSecond: The highest rate, at least 1, for slow links; nil for no limit. A read blocks to keep it,
        ///     and returns at most the bytes of a quarter of a second.
        ///   - progress: Receives how many bytes the client has read, sent or not.
        /// - Returns: A stream that has not been opened.
        /// - Throws: ``MultipartError``: the form's ``firstError``, a header that cannot be written, or
        ///   `offset-beyond-end`.
        public func makeInputStream(
            from offset: UInt64 = 0,
            bytesPerSecond: Int? = nil,
            progress: EncodingProgress? = nil
        ) throws -> sending InputStream {
            let plan = try EncodingPlan(self)
            if let length = plan.length, offset > length { throw EncodedFormReader.beyondEnd(offset, of: length) }
            return EncodedInputStream(plan, from: offset, bytesPerSecond: bytesPerSecond, progress: progress)
        }
    }
#endif
