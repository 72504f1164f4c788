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
    ///   - contentType: The media type; nil for none, but a file without one gets application/octet-stream.
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

    /// Creates a text field, such as one with a media type. The text is sent in UTF-8, with its line breaks unchanged.
    ///
    /// - Parameters:
    ///   - text: The content.
    ///   - name: The name of the form's field.
    ///   - contentType: The media type; nil for none, as browsers send text. If its charset decodes the UTF-8 bytes to
    ///     another text, the part has an ``error``.
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

    /// Creates a file part from a file on disk, or a range of its bytes. The file is checked now and read while
    /// encoding.
    ///
    /// For a whole file without further header fields,
    /// ``MultipartFormData/append(_:withName:fileName:mimeType:)-(URL,_,_,_)`` is shorter.
    ///
    /// - Parameters:
    ///   - fileURL: The file.
    ///   - range: The bytes to send, such as those of one part of a large upload; nil for the whole file.
    ///   - name: The name of the form's field.
    ///   - filename: The file name to send; nil for the last component of the URL.
    ///   - contentType: The media type; nil to derive it from the URL's extension, else from the file name's, else
    ///     application/octet-stream. The table is the same on every platform.
    ///   - additionalHeaders: Further header fields.
    /// - Throws: ``MultipartError`` with one of the codes that begin with `body-part-file-`, or
    ///   ``MultipartError/Code/bodyPartURLInvalid``, ``MultipartError/Code/bodyPartFilenameInvalid``,
    ///   `body-part-range-invalid`, ``MultipartError/Code/bodyPartInputStreamCreationFailed``.
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

    /// Creates a field, without a file name, from the content of a file. The file is checked now and read while
    /// encoding.
    ///
    /// - Parameters:
    ///   - fileURL: The file.
    ///   - name: The name of the form's field.
    ///   - contentType: The media type; nil for none, as browsers send text (HTML §4.10.22.8).
    ///   - additionalHeaders: Further header fields.
    /// - Throws: ``MultipartError`` as ``init(contentsOf:range:name:filename:contentType:additionalHeaders:)`` does.
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
    /// Only asynchronous methods can encode or save such a part, for instance
    /// ``MultipartFormData/chunks(ofSize:from:bytesPerSecond:progress:)``; any other read throws
    /// `body-part-is-asynchronous`.
    ///
    /// Each encoding iterates the sequence again. An `AsyncStream` or `AsyncThrowingStream` can be iterated only once:
    /// a second encoding throws ``MultipartError/Code/bodyPartStreamConsumed``. Encoding the
    /// ``MultipartParts/Part/body`` of a received part throws the same error if bytes of the body have been read. Other
    /// single-pass types, such as a sequence that wraps a stream, are not recognized: do not encode them twice.
    ///
    /// - Parameters:
    ///   - content: The sequence. An error of the sequence becomes the underlying error of
    ///     ``MultipartError/Code/inputStreamReadFailed``; a `CancellationError` is rethrown.
    ///   - length: How many bytes the sequence yields; encoding fails if there are fewer or more. Nil if it is unknown.
    ///   - name: The name of the form's field.
    ///   - filename: The file name; nil for a part that is not a file.
    ///   - contentType: The media type; nil for none, but a file without one gets application/octet-stream.
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
    /// Creates a part with the content of another and your own header fields, to add a field that no other initializer
    /// writes, or to remove a field of a received part.
    ///
    /// ```swift
    /// var headers = part.headers
    /// headers["Content-Length"] = nil
    /// form.append(BodyPart(part, headers: headers))
    /// ```
    ///
    /// The fields of a received part are sent as they came, without those that you remove. If you add or change a
    /// field, the Content-Disposition is written again, with `form-data`, the name and the file name, escaped; it must
    /// have no other parameter, such as `filename*`. A file without a Content-Type gets application/octet-stream.
    ///
    /// - Parameters:
    ///   - part: The part; if it has an ``error``, the new part has the same.
    ///   - headers: All header fields, with one Content-Disposition that has a name, at most one Content-Type, and no
    ///     Content-Length. If they cannot be sent, the new part has an ``error``, such as `lossy-disposition` if the
    ///     Content-Disposition must be written again and has a parameter other than the name and the file name.
    public init(_ part: BodyPart, headers: HeaderFields) {
        do throws(MultipartError) {
            if let error = part.error { throw error }
            try Self.check(headers)
            let disposition = headers.bytes(named: "Content-Disposition")
            let isOwn = disposition != nil && disposition == part.headers.bytes(named: "Content-Disposition")
            // Fields that still have a layout were neither added nor changed, so their section is not written again.
            if !isOwn || headers.storage.layout == nil { try Self.checkDisposition(of: headers) }
            // If the disposition is unchanged, uses the part's own names, because reading an escaped name from the
            // disposition would give another name.
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

    /// Throws if a Content-Disposition would lose anything when it is written again: its type, a parameter, or bytes.
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
        // A received field may have bytes that are not UTF-8; writing would replace them.
        guard String.isUTF8(ContiguousArray(bytes).span) else {
            throw MultipartError(ErrorCode.lossyDisposition, "Content-Disposition is not UTF-8")
        }
    }
}

extension BodyPart {
    /// Checks a file, and creates a file part from it. A file name or type that is nil is derived from the path.
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
        let type = contentType ?? MediaType.forFile(at: url, named: filename)
        self.init(
            content: content,
            name: name,
            filename: filename,
            contentType: type,
            additionalHeaders: additionalHeaders
        )
    }
}

extension BodyPart {
    /// Creates a part from a function that reads its content, such as from a pipe, a device or a decompressor.
    ///
    /// Each encoding calls `makeRead` for a new function. At the content's end or after an error, it releases this
    /// function, so that objects that the function holds can close their resources. Calls may block, since asynchronous
    /// encodings make them on separate threads.
    ///
    /// - Parameters:
    ///   - makeRead: Returns a function whose calls return the pieces of the content in order, then nil. An error of
    ///     `makeRead` becomes the underlying error of ``MultipartError/Code/bodyPartInputStreamCreationFailed``, and an
    ///     error of the function becomes the underlying error of ``MultipartError/Code/inputStreamReadFailed``.
    ///   - length: How many bytes there are; encoding fails if there are fewer or more. Nil if it is unknown.
    ///   - name: The name of the form's field.
    ///   - filename: The file name; nil for a part that is not a file.
    ///   - contentType: The media type; nil for none, but a file without one gets application/octet-stream.
    ///   - additionalHeaders: Further header fields.
    package init(
        reading makeRead: @escaping @Sendable () throws -> () throws -> Data?,
        length: UInt64?,
        name: String,
        filename: String? = nil,
        contentType: String? = nil,
        additionalHeaders: HeaderFields = [:]
    ) {
        let source = StreamSource(replayable: {
            ReadingStream(try MultipartError.wrap(.bodyPartInputStreamCreationFailed, try makeRead()))
        })
        self.init(
            content: .stream(source, length: length),
            name: name,
            filename: filename,
            contentType: contentType,
            additionalHeaders: additionalHeaders
        )
    }
}
