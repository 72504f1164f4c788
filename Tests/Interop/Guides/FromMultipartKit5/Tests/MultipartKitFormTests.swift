import Foundation
import HTTPTypes
import MultipartFormCodec
import MultipartKit
import Testing

import struct MultipartFormCodec.MultipartFormData

private typealias TheirParser = MultipartKit.MultipartParser
private typealias TheirEncoder = MultipartKit.FormDataEncoder

/// What `FromMultipartKit.md` says about MultipartKit 5.0.0-beta.1.
@Suite struct MultipartKitFormTests {
    private struct Profile: Codable, Equatable {
        var name: String
        var tags: [String]
        var address: [String: String]
    }

    private static let profile = Profile(name: "Ada", tags: ["a", "b"], address: ["zip": "1"])

    private func message(_ disposition: String) -> [UInt8] {
        Array("--b\r\nContent-Disposition: form-data; \(disposition)\r\n\r\nx\r\n--b--\r\n".utf8)
    }

    @Test func `a value is read from what MultipartKit writes`() throws {
        let text = try TheirEncoder().encode(Self.profile, boundary: "b")
        let value = try MultipartFormCodec.FormDataDecoder().decode(
            Profile.self,
            from: Data(text.utf8),
            contentType: "multipart/form-data; boundary=b"
        )
        #expect(value == Self.profile)
    }

    @Test func `MultipartKit reads a value that is written`() throws {
        var encoder = MultipartFormCodec.FormDataEncoder()
        encoder.arrayEncoding = .indexInBrackets
        let text = String(decoding: try encoder.encode(Self.profile, boundary: "b").encode(), as: UTF8.self)
        #expect(try MultipartKit.FormDataDecoder().decode(Profile.self, from: text, boundary: "b") == Self.profile)
    }

    @Test func `parts are carried over`() throws {
        let parts = try TheirParser<[UInt8]>(boundary: "b").parse(message("name=\"f\"; filename=\"a.png\""))

        var form = MultipartFormData()
        for part in parts { form.append(try BodyPart(part)) }

        #expect(try form["f"]?.text() == "x")
        #expect(form["f"]?.filename == "a.png")
    }

    @Test func `a semicolon in a file name is an error there`() throws {
        let parts = try TheirParser<[UInt8]>(boundary: "b").parse(message("name=\"f\"; filename=\"a;b.png\""))
        #expect(throws: ContentDisposition.Error.self) { try parts.first?.contentDisposition }
        let form = try MultipartFormData(
            parsing: Data(message("name=\"f\"; filename=\"a;b.png\"")),
            contentType: Boundary(parsing: "b").contentType
        )
        #expect(form["f"]?.filename == "a;b.png")
    }

    @Test func `a message without a delimiter is an error in both`() {
        let message = Array("no form".utf8)
        #expect(throws: MultipartParserError.self) { try TheirParser<[UInt8]>(boundary: "b").parse(message) }
        #expect(throws: MultipartError(.boundaryNotFound, offset: 7)) {
            try MultipartFormData(parsing: Data(message), contentType: Boundary(parsing: "b").contentType)
        }
    }

    @Test func `two delimiters without a part between them are an error in both`() {
        let message = Array("--b\r\n--b--\r\n".utf8)
        #expect(throws: MultipartParserError.self) { try TheirParser<[UInt8]>(boundary: "b").parse(message) }
        #expect(throws: MultipartError.self) {
            try MultipartFormData(parsing: Data(message), contentType: Boundary(parsing: "b").contentType)
        }
    }

    @Test func `a line break in a header is a space there`() {
        let part = MultipartPart(
            headerFields: [.contentDisposition: "form-data; name=\"a\r\nb\""],
            body: Array("x".utf8)
        )
        #expect(part.headerFields[.contentDisposition] == "form-data; name=\"a  b\"")
    }

    @Test func `chunks of bytes are read part by part`() async throws {
        let message = message("name=\"f\"")
        let chunks = AsyncStream { continuation in
            for byte in message { continuation.yield([byte]) }
            continuation.finish()
        }
        let contentType = try Boundary(parsing: "b").contentType
        var texts: [String?] = []
        for try await part in try chunks.multipartParts(contentType: contentType) {
            texts.append(try await part.text(upTo: 100))
        }
        #expect(texts == ["x"])
    }

    @Test func `an extended file name is another parameter there`() throws {
        let message = message("name=\"f\"; filename=\"a.png\"; filename*=UTF-8''b%20c.png")
        let disposition = try TheirParser<[UInt8]>(boundary: "b").parse(message).first?.contentDisposition
        #expect(disposition?.filename == "a.png")
    }

    @Test func `a message that was cut off is an error in both`() {
        let message = message("name=\"f\"").dropLast(6)
        #expect(throws: MultipartParserError.self) { try TheirParser<[UInt8]>(boundary: "b").parse(Array(message)) }
        #expect(throws: MultipartError.self) {
            try MultipartFormData(parsing: Data(message), contentType: Boundary(parsing: "b").contentType)
        }
    }
}
