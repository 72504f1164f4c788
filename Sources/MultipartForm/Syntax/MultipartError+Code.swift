extension MultipartError {
    /// A stable name of what went wrong, such as `unexpected-end`.
    public struct Code: Sendable, Hashable, LosslessStringConvertible {
        /// The text: lower case and hyphens, the same in all versions.
        public let description: String

        private init(text: String) {
            description = text
        }

        /// The code with a text; nil if this version has none.
        ///
        /// - Parameter description: The text, such as `unexpected-end`.
        public init?(_ description: String) {
            self.init(text: description)
            guard Self.facts[self] != nil else { return nil }
        }
    }
}

extension MultipartError.Code {
    // The Content-Type field.

    /// The Content-Type field is not a media type with parameters (RFC 9110 §8.3.1).
    public static let malformedContentType = Self(text: "malformed-content-type")
    /// The media type is not `multipart/form-data`, or there is no Content-Type field.
    public static let unsupportedMediaType = Self(text: "unsupported-media-type")
    /// The Content-Type field has no boundary parameter (RFC 7578 §4.1).
    public static let missingBoundary = Self(text: "missing-boundary")
    /// The boundary is empty, too long, or has a forbidden character (RFC 2046 §5.1.1).
    public static let invalidBoundary = Self(text: "invalid-boundary")

    // Framing.

    /// The message ended before the first delimiter.
    public static let boundaryNotFound = Self(text: "boundary-not-found")
    /// Strict mode: the message does not begin with the delimiter.
    public static let preambleNotAllowed = Self(text: "preamble-not-allowed")
    /// Strict mode: something other than line breaks follows the close delimiter.
    public static let epilogueNotAllowed = Self(text: "epilogue-not-allowed")
    /// A line begins with the delimiter but does not end there.
    public static let malformedDelimiter = Self(text: "malformed-delimiter")
    /// The message ended before its close delimiter.
    public static let unexpectedEnd = Self(text: "unexpected-end")
    /// A line ends in LF alone where the others end in CR LF, or the reverse.
    public static let bareLF = Self(text: "bare-lf")
    /// A header line has a CR without an LF.
    public static let bareCR = Self(text: "bare-cr")

    // Header fields of a received part.

    /// A header line has no colon, or its name is not a token (RFC 9110 §5.1).
    public static let malformedHeader = Self(text: "malformed-header")
    /// Strict mode: a header field is folded over several lines (RFC 9112 §5.2).
    public static let obsoleteFold = Self(text: "obs-fold")
    /// A header has a NUL; in strict mode, any control character but HTAB.
    public static let invalidHeaderCharacter = Self(text: "invalid-header-character")
    /// Strict mode: a header is not UTF-8.
    public static let invalidUTF8 = Self(text: "invalid-utf8")
    /// A header field that identifies the part occurs twice.
    public static let duplicateHeader = Self(text: "duplicate-header")
    /// Strict mode: a Content-Transfer-Encoding other than 7bit, 8bit or binary (RFC 7578 §4.7).
    public static let unsupportedTransferEncoding = Self(text: "unsupported-transfer-encoding")
    /// Strict mode: a part has no Content-Disposition (RFC 7578 §4.2).
    public static let missingContentDisposition = Self(text: "missing-content-disposition")
    /// A Content-Disposition does not follow its grammar (RFC 2183 §2).
    public static let malformedContentDisposition = Self(text: "malformed-content-disposition")
    /// Strict mode: the disposition type is not form-data (RFC 7578 §4.2).
    public static let invalidDispositionType = Self(text: "invalid-disposition-type")
    /// A part has no name (RFC 7578 §4.2): an error in a part to send, and in strict mode in a part received.
    public static let missingName = Self(text: "missing-name")
    /// A parameter that identifies the part or frames the message occurs twice.
    public static let duplicateParameter = Self(text: "duplicate-parameter")
    /// Strict mode: an extended parameter such as `filename*` (RFC 7578 §4.2).
    public static let extendedParameterNotAllowed = Self(text: "extended-parameter-not-allowed")

    // Limits.

