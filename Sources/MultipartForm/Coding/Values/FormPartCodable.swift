/// A type that makes its own part of a form, such as a framework's file or an image.
///
/// ```swift
/// extension Thumbnail: FormPartEncodable {
///     func formPart(named name: String) -> BodyPart {
///         BodyPart(png, name: name, filename: "thumbnail.png", contentType: "image/png")
///     }
/// }
/// ```
///
/// The encoder never asks the types of the standard library and of Foundation that it knows, such as `Array`, `String` and
/// `Date`, whoever makes them conform. Another encoder, such as that of JSON, throws for a type that does not declare its
/// own `encode(to:)`.
public protocol FormPartEncodable: Encodable {
    /// The part.
    ///
    /// - Parameter name: The name of the form's field.
    /// - Returns: The part; it gets the name if it has another.
    /// - Throws: Any error if the value cannot be a part; the encoder rethrows it.
    func formPart(named name: String) throws -> BodyPart
}

/// A type that is made from one part of a form, such as an image that is decoded from it.
///
/// The decoder never asks the types of the standard library and of Foundation that it knows, such as `Array`, `String` and
/// `Date`, whoever makes them conform. Another decoder, such as that of JSON, throws for a type that does not declare its
/// own `init(from:)`.
public protocol FormPartDecodable: Decodable {
    /// Creates a value from a part.
    ///
    /// - Parameter formPart: The part; its content is read only if this reads it.
    /// - Throws: Any error if the part is not such a value; the decoder rethrows it.
    init(formPart: BodyPart) throws

    /// Whether the part must have a file name, and an empty file input is an error; true by default.
    ///
    /// Declare it as false for a type that is read from a field, or from a file that clients send without a file name.
    static var requiresFile: Bool { get }
}

extension FormPartDecodable {
    /// True: the part must be a file.
    public static var requiresFile: Bool { true }
}
