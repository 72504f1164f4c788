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
    /// - Throws: What keeps the value from being a part; the encoder rethrows it.
    func formPart(named name: String) throws -> BodyPart
}

/// A type that is made of one part of a form, such as an image that is decoded from it.
public protocol FormPartDecodable: Decodable {
    /// Creates a value of a part.
    ///
    /// - Parameter formPart: The part; its content is read only if this reads it.
    /// - Throws: Why the part is no such value; the decoder rethrows it.
    init(formPart: BodyPart) throws

    /// Whether the part must have a file name, and an empty file input is an error; true unless declared otherwise.
    static var requiresFile: Bool { get }
}

extension FormPartDecodable {
    /// True: the part must be a file.
    public static var requiresFile: Bool { true }
}

extension BodyPart: FormPartEncodable, FormPartDecodable {
    /// The part itself; called by the encoder.
    ///
    /// - Parameter name: The name of the form's field.
    /// - Returns: The part under that name.
    /// - Throws: Nothing.
    public func formPart(named name: String) throws -> BodyPart { named(name) }

    /// Creates a copy of a part; called by the decoder.
    ///
    /// - Parameter formPart: The part.
    /// - Throws: Nothing.
    public init(formPart: BodyPart) throws {
        self = formPart
    }

    /// False: any part will do, a field or a file.
    public static var requiresFile: Bool { false }

    /// Decodes a part of a form.
    ///
    /// - Parameter decoder: A decoder of ``FormDataDecoder``.
    /// - Throws: `DecodingError.typeMismatch` if it is another decoder.
    public init(from decoder: any Decoder) throws {
        self = try decoder.formNode(BodyPart.self).value(BodyPart.self)
    }

    /// Encodes a part of a form.
    ///
    /// - Parameter encoder: An encoder of ``FormDataEncoder``.
    /// - Throws: `EncodingError.invalidValue` if it is another encoder.
    public func encode(to encoder: any Encoder) throws {
        try encoder.formNode(self).encode(self)
    }

    /// The part under another name, with its content and its header fields; those that frame it are made anew.
    func named(_ name: String) -> BodyPart {
        guard !hasName(name) else { return self }
        var fields = fields
        for framing in ["Content-Disposition", "Content-Type", "Content-Length", "Content-Transfer-Encoding"] {
            fields.removeAll(named: framing)
        }
        return BodyPart(content, name, filename, contentType, fields)
    }
}

extension Decoder {
    /// This decoder, if it is one of a form; fails if not.
    func formNode(_ type: Any.Type) throws -> NodeDecoder {
        if let node = self as? NodeDecoder { return node }
        let problem = CodingProblem(.expectedFile)
        throw DecodingError.typeMismatch(
            type,
            DecodingError.Context(
                codingPath: codingPath,
                debugDescription: "only a FormDataDecoder decodes \(type)",
                underlyingError: problem.issue(nil, nil)
            )
        )
    }
}

extension Encoder {
    /// This encoder, if it is one of a form; fails if not.
    func formNode(_ value: Any) throws -> NodeEncoder {
        if let node = self as? NodeEncoder { return node }
        throw EncodingError.invalidValue(
            value,
            EncodingError.Context(
                codingPath: codingPath,
                debugDescription: "only a FormDataEncoder encodes \(Swift.type(of: value))",
                underlyingError: CodingProblem(.unencodable).issue(nil, nil)
            )
        )
    }
}
