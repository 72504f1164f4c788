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

    /// False: the part may be a field or a file.
    public static var requiresFile: Bool { false }

    /// Decodes a part of a form.
    ///
    /// - Parameter decoder: A decoder of ``FormDataDecoder``.
    /// - Throws: `DecodingError.typeMismatch` if it is not.
    public init(from decoder: any Decoder) throws {
        self = try decoder.formNode(BodyPart.self).decoded(BodyPart.self)
    }

    /// Encodes a part of a form.
    ///
    /// - Parameter encoder: An encoder of ``FormDataEncoder``.
    /// - Throws: `EncodingError.invalidValue` if it is not.
    public func encode(to encoder: any Encoder) throws {
        try encoder.formNode(self).encode(self)
    }

    /// The part under another name, with its content and its header fields; those that name or frame it are
    /// written again.
    ///
    /// A Content-Transfer-Encoding stays: without it nobody could read the content. A form refuses the part, under any
    /// name, unless the field says that the content is not encoded.
    func named(_ name: String) -> BodyPart {
        guard !hasName(name) else { return self }
        var fields = headers
        for framing in ["Content-Disposition", "Content-Type", "Content-Length"] {
            fields.removeAll(named: framing)
        }
        return BodyPart(content, name, filename, contentType, fields)
    }
}

extension Decoder {
    /// This decoder as one of a form; fails if it is not.
    func formNode(_ type: Any.Type) throws -> FormNodeDecoder {
        if let node = self as? FormNodeDecoder { return node }
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
    /// This encoder as one of a form; fails if it is not.
    func formNode(_ value: Any) throws -> FormNodeEncoder {
        if let node = self as? FormNodeEncoder { return node }
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
