/// The codes of errors that programs need not tell apart, and what all codes say.
package enum ErrorCode {
    // The Content-Type field.

    /// The Content-Type field is not a media type with parameters (RFC 9110 §8.3.1).
    package static let malformedContentType = MultipartError.Code("malformed-content-type")

    // Framing.

    /// Strict mode: the message does not begin with the delimiter.
    package static let preambleNotAllowed = MultipartError.Code("preamble-not-allowed")
    /// Strict mode: something other than line breaks follows the close delimiter.
    package static let epilogueNotAllowed = MultipartError.Code("epilogue-not-allowed")
    /// Before the first part, two hyphens and the boundary are not on a line of their own (RFC 2046 §5.1.1); in strict
    /// mode also within a body, with white space after them, or right after the blank line of a header section.
    package static let malformedDelimiter = MultipartError.Code("malformed-delimiter")
    /// A line ends in LF alone where the others end in CR LF, or the reverse.
    package static let bareLF = MultipartError.Code("bare-lf")
    /// A header line has a CR without an LF.
    package static let bareCR = MultipartError.Code("bare-cr")

    // Header fields of a received part.

    /// A header line has no colon, or its name is not a token (RFC 9110 §5.1).
    package static let malformedHeader = MultipartError.Code("malformed-header")
    /// A header has a NUL (RFC 9110 §5.5).
    package static let invalidHeaderCharacter = MultipartError.Code("invalid-header-character")
    /// A header field that identifies the part occurs twice.
    package static let duplicateHeader = MultipartError.Code("duplicate-header")
    /// A Content-Disposition does not follow its grammar (RFC 2183 §2).
    package static let malformedContentDisposition = MultipartError.Code("malformed-content-disposition")
    /// A part to send has no name (RFC 7578 §4.2).
    package static let missingName = MultipartError.Code("missing-name")
    /// A parameter that identifies the part or frames the message occurs twice.
    package static let duplicateParameter = MultipartError.Code("duplicate-parameter")
    /// A name or file name has more than 30 combining marks in a row (UAX #15 §13). The encoder also refuses it.
    package static let tooManyCombiningMarks = MultipartError.Code("too-many-combining-marks")
    /// Strict mode: a header section, or the Content-Type field, is not in the grammar that all parsers are known to
    /// read alike; the error's text says why.
    package static let ambiguousHeader = MultipartError.Code("ambiguous-header")

    // Header fields of a received part, and its content.

    /// Strict mode: a part's Content-Length is not the length of its body (RFC 7578 §4.8).
    package static let contentLengthMismatch = MultipartError.Code("content-length-mismatch")
    /// Strict mode: a file name is empty, but the part has content (RFC 7578 §4.2).
    package static let missingFilename = MultipartError.Code("missing-filename")

    // Receiving parts.

    /// A part's body was requested after the next part.
    package static let bodyOutOfTurn = MultipartError.Code("body-out-of-turn")
    /// Two tasks read the parts of one message at the same time, or a copy of the iterator of encoded chunks was used
    /// after another copy had continued.
    package static let concurrentUse = MultipartError.Code("concurrent-use")
    /// Bytes were appended after the parser was finished.
    package static let alreadyFinished = MultipartError.Code("already-finished")
    /// The parser was used again after a handler threw.
    package static let abandoned = MultipartError.Code("abandoned")

    // Names and header fields to send.

    /// A name or file name has a control character other than HTAB, CR and LF.
    package static let invalidCharacter = MultipartError.Code("invalid-character")
    /// The name of a header field is not a token (RFC 9110 §5.1).
    package static let invalidHeaderName = MultipartError.Code("invalid-header-name")
    /// A media type or header field has a control character, or one that is not ASCII (RFC 9110 §5.5); a media type is
    /// not a type and a subtype, with parameters or without (RFC 9110 §8.3.1); or that of text has a charset that is
    /// not the one in which it is sent.
    package static let invalidHeaderValue = MultipartError.Code("invalid-header-value")
    /// A header field that the encoder writes, that frames the part, or that encodes its bytes (RFC 7578 §4.7).
    package static let forbiddenHeader = MultipartError.Code("forbidden-header")
    /// A Content-Disposition that was given with a part's header fields has a type other than `form-data`, parameters
    /// other than a name and a file name, or bytes that are not UTF-8; or that of a received part has a control
    /// character outside of both, or a parameter such as `name*`, which others may read as a second name.
    package static let lossyDisposition = MultipartError.Code("lossy-disposition")

    // Content to send.

    /// The range lies outside the file.
    package static let bodyPartRangeInvalid = MultipartError.Code("body-part-range-invalid")
    /// To begin at the offset, a stream that can be read only once would have to be read again.
    package static let notReplayable = MultipartError.Code("not-replayable")
    /// The content is an asynchronous sequence: only what is awaited can encode or save it, such as
    /// ``MultipartFormData/chunks(ofSize:from:bytesPerSecond:progress:)``, and no encoding can begin within it.
    package static let bodyPartIsAsynchronous = MultipartError.Code("body-part-is-asynchronous")
    /// The total length does not fit in 64 bits, or in memory.
    package static let encodedLengthTooLarge = MultipartError.Code("encoded-length-too-large")

    // Output.

    /// The offset to continue from is beyond the end of the message.
    package static let offsetBeyondEnd = MultipartError.Code("offset-beyond-end")
}

