// The code of each error, with its text, its HTTP status and the option of its limit.
extension MultipartError {
    /// A stable name of what went wrong, such as `unexpected-end`.
    public struct Code: Sendable, Hashable, LosslessStringConvertible {
        private let text: String
        /// The HTTP status of an error with an offset.
        let status: Int
        private let fact: String
        /// The option that sets the limit, unless the error names another one.
        let option: String?

        /// - Parameters:
        ///   - text: The code's text.
        ///   - status: The HTTP status of an error with an offset.
        ///   - fact: What went wrong, in words; `#` is the limit.
        ///   - option: The option that sets the limit.
        private init(_ text: String, _ status: Int, _ fact: String, option: String? = nil) {
            self.text = text
            self.status = status
            self.fact = fact
            self.option = option
        }

        /// The code with a text that was stored or received; nil if this version has none.
        ///
        /// - Parameter description: The text, such as `unexpected-end`.
        public init?(_ description: String) {
            let code = Self.all.first { $0.text.utf8.elementsEqual(description.utf8) }
            guard let code else { return nil }
            self = code
        }

        /// The text to store, log or send: lower case and hyphens, the same in all versions.
        public var description: String { text }

        /// The number of the code, from 1, the same in all versions.
        package var number: Int { (Self.all.firstIndex(of: self) ?? -1) + 1 }

        func fact(of error: MultipartError) -> String {
            if self == .bodyPartLengthMismatch, let expected = error.expectedLength, let actual = error.actualLength {
                return
                    "content has \(actual > expected ? "at least " : "")\(actual) bytes, not the declared \(expected)"
            }
            guard let end = fact.firstIndex(of: "#") else { return fact }
            guard let limit = error.limit else { return "\(fact[..<end])the limit" }
            return "\(fact[..<end])\(limit)\(fact[fact.index(after: end)...])"
        }
    }
}

extension MultipartError.Code {
    // The Content-Type field.

    /// The Content-Type field is not a media type with parameters (RFC 9110 §8.3.1).
    package static let malformedContentType = Self("malformed-content-type", 400, "Content-Type is malformed")
    /// The media type is not `multipart/form-data`, or there is no Content-Type field.
    public static let unsupportedMediaType = Self(
        "unsupported-media-type",
        415,
        "media type is not multipart/form-data"
    )
    /// The Content-Type field has no boundary parameter (RFC 7578 §4.1).
    public static let missingBoundary = Self("missing-boundary", 400, "Content-Type has no boundary parameter")
    /// The boundary is empty, too long, or has a forbidden character (RFC 2046 §5.1.1).
    package static let invalidBoundary =
        Self("invalid-boundary", 400, "boundary is not valid")

    // Framing.

    /// The message ended before the first delimiter.
    public static let boundaryNotFound = Self("boundary-not-found", 400, "no delimiter before the end of the message")
    /// Strict mode: the message does not begin with the delimiter.
    package static let preambleNotAllowed =
        Self("preamble-not-allowed", 400, "message does not begin with the delimiter")
    /// Strict mode: something other than line breaks follows the close delimiter.
    package static let epilogueNotAllowed =
        Self("epilogue-not-allowed", 400, "message continues after its close delimiter")
    /// Before the first part, two hyphens and the boundary are not on a line of their own (RFC 2046 §5.1.1); in strict
    /// mode also within a body, with white space after them, or right after the blank line of a header section.
    package static let malformedDelimiter = Self(
        "malformed-delimiter",
        400,
        "line with the boundary is not a delimiter"
    )
    /// The message ended before its close delimiter.
    public static let unexpectedEnd = Self("unexpected-end", 400, "message ends before its close delimiter")
    /// A line ends in LF alone where the others end in CR LF, or the reverse.
    package static let bareLF = Self("bare-lf", 400, "message has both LF and CR LF line breaks")
    /// A header line has a CR without an LF.
    package static let bareCR = Self("bare-cr", 400, "CR without LF in a header line")

    // Header fields of a received part.

