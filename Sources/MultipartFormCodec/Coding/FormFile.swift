#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A file in a form, to use as a property of a type that you encode or decode.
///
/// ```swift
/// struct Profile: Codable {
///     var name: String
///     var avatar: FormFile
///     var resume: FormFile?
/// }
/// ```
///
/// The decoder requires a part with a file name. Use ``BodyPart`` if clients may send a file without a file name. An
/// empty file input decodes as nil for an optional property, and is an error for a required property.
///
/// Encoders and decoders of other formats, such as `JSONEncoder` and `JSONDecoder`, throw an error for a `FormFile`.
///
/// `FormFile` is not `Equatable`, because a comparison would have to read the content. Some content, such as a stream,
/// can be read only once.
public struct FormFile: Sendable, FormPartEncodable, FormPartDecodable, FormPartOnly {
    /// The file as a part of a form.
    ///
    /// The name of the part depends on where the file comes from:
    /// - A decoded file has the name under which it was received.
    /// - A file from ``init(formPart:)`` has the name of the given part.
    /// - Any other file has an empty name.
    ///
    /// A ``FormDataEncoder`` replaces this name with the name of the key. To append the file to a form yourself, choose
    /// a name: `form.append(file.formPart(named: "avatar"))`.
    ///
    /// The header fields are sent as follows:
    /// - If the name stays the same, all header fields are sent unchanged.
    /// - If the name changes, the library makes new Content-Disposition and Content-Type fields, which keep the file
    ///   name and the media type. The library leaves out Content-Length, and sends all other fields unchanged.
    ///
    /// A part with a Content-Transfer-Encoding such as `base64` cannot be encoded.
    public let part: BodyPart

    /// Creates a file from bytes in memory, such as an image that the program has drawn.
    ///
    /// - Parameters:
    ///   - data: The content.
    ///   - filename: The file name.
    ///   - contentType: The media type. If it is nil, the file gets the type of its file name's extension, or else
    ///     application/octet-stream.
    public init(_ data: Data, filename: String, contentType: String? = nil) {
        part = BodyPart(data, name: "", filename: filename, contentType: contentType)
    }

    /// Creates a file from a file on disk. The initializer checks the file; encoding reads the file.
    ///
    /// - Parameters:
    ///   - fileURL: The file.
    ///   - filename: The file name to send; nil for the last component of the URL.
    ///   - contentType: The media type. If it is nil, the file gets the type of its file name's extension, or else
    ///     application/octet-stream.
    /// - Throws: ``MultipartError`` if the file fails a check. For the codes, see
    ///   ``BodyPart/init(contentsOf:range:name:filename:contentType:additionalHeaders:)``.
    public init(contentsOf fileURL: URL, filename: String? = nil, contentType: String? = nil) throws {
        part = try BodyPart(fileAt: fileURL, name: "", filename: filename, contentType: contentType)
    }

    /// The file name as it was received, or as the program gave it; empty if the part has no file name. Never use the
    /// file name as a path.
    public var filename: String { part.filename ?? "" }

    /// The last component of ``filename``, safe to join to a directory's path; nil if no usable name remains.
    ///
    /// The name has at most 255 bytes in UTF-8. For the rules, see ``HeaderFields/safeFilename``.
    public var safeFilename: String? { part.safeFilename }

    /// The media type as it was received or, for a new file, as it will be sent; nil if there is no type.
    public var contentType: String? { part.contentType }

    /// The length of the content in bytes, to check before you read the content; nil if the length is unknown.
    public var length: UInt64? { part.length }

    /// Returns the whole content, for short content or for a library that takes only `Data`.
    ///
    /// - Throws: ``MultipartError`` if the content cannot be read, or if its length is not the declared length.
    /// - Complexity: O(1) for content in memory; otherwise O(*n*) in the length of the content.
    public func data() throws -> Data {
        try part.data()
    }

    /// Saves the content to a new file. Never overwrites anything.
    ///
    /// This method blocks the thread until the file is complete. Asynchronous code calls the `async` method of the same
    /// name instead. For details, see ``BodyPart/save(to:permissions:)-1tfqk``.
    ///
    /// - Parameters:
    ///   - fileURL: The file to create, in a directory that exists.
    ///   - permissions: The permissions of the file, from 0 to 0o777, regardless of the umask. If nil, the file gets
    ///     the permissions of any new file of the process.
    /// - Throws: ``MultipartError`` if something exists at the URL, or if reading the content or writing the file
    ///   fails.
    public func save(to fileURL: URL, permissions: Int? = nil) throws {
        try part.save(to: fileURL, permissions: permissions)
    }

    /// Saves the content to a new file, and leaves the caller's actor free meanwhile. Never overwrites anything.
    ///
    /// For details, see ``BodyPart/save(to:permissions:)-766x5``.
    ///
    /// - Parameters:
    ///   - fileURL: The file to create, in a directory that exists.
    ///   - permissions: The permissions of the file, from 0 to 0o777, regardless of the umask. If nil, the file gets
    ///     the permissions of any new file of the process.
    /// - Throws: ``MultipartError`` if something exists at the URL, or if reading the content or writing the file
    ///   fails; `CancellationError` if the task is cancelled.
    public func save(to fileURL: URL, permissions: Int? = nil) async throws {
        try await part.save(to: fileURL, permissions: permissions)
    }

    /// Creates a file from a part, such as a received part or a part whose content is a stream.
    ///
    /// - Parameter formPart: The part. A part without a file name is sent as a field, not as a file.
    public init(formPart: BodyPart) {
        part = formPart
    }

    /// Returns the file as a part, to append to a form.
    ///
    /// - Parameter name: The name of the form's field.
    /// - Returns: The part with the name.
    public func formPart(named name: String) -> BodyPart { part.formPart(named: name) }
}
