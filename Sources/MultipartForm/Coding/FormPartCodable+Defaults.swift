extension FormPartEncodable {
    /// Encodes the value as a part. You need not declare it, unless other encoders encode the value, too.
    ///
    /// The compiler creates no `encode(to:)` beside this one, not for a type that is `Codable` either.
    ///
    /// - Parameter encoder: An encoder of ``FormDataEncoder``, outside of JSON.
    /// - Throws: `EncodingError.invalidValue` if it is any other.
    public func encode(to encoder: any Encoder) throws {
        guard let node = encoder as? FormNodeEncoder else {
            throw EncodingError.invalidValue(
                self,
                EncodingError.Context(
                    codingPath: encoder.codingPath,
                    debugDescription: """
                        only a FormDataEncoder encodes \(type(of: self)), as a part and not in JSON; other encoders need \
                        an encode(to:) of its own
                        """,
                    underlyingError: CodingProblem(.unencodable).encodingIssue(nil)
                )
            )
        }
        try node.encode(.part(formPart), of: self)
    }
}

extension FormPartDecodable {
    /// Decodes the value from a part. You need not declare it, unless other decoders decode the value, too.
    ///
    /// The compiler creates no `init(from:)` beside this one, not for a type that is `Codable` either.
    ///
    /// - Parameter decoder: A decoder of ``FormDataDecoder``, outside of JSON.
    /// - Throws: `DecodingError.typeMismatch` if it is any other, and what the part's own initializer throws.
    public init(from decoder: any Decoder) throws {
        guard let node = decoder as? FormNodeDecoder else {
            throw DecodingError.typeMismatch(
                Self.self,
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: """
                        only a FormDataDecoder decodes \(Self.self), from a part and not from JSON; other decoders need \
                        an init(from:) of its own
                        """,
                    underlyingError: CodingProblem(.expectedFile).issue(nil, nil)
                )
            )
        }
        self = try node.part(Self.self)
    }
}
