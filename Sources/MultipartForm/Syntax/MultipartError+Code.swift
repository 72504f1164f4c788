// The code of each error, and constants for the codes that programs act on. `ErrorCode` has the others.
extension MultipartError {
    /// A stable name of what went wrong, such as `unexpected-end`. It is the same in all versions; later versions may
    /// add codes.
    public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// The text to store, log or send: lower case and hyphens.
        public let rawValue: String

        /// The code with a text, whether or not this version has it.
        ///
        /// - Parameter rawValue: The text, such as `unexpected-end`.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The code with a text, whether or not this version has it.
        ///
        /// - Parameter rawValue: The text, such as `unexpected-end`.
        public init(_ rawValue: String) {
            self.rawValue = rawValue
        }

        /// The text.
        public var description: String { rawValue }
    }
}

extension MultipartError.Code {
    // The Content-Type field.

    /// The media type is not `multipart/form-data`, or there is no Content-Type field.
    public static let unsupportedMediaType = Self("unsupported-media-type")
    /// The Content-Type field has no boundary parameter (RFC 7578 §4.1).
    public static let missingBoundary = Self("missing-boundary")
    /// The boundary is empty, too long, or has a forbidden character (RFC 2046 §5.1.1).
    public static let invalidBoundary = Self("invalid-boundary")

    // Framing.

    /// The message ended before the first delimiter.
    public static let boundaryNotFound = Self("boundary-not-found")
    /// The message ended before its close delimiter.
    public static let unexpectedEnd = Self("unexpected-end")

    // Header fields of a received part, and its content.

    /// A part's text is not valid in its character set, or the character set is unknown (RFC 7578 §4.5).
    public static let undecodableText = Self("undecodable-text")

    // Limits.

    /// The message has more parts than ``MultipartParser/Options/maxParts``.
    public static let limitParts = Self("limit-parts")
    /// A body exceeds ``MultipartParser/Options/maxPartBytes``, ``MultipartCollector/Options/maxFieldBytes``, the limit
    /// of a route, or the limit passed to a method of ``MultipartParts/Part``.
    public static let limitPartBytes = Self("limit-part-bytes")
    /// The message exceeds ``MultipartParser/Options/maxTotalBytes``.
    public static let limitTotalBytes = Self("limit-total-bytes")
    /// The parts in memory exceed ``MultipartCollector/Options/maxMemoryBytes``.
    public static let limitMemoryBytes = Self("limit-memory-bytes")
    /// The content on disk exceeds ``MultipartCollector/Options/maxDiskBytes``.
    public static let limitDiskBytes = Self("limit-disk-bytes")

    // Receiving parts.

    /// The caller's route rejected the part; the error's offset is where the part's body begins.
    public static let partRejected = Self("part-rejected")

    // Content to send.

    /// The URL does not name a file on this machine.
    public static let bodyPartURLInvalid = Self("body-part-url-invalid")
    /// The URL has no last component to use as the file name.
    public static let bodyPartFilenameInvalid = Self("body-part-filename-invalid")
    /// The file does not exist when it is appended. A file that is removed later causes
    /// ``bodyPartInputStreamCreationFailed``.
    public static let bodyPartFileNotReachable = Self("body-part-file-not-reachable")
    /// The file cannot be reached, for instance because of the permissions of a directory; see the underlying error.
    public static let bodyPartFileNotReachableWithError = Self("body-part-file-not-reachable-with-error")
    /// The file is a directory.
    public static let bodyPartFileIsDirectory = Self("body-part-file-is-directory")
    /// The system does not report the file's size.
    public static let bodyPartFileSizeNotAvailable = Self("body-part-file-size-not-available")
    /// The file's size cannot be read; see the underlying error.
    public static let bodyPartFileSizeQueryFailedWithError = Self("body-part-file-size-query-failed-with-error")
    /// The file has been replaced or changed since it was appended: in device, inode, size or modification time. A file
    /// that becomes longer or shorter while it is read causes ``bodyPartLengthMismatch``.
    public static let bodyPartFileChanged = Self("body-part-file-changed")
    /// A file or a stream cannot be opened, for instance a file that the process may not read, or one that was removed
    /// after it was appended; see the underlying error.
    public static let bodyPartInputStreamCreationFailed = Self("body-part-input-stream-creation-failed")
    /// A content is shorter or longer than declared, or than its file was when it was appended; see
    /// ``MultipartError/expectedLength`` and ``MultipartError/actualLength``.
    public static let bodyPartLengthMismatch = Self("body-part-length-mismatch")
    /// A stream that can be read only once has been read already.
    public static let bodyPartStreamConsumed = Self("body-part-stream-consumed")
    /// A file, a stream or a sequence cannot be read; see the underlying error.
    public static let inputStreamReadFailed = Self("input-stream-read-failed")
    /// A content has two hyphens and the boundary in it (RFC 2046 §5.1). A generated boundary does not cause this
    /// error.
    public static let boundaryCollision = Self("boundary-collision")

    // Output.

    /// The output's URL does not name a file on this machine.
    public static let outputStreamURLInvalid = Self("output-stream-url-invalid")
    /// Something exists at the output's URL.
    public static let outputStreamFileAlreadyExists = Self("output-stream-file-already-exists")
    /// The output file, or a temporary file, cannot be created; see the underlying error.
    public static let outputStreamCreationFailed = Self("output-stream-creation-failed")
    /// The output file, or a temporary file, cannot be written; see the underlying error.
    public static let outputStreamWriteFailed = Self("output-stream-write-failed")
    /// The ``EncodingProgress`` ended the encoding. The error that its closure threw is the underlying error.
    public static let cancelled = Self("cancelled")
}
