internal import Foundation

/// One part of a form: a field or a file, with its headers and its content in memory, in a file or in a stream.
///
/// Initializers, `append` and the parser create parts. Nil means none: a part without a file name is a field.
public struct BodyPart: Sendable {
    /// What an initializer was given; nil for a part with a whole header section.
    private let made: (name: String, filename: String?, contentType: String?)?

    /// The whole header section, or else the fields other than Content-Disposition and Content-Type.
    let fields: HeaderFields

    let content: BodyContent

    init(
        _ content: BodyContent,
        _ name: String,
        _ filename: String?,
        _ contentType: String?,
        _ additionalHeaders: HeaderFields = [:]
    ) {
        made = (name, filename, contentType)
        fields = additionalHeaders
        self.content = content
    }

    /// Creates a part with a whole header section, received or ready-made.
    init(headers: HeaderFields, content: BodyContent) {
        made = nil
        fields = headers
        self.content = content
    }

    /// The name of the form's field; nil when a peer did not send one.
    public var name: String? { made?.name ?? fields.name }

    /// The file name as it was or will be sent; nil for a part that is not a file. Never use it as a path.
    public var filename: String? { made.map(\.filename) ?? fields.filename }

    /// The last component of ``filename``, safe to join to a directory's path; nil if nothing usable is left.
    ///
    /// At most 255 bytes of UTF-8; see ``ContentDisposition/safeFilename``.
    public var safeFilename: String? { filename.flatMap(ContentDisposition.safeFilename) }

    /// The media type as it was sent or given; nil when there is none.
    ///
    /// A part without one is text/plain (RFC 7578 §4.4), but a file without one is sent as application/octet-stream.
    public var contentType: String? { made.map(\.contentType) ?? fields.contentType }

    /// The header fields as they were received or, for a part from an initializer, as they will be written.
    ///
    /// Read fields here that have no property. There is no Content-Disposition if the names cannot be written.
    ///
    /// - Complexity: O(1) for a received part, else O(*n*) in the length of the fields.
    public var headers: HeaderFields {
        guard let made else { return fields }
        var all = HeaderFields()
        var value: ContiguousArray<UInt8> = []
        if (try? HeaderWriter.writeDisposition(made.name, made.filename, to: &value)) != nil {
            all.append(HeaderField(name: "Content-Disposition", value: String(decoding: value, as: UTF8.self)))
        }
        if let contentType = made.contentType ?? (made.filename == nil ? nil : MediaType.octetStream) {
            all.append(HeaderField(name: "Content-Type", value: contentType))
        }
        all.append(contentsOf: fields)
        return all
    }

    /// The content's length in bytes, to be checked before it is read; nil when it is unknown until then.
    public var length: UInt64? { content.length }

    /// The media type of a path extension, letter case ignored, the same on every platform; nil if it is unknown.
    ///
    /// For content in memory that has a file name; the type of a file is found without it.
    ///
    /// - Parameter pathExtension: The extension without its dot, such as `jpeg`.
    /// - Returns: The type in lower case, such as `image/jpeg`.
    public static func contentType(ofPathExtension pathExtension: String) -> String? {
        MediaType.forPathExtension(pathExtension)
    }
}

extension BodyPart {
    /// Whether the part's name has the same bytes in UTF-8; names are not compared by Unicode equivalence.
    func hasName(_ name: String) -> Bool {
        made?.name.utf8.elementsEqual(name.utf8) ?? fields.hasName(name)
    }

    /// Whether there is a ``filename``, without decoding it.
    var hasFilename: Bool { made.map { $0.filename != nil } ?? fields.hasFilename }

    func appendHeader(to buffer: inout ContiguousArray<UInt8>) throws(MultipartError) {
        if made == nil, fields.withUsualSection({ buffer.append(copying: $1) }) != nil { return }
        try HeaderWriter.write(name, filename, contentType, extra: fields, isSection: made == nil, to: &buffer)
    }
}

extension BodyPart: CustomStringConvertible {
    /// The name, the file name, the type and the length: `photo: "a.jpg", image/jpeg, 12345 bytes in memory`; never the
    /// content. Each text is printable, with at most 64 characters.
    public var description: String {
        let name = name?.printable(upTo: 64) ?? "(no name)"
        let filename = filename.map { "\"\($0.printable(upTo: 64))\"" }
        let size = length.map { $0 == 1 ? "1 byte" : "\($0) bytes" } ?? "unknown length"
        let facts = [filename, contentType?.printable(upTo: 64), "\(size) \(content.place)"].compactMap(\.self)
        return "\(name): \(facts.joined(separator: ", "))"
    }
}
