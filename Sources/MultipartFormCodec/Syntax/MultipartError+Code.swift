// The codes of errors in building, encoding, parsing, storing or decoding a form. The public constants are the codes
// that programs handle separately. `ErrorCode` declares all other codes.
extension MultipartError {
    /// A stable name for the reason for an error, such as `unexpected-end`. Later versions may add codes, but never
    /// change a code.
    public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// The text of the code, to store, log or send. The library's codes have only lowercase letters and hyphens.
        public let rawValue: String

        /// Creates a code from its text, even if this version of the library does not define the code.
        ///
        /// - Parameter rawValue: The text, such as `unexpected-end`.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Creates a code from its text, even if this version of the library does not define the code.
        ///
        /// - Parameter rawValue: The text, such as `unexpected-end`.
        public init(_ rawValue: String) {
            self.rawValue = rawValue
        }

        /// The same text as ``rawValue``.
        public var description: String { rawValue }
    }
}

extension MultipartError.Code {
    // Errors in the Content-Type field.

    /// The Content-Type field is missing, or its media type is not `multipart/form-data`. For a message that is nested
    /// in a part, any multipart type is valid.
    public static let unsupportedMediaType = Self("unsupported-media-type")
    /// The Content-Type field has no boundary parameter (RFC 7578 §4.1).
    public static let missingBoundary = Self("missing-boundary")
    /// The boundary is empty, is too long, or has a forbidden character (RFC 2046 §5.1.1). Strict mode and the encoder
    /// also refuse a boundary that has neither a letter nor a digit other than 0.
    public static let invalidBoundary = Self("invalid-boundary")

    // Errors in the message's delimiters.

    /// The delimiter of the first part is missing:
    /// - The message ends before the first delimiter.
    /// - The first delimiter is the close delimiter, and bytes other than line breaks precede it. These bytes may be a
    ///   part without a delimiter.
    public static let boundaryNotFound = Self("boundary-not-found")
    /// The message ends before its close delimiter is complete.
    public static let unexpectedEnd = Self("unexpected-end")

    // Errors in a received part's header fields and content.

    /// The content of a part is not valid in the part's character set, or the character set is unknown (RFC 7578 §4.5).
    public static let undecodableText = Self("undecodable-text")

    // Errors if a limit is exceeded.

    /// The message has more parts than ``MultipartParser/Options/maxParts``.
    public static let limitParts = Self("limit-parts")
    /// The body of a part exceeds one of these limits:
    /// - ``MultipartParser/Options/maxPartBytes``
    /// - ``MultipartCollector/Options/maxFieldBytes``
    /// - the limit of the part's ``MultipartCollector/Route``
    /// - the limit that the program passes to a method of ``MultipartParts/Part``
    public static let limitPartBytes = Self("limit-part-bytes")
    /// The length of the message exceeds ``MultipartParser/Options/maxTotalBytes``.
    public static let limitTotalBytes = Self("limit-total-bytes")
    /// The parts of a form take more bytes in memory than ``MultipartCollector/Options/maxMemoryBytes``.
    public static let limitMemoryBytes = Self("limit-memory-bytes")
    /// The content of a form takes more bytes on disk than ``MultipartCollector/Options/maxDiskBytes``.
    public static let limitDiskBytes = Self("limit-disk-bytes")

    // The error if the program refuses a part.

    /// The program's `route` closure returned ``MultipartCollector/Route/reject`` for the part. The error's offset is
    /// the start of the part's body.
    public static let partRejected = Self("part-rejected")

    // Errors in decoding a value.

    /// The type requires a value, but no part has the name of the value.
    public static let missingValue = Self("missing-value")
    /// The part is empty, but a value of the type cannot be empty.
    public static let emptyValue = Self("empty-value")
    /// The user selected no file. Browsers then send a part without content, and with an empty file name.
    ///
    /// If the type requires a file, the decoder also throws this error for a part without content and without a file
    /// name.
    public static let noFile = Self("no-file")
    /// The type requires a file, but the part has no file name.
    ///
    /// A ``FormPartOnly`` type also throws this error if another decoder, such as `JSONDecoder`, decodes the type.
    public static let expectedFile = Self("expected-file")
    /// The form has several parts for a single value, or two equal keys for a dictionary.
    public static let duplicateName = Self("duplicate-name")
    /// The text or the JSON in the part is not a valid value of the type, or the type's own `init(from:)` refuses the
    /// value.
    public static let invalidValue = Self("invalid-value")
    /// The content of the part is longer than ``FormDataDecoder/maxValueBytes``.
    public static let valueTooLong = Self("value-too-long")
    /// The part has no name, or the decoded type does not declare the name. The decoder throws this error only with the
    /// option ``FormDataDecoder/UnknownNames-swift.struct/reject``.
    public static let unknownName = Self("unknown-name")