    /// A header line has no colon, or its name is not a token (RFC 9110 §5.1).
    package static let malformedHeader = Self("malformed-header", 400, "header line is not a name, a colon and a value")
    /// A header has a NUL (RFC 9110 §5.5).
    package static let invalidHeaderCharacter =
        Self("invalid-header-character", 400, "forbidden control character in a header")
    /// A header field that identifies the part occurs twice.
    package static let duplicateHeader = Self("duplicate-header", 400, "header field occurs twice")
    /// A Content-Disposition does not follow its grammar (RFC 2183 §2).
    package static let malformedContentDisposition =
        Self("malformed-content-disposition", 400, "Content-Disposition is malformed")
    /// A part to send has no name (RFC 7578 §4.2).
    package static let missingName = Self("missing-name", 400, "part has no name")
    /// A parameter that identifies the part or frames the message occurs twice.
    package static let duplicateParameter = Self("duplicate-parameter", 400, "parameter occurs twice")
    /// A name or file name has more than 30 combining marks in a row (UAX #15 §13). The encoder also refuses it.
    package static let tooManyCombiningMarks =
        Self("too-many-combining-marks", 400, "name or file name has more than 30 combining marks in a row")

    /// Strict mode: a header section, or the Content-Type field, is not in the grammar that all parsers are known to
    /// read alike; the error's text says why.
    package static let ambiguousHeader = Self("ambiguous-header", 400, "parsers may differ on a header")

    // Header fields of a received part, and its content.

    /// Strict mode: a part's Content-Length is not the length of its body (RFC 7578 §4.8).
    package static let contentLengthMismatch =
        Self("content-length-mismatch", 400, "Content-Length is not the length of the body")
    /// Strict mode: a file name is empty, but the part has content (RFC 7578 §4.2).
    package static let missingFilename = Self("missing-filename", 400, "file name is empty, but the part has content")

    /// A part's text is not valid in its character set, or that is unknown (RFC 7578 §4.5).
    public static let undecodableText = Self("undecodable-text", 400, "text is not valid in its character set")

    // Limits.

    /// More parts than ``MultipartParser/Options/maxParts``.
    public static let limitParts = Self("limit-parts", 413, "message has more than # parts", option: "maxParts")
    /// More header lines in a part than ``MultipartParser/Options/maxHeaderCount``.
    public static let limitHeaderCount = Self(
        "limit-header-count",
        413,
        "header section has more than # lines",
        option: "maxHeaderCount"
    )
    /// A longer header section, or more padding after a delimiter, than ``MultipartParser/Options/maxHeaderBytes``.
    public static let limitHeaderBytes = Self(
        "limit-header-bytes",
        413,
        "header section or padding exceeds # bytes",
        option: "maxHeaderBytes"
    )
    /// A longer preamble than ``MultipartParser/Options/maxPreambleBytes``.
    public static let limitPreambleBytes = Self(
        "limit-preamble-bytes",
        413,
        "preamble exceeds # bytes",
        option: "maxPreambleBytes"
    )
    /// A longer body than ``MultipartParser/Options/maxPartBytes``, ``MultipartCollector/Options/maxFieldBytes``,
    /// the limit of a route, or that of a method of ``MultipartParts/Part``.
    public static let limitPartBytes = Self("limit-part-bytes", 413, "body exceeds # bytes", option: "maxPartBytes")
    /// A longer message than ``MultipartParser/Options/maxTotalBytes``.
    public static let limitTotalBytes = Self(
        "limit-total-bytes",
        413,
        "message exceeds # bytes",
        option: "maxTotalBytes"
    )
    /// The parts take more memory than ``MultipartCollector/Options/maxMemoryBytes``.
    public static let limitMemoryBytes = Self(
        "limit-memory-bytes",
        413,
        "parts in memory exceed # bytes",
        option: "maxMemoryBytes"
    )
    /// More content on disk than ``MultipartCollector/Options/maxDiskBytes``.
    public static let limitDiskBytes = Self(
        "limit-disk-bytes",
        413,
        "content on disk exceeds # bytes",
        option: "maxDiskBytes"
    )

    // Receiving parts.

