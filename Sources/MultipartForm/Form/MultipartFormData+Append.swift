public import Foundation

extension MultipartFormData {
    /// Appends bytes in memory, such as an image that was just drawn.
    ///
    /// - Parameters:
    ///   - data: The content.
    ///   - name: The name of the form's field.
    ///   - fileName: The file name; nil for a part that is not a file.
    ///   - mimeType: The media type; nil for none, but a file without one gets application/octet-stream.
    public mutating func append(_ data: Data, withName name: String, fileName: String? = nil, mimeType: String? = nil) {
        list.append(.data(data), name, fileName, mimeType)
    }

    /// Appends a text field, in UTF-8, such as what a user has typed.
    ///
    /// - Parameters:
    ///   - string: The field's value.
    ///   - name: The field's name.
    ///   - mimeType: The media type; nil for none, as browsers send text.
    ///   - normalizingNewlines: Whether each lone CR and lone LF becomes CR LF, as browsers send text.
    public mutating func append(
        _ string: String,
        withName name: String,
        mimeType: String? = nil,
        normalizingNewlines: Bool = false
    ) {
        if normalizingNewlines {
            let text = String(decoding: NewlineNormalizer.normalized(string.utf8), as: UTF8.self)
            append(text, withName: name, mimeType: mimeType)
        } else if mimeType != nil || !list.append(shortField: name, string) {
            list.append(.data(Data(utf8: string)), name, nil, mimeType)
        }
    }

    /// Appends a file; nil arguments are derived from its path.
    ///
    /// The file is checked now and read while encoding: it must be a reachable, regular file at a file URL, its size
    /// must be readable, and it must open. The first check that fails becomes the part's ``BodyPart/error``. For a plain
    /// field with a file's content, or a range of a file, append a ``BodyPart``.
    ///
    /// - Parameters:
    ///   - fileURL: The file.
    ///   - name: The name of the form's field.
    ///   - fileName: The file name to send; nil for the last component of the URL.
    ///   - mimeType: The media type; nil for that of the URL's extension, else of the file name's, by a table that is
    ///     the same on every platform, else application/octet-stream.
    public mutating func append(
        _ fileURL: URL,
        withName name: String,
        fileName: String? = nil,
        mimeType: String? = nil
    ) {
        append(fileURL, withName: name, fileName: fileName, mimeType: mimeType, fileSystem: .system)
    }

    /// Appends a stream that is read only once, while encoding; a second encoding throws
    /// ``MultipartError/Code/bodyPartStreamConsumed``.
    ///
    /// After the declared bytes one more read confirms the end; it blocks on a stream that stays open.
    ///
    /// - Parameters:
    ///   - stream: The stream; it is opened if necessary, and closed.
    ///   - length: How many bytes it yields; encoding fails if there are fewer or more.
    ///   - name: The name of the form's field.
    ///   - fileName: The file name; nil for a part that is not a file.
    ///   - mimeType: The media type.
    public mutating func append(
        _ stream: sending InputStream,
        withLength length: UInt64,
        name: String,
        fileName: String? = nil,
        mimeType: String? = nil
    ) {
        append(BodyPart(stream, length: length, name: name, filename: fileName, contentType: mimeType))
    }

    /// Appends a stream with your own headers, for fields that no other method writes; one is a Content-Disposition.
    ///
    /// - Parameters:
    ///   - stream: The stream; it is opened if necessary, and closed.
    ///   - length: How many bytes it yields; encoding fails if there are fewer or more.
    ///   - headers: The part's header fields, with one Content-Disposition and at most one Content-Type, and without a
    ///     Content-Length. The disposition is rewritten: `form-data`, the name and the file name, escaped. If it has
    ///     anything else, the part's ``BodyPart/error`` is ``MultipartError/Code/lossyDisposition``. That of a received
    ///     part, whose fields you pass unchanged, stays as it came.
    public mutating func append(_ stream: sending InputStream, withLength length: UInt64, headers: HeaderFields) {
        do throws(MultipartError) {
            if let code = Self.problem(in: headers) { throw MultipartError(code) }
            list.append(BodyPart(try HeaderSection(headers), .stream(StreamBox(stream), length: length)))
        } catch {
            let section = HeaderSection(unwritten: headers.texts)
            list.append(BodyPart(section, .refused(error, fields: headers)))
        }
    }

    /// The code of the error in headers that cannot be sent; otherwise nil.
    private static func problem(in headers: HeaderFields) -> MultipartError.Code? {
        let dispositions = headers.values(named: "Content-Disposition")
        guard dispositions.count < 2, headers.values(named: "Content-Type").count < 2,
            headers.bytes(named: "Content-Length") == nil
        else { return .forbiddenHeader }
        guard !dispositions.isEmpty else { return nil }
        guard let disposition = headers.contentDisposition else { return .invalidHeaderValue }
        let isWritable =
            disposition.type.lowercased() == "form-data"
            && disposition.parameters.allSatisfy { ["name", "filename"].contains($0.name.lowercased()) }
        // Bytes of a received field that are not UTF-8 would be replaced.
        let isText = headers.bytes(named: "Content-Disposition").map { String.isUTF8(ContiguousArray($0).span) } ?? true
        return isWritable && isText ? nil : .lossyDisposition
    }

    /// Appends a stream that is reopened each time the form is encoded, so that a request can be sent again.
    ///
    /// - Parameters:
    ///   - length: How many bytes each stream yields; encoding fails if there are fewer or more. Nil if it is unknown:
    ///     the content then ends when a read returns 0, and ``encodedLength`` is nil too.
    ///   - name: The name of the form's field.
    ///   - fileName: The file name; nil for a part that is not a file.
    ///   - mimeType: The media type.
    ///   - opening: Returns a new stream at the content's start.
    public mutating func append(
        withLength length: UInt64?,
        name: String,
        fileName: String? = nil,
        mimeType: String? = nil,
        opening: @escaping @Sendable () throws -> InputStream
    ) {
        append(BodyPart(length: length, name: name, filename: fileName, contentType: mimeType, opening: opening))
    }

    /// Appends an asynchronous sequence of bytes, such as the body of a request that is forwarded.
    ///
    /// Only ``chunks(ofSize:from:bytesPerSecond:progress:)`` can encode it; every other encoding throws
    /// ``MultipartError/Code/bodyPartIsAsynchronous``. Each encoding iterates the sequence again, so a form with one
    /// that can be iterated only once can be encoded only once.
    ///
    /// - Parameters:
    ///   - content: The sequence.
    ///   - length: How many bytes its elements have in total; nil if unknown; ``encodedLength`` is then nil, too.
    ///   - name: The name of the form's field.
    ///   - fileName: The file name; nil for a part that is not a file.
    ///   - mimeType: The media type.
    public mutating func append<Content: AsyncSequence & Sendable>(
        _ content: Content,
        withLength length: UInt64?,
        name: String,
        fileName: String? = nil,
        mimeType: String? = nil
    ) where Content.Element: ContiguousBytes {
        append(BodyPart(content, length: length, name: name, filename: fileName, contentType: mimeType))
    }
}

extension MultipartFormData {
    /// Appends a file after its checks; tests pass their own file system.
    package mutating func append(
        _ url: URL,
        withName name: String,
        fileName: String?,
        mimeType: String?,
        fileSystem: FileSystem
    ) {
        do throws(MultipartError) {
            append(try BodyPart(namedFileAt: url, name: name, fileName, mimeType, fileSystem))
        } catch {
            list.append(.refused(error, fields: nil), name, fileName ?? url.lastPathComponent, mimeType)
        }
    }
}
