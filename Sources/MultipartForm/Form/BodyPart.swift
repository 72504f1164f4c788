public import Foundation

/// One part of a form: a field or a file, with its headers and its content.
///
/// A part is made by `append` or an initializer, or read by a parser. Its content may be in memory, in a file, or
/// in a stream.
public struct BodyPart: Sendable {
    /// What the part says of itself.
    private enum Head: Sendable {
        /// What was set here; the fields are those besides Content-Disposition and Content-Type.
        case made(ContentDisposition, contentType: String?, HeaderFields)
        /// A whole header section. A form keeps many of them, so their text is made when it is asked for.
        case section(HeaderFields)
    }

    private let head: Head

    /// Whether the head is a whole header section.
    var isSection: Bool {
        if case .section = head { true } else { false }
    }

    /// The whole header section, or the fields besides Content-Disposition and Content-Type.
    var fields: HeaderFields {
        switch head {
        case .made(_, _, let fields), .section(let fields): fields
        }
    }

    /// Where the part's bytes come from.
    package let content: BodyContent

    package init(
        disposition: ContentDisposition,
        contentType: String?,
        additionalHeaders: HeaderFields = HeaderFields(),
        content: BodyContent
    ) {
        self.head = .made(disposition, contentType: contentType, additionalHeaders)
        self.content = content
    }

    /// Takes over a whole header section, received or ready-made.
    package init(headers: HeaderFields, content: BodyContent) {
        self.head = .section(headers)
        self.content = content
    }

    /// Creates a part from bytes in memory.
    ///
    /// - Parameters:
    ///   - data: The content.
    ///   - name: The name of the form's field.
    ///   - filename: The file name; nil for a part that is not a file.
    ///   - contentType: The media type.
    ///   - additionalHeaders: Further header fields. RFC 7578 §4.8 tells receivers to ignore them.
    public init(
        _ data: Data,
        name: String,
        filename: String? = nil,
        contentType: String? = nil,
        additionalHeaders: HeaderFields = HeaderFields()
    ) {
        self.init(
            disposition: ContentDisposition(name: name, filename: filename),
            contentType: contentType,
            additionalHeaders: additionalHeaders,
            content: .data(data)
        )
    }

    /// Creates a part from a file, which is checked now and read while encoding.
    ///
    /// - Parameters:
    ///   - fileURL: The file.
    ///   - name: The name of the form's field.
    ///   - filename: The file name to send; nil sends the file's content as a plain field.
    ///   - contentType: The media type.
    ///   - additionalHeaders: Further header fields.
    /// - Throws: ``MultipartEncodingError`` if the URL is not a file's, or the file cannot be reached, is a directory or
    ///   special, has no size, or cannot be opened.
    public init(
        contentsOf fileURL: URL,
        name: String,
        filename: String?,
        contentType: String? = nil,
        additionalHeaders: HeaderFields = HeaderFields()
    ) throws(MultipartEncodingError) {
        self.init(
            disposition: ContentDisposition(name: name, filename: filename),
            contentType: contentType,
            additionalHeaders: additionalHeaders,
            content: try BodyContent(checkedFileAt: fileURL)
        )
    }

    /// The name, and the file name of a file.
    public var disposition: ContentDisposition {
        switch head {
        case .made(let disposition, _, _): disposition
        case .section(let headers): headers.contentDisposition ?? ContentDisposition(name: nil)
        }
    }

    /// The media type as it was sent or is to be sent; nil when there is none.
    ///
    /// A part without one is text/plain (RFC 7578 §4.4). The encoder gives a file without one
    /// application/octet-stream.
    public var contentType: String? {
        switch head {
        case .made(_, let contentType, _): contentType
        case .section(let headers): headers.contentType
        }
    }

    /// The name of the form's field; nil when a peer did not send one.
    ///
    /// Of two backslashes in a row a peer reads one, and so does this library: see ``ContentDisposition``.
    public var name: String? {
        switch head {
        case .made(let disposition, _, _): disposition.name
        case .section(let headers): headers.name
        }
    }

    /// The file name as it was sent or is to be sent; nil for a part that is not a file. Never use it as a path.
    public var filename: String? {
        switch head {
        case .made(let disposition, _, _): disposition.filename
        case .section(let headers): headers.filename
        }
    }

    /// The last component of ``filename``, safe to join to a directory's path; nil if nothing usable is left.
    ///
    /// At most 255 bytes of UTF-8; ``ContentDisposition/safeFilename`` tells how it is made.
    public var safeFilename: String? { disposition.safeFilename }

    /// The header fields as they were received; for a part made here, as they will be written.
    ///
    /// A part that cannot be written, for instance for want of a name, has no Content-Disposition here.
    public var headers: HeaderFields {
        switch head {
        case .section(let headers):
            return headers
        case .made(let disposition, let contentType, let fields):
            var all = HeaderFields()
            var value: [UInt8] = []
            if (try? HeaderWriter.write(disposition, to: &value)) != nil {
                all.append(HeaderField(name: "Content-Disposition", value: String(decoding: value, as: UTF8.self)))
            }
            if let contentType { all.append(HeaderField(name: "Content-Type", value: contentType)) }
            all.append(contentsOf: fields)
            return all
        }
    }

    /// Whether there may be fields besides Content-Disposition and Content-Type.
    package var hasAdditionalHeaders: Bool { !fields.isEmpty }

    /// Whether the part's name has the same bytes in UTF-8: names are not compared by Unicode equivalence.
    package func hasName(_ name: String) -> Bool {
        switch head {
        case .made(let disposition, _, _): disposition.name.map { $0.utf8.elementsEqual(name.utf8) } ?? false
        case .section(let headers): headers.hasName(name)
        }
    }

    /// The content's length in bytes; nil when it is unknown until it is read.
    public var length: UInt64? { content.length }
}
