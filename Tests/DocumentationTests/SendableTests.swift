import Foundation
import MultipartForm
import TestSupport
import Testing

@Suite struct SendableTests {
    /// Compiles only if the type is Sendable.
    private func claim<Value: Sendable & ~Copyable>(_: Value.Type) {}

    @Test func `all public types are Sendable, except the iterator that may hold one of the caller's`() {
        claim(Boundary.self)
        claim(ContentDisposition.self)
        claim(ContentDisposition.Parameter.self)
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
        claim(FormDataDecoder.self)
        claim(FormDataCodingIssue.self)
        claim(FormDataCodingIssue.Code.self)
        claim(FormFile.self)
        claim(FormJSON<Int>.self)
    }
}