/// What a code says.
package struct ErrorDetails {
    let code: MultipartError.Code
    /// The HTTP status of an error with an offset.
    let status: Int
    /// What went wrong, in words; `#` is the limit.
    private let reason: String
    /// The option that sets the limit, unless the error names another one.
    let option: String?

    private init(_ code: MultipartError.Code, _ status: Int, _ reason: String, option: String? = nil) {
        self.code = code
        self.status = status
        self.reason = reason
        self.option = option
    }

    /// What a code says; nil for one that this version does not have.
    static func of(_ code: MultipartError.Code) -> ErrorDetails? { all.first { $0.code == code } }

    /// The number of a code, from 1, the same in all versions; 0 for one that this version does not have.
    package static func number(of code: MultipartError.Code) -> Int { (all.firstIndex { $0.code == code } ?? -1) + 1 }

    /// What went wrong in an error with the code, in words.
    func reason(of error: MultipartError) -> String {
        if code == .bodyPartLengthMismatch, let expected = error.expectedLength, let actual = error.actualLength {
            return "content has \(actual > expected ? "at least " : "")\(actual) bytes, not the declared \(expected)"
        }
        guard let end = reason.firstIndex(of: "#") else { return reason }
        guard let limit = error.limit else { return "\(reason[..<end])the limit" }
        return "\(reason[..<end])\(limit)\(reason[reason.index(after: end)...])"
    }

    /// All codes, in the order of their numbers: new ones are added at the end.
    static let all = [
        ErrorDetails(ErrorCode.malformedContentType, 400, "Content-Type is malformed"),
        ErrorDetails(.unsupportedMediaType, 415, "media type is not multipart/form-data"),
        ErrorDetails(.missingBoundary, 400, "Content-Type has no boundary parameter"),
        ErrorDetails(.invalidBoundary, 400, "boundary is not valid"),
        ErrorDetails(.boundaryNotFound, 400, "no delimiter before the end of the message"),
        ErrorDetails(ErrorCode.preambleNotAllowed, 400, "message does not begin with the delimiter"),
        ErrorDetails(ErrorCode.epilogueNotAllowed, 400, "message continues after its close delimiter"),
        ErrorDetails(ErrorCode.malformedDelimiter, 400, "line with the boundary is not a delimiter"),
        ErrorDetails(.unexpectedEnd, 400, "message ends before its close delimiter"),
        ErrorDetails(ErrorCode.bareLF, 400, "message has both LF and CR LF line breaks"),
        ErrorDetails(ErrorCode.bareCR, 400, "CR without LF in a header line"),
        ErrorDetails(ErrorCode.malformedHeader, 400, "header line is not a name, a colon and a value"),
        ErrorDetails(ErrorCode.invalidHeaderCharacter, 400, "forbidden control character in a header"),
        ErrorDetails(ErrorCode.duplicateHeader, 400, "header field occurs twice"),
        ErrorDetails(ErrorCode.malformedContentDisposition, 400, "Content-Disposition is malformed"),
        ErrorDetails(ErrorCode.missingName, 400, "part has no name"),
        ErrorDetails(ErrorCode.duplicateParameter, 400, "parameter occurs twice"),
        ErrorDetails(
            ErrorCode.tooManyCombiningMarks,
            400,
            "name or file name has more than 30 combining marks in a row"
        ),
        ErrorDetails(ErrorCode.ambiguousHeader, 400, "parsers may differ on a header"),
        ErrorDetails(ErrorCode.contentLengthMismatch, 400, "Content-Length is not the length of the body"),
        ErrorDetails(ErrorCode.missingFilename, 400, "file name is empty, but the part has content"),
        ErrorDetails(.undecodableText, 400, "text is not valid in its character set"),
        ErrorDetails(.limitParts, 413, "message has more than # parts", option: "maxParts"),
        ErrorDetails(.limitHeaderCount, 413, "header section has more than # lines", option: "maxHeaderCount"),
        ErrorDetails(.limitHeaderBytes, 413, "header section or padding exceeds # bytes", option: "maxHeaderBytes"),
        ErrorDetails(.limitPreambleBytes, 413, "preamble exceeds # bytes", option: "maxPreambleBytes"),
        ErrorDetails(.limitPartBytes, 413, "body exceeds # bytes", option: "maxPartBytes"),
        ErrorDetails(.limitTotalBytes, 413, "message exceeds # bytes", option: "maxTotalBytes"),
        ErrorDetails(.limitMemoryBytes, 413, "parts in memory exceed # bytes", option: "maxMemoryBytes"),
        ErrorDetails(.limitDiskBytes, 413, "content on disk exceeds # bytes", option: "maxDiskBytes"),
        ErrorDetails(.partRejected, 400, "part was rejected"),
        ErrorDetails(ErrorCode.bodyOutOfTurn, 500, "body was requested after the next part was read"),
        ErrorDetails(ErrorCode.concurrentUse, 500, "message is already in use elsewhere"),
        ErrorDetails(ErrorCode.alreadyFinished, 500, "bytes were passed after the parser was finished"),
        ErrorDetails(ErrorCode.abandoned, 500, "parser was used again after its handler threw"),
        ErrorDetails(ErrorCode.invalidCharacter, 500, "name or file name has a control character"),
        ErrorDetails(ErrorCode.invalidHeaderName, 500, "header name is not a token"),
        ErrorDetails(ErrorCode.invalidHeaderValue, 500, "media type or header value is not printable ASCII"),
        ErrorDetails(ErrorCode.forbiddenHeader, 500, "header field may not be set"),
        ErrorDetails(ErrorCode.lossyDisposition, 500, "Content-Disposition has what a form's part cannot have"),
        ErrorDetails(.bodyPartURLInvalid, 500, "URL is not that of a file"),
        ErrorDetails(.bodyPartFilenameInvalid, 500, "URL has no file name"),
        ErrorDetails(.bodyPartFileNotReachable, 500, "file does not exist"),
        ErrorDetails(.bodyPartFileNotReachableWithError, 500, "file is not reachable"),
        ErrorDetails(.bodyPartFileIsDirectory, 500, "file is a directory"),
        ErrorDetails(.bodyPartFileIsSpecial, 500, "file is a FIFO, a device or a socket"),
        ErrorDetails(.bodyPartFileSizeNotAvailable, 500, "size of the file is not known"),
        ErrorDetails(.bodyPartFileSizeQueryFailedWithError, 500, "size of the file cannot be read"),
        ErrorDetails(.bodyPartFileChanged, 500, "file has changed"),
        ErrorDetails(ErrorCode.bodyPartRangeInvalid, 500, "range lies outside the file"),
        ErrorDetails(.bodyPartInputStreamCreationFailed, 500, "content cannot be opened"),
        ErrorDetails(.bodyPartLengthMismatch, 500, "content does not have its declared length"),
        ErrorDetails(.bodyPartStreamConsumed, 500, "stream has already been read"),
        ErrorDetails(ErrorCode.notReplayable, 500, "stream can be read only once, and has to be read again"),
        ErrorDetails(
            ErrorCode.bodyPartIsAsynchronous,
            500,
            "content is an asynchronous sequence, which only asynchronous methods read"
        ),
        ErrorDetails(.inputStreamReadFailed, 500, "content cannot be read"),
        ErrorDetails(ErrorCode.encodedLengthTooLarge, 500, "total length is too large"),
        ErrorDetails(.boundaryCollision, 500, "content has the boundary after two hyphens in it"),
        ErrorDetails(.outputStreamURLInvalid, 500, "output URL is not that of a file"),
        ErrorDetails(.outputStreamFileAlreadyExists, 500, "output file already exists"),
        ErrorDetails(.outputStreamCreationFailed, 500, "output file cannot be created"),
        ErrorDetails(.outputStreamWriteFailed, 500, "output cannot be written"),
        ErrorDetails(ErrorCode.offsetBeyondEnd, 500, "offset is beyond the end of the message"),
        ErrorDetails(.cancelled, 500, "encoding was cancelled"),
    ]
}
