#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// JSON in a part, in both directions.
///
/// A JSON string is written to a field without quotes, unless it would then be read as another value. So the text of a
/// field is read as JSON first and, if that does not fit the type, as the text of a string.
struct JSONText {
    let data: Data

    // To JSON.

    /// Encodes a value as JSON. An `EncodingError` becomes the underlying error of a `CodingReason`; other errors that
    /// the value's type throws pass unchanged.
    init(_ value: some Encodable, by encoder: JSONEncoder) throws {
        do {
            data = try encoder.encode(value)
        } catch let error as EncodingError {
            throw CodingReason(CodingCode.unencodable, underlyingError: error)
        }
    }

    /// If the value is a string that a field may have without quotes, its text; otherwise nil.
    var fieldText: String? {
        guard data.first == ASCII.quote, let text = try? JSONDecoder().decode(String.self, from: data) else {
            return nil
        }
        let first = text.utf8.first { !ASCII.isWhitespace($0) && $0 != ASCII.carriageReturn && $0 != ASCII.lineFeed }
        let isReadAsOther = first == ASCII.quote || text == "null" || text.utf8.contains(ASCII.null)
        return isReadAsOther ? nil : text
    }

    /// Whether the value is `null`.
    var isNull: Bool { data.elementsEqual("null".utf8) }

    // From JSON.

    init(data: Data) {
        self.data = data
    }

    /// Decodes the value of a field: as JSON or, if that does not fit the type, as the text of a string.
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

    /// Returns a decoder of the value. It outlives the `decode` call that creates it, as Foundation allows.
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

/// A type whose value is encoded as JSON in a part.
protocol JSONPartEncodable {
    func json(by encoder: JSONEncoder) throws -> JSONText
}

/// A type whose value is decoded from JSON in a part.
protocol JSONPartDecodable {
    init(_ json: JSONText, by decoder: JSONDecoder) throws
}
