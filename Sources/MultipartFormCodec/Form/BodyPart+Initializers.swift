#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Creates parts from bytes, text, files, streams and sequences.
extension BodyPart {
    /// Creates a part from bytes in memory, such as content that the program has made.
    ///
    /// - Parameters:
    ///   - data: The content.
    ///   - name: The name of the form's field.
    ///   - filename: The file name; nil for a part that is not a file.
    ///   - contentType: The media type. If it is nil, a file gets the type of its file name's extension, or else
    ///     application/octet-stream. A part that is not a file is sent without a type.
    ///   - additionalHeaders: Further header fields. RFC 7578 §4.8 tells receivers to ignore them.
    public init(
        _ data: Data,
        name: String,
        filename: String? = nil,
        contentType: String? = nil,
        additionalHeaders: HeaderFields = [:]
    ) {
        self.init(
            content: .data(data),
            name: name,
            filename: filename,
            contentType: contentType,
            additionalHeaders: additionalHeaders
        )
    }

    /// Creates a text field. The text is sent in UTF-8, with its line breaks unchanged.
    ///
    /// - Parameters:
    ///   - text: The content.
    ///   - name: The name of the form's field.
    ///   - contentType: The media type; nil to send no type, as browsers do for text. If the type has a charset that
    ///     does not decode the UTF-8 bytes to the same text, the part has an ``error``.
    ///   - additionalHeaders: Further header fields.
    public init(_ text: String, name: String, contentType: String? = nil, additionalHeaders: HeaderFields = [:]) {
        self.init(
            content: BodyContent(text, contentType),
            name: name,
            filename: nil,
            contentType: contentType,
            additionalHeaders: additionalHeaders
        )
    }

    /// Creates a file part from a file on disk, or from a range of its bytes. The initializer checks the file; encoding
    /// reads the file.
    ///
    /// For a whole file without further header fields,
    /// ``MultipartFormData/append(_:withName:fileName:mimeType:)-(URL,_,_,_)`` is shorter.
    ///
    /// - Parameters:
    ///   - fileURL: The file.
    ///   - range: The bytes to send, such as one piece of a large upload; nil for the whole file.
    ///   - name: The name of the form's field.
    ///   - filename: The file name to send; nil for the last component of the URL.
    ///   - contentType: The media type. If it is nil, the file gets the type of its file name's extension, or else
    ///     application/octet-stream.
    ///   - additionalHeaders: Further header fields.
    /// - Throws: ``MultipartError`` if the file fails a check. The error's code begins with `body-part-file-`, or is
    ///   one of these codes: ``MultipartError/Code/bodyPartURLInvalid``,
    ///   ``MultipartError/Code/bodyPartFilenameInvalid``, `body-part-range-invalid`,
    ///   ``MultipartError/Code/bodyPartInputStreamCreationFailed``.
    public init(
        contentsOf fileURL: URL,
        range: Range<UInt64>? = nil,
        name: String,
        filename: String? = nil,
        contentType: String? = nil,
        additionalHeaders: HeaderFields = [:]
    ) throws {
        try self.init(
            fileAt: fileURL,
            range: range,
            name: name,
            filename: filename,
            contentType: contentType,
            additionalHeaders: additionalHeaders
        )
    }

    /// Creates a field, without a file name, from the content of a file. The initializer checks the file; encoding
    /// reads the file.
    ///
    /// - Parameters:
    ///   - fileURL: The file.
    ///   - name: The name of the form's field.
    ///   - contentType: The media type; nil to send no type, as browsers do for text (HTML §4.10.22.8).
    ///   - additionalHeaders: Further header fields.
    /// - Throws: ``MultipartError`` if the file fails a check. For the codes, see
    ///   ``init(contentsOf:range:name:filename:contentType:additionalHeaders:)``.
    public init(
        fieldContentsOf fileURL: URL,
        name: String,
        contentType: String? = nil,
        additionalHeaders: HeaderFields = [:]
    ) throws {
        let content = try BodyContent(checkedFileAt: fileURL)
        self.init(
            content: content,
            name: name,
            filename: nil,
            contentType: contentType,
            additionalHeaders: additionalHeaders
        )
    }

