public import Foundation

extension MultipartFormData {
    /// The encoded form as an input stream, read as it is sent, for `URLRequest.httpBodyStream`.
    ///
    /// A stream is read once: make another for each `urlSession(_:task:needNewBodyStream:)`.
    ///
    /// A `URLRequest` with a Content-Length of ``encodedLength`` is sent with that length on Apple's platforms. Elsewhere
    /// URLSession sends every stream with the chunked transfer coding, and passes on a Content-Length that is set
    /// beside it, which servers may refuse (RFC 9112 §6.1): there leave it out.
    ///
    /// An error of the encoding is the stream's error, also after the stream is closed: reading then returns -1. The
    /// stream's property `fileCurrentOffsetKey` is the offset in the message, and setting it seeks as
    /// ``FormDataReader/seek(toOffset:)`` does.
    ///
    /// Any thread may use the stream at any time, and so may a content that is being read by it. One thread reads or
    /// seeks at a time: while it does, another read returns -1, and another seek is refused.
    ///
    /// Close the stream to end a read or a seek, for instance after a timeout. Closing waits for nothing. A read that is
    /// paced ends at once, and one that a content blocks in as soon as the content lets go. It returns -1, never 0,
    /// so that nobody takes a message that was cut off for a whole one; there is no stream error.
    ///
    /// - Parameters:
    ///   - bytesPerSecond: The rate to hand bytes out at, at least 1, for slow links; reading waits as long as need be, and
    ///     returns what leaves in a quarter of a second at most. Nil for no limit.
    ///   - progress: As in ``encode(progress:)``. It counts what the client has read, which it may not yet have sent.
    /// - Returns: A stream that has not been opened.
    /// - Throws: ``MultipartEncodingError``: the form's ``firstError``, or a header that cannot be written.
    public func makeInputStream(
        bytesPerSecond: Int? = nil,
        progress: Progress? = nil
    ) throws(MultipartEncodingError) -> InputStream {
        EncodedInputStream(try EncodingPlan(self), bytesPerSecond: bytesPerSecond, progress: progress)
    }
}
