public import Foundation

extension MultipartFormData {
    /// Appends bytes in memory.
    ///
    /// - Parameters:
    ///   - data: The content.
    ///   - name: The name of the form's field.
    ///   - fileName: The file name; nil for a part that is not a file.
    ///   - mimeType: The media type; nil for none, but a file without one gets application/octet-stream.
    public mutating func append(
        _ data: Data,
        withName name: String,
        fileName: String? = nil,
        mimeType: String? = nil
    ) {
        append(BodyPart(data, name: name, filename: fileName, contentType: mimeType))
    }

    /// Appends a text field, in UTF-8 and without a media type, as browsers do.
    ///
    /// - Parameters:
    ///   - string: The field's value.
    ///   - name: The field's name.
    ///   - normalizingNewlines: Whether each lone CR and lone LF becomes CR LF, as browsers send text. Otherwise the
    ///     text is sent as it is.
    public mutating func append(_ string: String, withName name: String, normalizingNewlines: Bool = false) {
        let text = normalizingNewlines ? Data(NewlineNormalizer.normalized(string.utf8)) : Data(string.utf8)
        append(BodyPart(text, name: name))
    }

    /// Appends a file, named by the last component of its URL and typed by its extension.
    ///
    /// The same table of types serves every platform; a file with an unknown extension, or none, is
    /// application/octet-stream. The file is checked now and read while encoding: it is a file URL, it can be
    /// reached, it is not a directory, its size can be read, and it can be opened.
    ///
    /// - Parameters:
    ///   - fileURL: The file.
    ///   - name: The name of the form's field.
    public mutating func append(_ fileURL: URL, withName name: String) {
        append(fileURL, withName: name, naming: .byURL, mimeType: nil, fileSystem: .system)
    }

    /// Appends a file under a name and type of your own.
    ///
    /// The file is checked as by ``append(_:withName:)-(URL,_)``.
    ///
    /// - Parameters:
    ///   - fileURL: The file.
    ///   - name: The name of the form's field.
    ///   - fileName: The file name to send; nil sends the file's content as a plain field.
    ///   - mimeType: The media type; nil for none, but a file without one gets application/octet-stream.
    public mutating func append(_ fileURL: URL, withName name: String, fileName: String?, mimeType: String?) {
        append(fileURL, withName: name, naming: .explicit(fileName), mimeType: mimeType, fileSystem: .system)
    }

    /// Appends a stream that is read once, while encoding; a second encoding throws
    /// ``MultipartEncodingError/Reason/bodyPartStreamConsumed``.
    ///
    /// Behind the declared bytes the stream is asked once more, to be sure that it ends there: one that stays open must
    /// then answer.
    ///
    /// - Parameters:
    ///   - stream: The stream; it is opened if need be, and closed.
    ///   - length: How many bytes it yields; fewer or more is an error of the encoding.
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

    /// Appends a stream under headers of your own, which must hold a Content-Disposition with a name.
    ///
    /// - Parameters:
    ///   - stream: The stream; it is opened if need be, and closed.
    ///   - length: How many bytes it yields; fewer or more is an error of the encoding.
    ///   - headers: The part's header fields, with one Content-Disposition and at most one Content-Type, and without a
    ///     Content-Length. The disposition is written anew: `form-data`, the name and the file name, escaped. One that
    ///     says more is ``MultipartEncodingError/Reason/lossyDisposition``.
    public mutating func append(_ stream: sending InputStream, withLength length: UInt64, headers: HeaderFields) {
        let part = BodyPart(headers: headers, content: .stream(StreamBox(stream), length: length))
        let dispositions = headers.values(for: "Content-Disposition")
        guard dispositions.count < 2, headers.values(for: "Content-Type").count < 2,
            headers.bytes(for: "Content-Length") == nil
        else {
            return fail(MultipartEncodingError(.forbiddenHeader, partIndex: count, partName: part.name))
        }
        guard dispositions.isEmpty || headers.contentDisposition != nil else {
            return fail(MultipartEncodingError(.invalidHeaderValue, partIndex: count))
        }
        guard headers.hasFormDisposition else {
            return fail(MultipartEncodingError(.lossyDisposition, partIndex: count, partName: part.name))
        }
        append(part)
    }

    /// Appends a stream that can be opened anew each time the form is encoded.
    ///
    /// - Parameters:
    ///   - length: How many bytes each stream yields; fewer or more is an error of the encoding. Nil if nobody knows: the
    ///     content then ends where a read yields nothing, and ``encodedLength`` is nil too.
    ///   - name: The name of the form's field.
    ///   - fileName: The file name; nil for a part that is not a file.
    ///   - mimeType: The media type.
    ///   - opening: Makes a new stream at the content's start.
    public mutating func append(
        length: UInt64?,
        withName name: String,
        fileName: String? = nil,
        mimeType: String? = nil,
        opening: @escaping @Sendable () throws -> InputStream
    ) {
        append(BodyPart(length: length, name: name, filename: fileName, contentType: mimeType, opening: opening))
    }

    /// Appends an asynchronous sequence of bytes, such as the body of a request that is passed on.
    ///
    /// ``chunks(ofSize:progress:)`` alone can encode it; every other way out throws
    /// ``MultipartEncodingError/Reason/bodyPartIsAsynchronous``. The sequence is iterated anew each time the form is
    /// encoded: one that can be iterated once lets the form be encoded once.
    ///
    /// - Parameters:
    ///   - content: The sequence.
    ///   - length: How many bytes its elements have together; nil if nobody knows, and then ``encodedLength`` is nil
    ///     too.
    ///   - name: The name of the form's field.
    ///   - fileName: The file name; nil for a part that is not a file.
    ///   - mimeType: The media type.
    public mutating func append<Content: AsyncSequence & Sendable>(
        _ content: Content,
        length: UInt64?,
        withName name: String,
        fileName: String? = nil,
        mimeType: String? = nil
    ) where Content.Element: ContiguousBytes {
        append(BodyPart(content, length: length, name: name, filename: fileName, contentType: mimeType))
    }
}

/// How a file's part gets its file name.
package enum FileNaming: Sendable {
    /// By the last component of the URL, which also gives the type.
    case byURL
    /// By the caller; nil for no file name.
    case explicit(String?)
}

extension MultipartFormData {
    /// Appends a file after its checks, in this order; each has a reason of its own.
    package mutating func append(
        _ url: URL,
        withName name: String,
        naming: FileNaming,
        mimeType: String?,
        fileSystem: FileSystem
    ) {
        do throws(MultipartEncodingError) {
            guard url.isLocalFile else { throw MultipartEncodingError(.bodyPartURLInvalid(url: url)) }
            var filename: String?
            var type = mimeType
            switch naming {
            case .byURL:
                let last = url.lastPathComponent
                guard !["", "/", ".", ".."].contains(last) else {
                    throw MultipartEncodingError(.bodyPartFilenameInvalid(in: url))
                }
                filename = last
                type = MediaType.forFilename(last)
            case .explicit(let given):
                filename = given
            }
            append(
                BodyPart(
                    disposition: ContentDisposition(name: name, filename: filename),
                    contentType: type,
                    content: try BodyContent(checkedFileAt: url, fileSystem)
                )
            )
        } catch {
            fail(error.located(at: count, name: name))
        }
    }
}