    // Errors in content to send.

    /// The URL of the content is not a file URL, or has the host of another machine.
    public static let bodyPartURLInvalid = Self("body-part-url-invalid")
    /// The program passes no file name, and the last component of the URL cannot be a file name.
    public static let bodyPartFilenameInvalid = Self("body-part-filename-invalid")
    /// The file does not exist when the part is created. If the file is removed later, the code is
    /// ``bodyPartInputStreamCreationFailed``.
    public static let bodyPartFileNotReachable = Self("body-part-file-not-reachable")
    /// The file cannot be reached, for instance because the process may not access a directory on the path. For the
    /// cause, see ``MultipartError/underlyingError``.
    public static let bodyPartFileNotReachableWithError = Self("body-part-file-not-reachable-with-error")
    /// The file is a directory.
    public static let bodyPartFileIsDirectory = Self("body-part-file-is-directory")
    /// The system does not report the file's size.
    public static let bodyPartFileSizeNotAvailable = Self("body-part-file-size-not-available")
    /// The system cannot read the file's size. For the cause, see ``MultipartError/underlyingError``.
    public static let bodyPartFileSizeQueryFailedWithError = Self("body-part-file-size-query-failed-with-error")
    /// The file was replaced or changed after the part was created. The library compares the device, the inode, the
    /// file type, the size and the modification time.
    ///
    /// If the file becomes longer or shorter while the encoder reads it, the code may be ``bodyPartLengthMismatch``
    /// instead.
    public static let bodyPartFileChanged = Self("body-part-file-changed")
    /// A file or a stream cannot be opened, for instance because a file was removed or is not readable. For the cause,
    /// see ``MultipartError/underlyingError``.
    public static let bodyPartInputStreamCreationFailed = Self("body-part-input-stream-creation-failed")
    /// The content is shorter or longer than its declared length. For a file, the declared length is the size that the
    /// file had when the part was created. For a range of a file, the declared length is the length of the range.
    ///
    /// For the lengths, see ``MultipartError/expectedLength`` and ``MultipartError/actualLength``.
    public static let bodyPartLengthMismatch = Self("body-part-length-mismatch")
    /// The content has already been read, and its stream or sequence can be read only once.
    public static let bodyPartStreamConsumed = Self("body-part-stream-consumed")
    /// A file, a stream or a sequence cannot be read. For the cause, see ``MultipartError/underlyingError``.
    public static let inputStreamReadFailed = Self("input-stream-read-failed")
    /// The content of a part contains the dash-boundary, or a header line begins with the dash-boundary (RFC 2046
    /// §5.1). The default boundary is random, and does not cause this error.
    public static let boundaryCollision = Self("boundary-collision")

    // Errors in the output.

    /// The URL of the output is not a file URL, or has the host of another machine.
    public static let outputStreamURLInvalid = Self("output-stream-url-invalid")
    /// Something exists at the URL of the output, such as a file or a directory.
    public static let outputStreamFileAlreadyExists = Self("output-stream-file-already-exists")
    /// The output file or a temporary file cannot be created. For the cause, see ``MultipartError/underlyingError``.
    public static let outputStreamCreationFailed = Self("output-stream-creation-failed")
    /// The output file or a temporary file cannot be written. For the cause, see ``MultipartError/underlyingError``.
    public static let outputStreamWriteFailed = Self("output-stream-write-failed")
    /// The program ended the encoding through an ``EncodingProgress``:
    /// - The closure of the ``EncodingProgress`` threw an error, which is the ``MultipartError/underlyingError``.
    /// - The Foundation `Progress` that the ``EncodingProgress`` updates was cancelled.
    public static let cancelled = Self("cancelled")
}

extension MultipartError.Code {
    /// Whether an error has a code. This operator makes `catch MultipartError.Code.limitPartBytes` compile. The error
    /// may be a ``MultipartError``, or an error of ``FormDataEncoder`` or ``FormDataDecoder``.
    public static func ~= (code: Self, error: any Error) -> Bool { MultipartError(error)?.code == code }
}
