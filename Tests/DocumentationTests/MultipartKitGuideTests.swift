import Foundation
import MultipartFormCodec
import TestSupport
import Testing

// swift-format-ignore: NoAccessLevelOnExtensionDeclaration
private extension FormDataDecoder {
    /// Decodes a message by the boundary alone, as MultipartKit does.
    func decode<Value: Decodable>(
        _ type: Value.Type,
        from text: String,
        boundary: String
    ) throws -> Value {
        var decoder = self
        decoder.dateDecoding = .deferredToDate
        let contentType = try Boundary(parsing: boundary, mode: .lenient).contentType
        return try decoder.decode(type, from: Data(text.utf8), contentType: contentType)
    }
}

// swift-format-ignore: NoAccessLevelOnExtensionDeclaration
private extension FormDataEncoder {
    /// Encodes a value to a message, as MultipartKit does.
    func encode(_ value: some Encodable, boundary: String) throws -> String {
        var encoder = self
        encoder.dateEncoding = .deferredToDate
        encoder.arrayEncoding = .indexInBrackets
        encoder.dataEncoding = .field
        let form = try encoder.encode(value, boundary: try Boundary(parsing: boundary))
        return String(decoding: try form.encode(), as: UTF8.self)
    }
}

/// The code of `FromMultipartKit.md` that needs no other library.
@Suite struct MultipartKitGuideTests {
    private struct User: Codable, Equatable {
        var name: String
        var scores: [Int]
        var key: Data
        var birth: Date
    }

    @Test func `calls with a boundary stay as they are`() throws {
        let user = User(
            name: "Ed",
            scores: [1, 2],
            key: Data("k".utf8),
            birth: Date(timeIntervalSinceReferenceDate: 7)
        )
        let boundary = "abc123"
        let encoded = try FormDataEncoder().encode(user, boundary: boundary)
        let decoded = try FormDataDecoder().decode(User.self, from: encoded, boundary: boundary)
        #expect(decoded == user)
        #expect(encoded.contains("name=\"birth\"\r\n\r\n7.0\r\n"))
        #expect(encoded.contains("name=\"scores[1]\"\r\n\r\n2\r\n") && encoded.contains("name=\"key\"\r\n\r\nk\r\n"))
    }

    @Test func `a value without keys is not encoded`() {
        let error = #expect(throws: EncodingError.self) { try FormDataEncoder().encode(1) }
        guard case .invalidValue(_, let context) = error else { return }
        #expect((context.underlyingError as? MultipartError)?.code == .notKeyedRoot)
    }
}
