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
/// Other encoders, such as that of JSON, encode the value as they do without this conformance. If it cannot be encoded
/// otherwise than as a part, declare ``FormPartOnly``, too.
///
/// The encoder never asks the types of the standard library and of Foundation that it knows, such as `Array`, `String` and
/// `Date`, whoever makes them conform.
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
/// Other decoders, such as that of JSON, decode the value as they do without this conformance. If it cannot be decoded
/// otherwise than from a part, declare ``FormPartOnly``, too.
///
/// The decoder never asks the types of the standard library and of Foundation that it knows, such as `Array`, `String` and
/// `Date`, whoever makes them conform.
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

/// A type that is only ever a part of a form, such as an image that is no `Codable`: other encoders and decoders throw.
///
/// ```swift
/// extension Scan: FormPartEncodable, FormPartOnly {
///     func formPart(named name: String) throws -> BodyPart {
///         BodyPart(try jpeg(), name: name, filename: "scan.jpg", contentType: "image/jpeg")
///     }
/// }
/// ```
///
/// Conform to it beside ``FormPartEncodable``, ``FormPartDecodable`` or both. It declares the `encode(to:)` and the
/// `init(from:)` that they need, in the place of those that the compiler would synthesize.
public protocol FormPartOnly {}
