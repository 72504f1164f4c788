/// A type that makes its own part of a form, such as an image.
///
/// ```swift
/// extension Thumbnail: FormPartEncodable {
///     func formPart(named name: String) -> BodyPart {
///         BodyPart(png, name: name, filename: "thumbnail.png", contentType: "image/png")
///     }
/// }
/// ```
///
/// The conformance does not change how other encoders, such as `JSONEncoder`, encode the type. If the type can be
/// encoded only as a part, also declare ``FormPartOnly``.
///
/// The encoder calls ``formPart(named:)`` on any thread. In a module that is main-actor by default, write `nonisolated`
/// before the extension.
///
/// The encoder ignores the conformance of all types in the standard library, and of `Data`, `Date`, `Decimal`, `URL`
/// and `UUID`.
public protocol FormPartEncodable: Encodable, SendableMetatype {
    /// Returns the value as a part.
    ///
    /// - Parameter name: The name of the part.
    /// - Returns: The part. If the part has another name, the encoder renames it.
    /// - Throws: Any error if the value cannot be a part. The encoder rethrows the error.
    func formPart(named name: String) throws -> BodyPart
}

/// A type that the decoder creates from one part of a form, such as an image.
///
/// The conformance does not change how other decoders, such as `JSONDecoder`, decode the type. If the type can be
/// decoded only from a part, also declare ``FormPartOnly``.
///
/// The decoder calls ``init(formPart:)`` on any thread. In a module that is main-actor by default, write `nonisolated`
/// before the extension.
///
/// The decoder ignores the conformance of all types in the standard library, and of `Data`, `Date`, `Decimal`, `URL`
/// and `UUID`.
public protocol FormPartDecodable: Decodable, SendableMetatype {
    /// Creates a value from a part.
    ///
    /// - Parameter formPart: The part. Reading the content is left to the initializer.
    /// - Throws: Any error if the part is not a value of this type. The decoder rethrows the error.
    init(formPart: BodyPart) throws

    /// Whether the part must have a file name; true by default.
    ///
    /// If the property is true, an empty file input is nil for an optional, and an error for any other property.
    /// Declare `requiresFile` as false for a type that clients send as a field, or without a file name.
    static var requiresFile: Bool { get }
}

extension FormPartDecodable {
    /// True, so the part must have a file name.
    public static var requiresFile: Bool { true }
}

/// A type that can be coded only as a part of a form, such as an image. Encoders and decoders of other formats throw an
/// error for the type.
///
/// ```swift
/// extension Scan: FormPartEncodable, FormPartOnly {
///     func formPart(named name: String) throws -> BodyPart {
///         BodyPart(try jpeg(), name: name, filename: "scan.jpg", contentType: "image/jpeg")
///     }
/// }
/// ```
///
/// Also declare ``FormPartEncodable``, ``FormPartDecodable`` or both. `FormPartOnly` provides their `encode(to:)` and
/// `init(from:)`, so the compiler does not synthesize these methods.
public protocol FormPartOnly: SendableMetatype {}

// Only `FormPartOnly` provides `encode(to:)` and `init(from:)`. Defaults in an extension of `FormPartEncodable` or
// `FormPartDecodable` would silently replace the methods that the compiler synthesizes for a `Codable` type.
extension FormPartOnly where Self: FormPartEncodable {
    /// Encodes the value as a part.
    ///
    /// - Parameter encoder: An encoder that belongs to a ``FormDataEncoder``.
    /// - Throws: `EncodingError.invalidValue` for any other encoder, such as that of a `JSONEncoder`. The method
    ///   therefore also throws if the value is within JSON in a form.
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
                    underlyingError: CodingReason(ErrorCode.unencodable).encoderError(nil, type: "\(Self.self)")
                )
            )
        }
        // `encoder` belongs to a `FormDataEncoder`. Therefore `container.encode(self)` uses `formPart(named:)`, not
        // this method, and there is no endless recursion.
        var container = encoder.singleValueContainer()
        try container.encode(self)
    }
}

extension FormPartOnly where Self: FormPartDecodable {
    /// Decodes the value from a part.
    ///
    /// - Parameter decoder: A decoder that belongs to a ``FormDataDecoder``.
    /// - Throws: One of these errors:
    ///   - `DecodingError.typeMismatch` if `decoder` is of another kind, such as that of a `JSONDecoder`, or if the
    ///     value is inside the JSON of a part.
    ///   - A `DecodingError` if the form has no suitable part.
    ///   - Any error of ``FormPartDecodable/init(formPart:)``.
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
                    underlyingError: CodingReason(.expectedFile).decoderError(nil, nil, type: "\(Self.self)")
                )
            )
        }
        // `decoder` belongs to a `FormDataDecoder`. Therefore `decode(Self.self)` uses `init(formPart:)`, not this
        // initializer, and there is no endless recursion.
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

    /// False, so the part may be a field or a file. Decode a `BodyPart` if clients may send a file without a file name.
    public static var requiresFile: Bool { false }
}
