/// One part of a form: a field or a file, with its headers and its content in memory, in a file or in a stream.
///
/// Initializers, `append` and the parser create parts. A part with a file name is a file; a part without one is a
/// field.
public struct BodyPart: Sendable {
    let section: HeaderSection

    let content: BodyContent

    init(_ section: HeaderSection, _ content: BodyContent) {
        self.section = section
        self.content = content
    }

    /// The name of the form's field; nil if a received part has none.
    public var name: String? { section.name }

    /// The file name as it was or will be sent; nil for a part that is not a file. Never use it as a path.
    public var filename: String? { section.filename }

    /// The last component of ``filename``, safe to join to a directory's path; nil if nothing usable is left.
    ///
    /// At most 255 bytes of UTF-8; see ``HeaderFields/safeFilename``.
    public var safeFilename: String? { filename.flatMap(SafeFilename.make) }

    /// The media type as it was sent or given; nil if there is none.
    ///
    /// A part without one is text/plain (RFC 7578 §4.4), but a file that you append without one is sent as
    /// application/octet-stream.
    public var contentType: String? { section.contentType }

    /// The header fields as received or, for a part from an initializer, as they will be written.
    ///
    /// Use them for fields that have no property here. If the part's names cannot be written, Content-Disposition is
    /// missing.
    ///
    /// - Complexity: O(*n*) in the length of the fields.
    public var headers: HeaderFields {
        if case .refused(_, let fields?) = content { return fields }
        return section.fields
    }

    /// Why the part cannot be sent, such as a file that is missing or a name with a control character; nil if it can.
    ///
    /// A form keeps such a part in its place, with its names and header fields but without its content. Reading the
    /// content throws this error, and so does encoding any form to which the part is appended. A received part that
    /// cannot be sent has no error until it is appended or encoded.
    public var error: MultipartError? { content.error }

    /// The content's length in bytes, to check before reading the content; nil if the length is unknown, or if there is
    /// an ``error``.
    public var length: UInt64? { content.length }

    /// The media type of a path extension, letter case ignored, the same on every platform; nil if the extension is
    /// unknown.
    ///
    /// Use it for content in memory with a file name; for files, `append` and the initializers find the type
    /// themselves.
    ///
    /// - Parameter pathExtension: The extension without its dot, such as `jpeg`.
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
        let identity = HeaderWriter.PartIdentity(name: name, filename: filename, contentType: contentType)
        do throws(MultipartError) {
            self.init(try HeaderSection(identity, additionalHeaders), content)
        } catch {
            let fields = HeaderWriter.fields(identity, additionalHeaders)
            self.init(HeaderSection(unwritten: identity), .refused(content.error ?? error, fields: fields))
        }
    }

    /// Creates a part with the header fields of a received one.
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

    /// The part under another name.
    ///
    /// Under another name, Content-Disposition and Content-Type are written again, and Content-Length is left out.
    /// Other header fields are kept. A form accepts a part with a Content-Transfer-Encoding only if its value is 7bit,
    /// 8bit or binary.
    ///
    /// - Parameter name: The name of the form's field.
    /// - Returns: The part under that name.
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

    /// Whether the part has a name, compared by its bytes in UTF-8 and not by Unicode equivalence.
    func hasName(_ name: String) -> Bool { section.layout.name.equals(name, in: section.bytes.span) }
}

extension BodyPart: CustomStringConvertible {
    /// The name, the file name, the type and the length: `photo: "a.jpg", image/jpeg, 12345 bytes in memory`; never the
    /// content. The code of an ``error`` takes the place of the length. Each text is printable, with at most 64
    /// characters.
    public var description: String {
        let name = name?.printable(upTo: 64) ?? "(no name)"
        let filename = filename.map { "\"\($0.printable(upTo: 64))\"" }
        let size = length.map { $0 == 1 ? "1 byte" : "\($0) bytes" } ?? "unknown length"
        let state = error?.code.description ?? "\(size) \(content.location)"
        let details = [filename, contentType?.printable(upTo: 64), state].compactMap(\.self)
        return "\(name): \(details.joined(separator: ", "))"
    }
}