    /// More parts than ``MultipartParser/Options/maxParts``.
    public static let limitParts = Self(text: "limit-parts")
    /// More header lines in a part than ``MultipartParser/Options/maxHeaderCount``.
    public static let limitHeaderCount = Self(text: "limit-header-count")
    /// A longer header section, or more padding after a delimiter, than ``MultipartParser/Options/maxHeaderBytes``.
    public static let limitHeaderBytes = Self(text: "limit-header-bytes")
    /// A longer preamble than ``MultipartParser/Options/maxPreambleBytes``.
    public static let limitPreambleBytes = Self(text: "limit-preamble-bytes")
    /// A longer body than ``MultipartParser/Options/maxPartBytes``, ``MultipartCollector/Options/maxFieldBytes``,
    /// the limit of a route, or that of ``MultipartParts/Part/collect(upTo:)``.
    public static let limitPartBytes = Self(text: "limit-part-bytes")
    /// A longer message than ``MultipartParser/Options/maxTotalBytes``.
    public static let limitTotalBytes = Self(text: "limit-total-bytes")
    /// The parts take more memory than ``MultipartCollector/Options/maxMemoryBytes``.
    public static let limitMemoryBytes = Self(text: "limit-memory-bytes")
    /// More content on disk than ``MultipartCollector/Options/maxDiskBytes``.
    public static let limitDiskBytes = Self(text: "limit-disk-bytes")

    // Receiving parts.

    /// The caller's route rejected the part; the offset is that of the part's body.
    public static let partRejected = Self(text: "part-rejected")
    /// A part's body was requested after the next part.
    public static let bodyOutOfTurn = Self(text: "body-out-of-turn")
    /// Two tasks read one message, or a copy of an iterator was used after the original.
    public static let concurrentUse = Self(text: "concurrent-use")
    /// Bytes were appended after the parser was finished.
    public static let alreadyFinished = Self(text: "already-finished")
    /// The parser was used again after a handler threw.
    public static let abandoned = Self(text: "abandoned")
    /// A temporary file cannot be created; see the underlying error.
    public static let fileCreationFailed = Self(text: "file-creation-failed")
    /// A temporary file cannot be written; see the underlying error.
    public static let fileWriteFailed = Self(text: "file-write-failed")

    // Names and header fields to send.

    /// A name or file name has a control character other than HTAB, CR and LF.
    public static let invalidCharacter = Self(text: "invalid-character")
    /// The name of a header field is not a token (RFC 9110 §5.1).
    public static let invalidHeaderName = Self(text: "invalid-header-name")
    /// A media type or header field has a control character, or one that is not ASCII (RFC 9110 §5.5).
    public static let invalidHeaderValue = Self(text: "invalid-header-value")
    /// A header field is set by the encoder, frames the part, or names a transfer encoding that changes bytes (RFC 7578
    /// §4.7).
    public static let forbiddenHeader = Self(text: "forbidden-header")
    /// A given Content-Disposition has a type other than `form-data`, or parameters other than a name and a file name.
    public static let lossyDisposition = Self(text: "lossy-disposition")

    // Content to send.

