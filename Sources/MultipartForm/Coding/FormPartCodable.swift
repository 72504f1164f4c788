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
/// Other encoders, such as `JSONEncoder`, encode the value as they do without this conformance. If the type can be
/// encoded only as a part, also declare ``FormPartOnly``.
///
/// The encoder handles types of the standard library and of Foundation such as `Array`, `String` and `Date` itself,
/// even if a module makes them conform.
public protocol FormPartEncodable: Encodable {
    /// Returns the value as a part.
    ///
    /// - Parameter name: The name of the form's field.
    /// - Returns: The part; if it has another name, the encoder gives it this one.
    /// - Throws: Any error if the value cannot be a part; the encoder rethrows it.
    func formPart(named name: String) throws -> BodyPart
}

/// A type that is made from one part of a form, such as an image that is decoded from it.
///
/// Other decoders, such as `JSONDecoder`, decode the value as they do without this conformance. If the type can be
/// decoded only from a part, also declare ``FormPartOnly``.
///
/// The decoder handles types of the standard library and of Foundation such as `Array`, `String` and `Date` itself,
/// even if a module makes them conform.
public protocol FormPartDecodable: Decodable {
    /// Creates a value from a part.
    ///
    /// - Parameter formPart: The part; its content is read only if this initializer reads it.
    /// - Throws: Any error if the part is not such a value; the decoder rethrows it.
    init(formPart: BodyPart) throws

    /// Whether the part must have a file name, and an empty file input is an error; true by default.
    ///
    /// Declare it as false for a type that is read from a field, or from a part that clients send without a file name.
    static var requiresFile: Bool { get }
}

extension FormPartDecodable {
    /// True: the part must be a file.
    public static var requiresFile: Bool { true }
}

/// A type that is only ever a part of a form, such as an image that is not `Codable` by itself: other encoders and
/// decoders throw.
///
/// ```swift
/// extension Scan: FormPartEncodable, FormPartOnly {
///     func formPart(named name: String) throws -> BodyPart {
///         BodyPart(try jpeg(), name: name, filename: "scan.jpg", contentType: "image/jpeg")
///     }
/// }
/// ```
///
/// Conform to ``FormPartEncodable``, ``FormPartDecodable`` or both as well. This protocol declares the `encode(to:)`
/// and the `init(from:)` that they need, so that the compiler does not synthesize any.
public protocol FormPartOnly {}

// The methods of types that are only ever parts. In extensions of the two protocols themselves, they would silently
// replace what the compiler synthesizes, even for a type that conforms in another file.
extension FormPartOnly where Self: FormPartEncodable {
    /// Encodes the value as a part.
    ///
    /// - Parameter encoder: An encoder of ``FormDataEncoder``, outside of JSON.
    /// - Throws: `EncodingError.invalidValue` for any other encoder.
    public func encode(to encoder: any Encoder) throws {
        guard encoder is FormNodeEncoder else {
            throw EncodingError.invalidValue(
                self,
                EncodingError.Context(
                    codingPath: encoder.codingPath,
                    debugDescription: """
                        only a FormDataEncoder encodes \(type(of: self)), as a part and not in JSON; other encoders need \
                        an encode(to:) of its own
                        """,
                    underlyingError: CodingReason(CodingCode.unencodable).encodingIssue(nil)
                )
            )
        }
        // The container of a form's encoder handles this type itself, and does not call this method again.
        var container = encoder.singleValueContainer()
        try container.encode(self)
    }
}

extension FormPartOnly where Self: FormPartDecodable {
    /// Decodes the value from a part.
    ///
    /// - Parameter decoder: A decoder of ``FormDataDecoder``, outside of JSON.
    /// - Throws: `DecodingError.typeMismatch` for any other decoder, and what the part's own initializer throws.
    public init(from decoder: any Decoder) throws {
        guard decoder is FormNodeDecoder else {
            throw DecodingError.typeMismatch(
                Self.self,
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: """
                        only a FormDataDecoder decodes \(Self.self), from a part and not from JSON; other decoders need \
                        an init(from:) of its own
                        """,
                    underlyingError: CodingReason(.expectedFile).issue(nil, nil)
                )
            )
        }
        // The container of a form's decoder handles this type itself, and does not call this initializer again.
        self = try decoder.singleValueContainer().decode(Self.self)
    }
}

extension BodyPart: FormPartEncodable, FormPartDecodable, FormPartOnly {
    /// Creates a copy of a part.
    ///
    /// - Parameter formPart: The part.
    public init(formPart: BodyPart) {
        self = formPart
    }

    /// False: the part may be a field or a file. Decode a `BodyPart` where a file may come without a file name.
    public static var requiresFile: Bool { false }
}
