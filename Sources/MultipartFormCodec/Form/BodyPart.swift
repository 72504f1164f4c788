/// One part of a form: a field or a file, with its headers and its content.
///
/// The content is in memory, in a file, in a stream or in an asynchronous sequence. Initializers, `append` and the
/// parser create parts. A part with a file name is a file; any other part is a field.
public struct BodyPart: Sendable {
    let section: HeaderSection

    let content: BodyContent

    init(_ section: HeaderSection, _ content: BodyContent) {
        self.section = section
        self.content = content
    }

    /// The name of the form's field; nil if the part has no name.
    public var name: String? { section.name }

    /// The file name as it was received, or as the program gave it; nil for a part that is not a file. Never use the
    /// file name as a path.
    public var filename: String? { section.filename }

    /// The last component of ``filename``, safe to join to a directory's path; nil if no usable name remains.
    ///
    /// The name has at most 255 bytes in UTF-8. For the rules, see ``HeaderFields/safeFilename``.
    public var safeFilename: String? { filename.flatMap(SafeFilename.make) }

    /// The media type as it was received or, for a new part, as it will be sent; nil if there is no type.
    ///
    /// A received part without a type is text/plain (RFC 7578 §4.4). A new file for which the program gives no type has
    /// the type of its file name's extension, or else application/octet-stream.
    public var contentType: String? { section.contentType }

    /// The header fields as they were received or, for a new part, as they will be written.
    ///
    /// They include fields for which this type has no property. If the name or the file name of a new part cannot be
    /// written, for instance because of a control character, there is no Content-Disposition field.
    ///
    /// - Complexity: O(*n*) in the length of the fields.
    public var headers: HeaderFields {
        if case .refused(_, let fields?) = content { return fields }
        return section.fields
    }

    /// The error of a part that cannot be sent, for instance because a file is missing or a name has a control
    /// character; otherwise nil.
    ///
    /// A part with an error keeps its index in the form, its names and its header fields, but has no content. Reading
    /// the content throws the error. Encoding any form with the part throws the error as well.
    ///
    /// A received part is checked only when it is appended to a form or encoded. Until then, its error is nil.
    public var error: MultipartError? { content.error }

    /// The length of the content in bytes, to check before you read the content; nil if the length is unknown, or if
    /// the part has an ``error``.
    public var length: UInt64? { content.length }

    /// Returns the media type of a path extension; nil if the extension is unknown. The type is the same on every
    /// platform.
    ///
    /// Parts with a file name need no call of this method: they get the type of their file name's extension.
    ///
    /// - Parameter pathExtension: The extension without its dot, such as `jpeg`. Letter case is ignored.
    /// - Returns: The type in lower case, such as `image/jpeg`.
    public static func contentType(ofPathExtension pathExtension: String) -> String? {
        MediaType.forPathExtension(pathExtension)
    }
}

extension BodyPart {
    /// Creates a part. If its header section cannot be written, the part has an error in place of its content.
    init(
        content: BodyContent,
        name: String,
        filename: String?,
        contentType: String?,
        additionalHeaders: HeaderFields = [:]
    ) {
        let identity = HeaderWriter.PartLabel(name: name, filename: filename, contentType: contentType)
        do throws(MultipartError) {
            self.init(try HeaderSection(identity, additionalHeaders), content)
        } catch {
            let fields = HeaderWriter.fields(identity, additionalHeaders)
            self.init(HeaderSection(unwritten: identity), .refused(content.error ?? error, fields: fields))
        }
    }

    /// Creates a part with the header fields of a received part.
    init(received headers: HeaderFields, _ content: BodyContent) {
        self.init(HeaderSection(received: headers), content)
    }

    /// Returns the part with an error in place of its content.
    func refused(_ error: MultipartError) -> BodyPart {
        guard case .refused(_, let fields) = content else {
            return BodyPart(section, .refused(error, fields: nil))
        }
        return BodyPart(section, .refused(error, fields: fields))
    }

    /// Returns the part with another name; unchanged if it already has the name.
    ///
    /// A renamed part keeps its content. If the part has an ``error``, the renamed part keeps the error. The header
    /// fields change as follows:
    /// - Content-Disposition and Content-Type are written again.
    /// - Content-Length is left out.
    /// - All other fields are kept. But a Content-Transfer-Encoding other than 7bit, 8bit or binary gives the renamed
    ///   part an ``error``.
    ///
    /// - Parameter name: The name of the form's field.
    /// - Returns: The part with the name.
    public func formPart(named name: String) -> BodyPart {
        guard !hasName(name) else { return self }
        var fields = headers
        for framing in ["Content-Disposition", "Content-Type", "Content-Length"] {
            fields[framing] = nil
        }
        return BodyPart(
            content: content,
            name: name,
            filename: filename,
            contentType: contentType,
            additionalHeaders: fields
        )
    }

    /// Whether the part's name has the same bytes in UTF-8 as `name`.
    func hasName(_ name: String) -> Bool { section.layout.name.equals(name, in: section.bytes.span) }
}

extension BodyPart: CustomStringConvertible {
    /// The name, the file name, the type and the length: `photo: "a.jpg", image/jpeg, 12345 bytes in memory`.
    ///
    /// The description never shows content. If the part has an ``error``, the error's code takes the place of the
    /// length. Each text is made printable, and cut to at most 64 characters.
    public var description: String {
        let name = name?.printable(upTo: 64) ?? "(no name)"
        let filename = filename.map { "\"\($0.printable(upTo: 64))\"" }
        let size = length.map { $0 == 1 ? "1 byte" : "\($0) bytes" } ?? "unknown length"
        let state = error?.code.description ?? "\(size) \(content.location)"
        let details = [filename, contentType?.printable(upTo: 64), state].compactMap(\.self)
        return "\(name): \(details.joined(separator: ", "))"
    }
}