    /// The URL is not that of a file on this machine.
    public static let bodyPartURLInvalid = Self(text: "body-part-url-invalid")
    /// The URL has no last component to use as the file name.
    public static let bodyPartFilenameInvalid = Self(text: "body-part-filename-invalid")
    /// The file does not exist.
    public static let bodyPartFileNotReachable = Self(text: "body-part-file-not-reachable")
    /// The file cannot be reached, for instance for lack of permission; see the underlying error.
    public static let bodyPartFileNotReachableWithError = Self(text: "body-part-file-not-reachable-with-error")
    /// The file is a directory.
    public static let bodyPartFileIsDirectory = Self(text: "body-part-file-is-directory")
    /// The file is a FIFO, a device or a socket, and has no length.
    public static let bodyPartFileIsSpecial = Self(text: "body-part-file-is-special")
    /// The system does not report the file's size.
    public static let bodyPartFileSizeNotAvailable = Self(text: "body-part-file-size-not-available")
    /// The file's size cannot be read; see the underlying error.
    public static let bodyPartFileSizeQueryFailedWithError = Self(text: "body-part-file-size-query-failed-with-error")
    /// The file has been replaced or changed since it was appended: in device, inode, size or modification time.
    public static let bodyPartFileChanged = Self(text: "body-part-file-changed")
    /// The range lies outside the file.
    public static let bodyPartRangeInvalid = Self(text: "body-part-range-invalid")
    /// A file or a stream cannot be opened; see the underlying error.
    public static let bodyPartInputStreamCreationFailed = Self(text: "body-part-input-stream-creation-failed")
    /// A content is shorter or longer than declared, or than its file was when it was appended; see
    /// ``MultipartError/expectedLength`` and ``MultipartError/actualLength``.
    public static let bodyPartLengthMismatch = Self(text: "body-part-length-mismatch")
    /// A stream that can be read only once has been read already.
    public static let bodyPartStreamConsumed = Self(text: "body-part-stream-consumed")
    /// A seek would have to read a stream again that can be read only once.
    public static let notReplayable = Self(text: "not-replayable")
    /// The content is an asynchronous sequence: only
    /// ``MultipartFormData/chunks(ofSize:from:bytesPerSecond:progress:)`` can encode it, and no seek can reach into it.
    public static let bodyPartIsAsynchronous = Self(text: "body-part-is-asynchronous")
    /// A file, a stream or a sequence cannot be read; see the underlying error.
    public static let inputStreamReadFailed = Self(text: "input-stream-read-failed")
    /// The total length does not fit in 64 bits, or in memory.
    public static let encodedLengthTooLarge = Self(text: "encoded-length-too-large")
    /// A content has a line that begins with two hyphens and the boundary (RFC 2046 §5.1).
    public static let boundaryCollision = Self(text: "boundary-collision")

    // Output.

    /// The output's URL is not that of a file on this machine.
    public static let outputStreamURLInvalid = Self(text: "output-stream-url-invalid")
    /// Something exists at the output's URL.
    public static let outputStreamFileAlreadyExists = Self(text: "output-stream-file-already-exists")
    /// The output file cannot be created; see the underlying error.
    public static let outputStreamCreationFailed = Self(text: "output-stream-creation-failed")
    /// The output cannot be written; see the underlying error.
    public static let outputStreamWriteFailed = Self(text: "output-stream-write-failed")
    /// The offset to continue from is beyond the end of the message.
    public static let offsetBeyondEnd = Self(text: "offset-beyond-end")
    /// The progress was cancelled.
    public static let cancelled = Self(text: "cancelled")
}

