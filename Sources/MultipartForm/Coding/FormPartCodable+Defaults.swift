// For types that are only ever parts. In extensions of the two protocols themselves, these would silently take the place of
// what the compiler synthesizes, even for a type that another file makes conform.
extension FormPartOnly where Self: FormPartEncodable {
    /// Encodes the value as a part.
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

extension FormPartOnly where Self: FormPartDecodable {
    /// Decodes the value from a part.
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
