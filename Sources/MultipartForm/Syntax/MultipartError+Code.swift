extension MultipartError {
    /// A stable name of what went wrong, such as `unexpected-end`.
    public struct Code: Sendable, Hashable, LosslessStringConvertible {
        private let name: Name

        private init(_ name: Name) {
            self.name = name
        }

        /// The code with a text; nil if this version has none.
        ///
        /// - Parameter description: The text, such as `unexpected-end`.
        public init?(_ description: String) {
            guard let name = Name(rawValue: description) else { return nil }
            self.name = name
        }

        /// The text: lower case and hyphens, the same in all versions.
        public var description: String { name.rawValue }
    }
}

extension MultipartError.Code {
    // The Content-Type field.

    /// The Content-Type field is not a media type with parameters (RFC 9110 §8.3.1).
    public static let malformedContentType = Self(.malformedContentType)
    /// The media type is not `multipart/form-data`, or there is no Content-Type field.
    public static let unsupportedMediaType = Self(.unsupportedMediaType)
    /// The Content-Type field has no boundary parameter (RFC 7578 §4.1).
    public static let missingBoundary = Self(.missingBoundary)
    /// The boundary is empty, too long, or has a character it may not have (RFC 2046 §5.1.1).
    public static let invalidBoundary = Self(.invalidBoundary)

    // Framing.

    /// The message ended before the first delimiter.
    public static let boundaryNotFound = Self(.boundaryNotFound)
    /// Strict mode: the message does not begin with the delimiter.
    public static let preambleNotAllowed = Self(.preambleNotAllowed)
    /// Strict mode: something other than line breaks follows the close delimiter.
    public static let epilogueNotAllowed = Self(.epilogueNotAllowed)
    /// A line begins with the delimiter but does not end there.
    public static let malformedDelimiter = Self(.malformedDelimiter)
    /// The message ended before its close delimiter.
    public static let unexpectedEnd = Self(.unexpectedEnd)
    /// A line ends in LF alone where the others end in CR LF, or the reverse.
    public static let bareLF = Self(.bareLF)
    /// A header line has a CR without an LF.
    public static let bareCR = Self(.bareCR)

    // Header fields of a part that was received.

    /// A header line has no colon, or its name is not a token (RFC 9110 §5.1).
    public static let malformedHeader = Self(.malformedHeader)
    /// Strict mode: a header field is folded over several lines (RFC 9112 §5.2).
    public static let obsoleteFold = Self(.obsoleteFold)
    /// A header has a NUL; in strict mode, any control character but HTAB.
    public static let invalidHeaderCharacter = Self(.invalidHeaderCharacter)
    /// Strict mode: a header is not UTF-8.
    public static let invalidUTF8 = Self(.invalidUTF8)
    /// A header field that identifies the part occurs twice.
    public static let duplicateHeader = Self(.duplicateHeader)
    /// Strict mode: a Content-Transfer-Encoding other than 7bit, 8bit or binary (RFC 7578 §4.7).
    public static let unsupportedTransferEncoding = Self(.unsupportedTransferEncoding)
    /// Strict mode: a part has no Content-Disposition (RFC 7578 §4.2).
    public static let missingContentDisposition = Self(.missingContentDisposition)
    /// A Content-Disposition does not follow its grammar (RFC 2183 §2).
    public static let malformedContentDisposition = Self(.malformedContentDisposition)
    /// Strict mode: the disposition type is not form-data (RFC 7578 §4.2).
    public static let invalidDispositionType = Self(.invalidDispositionType)
    /// A part has no name (RFC 7578 §4.2): always an error when it is written, and in strict mode when it was
    /// received.
    public static let missingName = Self(.missingName)
    /// A parameter that identifies the part or frames the message occurs twice.
    public static let duplicateParameter = Self(.duplicateParameter)
    /// Strict mode: an extended parameter such as `filename*` (RFC 7578 §4.2).
    public static let extendedParameterNotAllowed = Self(.extendedParameterNotAllowed)

    // Limits.