    /// The caller's route rejected the part; the offset is that of the part's body.
    public static let partRejected = Self("part-rejected", 400, "part was rejected")
    /// A part's body was requested after the next part.
    package static let bodyOutOfTurn = Self("body-out-of-turn", 500, "body was requested after the next part was read")
    /// Two tasks read the parts of one message at the same time, or a copy of the iterator of encoded chunks was used
    /// after another copy had continued.
    package static let concurrentUse = Self("concurrent-use", 500, "message is already in use elsewhere")
    /// Bytes were appended after the parser was finished.
    package static let alreadyFinished = Self(
        "already-finished",
        500,
        "bytes were passed after the parser was finished"
    )
    /// The parser was used again after a handler threw.
    package static let abandoned = Self("abandoned", 500, "parser was used again after its handler threw")

    // Names and header fields to send.

    /// A name or file name has a control character other than HTAB, CR and LF.
    package static let invalidCharacter = Self("invalid-character", 500, "name or file name has a control character")
    /// The name of a header field is not a token (RFC 9110 §5.1).
    package static let invalidHeaderName = Self("invalid-header-name", 500, "header name is not a token")
    /// A media type or header field has a control character, or one that is not ASCII (RFC 9110 §5.5); a media type is
    /// not a type and a subtype, with parameters or without (RFC 9110 §8.3.1); or that of text has a charset that is
    /// not the one in which it is sent.
    package static let invalidHeaderValue =
        Self("invalid-header-value", 500, "media type or header value is not printable ASCII")
    /// A header field that the encoder writes, that frames the part, or that encodes its bytes (RFC 7578 §4.7).
    package static let forbiddenHeader = Self("forbidden-header", 500, "header field may not be set")
    /// A Content-Disposition that was given with a part's header fields has a type other than `form-data`, parameters
    /// other than a name and a file name, or bytes that are not UTF-8; or that of a received part has a control
    /// character outside of both, or a parameter such as `name*`, which others may read as a second name.
    package static let lossyDisposition =
        Self("lossy-disposition", 500, "Content-Disposition has what a form's part cannot have")

    // Content to send.

    /// The URL is not that of a file on this machine.
    public static let bodyPartURLInvalid = Self("body-part-url-invalid", 500, "URL is not that of a file")
    /// The URL has no last component to use as the file name.
    public static let bodyPartFilenameInvalid = Self("body-part-filename-invalid", 500, "URL has no file name")
    /// The file does not exist when it is appended. One that is removed later is ``bodyPartInputStreamCreationFailed``.
    public static let bodyPartFileNotReachable = Self("body-part-file-not-reachable", 500, "file does not exist")
    /// The file cannot be reached, for instance for lack of permission; see the underlying error.
    public static let bodyPartFileNotReachableWithError =
        Self("body-part-file-not-reachable-with-error", 500, "file is not reachable")
    /// The file is a directory.
    public static let bodyPartFileIsDirectory = Self("body-part-file-is-directory", 500, "file is a directory")
    /// The file is a FIFO, a device or a socket, and has no length.
    public static let bodyPartFileIsSpecial =
        Self("body-part-file-is-special", 500, "file is a FIFO, a device or a socket")
    /// The system does not report the file's size.
    public static let bodyPartFileSizeNotAvailable = Self(
        "body-part-file-size-not-available",
        500,
        "size of the file is not known"
    )
    /// The file's size cannot be read; see the underlying error.
    public static let bodyPartFileSizeQueryFailedWithError =
        Self("body-part-file-size-query-failed-with-error", 500, "size of the file cannot be read")
    /// The file has been replaced or changed since it was appended: in device, inode, size or modification time. One
    /// that becomes longer or shorter while it is read is ``bodyPartLengthMismatch``.
    public static let bodyPartFileChanged = Self("body-part-file-changed", 500, "file has changed")
    /// The range lies outside the file.
    package static let bodyPartRangeInvalid = Self("body-part-range-invalid", 500, "range lies outside the file")
    /// A file or a stream cannot be opened, for instance a file that was removed after it was appended; see the
    /// underlying error.
    public static let bodyPartInputStreamCreationFailed =
        Self("body-part-input-stream-creation-failed", 500, "content cannot be opened")
    /// A content is shorter or longer than declared, or than its file was when it was appended; see
    /// ``MultipartError/expectedLength`` and ``MultipartError/actualLength``.
    public static let bodyPartLengthMismatch =
        Self("body-part-length-mismatch", 500, "content does not have its declared length")
    /// A stream that can be read only once has been read already.
    public static let bodyPartStreamConsumed = Self("body-part-stream-consumed", 500, "stream has already been read")
    /// To begin at the offset, a stream that can be read only once would have to be read again.
    package static let notReplayable = Self(
        "not-replayable",
        500,
        "stream can be read only once, and has to be read again"
    )
    /// The content is an asynchronous sequence: only what is awaited can encode or save it, such as
    /// ``MultipartFormData/chunks(ofSize:from:bytesPerSecond:progress:)``, and no encoding can begin within it.
    package static let bodyPartIsAsynchronous =
        Self(
            "body-part-is-asynchronous",
            500,
            "content is an asynchronous sequence, which only asynchronous methods read"
        )
    /// A file, a stream or a sequence cannot be read; see the underlying error.
    public static let inputStreamReadFailed = Self("input-stream-read-failed", 500, "content cannot be read")
    /// The total length does not fit in 64 bits, or in memory.
    package static let encodedLengthTooLarge = Self("encoded-length-too-large", 500, "total length is too large")
    /// A content has two hyphens and the boundary in it (RFC 2046 §5.1), which was not generated.
    public static let boundaryCollision =
        Self("boundary-collision", 500, "content has the boundary after two hyphens in it")

