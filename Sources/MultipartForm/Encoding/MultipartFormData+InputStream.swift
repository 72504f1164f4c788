public import Foundation

extension MultipartFormData {
    /// The encoded form as an input stream, read as it is sent, for `URLRequest.httpBodyStream`.
    ///
    /// A stream is read once: make another for each `urlSession(_:task:needNewBodyStream:)`. On Apple's platforms set the
    /// request's Content-Length to ``encodedLength`` where it is known; a session without one sends chunks. Elsewhere a
    /// session sends every stream in chunks, and a Content-Length beside them makes servers refuse the request.
    ///
    /// An error of the encoding is the stream's error: reading then returns -1. The stream's property
    /// `fileCurrentOffsetKey` is the offset in the message, and setting it seeks as
    /// ``FormDataReader/seek(toOffset:)`` does.
    ///
    /// - Parameters:
    ///   - bytesPerSecond: The rate to hand bytes out at, for slow links; reading waits as long as need be, and returns
    ///     what leaves in a quarter of a second at most. Nil for no limit.
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
