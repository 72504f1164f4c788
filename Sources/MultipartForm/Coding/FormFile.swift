#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A file in a value that is encoded to a form or decoded from one.
///
/// ```swift
/// struct Profile: Codable {
///     var name: String
///     var avatar: FormFile
///     var resume: FormFile?
/// }
/// ```
///
/// A file is a part with a file name; ``BodyPart`` also decodes a part without one. A file input that was left empty
/// decodes as nil. Other encoders and decoders, such as `JSONEncoder` and `JSONDecoder`, throw.
///
/// `FormFile` is not `Equatable`, because content may be a stream, which cannot be compared without reading it.
public struct FormFile: Sendable, FormPartEncodable, FormPartDecodable, FormPartOnly {
    /// The part, with the name it was received under; the name is empty if the file was not made from a part.
    ///
    /// The encoder gives the part the name of the key. To append the file to a form yourself, name it:
    /// `form.append(file.formPart(named: "avatar"))`.
    ///
    /// Under its old name, the part is encoded with its header section unchanged. Under a new name, its
    /// Content-Disposition and Content-Type are written again, from its file name and media type. Its other fields are
    /// kept, except Content-Length. A part with a Content-Transfer-Encoding such as `base64` cannot be encoded.
    public let part: BodyPart

    /// Creates a file from bytes in memory, such as an image that was just drawn.
    ///
    /// - Parameters:
    ///   - data: The content.
    ///   - filename: The file name.
    ///   - contentType: The media type; nil for application/octet-stream.
    public init(_ data: Data, filename: String, contentType: String? = nil) {
        part = BodyPart(data, name: "", filename: filename, contentType: contentType)
    }

    /// Creates a file from a file on disk, which is checked now and read while the form is encoded.
    ///
    /// - Parameters:
    ///   - fileURL: The file.
    ///   - filename: The file name to send; nil for the last component of the URL.
    ///   - contentType: The media type; nil to derive it from the URL's extension, else from the file name's, else
    ///     application/octet-stream.
    /// - Throws: ``MultipartError`` if the file cannot be sent, with the codes of
    ///   ``MultipartFormData/append(_:withName:fileName:mimeType:)-(URL,_,_,_)``.
    public init(contentsOf fileURL: URL, filename: String? = nil, contentType: String? = nil) throws {
        part = try BodyPart(fileAt: fileURL, name: "", filename: filename, contentType: contentType)
    }

    /// The file name as it was sent; empty if the part has none. Never use it as a path.
    public var filename: String { part.filename ?? "" }

    /// The last component of ``filename``, safe to join to a directory's path; nil if nothing usable is left.
    ///
    /// At most 255 bytes of UTF-8; see ``HeaderFields/safeFilename``.
    public var safeFilename: String? { part.safeFilename }

    /// The media type as it was sent or given; nil if there is none.
    public var contentType: String? { part.contentType }

    /// The content's length in bytes, to check before reading it; nil if the length is unknown.
    public var length: UInt64? { part.length }

    /// The whole content in memory.
    ///
    /// - Throws: ``MultipartError`` if the content cannot be read, or does not have its declared length.
    /// - Complexity: O(1) in memory, else O(*n*) in the length of the content.
    public func data() throws -> Data {
        try part.data()
    }

    /// Saves the content to a new file, and never overwrites anything; see ``BodyPart/save(to:permissions:)-p9s4``.
    /// Blocks the thread until the file is complete; asynchronous code calls the `async` method of the same name
    /// instead.
    ///
    /// - Parameters:
    ///   - fileURL: The file to create, in a directory that exists.
    ///   - permissions: The file's mode, 0 to 0o777, regardless of the process' mask; nil for the mode of any file that
    ///     the process creates.
    /// - Throws: ``MultipartError`` if something exists at the URL, the file cannot be created or written, or the
    ///   content cannot be read.
    public func save(to fileURL: URL, permissions: Int? = nil) throws {
        try part.save(to: fileURL, permissions: permissions)
    }

    /// Saves the content to a new file, and leaves the caller's actor free meanwhile; see
    /// ``BodyPart/save(to:permissions:)-95ggl``, which it calls.
    ///
    /// - Parameters:
    ///   - fileURL: The file to create, in a directory that exists.
    ///   - permissions: The file's mode, 0 to 0o777, regardless of the process' mask; nil for the mode of any file that
    ///     the process creates.
    /// - Throws: ``MultipartError`` if something exists at the URL, the file cannot be created or written, or the
    ///   content cannot be read; `CancellationError` if the task is cancelled.
    public func save(to fileURL: URL, permissions: Int? = nil) async throws {
        try await part.save(to: fileURL, permissions: permissions)
    }

    /// Creates a file from a part, such as one that a form received, or one with its content in a stream.
    ///
    /// - Parameter formPart: The part; it should have a file name.
    public init(formPart: BodyPart) {
        part = formPart
    }

    /// The file as a part, to be appended to a form.
    ///
    /// - Parameter name: The name of the form's field.
    /// - Returns: The part under that name.
    public func formPart(named name: String) -> BodyPart { part.formPart(named: name) }
}
