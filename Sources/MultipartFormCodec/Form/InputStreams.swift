#if FullFoundation
    public import Foundation

    // Creates parts from Foundation's input streams.
    extension BodyPart {
        /// Creates a part from a stream that can be read only once. Encoding reads the stream.
        ///
        /// - Parameters:
        ///   - stream: The stream. The library opens it if necessary, and closes it. The parameter is `sending`,
        ///     because another thread may read the stream.
        ///   - length: The number of bytes that the stream yields. Encoding throws if the stream yields fewer or more
        ///     bytes.
        ///   - name: The name of the form's field.
        ///   - filename: The file name; nil for a part that is not a file.
        ///   - contentType: The media type. If it is nil, a file gets the type of its file name's extension, or
        ///     else application/octet-stream. A part that is not a file is sent without a type.
        ///   - additionalHeaders: Further header fields.
        public init(
            _ stream: sending InputStream,
            length: UInt64,
            name: String,
            filename: String? = nil,
            contentType: String? = nil,
            additionalHeaders: HeaderFields = [:]
        ) {
            // SAFETY: the parameter `stream` is `sending`, so only the closure refers to the stream.
            nonisolated(unsafe) let stream = stream
            let opener = StreamOpener(once: { unsafe try OpenedInputStream(stream) })
            self.init(
                content: .stream(opener, length: length),
                name: name,
                filename: filename,
                contentType: contentType,
                additionalHeaders: additionalHeaders
            )
        }

        /// Creates a part from a stream that can be opened again, so that the form can be sent again.
        ///
        /// - Parameters:
        ///   - length: The number of bytes that each stream yields. Encoding throws if a stream yields fewer or more
        ///     bytes. If the length is nil, the content ends when a read returns 0, and
        ///     ``MultipartFormData/encodedLength`` is nil.
        ///   - name: The name of the form's field.
        ///   - filename: The file name; nil for a part that is not a file.
        ///   - contentType: The media type. If it is nil, a file gets the type of its file name's extension, or
        ///     else application/octet-stream. A part that is not a file is sent without a type.
        ///   - additionalHeaders: Further header fields.
        ///   - opening: Returns a new stream at the start of the content, each time the part is read.
        public init(
            length: UInt64?,
            name: String,
            filename: String? = nil,
            contentType: String? = nil,
            additionalHeaders: HeaderFields = [:],
            opening: @escaping @Sendable () throws -> InputStream
        ) {
            let opener = StreamOpener(replayable: {
                try OpenedInputStream(try MultipartError.wrap(.bodyPartInputStreamCreationFailed, try opening()))
            })
            self.init(
                content: .stream(opener, length: length),
                name: name,
                filename: filename,
                contentType: contentType,
                additionalHeaders: additionalHeaders
            )
        }
    }

    extension MultipartFormData {
        /// Appends a stream that can be read only once. Encoding reads the stream; a second encoding throws
        /// ``MultipartError/Code/bodyPartStreamConsumed``.
        ///
        /// After `length` bytes, encoding reads once more to confirm the end of the stream. This read blocks if the
        /// stream stays open.
        ///
        /// - Parameters:
        ///   - stream: The stream. The library opens it if necessary, and closes it. The parameter is `sending`,
        ///     because another thread may read the stream.
        ///   - length: The number of bytes that the stream yields. Encoding throws if the stream yields fewer or more
        ///     bytes.
        ///   - name: The name of the form's field.
        ///   - fileName: The file name; nil for a part that is not a file.
        ///   - mimeType: The media type. If it is nil, a file gets the type of its file name's extension, or else
        ///     application/octet-stream. A part that is not a file is sent without a type.
        public mutating func append(
            _ stream: sending InputStream,
            withLength length: UInt64,
            name: String,
            fileName: String? = nil,
            mimeType: String? = nil
        ) {
            append(BodyPart(stream, length: length, name: name, filename: fileName, contentType: mimeType))
        }

        /// Appends a stream with your own header fields, for instance to send a field other than Content-Disposition
        /// and Content-Type.
        ///
        /// - Parameters:
        ///   - stream: The stream. The library opens it if necessary, and closes it. The parameter is `sending`,
        ///     because another thread may read the stream.
        ///   - length: The number of bytes that the stream yields. Encoding throws if the stream yields fewer or more
        ///     bytes.
        ///   - headers: All header fields of the part, including a Content-Disposition; see
        ///     ``BodyPart/init(_:headers:)``.
        public mutating func append(_ stream: sending InputStream, withLength length: UInt64, headers: HeaderFields) {
            append(BodyPart(BodyPart(stream, length: length, name: ""), headers: headers))
        }

        /// Does not compile, because the label `withLength:` is missing. The length is required, because a stream does
        /// not state its length.
        @available(*, unavailable, message: "give its length: append(_:withLength:name:fileName:mimeType:)")
        public mutating func append(
            _ stream: InputStream,
            withName name: String,
            fileName: String? = nil,
            mimeType: String? = nil
        ) {}
    }

    /// Adapts Foundation's `InputStream` to ``ByteStream``.
    final class OpenedInputStream: ByteStream {
        private let stream: InputStream

        /// Opens the stream if it has not been opened yet.
        init(_ stream: InputStream) throws(MultipartError) {
            self.stream = stream
            if stream.streamStatus == .notOpen { stream.open() }
            // If the initializer throws here, the deinitializer closes the stream.
            guard stream.streamStatus != .error else { throw failure(.bodyPartInputStreamCreationFailed) }
        }

        deinit {
            stream.close()
        }

        func read(into buffer: UnsafeMutableRawBufferPointer) throws(MultipartError) -> Int {
            guard let base = buffer.baseAddress else { return 0 }
            // SAFETY: the stream writes at most `buffer.count` bytes to the buffer. The buffer is raw memory, which may
            // hold any type.
            let count = unsafe stream.read(base.assumingMemoryBound(to: UInt8.self), maxLength: buffer.count)
            guard count >= 0 else { throw failure(.inputStreamReadFailed) }
            return count
        }

        private func failure(_ code: MultipartError.Code) -> MultipartError {
            #if canImport(Darwin)
                MultipartError(code, underlyingError: stream.streamError)
            #else
                // Omits `streamError`. On systems other than Apple's, this property traps if the stream has no error.
                MultipartError(code)
            #endif
        }
    }
#endif
