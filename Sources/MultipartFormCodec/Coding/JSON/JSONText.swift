#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The JSON in a part.
///
/// The encoder writes a string to a field without the quotes of JSON: `"a"` becomes the text `a`. But the quotes remain
/// if the decoder would otherwise read another value. For example, `"null"` without its quotes would be nil.
///
/// The decoder reads a field as JSON first. If the JSON does not fit the type, the decoder reads the field as a string
/// without quotes.
struct JSONText {
    let data: Data

    // Members for encoding.

    /// Encodes a value as JSON.
    ///
    /// If `JSONEncoder` throws an `EncodingError`, throws a `CodingReason` with the `EncodingError` as its underlying
    /// error. Rethrows any other error.
    init(_ value: some Encodable, by encoder: JSONEncoder) throws {
        do {
            data = try encoder.encode(value)
        } catch let error as EncodingError {
            throw CodingReason(ErrorCode.unencodable, underlyingError: error)
        }
    }

    /// The text of a JSON string, to write to a field without quotes. Nil in these cases:
    /// - The JSON is not a string.
    /// - The decoder would read the text as another value.
    var fieldText: String? {
        guard data.first == ASCII.quote, let text = try? JSONDecoder().decode(String.self, from: data) else {
            return nil
        }
        let first = text.utf8.first { !ASCII.isWhitespace($0) && $0 != ASCII.carriageReturn && $0 != ASCII.lineFeed }
        let isReadAsOther = first == ASCII.quote || text == "null" || text.utf8.contains(ASCII.null)
        return isReadAsOther ? nil : text
    }

    /// Whether the JSON is `null`.
    var isNull: Bool { data.elementsEqual("null".utf8) }

    // Members for decoding.

    init(data: Data) {
        self.data = data
    }

    /// Decodes a field as JSON. If the field is not JSON that fits the type, decodes the field as a string without
    /// quotes.
    func decodedField<T: Decodable>(_ type: T.Type, by decoder: JSONDecoder) throws -> T {
        do {
            return try decoder.decode(type, from: data)
        } catch let error as DecodingError {
            guard let text = String(validating: data.span), let string = try? JSONEncoder().encode(text) else {
                throw error
            }
            do {
                return try decoder.decode(type, from: string)
            } catch is DecodingError {
                throw error
            }
        }
    }

    /// Returns a `Decoder` for the JSON. Foundation allows the use of the `Decoder` after `JSONDecoder.decode` has
    /// returned.
    func decoder(by decoder: JSONDecoder) throws -> any Decoder {
        try decoder.decode(DecoderOfJSON.self, from: data).decoder
    }
}

private struct DecoderOfJSON: Decodable {
    let decoder: any Decoder

    init(from decoder: any Decoder) {
        self.decoder = decoder
    }
}

/// A type that is encoded as JSON in one part.
protocol JSONPartEncodable {
    func json(by encoder: JSONEncoder) throws -> JSONText
}

/// A type that is decoded from JSON in one part.
protocol JSONPartDecodable {
    init(_ json: JSONText, by decoder: JSONDecoder) throws
}
