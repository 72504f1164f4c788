#if FullFoundation
    public import Foundation

    extension BodyPart {
        /// Creates a part from a stream that is read only once, while encoding, such as one that cannot be opened again.
        ///
        /// - Parameters:
        ///   - stream: The stream; it is opened if necessary, and closed.
        ///   - length: How many bytes it yields; encoding fails if there are fewer or more.
        ///   - name: The name of the form's field.
        ///   - filename: The file name; nil for a part that is not a file.
        ///   - contentType: The media type; nil for none, but a file without one gets application/octet-stream.
        ///   - additionalHeaders: Further header fields.
        public init(
            _ stream: sending InputStream,
            length: UInt64,
            name: String,
            filename: String? = nil,
            contentType: String? = nil,
            additionalHeaders: HeaderFields = [:]
        ) {
            // SAFETY: the stream was sent here, so that only the closure refers to it.
            nonisolated(unsafe) let stream = stream
            let box = StreamBox { unsafe try OpenedInputStream(stream) }
            self.init(.stream(box, length: length), name, filename, contentType, additionalHeaders)
        }

        /// Creates a part from a stream that is reopened each time the part is read, so that a form can be sent again.
        ///
        /// - Parameters:
        ///   - length: How many bytes each stream yields; encoding fails if there are fewer or more. Nil if it is unknown: the
        ///     content then ends when a read returns 0, and ``MultipartFormData/encodedLength`` is nil, too.
        ///   - name: The name of the form's field.
        ///   - filename: The file name; nil for a part that is not a file.
        ///   - contentType: The media type; nil for none, but a file without one gets application/octet-stream.
        ///   - additionalHeaders: Further header fields.
        ///   - opening: Returns a new stream at the content's start.
        public init(
            length: UInt64?,
            name: String,
            filename: String? = nil,
            contentType: String? = nil,
            additionalHeaders: HeaderFields = [:],
            opening: @escaping @Sendable () throws -> InputStream
        ) {
            let content = BodyContent.replayable(length: length) {
                try OpenedInputStream(try MultipartError.wrap(.bodyPartInputStreamCreationFailed, try opening()))
            }
            self.init(content, name, filename, contentType, additionalHeaders)
        }
    }
#endif
