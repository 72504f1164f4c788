/// A type that makes its own part of a form, such as a framework's file or an image.
///
/// ```swift
/// extension Thumbnail: FormPartEncodable {
///     func formPart(named name: String) -> BodyPart {
///         BodyPart(png, name: name, filename: "thumbnail.png", contentType: "image/png")
///     }
/// }
/// ```
public protocol FormPartEncodable: Encodable {
    /// The part.
    ///
    /// - Parameter name: The name of the form's field.
    /// - Returns: The part; it gets the name if it has another.
    /// - Throws: Any error if the value cannot be a part; the encoder rethrows it.
    func formPart(named name: String) throws -> BodyPart
}

/// A type that is made from one part of a form, such as an image that is decoded from it.
public protocol FormPartDecodable: Decodable {
    /// Creates a value from a part.
    ///
    /// - Parameter formPart: The part; its content is read only if this reads it.
    /// - Throws: Any error if the part is not such a value; the decoder rethrows it.
    init(formPart: BodyPart) throws

    /// Whether the part must have a file name, and an empty file input is an error; true by default.
    static var requiresFile: Bool { get }
}

extension FormPartDecodable {
    /// True: the part must be a file.
    public static var requiresFile: Bool { true }
}
