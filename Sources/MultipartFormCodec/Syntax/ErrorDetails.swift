/// The details of an error code: the HTTP status, the reason in words and, for an exceeded limit, the option that sets
/// the limit.
///
/// ``all`` has the details of each code in ``MultipartError/Code`` and ``ErrorCode``. The number of a code is 1 plus
/// the code's index in ``all``.
package struct ErrorDetails {
    let code: MultipartError.Code
    /// The HTTP status if a received form caused the error. If the program or the system caused the error, the status
    /// is 500.
    let status: Int
    /// The reason in words, with `#` in place of the limit, or `%` in place of the type of a value.
    private let reason: String
    /// The name of the option that usually sets the limit; nil if no option sets it. If an error's limit was set
    /// in another way, the error has its own ``MultipartError/limitName``.
    let option: String?

    private init(_ code: MultipartError.Code, _ status: Int, _ reason: String, option: String? = nil) {
        self.code = code
        self.status = status
        self.reason = reason
        self.option = option
    }

    /// Returns the details of a code; nil if this version of the library does not have the code.
    static func of(_ code: MultipartError.Code) -> ErrorDetails? { indices[code].map { all[$0] } }

    /// Returns the number that identifies a code in an `NSError`; 0 if this version of the library does not have the
    /// code.
    ///
    /// Numbers begin at 1, and a code has the same number in all versions.
    package static func number(of code: MultipartError.Code) -> Int { (indices[code] ?? -1) + 1 }

    /// The index of each code in `all`.
    private static let indices = Dictionary(uniqueKeysWithValues: all.enumerated().map { ($1.code, $0) })

    /// Returns the reason for an error with this code, in words. The text contains the error's limit or its lengths.
    func reason(of error: MultipartError) -> String {
        if code == .bodyPartLengthMismatch, let expected = error.expectedLength, let actual = error.actualLength {
            return "content has \(actual > expected ? "at least " : "")\(actual) bytes, not the declared \(expected)"
        }
        guard let end = reason.firstIndex(of: "#") else { return reason(ofType: nil) }
        guard let limit = error.limit else { return "\(reason[..<end])the limit" }
        return "\(reason[..<end])\(limit)\(reason[reason.index(after: end)...])"
    }

    /// Returns the reason in words, with `%` replaced by `type` or, if `type` is nil, by the word `value`.
    func reason(ofType type: String?) -> String {
        guard let mark = reason.utf8.firstIndex(of: UInt8(ascii: "%")) else { return reason }
        return reason[..<mark] + (type ?? "value") + reason[reason.utf8.index(after: mark)...]
    }

    /// The details of all codes, in the order of the codes' numbers. A new code is added at the end, so that no number
    /// changes.
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
        ErrorDetails(ErrorCode.limitHeaderCount, 413, "header section has more than # lines", option: "maxHeaderCount"),
        ErrorDetails(
            ErrorCode.limitHeaderBytes,
            413,
            "header section or padding exceeds # bytes",
            option: "maxHeaderBytes"
        ),
        ErrorDetails(ErrorCode.limitPreambleBytes, 400, "preamble exceeds # bytes", option: "maxPreambleBytes"),
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
        ErrorDetails(ErrorCode.bodyPartFileIsSpecial, 500, "file is a FIFO, a device or a socket"),
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
        ErrorDetails(.missingValue, 400, "no part has the name, and % is required"),
        ErrorDetails(.emptyValue, 400, "part is empty, which is not a valid %"),
        ErrorDetails(.noFile, 400, "no file was selected, and % is required"),
        ErrorDetails(ErrorCode.expectedValue, 400, "name has keys or elements, and % is one value"),
        ErrorDetails(ErrorCode.expectedKeys, 400, "name has values, not keys"),
        ErrorDetails(
            ErrorCode.expectedArray,
            400,
            "name has no elements: its keys are not indices, or it is an element itself"
        ),
        ErrorDetails(
            .expectedFile,
            400,
            "part has no file name, which % needs: decode BodyPart or Data, or a type whose requiresFile is false"
        ),
        ErrorDetails(ErrorCode.unexpectedFile, 400, "part is a file, and % is read from a field"),
        ErrorDetails(ErrorCode.expectedJSON, 400, "media type is not JSON"),
        ErrorDetails(.duplicateName, 400, "several parts have the name"),
        ErrorDetails(ErrorCode.mixedShapes, 400, "name has both values and keys, or both [] and [0]"),
        ErrorDetails(ErrorCode.sparseArray, 400, "array indices have a gap"),
        ErrorDetails(ErrorCode.ambiguousArray, 400, "[] is not at the end of the name"),
        ErrorDetails(ErrorCode.malformedName, 400, "name joins keys in another style than keyPathEncoding"),
        ErrorDetails(ErrorCode.invalidText, 400, "bytes are not valid in their character set"),
        ErrorDetails(.invalidValue, 400, "text is not a valid %"),
        ErrorDetails(.valueTooLong, 413, "value exceeds # bytes", option: "maxValueBytes"),
        ErrorDetails(ErrorCode.unreadablePart, 500, "content of the part cannot be read"),
        ErrorDetails(.unknownName, 400, "type has no key of the name, or the part has no name"),
        ErrorDetails(ErrorCode.nameTooLong, 413, "name exceeds # bytes", option: "maxNameBytes"),
        ErrorDetails(ErrorCode.tooManyParts, 413, "form has more than # parts", option: "maxParts"),
        ErrorDetails(ErrorCode.tooDeep, 413, "nested deeper than # levels", option: "maxDepth"),
        ErrorDetails(ErrorCode.tooManyAttempts, 413, "type requests far more values than the form has"),
        ErrorDetails(ErrorCode.notKeyedRoot, 500, "% has no keys to name its parts"),
        ErrorDetails(ErrorCode.invalidKey, 500, "key is empty, has a forbidden character, or is used twice"),
        ErrorDetails(ErrorCode.emptyElement, 500, "element would have no part, so its index or key would be lost"),
        ErrorDetails(ErrorCode.nonFiniteNumber, 500, "number is not finite"),
        ErrorDetails(ErrorCode.unencodable, 500, "% cannot be a part, or encodes none where one is needed"),
    ]
}