    /// More parts than ``MultipartParser/Options/maxParts``.
    public static let limitParts = Self(.limitParts)
    /// More header lines in a part than ``MultipartParser/Options/maxHeaderCount``.
    public static let limitHeaderCount = Self(.limitHeaderCount)
    /// A longer header section, or more padding after a delimiter, than ``MultipartParser/Options/maxHeaderBytes``.
    public static let limitHeaderBytes = Self(.limitHeaderBytes)
    /// A longer preamble than ``MultipartParser/Options/maxPreambleBytes``.
    public static let limitPreambleBytes = Self(.limitPreambleBytes)
    /// A longer body than ``MultipartParser/Options/maxPartBytes``, ``MultipartCollector/Options/maxFieldBytes``,
    /// the limit of a route, or that of ``MultipartParts/Part/collect(upTo:)``.
    public static let limitPartBytes = Self(.limitPartBytes)
    /// A longer message than ``MultipartParser/Options/maxTotalBytes``.
    public static let limitTotalBytes = Self(.limitTotalBytes)
    /// The parts take more memory than ``MultipartCollector/Options/maxMemoryBytes``.
    public static let limitMemoryBytes = Self(.limitMemoryBytes)
    /// More content on disk than ``MultipartCollector/Options/maxDiskBytes``.
    public static let limitDiskBytes = Self(.limitDiskBytes)

    // Receiving parts.

    /// The route of the caller rejected the part; the offset is that of the part's body.
    public static let partRejected = Self(.partRejected)
    /// A part's body was requested after the next part.
    public static let bodyOutOfTurn = Self(.bodyOutOfTurn)
    /// Two tasks read one message, or a copy of an iterator was used after the original.
    public static let concurrentUse = Self(.concurrentUse)
    /// Bytes were appended after the parser was finished.
    public static let alreadyFinished = Self(.alreadyFinished)
    /// The parser was used again after a handler threw.
    public static let abandoned = Self(.abandoned)
    /// A temporary file cannot be created; see the underlying error.
    public static let fileCreationFailed = Self(.fileCreationFailed)
    /// A temporary file cannot be written; see the underlying error.
    public static let fileWriteFailed = Self(.fileWriteFailed)

    // Names and header fields to send.

    /// A name or file name has a control character other than HTAB, CR and LF.
    public static let invalidCharacter = Self(.invalidCharacter)
    /// The name of a header field is not a token (RFC 9110 §5.1).
    public static let invalidHeaderName = Self(.invalidHeaderName)
    /// A media type or header field has a control character, or one that is not ASCII (RFC 9110 §5.5).
    public static let invalidHeaderValue = Self(.invalidHeaderValue)
    /// A header field is the encoder's own, frames the part, or names a transfer encoding that changes bytes (RFC
    /// 7578 §4.7).
    public static let forbiddenHeader = Self(.forbiddenHeader)
    /// A given Content-Disposition has a type other than `form-data`, or parameters other than a name and a file
    /// name.
    public static let lossyDisposition = Self(.lossyDisposition)

    // Content to send.