    /// Creates a part from an asynchronous sequence of bytes, such as the body of a request that is forwarded.
    ///
    /// Only asynchronous methods can encode or save the part, for instance
    /// ``MultipartFormData/chunks(ofSize:from:bytesPerSecond:progress:)``. Any other method that reads the content
    /// throws `body-part-is-asynchronous`.
    ///
    /// Each encoding iterates the sequence again. Some sequences can be iterated only once:
    /// - An `AsyncStream` or `AsyncThrowingStream`: a second encoding throws
    ///   ``MultipartError/Code/bodyPartStreamConsumed``.
    /// - The ``MultipartParts/Part/body`` of a received part: encoding throws the same error if bytes of the body have
    ///   been read.
    /// - Any other single-pass type, such as a sequence that wraps a stream: the library does not recognize the type,
    ///   so do not encode the part twice.
    ///
    /// - Parameters:
    ///   - content: The sequence. If it throws a `CancellationError`, encoding rethrows this error. Any other error
    ///     becomes the underlying error of ``MultipartError/Code/inputStreamReadFailed``.
    ///   - length: The number of bytes that the sequence yields; nil if the number is unknown. Encoding throws if the
    ///     sequence yields fewer or more bytes.
    ///   - name: The name of the form's field.
    ///   - filename: The file name; nil for a part that is not a file.
    ///   - contentType: The media type. If it is nil, a file gets the type of its file name's extension, or else
    ///     application/octet-stream. A part that is not a file is sent without a type.
    ///   - additionalHeaders: Further header fields.
    public init<Content: AsyncSequence & Sendable>(
        _ content: Content,
        length: UInt64?,
        name: String,
        filename: String? = nil,
        contentType: String? = nil,
        additionalHeaders: HeaderFields = [:]
    ) where Content.Element: Collection<UInt8> {
        self.init(
            content: BodyContent(content, length: length),
            name: name,
            filename: filename,
            contentType: contentType,
            additionalHeaders: additionalHeaders
        )
    }
}

extension BodyPart {
    /// Creates a part with the content of another part and your own header fields.
    ///
    /// Use this initializer to add, change or remove a header field, for instance of a received part:
    ///
    /// ```swift
    /// var headers = part.headers
    /// headers["Content-Length"] = nil
    /// form.append(BodyPart(part, headers: headers))
    /// ```
    ///
    /// The new header section depends on how `headers` differs from the fields of `part`:
    /// - If you only remove fields, but not the Content-Type, the remaining fields of a received part are sent as they
    ///   came.
    /// - If you add or change a field, or remove the Content-Type, a new Content-Disposition is written: `form-data`
    ///   with the name and the file name. The old Content-Disposition must have no other parameter, such as
    ///   `filename*`. A file without a Content-Type gets the type of its file name's extension, or else
    ///   application/octet-stream.
    ///
    /// - Parameters:
    ///   - part: The part. If it has an ``error``, the new part has the same error.
    ///   - headers: All header fields of the new part: one Content-Disposition with a name, at most one Content-Type,
    ///     and no Content-Length. If the fields cannot be sent, the new part has an ``error``, for instance
    ///     `lossy-disposition` if a parameter would be lost.
    public init(_ part: BodyPart, headers: HeaderFields) {
        do throws(MultipartError) {
            if let error = part.error { throw error }
            try Self.check(headers)
            let disposition = headers.bytes(named: "Content-Disposition")
            let isOwn = disposition != nil && disposition == part.headers.bytes(named: "Content-Disposition")
            // If `headers.storage.layout` is not nil, no field has been added or changed. If the Content-Disposition is
            // also that of `part`, it is sent unchanged, and needs no check.
            if !isOwn || headers.storage.layout == nil { try Self.checkDisposition(of: headers) }
            // If the Content-Disposition is unchanged, takes the name and the file name from `part`. Parsing the field
            // would give `a%22b` for the name `a"b`.
            let section = try HeaderSection(headers, isOwn ? part.section.names : headers.identity)
            try section.checkSendable()
            self.init(section, part.content)
        } catch {
            self.init(HeaderSection(unwritten: headers.identity), .refused(error, fields: headers))
        }
    }

