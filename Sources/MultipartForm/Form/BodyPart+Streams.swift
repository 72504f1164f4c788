public import Foundation

extension BodyPart {
    /// Creates a part from a stream that is read once, while encoding.
    ///
    /// - Parameters:
    ///   - stream: The stream; it is opened if need be, and closed.
    ///   - length: How many bytes it yields; fewer or more is an error of the encoding.
    ///   - name: The name of the form's field.
    ///   - filename: The file name; nil for a part that is not a file.
    ///   - contentType: The media type.
    ///   - additionalHeaders: Further header fields.
    public init(
        _ stream: sending InputStream,
        length: UInt64,
        name: String,
        filename: String? = nil,
        contentType: String? = nil,
        additionalHeaders: HeaderFields = HeaderFields()
    ) {
        self.init(
            disposition: ContentDisposition(name: name, filename: filename),
            contentType: contentType,
            additionalHeaders: additionalHeaders,
            content: .stream(StreamBox(stream), length: length)
        )
    }

    /// Creates a part from a stream that can be opened anew each time the part is read.
    ///
    /// - Parameters:
    ///   - length: How many bytes each stream yields; nil if nobody knows.
    ///   - name: The name of the form's field.
    ///   - filename: The file name; nil for a part that is not a file.
    ///   - contentType: The media type.
    ///   - additionalHeaders: Further header fields.
    ///   - opening: Makes a new stream at the content's start.
    public init(
        length: UInt64?,
        name: String,
        filename: String? = nil,
        contentType: String? = nil,
        additionalHeaders: HeaderFields = HeaderFields(),
        opening: @escaping @Sendable () throws -> InputStream
    ) {
        self.init(
            disposition: ContentDisposition(name: name, filename: filename),
            contentType: contentType,
            additionalHeaders: additionalHeaders,
            content: .replayable(length: length, opening: opening)
        )
    }

    /// Creates a part from an asynchronous sequence of bytes, such as the body of a request that is passed on.
    ///
    /// ``MultipartFormData/chunks(ofSize:progress:)`` alone can encode it; every other way out, and ``data()``, throws
    /// ``MultipartEncodingError/Reason/bodyPartIsAsynchronous``. The sequence is iterated anew each time the form is
    /// encoded: one that can be iterated once lets the form be encoded once.
    ///
    /// - Parameters:
    ///   - content: The sequence. An error of its own becomes the underlying one of an
    ///     ``MultipartEncodingError/Reason/inputStreamReadFailed``; a `CancellationError` is passed on.
    ///   - length: How many bytes its elements have together; fewer or more is an error of the encoding. Nil if nobody
    ///     knows.
    ///   - name: The name of the form's field.
    ///   - filename: The file name; nil for a part that is not a file.
    ///   - contentType: The media type.
    ///   - additionalHeaders: Further header fields.
    public init<Content: AsyncSequence & Sendable>(
        _ content: Content,
        length: UInt64?,
        name: String,
        filename: String? = nil,
        contentType: String? = nil,
        additionalHeaders: HeaderFields = HeaderFields()
    ) where Content.Element: ContiguousBytes {
        self.init(
            disposition: ContentDisposition(name: name, filename: filename),
            contentType: contentType,
            additionalHeaders: additionalHeaders,
            content: .asynchronous(AsynchronousContent(content, length: length))
        )
    }
}
