internal import Foundation

/// A value that is JSON in one part of a form, such as the metadata beside a file.
///
/// ```swift
/// struct Upload: Codable {
///     var metadata: FormJSON<Metadata>
///     var file: FormFile
/// }
/// ```
///
/// The part has the type application/json; when decoded, it may be a field or a file, with a JSON type or none. Other
/// encoders and decoders see the value itself.
public struct FormJSON<Value> {
    /// The value, to be read after decoding.
    public var value: Value

    /// Creates JSON of a value that is to be encoded.
    ///
    /// - Parameter value: The value.
    public init(_ value: Value) {
        self.value = value
    }
}

extension FormJSON: Sendable where Value: Sendable {}

extension FormJSON: Encodable where Value: Encodable {
    /// Encodes the value as a part with JSON, or with another encoder as it is.
    ///
    /// - Parameter encoder: An encoder; one of ``FormDataEncoder`` writes JSON with the `JSONEncoder` in its
    ///   ``FormDataEncoder/userInfo``, else with a new one.
    /// - Throws: What the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        guard let node = encoder as? NodeEncoder else { return try value.encode(to: encoder) }
        let json = node.userInfo[.formJSONEncoder] as? JSONEncoder ?? JSONEncoder()
        let data: Data
        do {
            data = try json.encode(value)
        } catch {
            throw node.encoding.error(CodingProblem(.unencodable, underlying: error), self, at: node.path)
        }
        try node.encode(.part { BodyPart(data, name: $0, contentType: "application/json") }, of: self)
    }
}

extension FormJSON: Decodable where Value: Decodable {
    /// Decodes the value from a part with JSON, or from another decoder as it is.
    ///
    /// - Parameter decoder: A decoder; one of ``FormDataDecoder`` reads JSON with the `JSONDecoder` in its
    ///   ``FormDataDecoder/userInfo``, else with a new one.
    /// - Throws: `DecodingError` if the part is not JSON, longer than ``FormDataDecoder/maxValueBytes``, or not of the
    ///   type; what the decoder throws.
    public init(from decoder: any Decoder) throws {
        guard let node = decoder as? NodeDecoder else {
            value = try Value(from: decoder)
            return
        }
        let json = node.userInfo[.formJSONDecoder] as? JSONDecoder ?? JSONDecoder()
        value = try node.checked(Self.self) { () throws(CodingProblem) in
            let data = try node.form.part(node.place).json()
            return try CodingProblem.wrap(.invalidValue) { try json.decode(Value.self, from: data) }
        }
    }
}

extension CodingUserInfoKey {
    /// The `JSONDecoder` with which ``FormJSON`` is decoded, in ``FormDataDecoder/userInfo``.
    public static let formJSONDecoder = key("formJSONDecoder")

    /// The `JSONEncoder` with which ``FormJSON`` is encoded, in ``FormDataEncoder/userInfo``.
    public static let formJSONEncoder = key("formJSONEncoder")

    private static func key(_ name: String) -> CodingUserInfoKey {
        guard let key = CodingUserInfoKey(rawValue: name) else { preconditionFailure("every text is a key") }
        return key
    }
}
