#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A value that is encoded as JSON in one part of a form, such as the metadata of a file.
///
/// ```swift
/// struct Upload: Codable {
///     var metadata: FormJSON<Metadata>
///     var file: FormFile
/// }
/// ```
///
/// A ``FormDataEncoder`` writes a part with the Content-Type `application/json`. A ``FormDataDecoder`` reads a field or
/// a file. The Content-Type of the part may be missing, or must be one of these:
/// - `application/json`, or a type with the suffix `+json` (RFC 6839 §3.1)
/// - `text/plain`, which is the default (RFC 7578 §4.4)
///
/// The content must be UTF-8 (RFC 8259 §8.1), with arrays and objects at most 64 levels deep. Encoders and decoders of
/// other formats code the value without the wrapper.
///
/// Lower ``FormDataDecoder/maxValueBytes`` for clients that you do not trust. `JSONDecoder` hashes the keys of objects.
/// Hashing a key with 64 KB of successive combining marks takes nearly two seconds, and the time grows with the square
/// of the number of marks.
public struct FormJSON<Value> {
    /// The wrapped value.
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
    /// Encodes the value as a part with JSON. Any encoder other than ``FormDataEncoder`` encodes the value without the
    /// wrapper.
    ///
    /// - Parameter encoder: An encoder. If it belongs to a ``FormDataEncoder``, ``FormDataEncoder/configureJSON``
    ///   configures the `JSONEncoder`.
    /// - Throws: Any error of the encoder or of the value's type.
    public func encode(to encoder: any Encoder) throws {
        // If `encoder` belongs to a `FormDataEncoder`, `container.encode(self)` makes a part with JSON. The container
        // does not call this method again, so there is no endless recursion.
        //
        // With any other encoder, the container encodes `value`. A call of `value.encode(to: encoder)` instead would
        // skip the strategies of a `JSONEncoder`, such as the strategy for dates.
        var container = encoder.singleValueContainer()
        if encoder is FormNodeEncoder { try container.encode(self) } else { try container.encode(value) }
    }
}

extension FormJSON: Decodable where Value: Decodable {
    /// Decodes the value from a part with JSON. A decoder for another format decodes the value without the wrapper.
    ///
    /// - Parameter decoder: A decoder. If it belongs to a ``FormDataDecoder``, ``FormDataDecoder/configureJSON``
    ///   configures the `JSONDecoder`.
    /// - Throws: A `DecodingError` if the part is longer than ``FormDataDecoder/maxValueBytes``, or is not JSON of the
    ///   value's type. Otherwise, any error of the decoder or of the value's type.
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
