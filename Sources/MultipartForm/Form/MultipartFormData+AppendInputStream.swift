#if FullFoundation
    public import Foundation

    extension MultipartFormData {
        /// Appends a stream that is read only once, while encoding; a second encoding throws
        /// ``MultipartError/Code/bodyPartStreamConsumed``.
        ///
        /// After the declared bytes one more read confirms the end; it blocks on a stream that stays open.
        ///
        /// - Parameters:
        ///   - stream: The stream; it is opened if necessary, and closed.
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

        /// Appends a stream with your own headers, for fields that no other method writes; one is a Content-Disposition.
        ///
        /// - Parameters:
        ///   - stream: The stream; it is opened if necessary, and closed.
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
#endif
