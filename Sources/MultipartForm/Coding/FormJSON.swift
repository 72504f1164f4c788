#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A value that is JSON in one part of a form, such as the metadata beside a file.
///
/// ```swift
/// struct Upload: Codable {
///     var metadata: FormJSON<Metadata>
///     var file: FormFile
/// }
/// ```
///
/// The part is written with the type application/json. A part to decode may be a field or a file; its type may be a
/// JSON type, text/plain, which is the default (RFC 7578 §4.4), or missing. The text is UTF-8 (RFC 8259 §8.1), and its
/// arrays and objects may be nested 64 deep. Other encoders and decoders see the value itself.
///
/// Decoding takes as long as `JSONDecoder` takes. `JSONDecoder` hashes the keys of objects, in time that is quadratic
/// in the number of combining marks in a row: 64 KB of them take nearly two seconds. Lower
/// ``FormDataDecoder/maxValueBytes`` for clients that you do not trust.
public struct FormJSON<Value> {
    /// The value.
    public var value: Value

    /// Wraps a value to encode as JSON.
    ///
    /// - Parameter value: The value.
    public init(_ value: Value) {
        self.value = value
    }
}

extension FormJSON: HasTypeKind {
    static var typeKind: TypeKind { .part(Self.self) }
}

extension FormJSON: Sendable where Value: Sendable {}

extension FormJSON: Equatable where Value: Equatable {}

extension FormJSON: Hashable where Value: Hashable {}

extension FormJSON: Encodable where Value: Encodable {
    /// Encodes the value as a part with JSON; another encoder encodes the value in its own way.
    ///
    /// - Parameter encoder: An encoder. The encoder of a ``FormDataEncoder`` writes JSON as
    ///   ``FormDataEncoder/configureJSON`` sets it.
    /// - Throws: What the encoder or the value's type throws.
    public func encode(to encoder: any Encoder) throws {
        // Does not call `value.encode(to:)`, because `JSONEncoder` has its own ways to write dates, data, numbers and
        // dictionaries, which it uses only in a container. The container of a form's encoder handles this type itself,
        // and does not call this method again.
        var container = encoder.singleValueContainer()
        if encoder is FormNodeEncoder { try container.encode(self) } else { try container.encode(value) }
    }
}

extension FormJSON: Decodable where Value: Decodable {
    /// Decodes the value from a part with JSON; another decoder decodes the value itself.
    ///
    /// - Parameter decoder: A decoder. The decoder of a ``FormDataDecoder`` reads JSON as
    ///   ``FormDataDecoder/configureJSON`` sets it.
    /// - Throws: `DecodingError` if the part is not JSON, is longer than ``FormDataDecoder/maxValueBytes``, or is not a
    ///   value of the type; otherwise what the decoder or the value's type throws.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if decoder is FormNodeDecoder {
            self = try container.decode(Self.self)
        } else {
            value = try container.decode(Value.self)
        }
    }
}

extension FormJSON: JSONPartEncodable where Value: Encodable {
    func json(by encoder: JSONEncoder) throws -> JSONText { try JSONText(value, by: encoder) }
}

extension FormJSON: JSONPartDecodable where Value: Decodable {
    init(_ json: JSONText, by decoder: JSONDecoder) throws {
        value = try decoder.decode(Value.self, from: json.data)
    }
}
