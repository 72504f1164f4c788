internal import Foundation

/// One part of a form: a field or a file, with its headers and its content in memory, in a file or in a stream.
///
/// A part is made by an initializer or by `append`, or read by a parser. In its initializers nil always means "none": a part
/// without a file name is a field.
public struct BodyPart: Sendable {
    /// What the part says of itself.
    private enum Head: Sendable {
        /// What was set here; the fields are those besides Content-Disposition and Content-Type.
        case made(name: String, filename: String?, contentType: String?, HeaderFields)
        /// A whole header section. A form keeps many of them, so their text is made when it is requested.
        case section(HeaderFields)
    }

    private let head: Head

    /// Where the part's bytes come from.
    package let content: BodyContent

    init(
        _ content: BodyContent,
        name: String,
        filename: String?,
        contentType: String?,
        additionalHeaders: HeaderFields = [:]
    ) {
        self.head = .made(name: name, filename: filename, contentType: contentType, additionalHeaders)
        self.content = content
    }

    /// Takes over a whole header section, received or ready-made.
    package init(headers: HeaderFields, content: BodyContent) {
        self.head = .section(headers)
        self.content = content
    }

    /// The name of the form's field; nil when a peer did not send one.
    public var name: String? {
        switch head {
        case .made(let name, _, _, _): name
        case .section(let headers): headers.name
        }
    }

    /// The file name as it was sent, or is to be sent; nil for a part that is not a file. Never use it as a path.
    public var filename: String? {
        switch head {
        case .made(_, let filename, _, _): filename
        case .section(let headers): headers.filename
        }
    }

    /// The last component of ``filename``, safe to join to a directory's path; nil if nothing usable is left.
    ///
    /// At most 255 bytes of UTF-8; ``ContentDisposition/safeFilename`` tells how it is made.
    public var safeFilename: String? { filename.flatMap(ContentDisposition.safeFilename) }

    /// The media type as it was sent or given; nil when there is none.
    ///
    /// A part without one is text/plain (RFC 7578 §4.4). The encoder gives a file without one application/octet-stream.
    public var contentType: String? {
        switch head {
        case .made(_, _, let contentType, _): contentType
        case .section(let headers): headers.contentType
        }
    }

    /// The header fields as they were received; for a part made here, as they will be written.
    ///
    /// A part whose name or file name cannot be written has no Content-Disposition here.
    ///
    /// - Complexity: O(*n*) in the length of the fields for a part made here, else O(1).
    public var headers: HeaderFields {
        switch head {
        case .section(let headers):
            return headers
        case .made(let name, let filename, let contentType, let fields):
            var all = HeaderFields()
            var value: [UInt8] = []
            if (try? HeaderWriter.writeDisposition(name: name, filename: filename, to: &value)) != nil {
                all.append(HeaderField(name: "Content-Disposition", value: String(decoding: value, as: UTF8.self)))
            }
            if let contentType = contentType ?? (filename == nil ? nil : MediaType.octetStream) {
                all.append(HeaderField(name: "Content-Type", value: contentType))
            }
            all.append(contentsOf: fields)
            return all
        }
    }

    /// The content's length in bytes; nil when it is unknown until it is read.
    public var length: UInt64? { content.length }

    /// The media type of a file name's extension, letter case ignored, the same on every platform; nil if it is unknown.
    ///
    /// - Parameter pathExtension: The extension without its dot, such as `jpeg`.
    /// - Returns: The type in lower case, such as `image/jpeg`.
    public static func contentType(ofPathExtension pathExtension: String) -> String? {
        MediaType.forPathExtension(pathExtension)
    }
}

extension BodyPart {
    /// Whether there may be fields besides Content-Disposition and Content-Type.
    var hasAdditionalHeaders: Bool {
        switch head {
        case .made(_, _, _, let fields), .section(let fields): !fields.isEmpty
        }
    }

    /// Whether the part's name has the same bytes in UTF-8: names are not compared by Unicode equivalence.
    func hasName(_ name: String) -> Bool {
        switch head {
        case .made(let own, _, _, _): own.utf8.elementsEqual(name.utf8)
        case .section(let headers): headers.hasName(name)
        }
    }

    /// Appends the part's header section, blank line included.
    ///
    /// - Throws: ``MultipartError`` without its part.
    func appendHeader(to buffer: inout [UInt8]) throws(MultipartError) {
        switch head {
        case .made(let name, let filename, let contentType, let fields):
            try HeaderWriter.write(
                name: name,
                filename: filename,
                contentType: contentType,
                extra: fields,
                to: &buffer
            )
        case .section(let headers):
            try HeaderWriter.write(
                name: headers.name,
                filename: headers.filename,
                contentType: headers.contentType,
                extra: headers,
                isSection: true,
                to: &buffer
            )
        }
    }
}

extension BodyPart: CustomStringConvertible {
    /// The name, the file name, the type and the length: `photo: "a.jpg", image/jpeg, 12345 bytes in memory`; never the
    /// content. Texts are printable, and cut to 64 characters.
    public var description: String {
        let name = name?.printable(upTo: 64) ?? "(no name)"
        let filename = filename.map { "\"\($0.printable(upTo: 64))\"" }
        let size = length.map { $0 == 1 ? "1 byte" : "\($0) bytes" } ?? "unknown length"
        let facts = [filename, contentType?.printable(upTo: 64), "\(size) \(content.place)"].compactMap(\.self)
        return "\(name): \(facts.joined(separator: ", "))"
    }
}
