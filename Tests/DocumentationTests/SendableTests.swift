import Foundation
import MultipartFormCodec
import TestSupport
import Testing

@Suite struct SendableTests {
    /// Compiles only if the type is Sendable.
    private func claim<Value: Sendable & ~Copyable>(_: Value.Type) {}

    // Nothing is expected: that it compiles is the check. The test below looks for types that are missing here.
    @Test func `all public types are Sendable, except the iterator that may hold one of the caller's`() {
        claim(Boundary.self)
        claim(HeaderField.self)
        claim(HeaderFields.self)
        claim(ParsingMode.self)
        claim(MultipartError.self)
        claim(MultipartError.Code.self)

        claim(MultipartFormData.self)
        claim(BodyPart.self)

        claim(EncodedFormReader.self)
        claim(EncodedForm.self)
        claim(EncodingProgress.self)
        claim(EncodingProgress.Report.self)
        claim(EncodedFormChunks.self)

        claim(MultipartParser.self)
        claim(MultipartParser.Event<Data>.self)
        claim(MultipartParser.Event<Void>.self)
        claim(MultipartParser.Options.self)
        claim(MultipartParts.self)
        claim(MultipartParts.AsyncIterator.self)
        claim(MultipartParts.Part.self)
        claim(MultipartParts.Part.Body.self)
        claim(MultipartParts.Part.Body.AsyncIterator.self)
        claim(MultipartCollector.self)
        claim(MultipartCollector.Options.self)
        claim(MultipartCollector.Route.self)

        claim(FormDataEncoder.self)
        claim(FormDataEncoder.ArrayEncoding.self)
        claim(FormDataEncoder.BoolEncoding.self)
        claim(FormDataEncoder.DataEncoding.self)
        claim(FormDataEncoder.DateEncoding.self)
        claim(FormDataEncoder.EmptyArrayEncoding.self)
        claim(FormDataEncoder.NilEncoding.self)
        claim(FormDataDecoder.self)
        claim(FormDataDecoder.DateDecoding.self)
        claim(FormDataDecoder.Duplicates.self)
        claim(FormDataDecoder.NilDecoding.self)
        claim(FormDataDecoder.UnknownNames.self)
        claim(FormKeyEncoding.self)
        claim(FormKeyPathEncoding.self)
        claim(MultipartError.self)
        claim(MultipartError.Code.self)
        claim(FormFile.self)
        claim(FormJSON<Int>.self)
    }

    @Test func `each public type is claimed above`() throws {
        let source = try String(contentsOf: URL(fileURLWithPath: #filePath), encoding: .utf8)
        let claims = Set(source.matches(of: /claim\(([\w.]+?)(?:<\w+>)?\.self\)/).map(\.1))
        let claimed = claims.compactMap { $0.split(separator: ".").last.map(String.init) }
        var declared: [String] = []
        for layer in LayeringTests.layers {
            for text in try LayeringTests.files(of: layer.name).values {
                let types = text.matches(of: /\bpublic (?:final |indirect )?(?:struct|enum|class|actor) (\w+)/)
                declared += types.map { String($0.1) }
            }
        }
        // That of `EncodedFormChunks`.
        let exception = "AsyncIterator"
        #expect((claimed + [exception]).sorted() == declared.sorted())
    }
}
