#if FullFoundation
    public import Foundation

    // Content from Foundation's input streams.
    extension BodyPart {
        /// Creates a part from a stream that is read only once, while encoding, such as one that cannot be opened
        /// again.
        ///
        /// - Parameters:
        ///   - stream: The stream; it is opened if necessary, and closed. It is sent, since another thread may read it.
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
            // SAFETY: the stream was sent here, so only the closure refers to it.
            nonisolated(unsafe) let stream = stream
            let source = StreamSource(once: { unsafe try OpenedInputStream(stream) })
            self.init(
                content: .stream(source, length: length),
                name: name,
                filename: filename,
                contentType: contentType,
                additionalHeaders: additionalHeaders
            )
        }

        /// Creates a part from a stream that is reopened each time the part is read, so that a form can be sent again.
        ///
        /// - Parameters:
        ///   - length: How many bytes each stream yields; encoding fails if there are fewer or more. Nil if it is
        ///     unknown: the content then ends when a read returns 0, and ``MultipartFormData/encodedLength`` is also
        ///     nil.
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
            let source = StreamSource(replayable: {
                try OpenedInputStream(try MultipartError.wrap(.bodyPartInputStreamCreationFailed, try opening()))
            })
            self.init(
                content: .stream(source, length: length),
                name: name,
                filename: filename,
                contentType: contentType,
                additionalHeaders: additionalHeaders
            )
        }
    }

    extension MultipartFormData {
        /// Appends a stream that is read only once, while encoding; a second encoding throws
        /// ``MultipartError/Code/bodyPartStreamConsumed``.
        ///
        /// After the declared bytes one more read confirms the end; it blocks on a stream that stays open.
        ///
        /// - Parameters:
        ///   - stream: The stream; it is opened if necessary, and closed. It is sent, since another thread may read it.
        ///   - length: How many bytes it yields; encoding fails if there are fewer or more.
        ///   - name: The name of the form's field.
        ///   - fileName: The file name; nil for a part that is not a file.
        ///   - mimeType: The media type; nil for none, but a file without one gets application/octet-stream.
        public mutating func append(
            _ stream: sending InputStream,
            withLength length: UInt64,
            name: String,
            fileName: String? = nil,
            mimeType: String? = nil
        ) {
            append(BodyPart(stream, length: length, name: name, filename: fileName, contentType: mimeType))
        }

        /// Appends a stream with your own headers, for fields that no other method writes. They include a
        /// Content-Disposition.
        ///
        /// - Parameters:
        ///   - stream: The stream; it is opened if necessary, and closed. It is sent, since another thread may read it.
        ///   - length: How many bytes it yields; encoding fails if there are fewer or more.
        ///   - headers: The part's header fields; see ``BodyPart/init(_:headers:)``.
        public mutating func append(_ stream: sending InputStream, withLength length: UInt64, headers: HeaderFields) {
            append(BodyPart(BodyPart(stream, length: length, name: ""), headers: headers))
        }

        /// A stream does not say how long it is.
        @available(*, unavailable, message: "give its length: append(_:withLength:name:fileName:mimeType:)")
        public mutating func append(
            _ stream: InputStream,
            withName name: String,
            fileName: String? = nil,
            mimeType: String? = nil
        ) {}
    }

    /// Foundation's stream as a stream of bytes.
    final class OpenedInputStream: ByteStream {
        private let stream: InputStream

        /// Opens the stream unless it is open.
        init(_ stream: InputStream) throws(MultipartError) {
            self.stream = stream
            if stream.streamStatus == .notOpen { stream.open() }
            // The deinitializer closes the stream.
            guard stream.streamStatus != .error else { throw failure(.bodyPartInputStreamCreationFailed) }
        }

        deinit {
            stream.close()
        }

        func read(into buffer: UnsafeMutableRawBufferPointer) throws(MultipartError) -> Int {
            guard let base = buffer.baseAddress else { return 0 }
            // SAFETY: the stream writes at most `count` bytes to the buffer, whose raw memory may hold any type.
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