    /// The URL is not that of a file on this machine.
    public static let bodyPartURLInvalid = Self(.bodyPartURLInvalid)
    /// The URL has no last component to name the file by.
    public static let bodyPartFilenameInvalid = Self(.bodyPartFilenameInvalid)
    /// The file does not exist.
    public static let bodyPartFileNotReachable = Self(.bodyPartFileNotReachable)
    /// The file cannot be reached, for instance for lack of permission; see the underlying error.
    public static let bodyPartFileNotReachableWithError = Self(.bodyPartFileNotReachableWithError)
    /// The file is a directory.
    public static let bodyPartFileIsDirectory = Self(.bodyPartFileIsDirectory)
    /// The file is a FIFO, a device or a socket, and has no length.
    public static let bodyPartFileIsSpecial = Self(.bodyPartFileIsSpecial)
    /// The system does not report the file's size.
    public static let bodyPartFileSizeNotAvailable = Self(.bodyPartFileSizeNotAvailable)
    /// The file's size cannot be read; see the underlying error.
    public static let bodyPartFileSizeQueryFailedWithError = Self(.bodyPartFileSizeQueryFailedWithError)
    /// The file is another one than when it was appended, or has changed since: in device, inode, size or
    /// modification time.
    public static let bodyPartFileChanged = Self(.bodyPartFileChanged)
    /// The range lies outside the file.
    public static let bodyPartRangeInvalid = Self(.bodyPartRangeInvalid)
    /// A file or a stream cannot be opened; see the underlying error.
    public static let bodyPartInputStreamCreationFailed = Self(.bodyPartInputStreamCreationFailed)
    /// A content is shorter or longer than declared, or than its file was when it was appended; see
    /// ``MultipartError/expectedLength`` and ``MultipartError/actualLength``.
    public static let bodyPartLengthMismatch = Self(.bodyPartLengthMismatch)
    /// A stream that can be read once has been read.
    public static let bodyPartStreamConsumed = Self(.bodyPartStreamConsumed)
    /// A seek would have to read a stream again that can be read once.
    public static let notReplayable = Self(.notReplayable)
    /// The content is an asynchronous sequence: only
    /// ``MultipartFormData/chunks(ofSize:from:bytesPerSecond:progress:)`` can encode it, and no seek can enter it.
    public static let bodyPartIsAsynchronous = Self(.bodyPartIsAsynchronous)
    /// A file, a stream or a sequence cannot be read; see the underlying error.
    public static let inputStreamReadFailed = Self(.inputStreamReadFailed)
    /// The total length exceeds 2^64 bytes, or the memory there is.
    public static let encodedLengthTooLarge = Self(.encodedLengthTooLarge)
    /// A content has a line that begins with two hyphens and the boundary (RFC 2046 §5.1).
    public static let boundaryCollision = Self(.boundaryCollision)

    // Output.

    /// The output's URL is not that of a file on this machine.
    public static let outputStreamURLInvalid = Self(.outputStreamURLInvalid)
    /// Something exists at the output's URL.
    public static let outputStreamFileAlreadyExists = Self(.outputStreamFileAlreadyExists)
    /// The output file cannot be created; see the underlying error.
    public static let outputStreamCreationFailed = Self(.outputStreamCreationFailed)
    /// The output cannot be written; see the underlying error.
    public static let outputStreamWriteFailed = Self(.outputStreamWriteFailed)
    /// The offset to continue from is beyond the end of the message.
    public static let offsetBeyondEnd = Self(.offsetBeyondEnd)
    /// The progress was cancelled.
    public static let cancelled = Self(.cancelled)
}

