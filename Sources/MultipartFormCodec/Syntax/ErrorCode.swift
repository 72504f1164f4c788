/// The codes of errors that programs need not distinguish. ``MultipartError/Code`` has constants for the other codes.
package enum ErrorCode {
    // Errors in the Content-Type field.

    /// The Content-Type field is not a media type with parameters (RFC 9110 §8.3.1).
    package static let malformedContentType = MultipartError.Code("malformed-content-type")

    // Errors in the message's delimiters, preamble, epilogue and line breaks.

    /// In strict mode, the message does not begin with the dash-boundary: two hyphens and the boundary.
    package static let preambleNotAllowed = MultipartError.Code("preamble-not-allowed")
    /// In strict mode, bytes other than line breaks follow the close delimiter.
    package static let epilogueNotAllowed = MultipartError.Code("epilogue-not-allowed")
    /// A line contains the dash-boundary, but is not a correct delimiter line (RFC 2046 §5.1.1).
    ///
    /// Both modes refuse:
    /// - Before the first part, any other text in a line with the dash-boundary.
    /// - Any other text after the close delimiter in its line.
    ///
    /// Strict mode also refuses:
    /// - Within a body, any other text in a line with the dash-boundary.
    /// - White space after the boundary in a delimiter line.
    /// - A delimiter line directly after the blank line of a header section. Even if a part has no content, the
    ///   delimiter after the part must begin with its own CRLF.
    package static let malformedDelimiter = MultipartError.Code("malformed-delimiter")
    /// A delimiter line or a header line ends in the wrong line break.
    ///
    /// In strict mode, each of these lines must end in CR LF.
    ///
    /// In lenient mode, each of these lines must end in the same line break as the first delimiter line: CR LF or LF
    /// alone. The close delimiter may end in either. If the first delimiter line ends in LF alone, the line break
    /// before each later delimiter must be LF alone, too.
    package static let bareLF = MultipartError.Code("bare-lf")
    /// A header line has a CR without an LF after it.
    package static let bareCR = MultipartError.Code("bare-cr")

    // Errors in the header fields of a received part.

    /// A header line has no colon, or the text before the colon is not a token (RFC 9110 §5.1).
    package static let malformedHeader = MultipartError.Code("malformed-header")
    /// A header line has a NUL character (RFC 9110 §5.5).
    package static let invalidHeaderCharacter = MultipartError.Code("invalid-header-character")
    /// A part has two Content-Disposition fields.
    package static let duplicateHeader = MultipartError.Code("duplicate-header")
    /// A Content-Disposition field does not follow its grammar (RFC 2183 §2).
    package static let malformedContentDisposition = MultipartError.Code("malformed-content-disposition")
    /// A part cannot be sent, because it has no name (RFC 7578 §4.2).
    package static let missingName = MultipartError.Code("missing-name")
    /// A Content-Disposition has `name`, `filename` or `filename*` twice, or a Content-Type has `boundary` twice.
    package static let duplicateParameter = MultipartError.Code("duplicate-parameter")
    /// A name or file name has more than 30 combining marks in a row (UAX #15 §13). The parser, the encoder and the
    /// coders refuse such a name.
    package static let tooManyCombiningMarks = MultipartError.Code("too-many-combining-marks")
    /// In strict mode, a header section or the message's Content-Type field does not follow strict mode's grammar. As
    /// far as known, every parser reads text in this grammar correctly. The error's description gives the reason.
    package static let ambiguousHeader = MultipartError.Code("ambiguous-header")

    // Errors in a received part's header fields and content.

    /// In strict mode, a part's Content-Length is not the length of its body (RFC 7578 §4.8).
    package static let contentLengthMismatch = MultipartError.Code("content-length-mismatch")
    /// In strict mode, a part has content but an empty file name (RFC 7578 §4.2).
    package static let missingFilename = MultipartError.Code("missing-filename")

    // Errors if a limit is exceeded.

    /// A part has more header lines than ``MultipartParser/Options/maxHeaderCount``.
    package static let limitHeaderCount = MultipartError.Code("limit-header-count")
    /// A header section exceeds ``MultipartParser/Options/maxHeaderBytes``, or the white space in a delimiter line
    /// exceeds this limit.
    package static let limitHeaderBytes = MultipartError.Code("limit-header-bytes")
    /// The preamble exceeds ``MultipartParser/Options/maxPreambleBytes``.
    package static let limitPreambleBytes = MultipartError.Code("limit-preamble-bytes")

    // Errors in calls that receive parts.

    /// The caller requested the body of a part after requesting the next part.
    package static let bodyOutOfTurn = MultipartError.Code("body-out-of-turn")
    /// Two readers would disturb each other:
    /// - Two tasks read the parts of one message at the same time.
    /// - The caller has copied an iterator over encoded chunks, and uses both copies.
    package static let concurrentUse = MultipartError.Code("concurrent-use")
    /// The caller passed bytes to the parser after calling `finish`.
    package static let alreadyFinished = MultipartError.Code("already-finished")
    /// The caller used the parser again after the caller's event handler had thrown an error.
    package static let abandoned = MultipartError.Code("abandoned")

    // Errors in names and header fields to send.

    /// A name or file name has a control character other than HTAB, CR and LF.
    package static let invalidCharacter = MultipartError.Code("invalid-character")
    /// The name of a header field is not a token (RFC 9110 §5.1).
    package static let invalidHeaderName = MultipartError.Code("invalid-header-name")
    /// The encoder refuses the value of a header field:
    /// - The value has a control character other than HTAB, or a character outside ASCII (RFC 9110 §5.5).
    /// - A media type does not have the form type/subtype, with or without parameters (RFC 9110 §8.3.1).
    /// - A text is sent in UTF-8, but the charset in the text's media type does not decode the bytes to the same text.
    /// - A Content-Disposition that the caller has set is malformed.
    package static let invalidHeaderValue = MultipartError.Code("invalid-header-value")
    /// The encoder refuses a header field:
    /// - Content-Disposition or Content-Type in `additionalHeaders`, because the encoder writes these fields.
    /// - A second Content-Disposition or Content-Type in the `headers` of a new part.
    /// - Content-Length in a new part, because some receivers determine the end of a part by this field. A received
    ///   part is forwarded with the field.
    /// - Content-Transfer-Encoding, if the value is not 7bit, 8bit or binary (RFC 7578 §4.7).
    package static let forbiddenHeader = MultipartError.Code("forbidden-header")
    /// The encoder refuses a part's Content-Disposition.
    ///
    /// If the caller sets or changes the part's header fields, the encoder writes a new Content-Disposition with only
    /// the name and the file name. The encoder refuses the caller's Content-Disposition if one of these would be lost:
    /// - A type other than `form-data`.
    /// - A parameter other than `name` and `filename`.
    /// - Bytes that are not UTF-8.
    ///
    /// If the caller neither sets nor changes header fields, the encoder forwards a received Content-Disposition
    /// unchanged. The encoder refuses a received Content-Disposition that has one of these:
    /// - A control character outside the name and the file name.
    /// - A parameter such as `name*`, which a receiver may read as a second name.
    package static let lossyDisposition = MultipartError.Code("lossy-disposition")

    // Errors in content to send.

    /// The file is a FIFO, a device or a socket, and has no length.
    package static let bodyPartFileIsSpecial = MultipartError.Code("body-part-file-is-special")
    /// The range of bytes to send extends beyond the end of the file.
    package static let bodyPartRangeInvalid = MultipartError.Code("body-part-range-invalid")
    /// The encoder cannot begin at the requested offset, because it would have to read a stream again. The stream can
    /// be read only once.
    package static let notReplayable = MultipartError.Code("not-replayable")
    /// The content is an asynchronous sequence, which the call cannot read:
    /// - The call is synchronous. Use an asynchronous method, such as
    ///   ``MultipartFormData/chunks(ofSize:from:bytesPerSecond:progress:)``.
    /// - The requested offset is within the content. The encoder reads an asynchronous sequence only from its start.
    /// - The requested offset is after the content, and the length of the content is unknown.
    package static let bodyPartIsAsynchronous = MultipartError.Code("body-part-is-asynchronous")
    /// A length is too large:
    /// - The length of the message does not fit in 64 bits.
    /// - The message, or one of its chunks, does not fit in memory.
    /// - A header section is 2 GiB or longer.
    package static let encodedLengthTooLarge = MultipartError.Code("encoded-length-too-large")

    // Errors in the requested output.

    /// The requested offset is after the end of the message.
    package static let offsetBeyondEnd = MultipartError.Code("offset-beyond-end")

    // Errors if the shape of a value does not fit the type.

    /// The name has keys or array elements, but the type is a single value.
    package static let expectedValue = MultipartError.Code("expected-value")
    /// The type has keys, but the form has the name `a` or `a[]` instead of a name with a key, such as `a[b]`.
    package static let expectedKeys = MultipartError.Code("expected-keys")
    /// The type is an array, but the value is not an array:
    /// - The value has keys that are not indices, such as `a[b]`.
    /// - The type is an array of arrays, but the form has only one level of elements, such as `a[]`.
    package static let expectedArray = MultipartError.Code("expected-array")
    /// The part has a file name, but the type requires a field. For instance, texts, numbers and dates must be fields.
    package static let unexpectedFile = MultipartError.Code("unexpected-file")
    /// The type requires JSON, but the part's media type is neither JSON nor text/plain.
    package static let expectedJSON = MultipartError.Code("expected-json")

    // Errors in the names of a form, which are contradictory or ambiguous.

    /// A name has both values and keys, or array elements of two kinds, such as `a[]` and `a[0]`.
    package static let mixedShapes = MultipartError.Code("mixed-shapes")
    /// The indices of an array do not start at 0, or have a gap.
    package static let sparseArray = MultipartError.Code("sparse-array")
    /// A name has `[]` before its end, such as `a[][b]`. Receivers disagree on which elements belong together.
    package static let ambiguousArray = MultipartError.Code("ambiguous-array")
    /// The type has keys or elements, but a name joins its keys in another style than
    /// ``FormDataDecoder/keyPathEncoding``. For instance, the style is `.brackets`, but the name is `items[0].id`.
    package static let malformedName = MultipartError.Code("malformed-name")

    // Errors in reading a part for a value.

    /// The content is invalid in its character set, or the character set is unknown.
    package static let invalidText = MultipartError.Code("invalid-text")
    /// Reading the part's content failed with the ``MultipartError/underlyingError``.
    package static let unreadablePart = MultipartError.Code("unreadable-part")

    // Errors if a form exceeds a limit of the coders.

    /// A name is longer than ``FormDataDecoder/maxNameBytes``.
    package static let nameTooLong = MultipartError.Code("name-too-long")
    /// The form has more parts than ``FormDataDecoder/maxParts``.
    package static let tooManyParts = MultipartError.Code("too-many-parts")
    /// A name or a value has more levels than `maxDepth`, or more than 64 levels.
    package static let tooDeep = MultipartError.Code("too-deep")
    /// A type requests far more values than the form has, for instance because the type tries many shapes at each
    /// level.
    package static let tooManyAttempts = MultipartError.Code("too-many-attempts")

    // Errors in encoding a value.

    /// The root value has no keys, so its parts would have no names.
    package static let notKeyedRoot = MultipartError.Code("not-keyed-root")
    /// A key is empty, is used twice, or has a character that would split or change the name.
    package static let invalidKey = MultipartError.Code("invalid-key")
    /// An element of an array or a dictionary would have no part, so the receiver would miss the element.
    package static let emptyElement = MultipartError.Code("empty-element")
    /// A number is infinite or NaN.
    package static let nonFiniteNumber = MultipartError.Code("non-finite-number")
    /// A value cannot be encoded:
    /// - A part cannot represent the value.
    /// - The value would have no part, although the receiver needs one, for instance to find the case of an enum.
    ///
    /// If another error is the cause, that error is the ``MultipartError/underlyingError``.
    package static let unencodable = MultipartError.Code("unencodable")
}