extension MultipartError.Code {
    /// The HTTP status of an error with an offset, and the fact in words.
    private static let facts: [Self: (status: Int, text: String)] = [
        .malformedContentType: (400, "Content-Type is malformed"),
        .unsupportedMediaType: (415, "media type is not the one expected"),
        .missingBoundary: (400, "Content-Type has no boundary parameter"),
        .invalidBoundary: (400, "boundary is empty, too long, or has a forbidden character"),
        .boundaryNotFound: (400, "no delimiter before the end of the message"),
        .preambleNotAllowed: (400, "message does not begin with the delimiter"),
        .epilogueNotAllowed: (400, "message continues after its close delimiter"),
        .malformedDelimiter: (400, "line begins with the delimiter but does not end there"),
        .unexpectedEnd: (400, "message ends before its close delimiter"),
        .bareLF: (400, "line break differs from that of the other lines"),
        .bareCR: (400, "CR without LF in a header line"),
        .malformedHeader: (400, "header line is not a name, a colon and a value"),
        .obsoleteFold: (400, "header field is folded over several lines"),
        .invalidHeaderCharacter: (400, "forbidden control character in a header"),
        .invalidUTF8: (400, "header is not UTF-8"),
        .duplicateHeader: (400, "header field occurs twice"),
        .unsupportedTransferEncoding: (400, "Content-Transfer-Encoding is not 7bit, 8bit or binary"),
        .missingContentDisposition: (400, "no Content-Disposition"),
        .malformedContentDisposition: (400, "Content-Disposition is malformed"),
        .invalidDispositionType: (400, "disposition type is not form-data"),
        .missingName: (400, "part has no name"),
        .duplicateParameter: (400, "parameter occurs twice"),
        .extendedParameterNotAllowed: (400, "extended parameter is not allowed"),
        .limitParts: (413, "message has more than {limit} parts"),
        .limitHeaderCount: (413, "header section has more than {limit} lines"),
        .limitHeaderBytes: (413, "header section or padding exceeds {limit} bytes"),
        .limitPreambleBytes: (413, "preamble exceeds {limit} bytes"),
        .limitPartBytes: (413, "body exceeds {limit} bytes"),
        .limitTotalBytes: (413, "message exceeds {limit} bytes"),
        .limitMemoryBytes: (413, "parts in memory exceed {limit} bytes"),
        .limitDiskBytes: (413, "content on disk exceeds {limit} bytes"),
        .partRejected: (400, "part was rejected"),
        .bodyOutOfTurn: (500, "body was requested after the next part"),
        .concurrentUse: (500, "message is already in use elsewhere"),
        .alreadyFinished: (400, "bytes after the end of the message"),
        .abandoned: (500, "parser was used again after its handler threw"),
        .fileCreationFailed: (500, "temporary file cannot be created"),
        .fileWriteFailed: (500, "temporary file cannot be written"),
        .invalidCharacter: (500, "name or file name has a control character"),
        .invalidHeaderName: (500, "header name is not a token"),
        .invalidHeaderValue: (500, "media type or header value is not printable ASCII"),
        .forbiddenHeader: (500, "header field may not be set"),
        .lossyDisposition: (500, "Content-Disposition says more than a form's part can"),
        .bodyPartURLInvalid: (500, "URL is not that of a file"),
        .bodyPartFilenameInvalid: (500, "URL has no file name"),
        .bodyPartFileNotReachable: (500, "file does not exist"),
        .bodyPartFileNotReachableWithError: (500, "file is not reachable"),
        .bodyPartFileIsDirectory: (500, "file is a directory"),
        .bodyPartFileIsSpecial: (500, "file is a FIFO, a device or a socket"),
        .bodyPartFileSizeNotAvailable: (500, "file has no size"),
        .bodyPartFileSizeQueryFailedWithError: (500, "size of the file cannot be read"),
        .bodyPartFileChanged: (500, "file has changed"),
        .bodyPartRangeInvalid: (500, "range lies outside the file"),
        .bodyPartInputStreamCreationFailed: (500, "content cannot be opened"),
        .bodyPartLengthMismatch: (500, "content does not have its declared length"),
        .bodyPartStreamConsumed: (500, "stream has already been read"),
        .notReplayable: (500, "stream cannot be read again"),
        .bodyPartIsAsynchronous: (500, "content is asynchronous"),
        .inputStreamReadFailed: (500, "content cannot be read"),
        .encodedLengthTooLarge: (500, "total length is too large"),
        .boundaryCollision: (500, "content has a line that begins with the boundary"),
        .outputStreamURLInvalid: (500, "output URL is not that of a file"),
        .outputStreamFileAlreadyExists: (500, "output file already exists"),
        .outputStreamCreationFailed: (500, "output file cannot be created"),
        .outputStreamWriteFailed: (500, "output cannot be written"),
        .offsetBeyondEnd: (500, "offset is beyond the end of the message"),
        .cancelled: (500, "progress was cancelled"),
    ]

    /// The HTTP status of an error that has an offset.
    var status: Int { Self.facts[self]?.status ?? 500 }

    /// The fact in words, without its place.
    func fact(of error: MultipartError) -> String {
        if self == .bodyPartLengthMismatch, let expected = error.expectedLength, let actual = error.actualLength {
            return "content has \(actual > expected ? "at least " : "")\(actual) bytes, not the declared \(expected)"
        }
        let text = Self.facts[self]?.text ?? description
        return text.replacing("{limit}", with: error.limit.map(String.init) ?? "the limit of")
    }
}