    /// Throws if Content-Disposition or Content-Type is set twice, or if Content-Length is set.
    private static func check(_ headers: HeaderFields) throws(MultipartError) {
        for (name, limit) in [("Content-Disposition", 1), ("Content-Type", 1), ("Content-Length", 0)]
        where headers.count(named: name) > limit {
            let reason = "header field \"\(name)\" may not be set\(limit == 0 ? "" : " twice")"
            throw MultipartError(ErrorCode.forbiddenHeader, reason)
        }
    }

    /// Throws if the Content-Disposition cannot be written again without loss: if it is malformed, is not `form-data`,
    /// has a parameter other than `name` and `filename`, or has bytes that are not UTF-8.
    private static func checkDisposition(of headers: HeaderFields) throws(MultipartError) {
        guard let bytes = headers.bytes(named: "Content-Disposition") else { return }
        guard let disposition = headers.contentDisposition else {
            throw MultipartError(ErrorCode.invalidHeaderValue, "Content-Disposition is malformed")
        }
        guard disposition.type.lowercased() == "form-data" else {
            let type = disposition.type.printable(upTo: 64)
            throw MultipartError(ErrorCode.lossyDisposition, "disposition type \"\(type)\" is not form-data")
        }
        for parameter in disposition.parameters where !["name", "filename"].contains(parameter.name.lowercased()) {
            throw MultipartError(unsendableParameter: parameter.name)
        }
        // A received field may have bytes that are not UTF-8. Writing the field again would replace these bytes.
        guard String.isUTF8(ContiguousArray(bytes).span) else {
            throw MultipartError(ErrorCode.lossyDisposition, "Content-Disposition is not UTF-8")
        }
    }
}

extension BodyPart {
    /// Checks a file, and creates a file part from it. A nil `filename` means the last component of the URL.
    init(
        fileAt url: URL,
        range: Range<UInt64>? = nil,
        name: String,
        filename: String?,
        contentType: String?,
        additionalHeaders: HeaderFields = [:]
    ) throws(MultipartError) {
        let last = url.lastPathComponent
        guard filename != nil || !["", "/", ".", ".."].contains(last) else {
            throw MultipartError(.bodyPartFilenameInvalid, path: url.errorText)
        }
        let filename = filename ?? last
        let content = try BodyContent(checkedFileAt: url, range: range)
        self.init(
            content: content,
            name: name,
            filename: filename,
            contentType: contentType,
            additionalHeaders: additionalHeaders
        )
    }
}

extension BodyPart {
    /// Creates a part from a function that reads the content, for instance from a pipe, a device or a decompressor.
    ///
    /// Each encoding calls `makeRead`, which returns a new read function. At the content's end, or after an error, the
    /// encoding releases the read function, and thereby the objects that the function holds, such as an open file. Both
    /// functions may block, because asynchronous encodings call them on separate threads.
    ///
    /// - Parameters:
    ///   - makeRead: Returns a read function. Each call of the read function returns the next piece of the content, and
    ///     nil at the content's end. An error of `makeRead` becomes the underlying error of
    ///     ``MultipartError/Code/bodyPartInputStreamCreationFailed``. An error of the read function becomes the
    ///     underlying error of ``MultipartError/Code/inputStreamReadFailed``.
    ///   - length: The length of the content in bytes; nil if it is unknown. Encoding throws if there are fewer or more
    ///     bytes.
    ///   - name: The name of the form's field.
    ///   - filename: The file name; nil for a part that is not a file.
    ///   - contentType: The media type. If it is nil, a file gets the type of its file name's extension, or else
    ///     application/octet-stream. A part that is not a file is sent without a type.
    ///   - additionalHeaders: Further header fields.
    package init(
        reading makeRead: @escaping @Sendable () throws -> () throws -> Data?,
        length: UInt64?,
        name: String,
        filename: String? = nil,
        contentType: String? = nil,
        additionalHeaders: HeaderFields = [:]
    ) {
        let opener = StreamOpener(replayable: {
            ReadingStream(try MultipartError.wrap(.bodyPartInputStreamCreationFailed, try makeRead()))
        })
        self.init(
            content: .stream(opener, length: length),
            name: name,
            filename: filename,
            contentType: contentType,
            additionalHeaders: additionalHeaders
        )
    }
}
