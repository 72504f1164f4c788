import Foundation
import MultipartForm
import TestSupport
import Testing

@Suite struct SendableTests {
    /// Compiles for what may cross from one task to another.
    private func claim<Value: Sendable & ~Copyable>(_: Value.Type) {}

    @Test func `all public types are Sendable, but for the iterator that may hold one of the caller's`() {
        claim(Boundary.self)
        claim(ContentDisposition.self)
        claim(HeaderField.self)
        claim(HeaderFields.self)
        claim(ParsingMode.self)
        claim(MultipartParsingError.self)
        claim(MultipartParsingError.Code.self)

        claim(MultipartFormData.self)
        claim(BodyPart.self)
        claim(MultipartEncodingError.self)
        claim(MultipartEncodingError.Reason.self)

        claim(FormDataReader.self)
        claim(EncodedForm.self)
        claim(EncodedFile.self)
        claim(FormDataChunks.self)
        claim(ThrottledChunks<FormDataChunks>.self)
        claim(ThrottledChunks<ChunkSource<Data>>.Iterator.self)

        claim(Limits.self)
        claim(MultipartParser.self)
        claim(MultipartParser.Event.self)
        claim(MultipartParser.BorrowedEvent.self)
        claim(MultipartEvents<ChunkSource<Data>>.self)
        claim(MultipartEvents<ChunkSource<Data>>.AsyncIterator.self)
        claim(MultipartParts<ChunkSource<[UInt8]>>.self)
        claim(MultipartParts<ChunkSource<[UInt8]>>.AsyncIterator.self)
        claim(StreamedPart.self)
        claim(StreamedPart.Body.self)
        claim(StreamedPart.Body.AsyncIterator.self)
        claim(MultipartCollector.self)
        claim(CollectionOptions.self)
        claim(PartRoute.self)
        claim(PartRoute.Policy.self)
        claim(MultipartReceivingError.self)
        claim(MultipartReceivingError.Code.self)
    }
}
