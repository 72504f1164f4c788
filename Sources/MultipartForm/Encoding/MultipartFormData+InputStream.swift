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
    /// An error of the encoding is the stream's error: reading then returns -1. The stream's property
    /// `fileCurrentOffsetKey` is the offset in the message, and setting it seeks as
    /// ``FormDataReader/seek(toOffset:)`` does.
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
        EncodedInputStream(try makeReader(progress: progress), bytesPerSecond: bytesPerSecond)
    }
}
