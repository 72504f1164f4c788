import Foundation
import MultipartFormCodec
import TestSupport
import Testing

@Suite struct BodyPartStreamsTests {
    private let bytes = Data("content".utf8)

    /// The part, encoded in a form and parsed back.
    private func sent(_ part: BodyPart) async throws -> BodyPart {
        var form = MultipartFormData()
        form.append(part)
        let encoded = try await EncodingEntryPoints.chunks(form, size: 100)
        return try #require(try MultipartFormData(parsing: encoded, contentType: form.boundary.contentType).first)
    }

    private func expectContent(_ part: BodyPart, length: UInt64?) async throws {
        #expect(part.length == length)
        let sent = try await sent(part)
        #expect(sent.name == "s")
        #expect(sent.filename == "f")
        #expect(sent.contentType == "a/b")
        #expect(sent.headers["x-id"] == "7")
        #expect(try sent.data() == bytes)
    }

    @Test func `a part is made from a stream, with headers of its own`() async throws {
        let stream = InputStream(data: bytes)
        let part = BodyPart(
            stream,
            length: 7,
            name: "s",
            filename: "f",
            contentType: "a/b",
            additionalHeaders: ["X-Id": "7"]
        )
        try await expectContent(part, length: 7)
        #if FullFoundation
            #expect(throws: MultipartError(.bodyPartStreamConsumed)) { try part.data() }
        #endif
    }

    @Test func `a part is made from a stream that can be opened again`() async throws {
        let bytes = bytes
        let part = BodyPart(
            length: nil,
            name: "s",
            filename: "f",
            contentType: "a/b",
            additionalHeaders: ["X-Id": "7"]
        ) { InputStream(data: bytes) }
        try await expectContent(part, length: nil)
        #expect(try part.data() == bytes)
    }

    @Test(arguments: [0, 6, 8] as [UInt64])
    func `a sequence that is shorter or longer than declared is an error`(length: UInt64) async throws {
        let (stream, feed) = AsyncStream<Data>.makeStream()
        feed.yield(bytes)
        feed.finish()
        let form = MultipartFormData([BodyPart(stream, length: length, name: "s")])
        let error = await #expect(throws: MultipartError(.bodyPartLengthMismatch, partIndex: 0)) {
            // No chunk is as long as the message.
            for try await _ in form.chunks(ofSize: 1000) {}
        }
        #expect(error?.expectedLength == length)
    }

    @Test func `a part is made from an asynchronous stream, which is sent once`() async throws {
        let (stream, feed) = AsyncStream<Data>.makeStream()
        feed.yield(bytes)
        feed.finish()
        let part = BodyPart(
            stream,
            length: 7,
            name: "s",
            filename: "f",
            contentType: "a/b",
            additionalHeaders: ["X-Id": "7"]
        )
        try await expectContent(part, length: 7)
        await #expect(throws: MultipartError(.bodyPartStreamConsumed, partIndex: 0)) { try await sent(part) }
    }

    #if FullFoundation
        @Test(arguments: [false, true])
        func `a stream is closed when its content has been read, or cannot be read`(fails: Bool) {
            // SAFETY: nothing reads it at the same time.
            nonisolated(unsafe) let stream = StubStream(Array(bytes), fails: fails)
            let part = BodyPart(length: nil, name: "s") { stream }
            #expect((try? part.data()) == (fails ? nil : bytes))
            #expect(stream.streamStatus == .closed)
        }
    #endif
}
