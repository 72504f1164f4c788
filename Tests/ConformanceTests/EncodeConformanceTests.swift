import Foundation
import MultipartFormCodec
import TestSupport
import Testing

@Suite struct EncodeConformanceTests {
    static let names = Fixtures.names(in: "conformance/encode")

    @Test(arguments: names)
    func `a case holds for every entryPoint`(name: String) async throws {
        let expected = try Fixtures.json(EncodeCase.self, "conformance/encode/\(name).json")
        guard let boundary = try? Boundary(parsing: expected.boundary, mode: .strict) else {
            #expect(expected.error == "invalid-boundary")
            return
        }
        var form = MultipartFormData(boundary: boundary)
        for part in expected.parts {
            form.append(part, normalizingNewlines: expected.options?.normalizeNewlines ?? false)
        }
        guard expected.error == nil else {
            for limit in [0, .max] {
                await #expect {
                    try await EncodingEntryPoints.encoded(form, inMemoryUpTo: limit)
                } throws: {
                    ($0 as? MultipartError)?.code.description == expected.error
                }
            }
            return
        }
        let bytes = try Fixtures.data("conformance/encode/\(name).body")
        for (entryPoint, encoded) in try await EncodingEntryPoints.all(form) {
            #expect(encoded == bytes, "\(entryPoint)")
        }
        #expect(form.encodedLength == UInt64(bytes.count))
        #expect(form.contentType == expected.contentType)
    }
}

extension MultipartFormData {
    /// Appends a case's part: a text field as text, any other as data.
    fileprivate mutating func append(_ part: CasePart, normalizingNewlines: Bool) {
        let isText = part.filename == nil && part.contentType == nil && part.headers.isEmpty
        let text = String(decoding: part.body, as: UTF8.self)
        if isText, let name = part.name, Data(text.utf8) == part.body {
            append(text, withName: name, normalizingNewlines: normalizingNewlines)
        } else if let name = part.name {
            append(
                BodyPart(
                    part.body,
                    name: name,
                    filename: part.filename,
                    contentType: part.contentType,
                    additionalHeaders: HeaderFields(part.headers.map { HeaderField(name: $0[0], value: $0[1]) })
                )
            )
        } else {
            append(InputStream(data: part.body), withLength: UInt64(part.body.count), headers: HeaderFields())
        }
    }
}
