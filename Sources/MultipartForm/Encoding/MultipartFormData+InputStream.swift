public import Foundation

extension MultipartFormData {
    /// The encoded form as an input stream, read as it is sent, for `URLRequest.httpBodyStream`.
    ///
    /// A stream is read once: make another for each `urlSession(_:task:needNewBodyStream:)`, and for
    /// `urlSession(_:task:needNewBodyStreamFrom:)` one that begins at the offset.
    ///
    /// A `URLRequest` with a Content-Length of ``encodedLength`` is sent with that length on Apple's platforms.
    /// Elsewhere URLSession sends every stream with the chunked transfer coding, and passes on a Content-Length that is
    /// set beside it, which servers may refuse (RFC 9112 §6.1): omit it there.
    ///
    /// An error of the encoding is the stream's error, also after the stream is closed: reading then returns -1. The
    /// stream is read by polling or blocking; it sends no events to a run loop.
    ///
    /// Any thread may use the stream at any time, and so may a content that is being read by it. One thread reads at a
    /// time: meanwhile another read returns -1.
    ///
    /// Close the stream to end a read, for instance after a timeout. Closing waits for nothing. A read that is paced
    /// ends at once, and one that a content blocks as soon as the content returns. It returns -1, never 0, so that a
    /// message that was cut off is not mistaken for a whole one; there is no stream error.
    ///
    /// - Parameters:
    ///   - offset: Where in the message to begin, in bytes. The first read moves there, as
    ///     ``FormDataReader/seek(toOffset:)`` does.
    ///   - bytesPerSecond: The rate to hand bytes out at, at least 1, for slow links; a read waits as long as need be,
    ///     and returns at most what leaves in a quarter of a second. Nil for no limit.
    ///   - progress: As in ``encode(progress:)``. It counts what the client has read, which it may not have sent yet.
    /// - Returns: A stream that has not been opened.
    /// - Throws: ``MultipartError``: the form's ``firstError``, a header that cannot be written, or
    ///   ``MultipartError/Code/offsetBeyondEnd``.
    public func makeInputStream(
        from offset: UInt64 = 0,
        bytesPerSecond: Int? = nil,
        progress: Progress? = nil
    ) throws(MultipartError) -> sending InputStream {
        let plan = try EncodingPlan(self)
        if let length = plan.length, offset > length { throw MultipartError(.offsetBeyondEnd) }
        return EncodedInputStream(plan, from: offset, bytesPerSecond: bytesPerSecond, progress: progress)
    }
}