extension MultipartError.Code {
    private enum Name: String {
        case malformedContentType = "malformed-content-type"
        case unsupportedMediaType = "unsupported-media-type"
        case missingBoundary = "missing-boundary"
        case invalidBoundary = "invalid-boundary"
        case boundaryNotFound = "boundary-not-found"
        case preambleNotAllowed = "preamble-not-allowed"
        case epilogueNotAllowed = "epilogue-not-allowed"
        case malformedDelimiter = "malformed-delimiter"
        case unexpectedEnd = "unexpected-end"
        case bareLF = "bare-lf"
        case bareCR = "bare-cr"
        case malformedHeader = "malformed-header"
        case obsoleteFold = "obs-fold"
        case invalidHeaderCharacter = "invalid-header-character"
        case invalidUTF8 = "invalid-utf8"
        case duplicateHeader = "duplicate-header"
        case unsupportedTransferEncoding = "unsupported-transfer-encoding"
        case missingContentDisposition = "missing-content-disposition"
        case malformedContentDisposition = "malformed-content-disposition"
        case invalidDispositionType = "invalid-disposition-type"
        case missingName = "missing-name"
        case duplicateParameter = "duplicate-parameter"
        case extendedParameterNotAllowed = "extended-parameter-not-allowed"
        case limitParts = "limit-parts"
        case limitHeaderCount = "limit-header-count"
        case limitHeaderBytes = "limit-header-bytes"
        case limitPreambleBytes = "limit-preamble-bytes"
        case limitPartBytes = "limit-part-bytes"
        case limitTotalBytes = "limit-total-bytes"
        case limitMemoryBytes = "limit-memory-bytes"
        case limitDiskBytes = "limit-disk-bytes"
        case partRejected = "part-rejected"
        case bodyOutOfTurn = "body-out-of-turn"
        case concurrentUse = "concurrent-use"
        case alreadyFinished = "already-finished"
        case abandoned = "abandoned"
        case fileCreationFailed = "file-creation-failed"
        case fileWriteFailed = "file-write-failed"
        case invalidCharacter = "invalid-character"
        case invalidHeaderName = "invalid-header-name"
        case invalidHeaderValue = "invalid-header-value"
        case forbiddenHeader = "forbidden-header"
        case lossyDisposition = "lossy-disposition"
        case bodyPartURLInvalid = "body-part-url-invalid"
        case bodyPartFilenameInvalid = "body-part-filename-invalid"
        case bodyPartFileNotReachable = "body-part-file-not-reachable"
        case bodyPartFileNotReachableWithError = "body-part-file-not-reachable-with-error"
        case bodyPartFileIsDirectory = "body-part-file-is-directory"
        case bodyPartFileIsSpecial = "body-part-file-is-special"
        case bodyPartFileSizeNotAvailable = "body-part-file-size-not-available"
        case bodyPartFileSizeQueryFailedWithError = "body-part-file-size-query-failed-with-error"
        case bodyPartFileChanged = "body-part-file-changed"
        case bodyPartRangeInvalid = "body-part-range-invalid"
        case bodyPartInputStreamCreationFailed = "body-part-input-stream-creation-failed"
        case bodyPartLengthMismatch = "body-part-length-mismatch"
        case bodyPartStreamConsumed = "body-part-stream-consumed"
        case notReplayable = "not-replayable"
        case bodyPartIsAsynchronous = "body-part-is-asynchronous"
        case inputStreamReadFailed = "input-stream-read-failed"
        case encodedLengthTooLarge = "encoded-length-too-large"
        case boundaryCollision = "boundary-collision"
        case outputStreamURLInvalid = "output-stream-url-invalid"
        case outputStreamFileAlreadyExists = "output-stream-file-already-exists"
        case outputStreamCreationFailed = "output-stream-creation-failed"
        case outputStreamWriteFailed = "output-stream-write-failed"
        case offsetBeyondEnd = "offset-beyond-end"
        case cancelled = "cancelled"
    }

