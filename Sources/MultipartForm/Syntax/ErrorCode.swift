/// The codes of errors that programs need not distinguish.
package enum ErrorCode {
    // The Content-Type field.

    /// The Content-Type field is not a media type with parameters (RFC 9110 §8.3.1).
    package static let malformedContentType = MultipartError.Code("malformed-content-type")

    // Framing.

    /// In strict mode, the message does not begin with the delimiter.
    package static let preambleNotAllowed = MultipartError.Code("preamble-not-allowed")
    /// In strict mode, something other than line breaks follows the close delimiter.
    package static let epilogueNotAllowed = MultipartError.Code("epilogue-not-allowed")
    /// Before the first part, two hyphens and the boundary share a line with other bytes (RFC 2046 §5.1.1).
    ///
    /// In strict mode also:
    /// - Within a body, two hyphens and the boundary share a line with other bytes.
    /// - White space follows the boundary.
    /// - A delimiter follows the blank line of a header section without another line break in between.
    package static let malformedDelimiter = MultipartError.Code("malformed-delimiter")
    /// A line ends in LF alone where others end in CR LF, or the reverse.
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
    /// In strict mode, a header section, or the Content-Type field, is not in the grammar that all parsers are known to
    /// read alike; the error's text says why.
    package static let ambiguousHeader = MultipartError.Code("ambiguous-header")

    // Header fields of a received part, and its content.

    /// In strict mode, a part's Content-Length is not the length of its body (RFC 7578 §4.8).
    package static let contentLengthMismatch = MultipartError.Code("content-length-mismatch")
    /// In strict mode, a file name is empty, but the part has content (RFC 7578 §4.2).
    package static let missingFilename = MultipartError.Code("missing-filename")

    // Limits.

    /// A part has more header lines than ``MultipartParser/Options/maxHeaderCount``.
    package static let limitHeaderCount = MultipartError.Code("limit-header-count")
    /// A header section, or the padding after a delimiter, exceeds ``MultipartParser/Options/maxHeaderBytes``.
    package static let limitHeaderBytes = MultipartError.Code("limit-header-bytes")
    /// The preamble exceeds ``MultipartParser/Options/maxPreambleBytes``.
    package static let limitPreambleBytes = MultipartError.Code("limit-preamble-bytes")

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
    /// A value to send is not allowed:
    /// - A media type or header field has a control character, or one that is not ASCII (RFC 9110 §5.5).
    /// - A media type is not a type and a subtype, with or without parameters (RFC 9110 §8.3.1).
    /// - The media type of a text names another charset than the one in which the text is sent.
    package static let invalidHeaderValue = MultipartError.Code("invalid-header-value")
    /// A header field may not be set, because the encoder writes it, or because it frames the part or declares its
    /// content encoded (RFC 7578 §4.7).
    package static let forbiddenHeader = MultipartError.Code("forbidden-header")
    /// A Content-Disposition cannot be sent without a loss:
    /// - One given with a part's header fields has a type other than `form-data`, parameters other than a name and a
    ///   file name, or bytes that are not UTF-8.
    /// - One of a received part has a control character outside of the name and the file name, or a parameter such as
    ///   `name*`, which others may read as a second name.
    package static let lossyDisposition = MultipartError.Code("lossy-disposition")

    // Content to send.

    /// The file is a FIFO, a device or a socket, and has no length.
    package static let bodyPartFileIsSpecial = MultipartError.Code("body-part-file-is-special")
    /// The range lies outside the file.
    package static let bodyPartRangeInvalid = MultipartError.Code("body-part-range-invalid")
    /// Encoding from the offset would have to read a stream again that can be read only once.
    package static let notReplayable = MultipartError.Code("not-replayable")
    /// The content is an asynchronous sequence: only asynchronous methods encode or save it, such as
    /// ``MultipartFormData/chunks(ofSize:from:bytesPerSecond:progress:)``, and no encoding can begin at an offset
    /// within it.
    package static let bodyPartIsAsynchronous = MultipartError.Code("body-part-is-asynchronous")
    /// The total length does not fit in 64 bits, or in memory.
    package static let encodedLengthTooLarge = MultipartError.Code("encoded-length-too-large")

    // Output.

    /// The offset to continue from is beyond the end of the message.
    package static let offsetBeyondEnd = MultipartError.Code("offset-beyond-end")
}