    // Output.

    /// The output's URL is not that of a file on this machine.
    public static let outputStreamURLInvalid =
        Self("output-stream-url-invalid", 500, "output URL is not that of a file")
    /// Something exists at the output's URL.
    public static let outputStreamFileAlreadyExists =
        Self("output-stream-file-already-exists", 500, "output file already exists")
    /// The output file, or a temporary file, cannot be created; see the underlying error.
    public static let outputStreamCreationFailed =
        Self("output-stream-creation-failed", 500, "output file cannot be created")
    /// The output file, or a temporary file, cannot be written; see the underlying error.
    public static let outputStreamWriteFailed = Self("output-stream-write-failed", 500, "output cannot be written")
    /// The offset to continue from is beyond the end of the message.
    package static let offsetBeyondEnd = Self("offset-beyond-end", 500, "offset is beyond the end of the message")
    /// The ``EncodingProgress`` ended the encoding; what its closure threw is the underlying error.
    public static let cancelled = Self("cancelled", 500, "encoding was cancelled")

    /// All codes, in the order of their ``number``: new ones are added at the end.
    private static let all = [
        malformedContentType, unsupportedMediaType, missingBoundary, invalidBoundary, boundaryNotFound,
        preambleNotAllowed, epilogueNotAllowed, malformedDelimiter, unexpectedEnd, bareLF, bareCR, malformedHeader,
        invalidHeaderCharacter, duplicateHeader, malformedContentDisposition, missingName, duplicateParameter,
        tooManyCombiningMarks, ambiguousHeader, contentLengthMismatch, missingFilename,
        undecodableText, limitParts, limitHeaderCount, limitHeaderBytes, limitPreambleBytes, limitPartBytes,
        limitTotalBytes, limitMemoryBytes, limitDiskBytes, partRejected, bodyOutOfTurn, concurrentUse,
        alreadyFinished, abandoned, invalidCharacter, invalidHeaderName, invalidHeaderValue, forbiddenHeader,
        lossyDisposition, bodyPartURLInvalid, bodyPartFilenameInvalid, bodyPartFileNotReachable,
        bodyPartFileNotReachableWithError, bodyPartFileIsDirectory, bodyPartFileIsSpecial, bodyPartFileSizeNotAvailable,
        bodyPartFileSizeQueryFailedWithError, bodyPartFileChanged, bodyPartRangeInvalid,
        bodyPartInputStreamCreationFailed, bodyPartLengthMismatch, bodyPartStreamConsumed, notReplayable,
        bodyPartIsAsynchronous, inputStreamReadFailed, encodedLengthTooLarge, boundaryCollision,
        outputStreamURLInvalid, outputStreamFileAlreadyExists, outputStreamCreationFailed, outputStreamWriteFailed,
        offsetBeyondEnd, cancelled,
    ]
}