    /// What each code means: the HTTP status of an error with an offset, and the fact, without its place.
    func row(for error: MultipartError) -> (status: Int, fact: String) {
        let limit = error.limit.map(String.init) ?? "the limit of"
        return switch name {
        case .malformedContentType: (400, "Content-Type is malformed")
        case .unsupportedMediaType: (415, "media type is not the one expected")
        case .missingBoundary: (400, "Content-Type has no boundary parameter")
        case .invalidBoundary: (400, "boundary is empty, too long, or has a forbidden character")
        case .boundaryNotFound: (400, "no delimiter before the end of the message")
        case .preambleNotAllowed: (400, "message does not begin with the delimiter")
        case .epilogueNotAllowed: (400, "message continues after its close delimiter")
        case .malformedDelimiter: (400, "line begins with the delimiter but does not end there")
        case .unexpectedEnd: (400, "message ends before its close delimiter")
        case .bareLF: (400, "line break differs from that of the other lines")
        case .bareCR: (400, "CR without LF in a header line")
        case .malformedHeader: (400, "header line is not a name, a colon and a value")
        case .obsoleteFold: (400, "header field is folded over several lines")
        case .invalidHeaderCharacter: (400, "forbidden control character in a header")
        case .invalidUTF8: (400, "header is not UTF-8")
        case .duplicateHeader: (400, "header field occurs twice")
        case .unsupportedTransferEncoding: (400, "Content-Transfer-Encoding is not 7bit, 8bit or binary")
        case .missingContentDisposition: (400, "no Content-Disposition")
        case .malformedContentDisposition: (400, "Content-Disposition is malformed")
        case .invalidDispositionType: (400, "disposition type is not form-data")
        case .missingName: (400, "part has no name")
        case .duplicateParameter: (400, "parameter occurs twice")
        case .extendedParameterNotAllowed: (400, "extended parameter is not allowed")
        case .limitParts: (413, "message has more than \(limit) parts")
        case .limitHeaderCount: (413, "header section has more than \(limit) lines")
        case .limitHeaderBytes: (413, "header section or padding exceeds \(limit) bytes")
        case .limitPreambleBytes: (413, "preamble exceeds \(limit) bytes")
        case .limitPartBytes: (413, "body exceeds \(limit) bytes")
        case .limitTotalBytes: (413, "message exceeds \(limit) bytes")
        case .limitMemoryBytes: (413, "parts in memory exceed \(limit) bytes")
        case .limitDiskBytes: (413, "content on disk exceeds \(limit) bytes")
        case .partRejected: (400, "part was rejected")
        case .bodyOutOfTurn: (500, "body was requested after the next part")
        case .concurrentUse: (500, "message is already in use elsewhere")
        case .alreadyFinished: (400, "bytes after the end of the message")
        case .abandoned: (500, "parser was used again after its handler threw")
        case .fileCreationFailed: (500, "temporary file cannot be created")
        case .fileWriteFailed: (500, "temporary file cannot be written")
        case .invalidCharacter: (500, "name or file name has a control character")
        case .invalidHeaderName: (500, "header name is not a token")
        case .invalidHeaderValue: (500, "media type or header value is not printable ASCII")
        case .forbiddenHeader: (500, "header field may not be set")
        case .lossyDisposition: (500, "Content-Disposition says more than a form's part can")
        case .bodyPartURLInvalid: (500, "URL is not that of a file")
        case .bodyPartFilenameInvalid: (500, "URL has no file name")
        case .bodyPartFileNotReachable: (500, "file does not exist")
        case .bodyPartFileNotReachableWithError: (500, "file is not reachable")
        case .bodyPartFileIsDirectory: (500, "file is a directory")
        case .bodyPartFileIsSpecial: (500, "file is a FIFO, a device or a socket")
        case .bodyPartFileSizeNotAvailable: (500, "file has no size")
        case .bodyPartFileSizeQueryFailedWithError: (500, "size of the file cannot be read")
        case .bodyPartFileChanged: (500, "file has changed")
        case .bodyPartRangeInvalid: (500, "range lies outside the file")
        case .bodyPartInputStreamCreationFailed: (500, "content cannot be opened")
        case .bodyPartLengthMismatch: (500, error.mismatch)
        case .bodyPartStreamConsumed: (500, "stream has already been read")
        case .notReplayable: (500, "stream cannot be read again")
        case .bodyPartIsAsynchronous: (500, "content is asynchronous")
        case .inputStreamReadFailed: (500, "content cannot be read")
        case .encodedLengthTooLarge: (500, "total length is too large")
        case .boundaryCollision: (500, "content has a line that begins with the boundary")
        case .outputStreamURLInvalid: (500, "output URL is not that of a file")
        case .outputStreamFileAlreadyExists: (500, "output file already exists")
        case .outputStreamCreationFailed: (500, "output file cannot be created")
        case .outputStreamWriteFailed: (500, "output cannot be written")
        case .offsetBeyondEnd: (500, "offset is beyond the end of the message")
        case .cancelled: (500, "progress was cancelled")
        }
    }
}

extension MultipartError {
    /// How a content differs from its declared length.
    fileprivate var mismatch: String {
        guard let expectedLength, let actualLength else { return "content does not have its declared length" }
        let comparison = actualLength > expectedLength ? "at least \(actualLength)" : "\(actualLength)"
        return "content has \(comparison) bytes, not the declared \(expectedLength)"
    }
}
