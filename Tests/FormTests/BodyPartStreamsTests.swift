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

    @Test func `a part is made from a stream or a sequence, with headers of its own, and read once or again`()
        async throws
    {
        let (bytes, headers) = (bytes, ["X-Id": "7"] as HeaderFields)
        let (stream, feed) = AsyncStream<Data>.makeStream()
        feed.yield(bytes)
        feed.finish()
        let (type, input) = ("a/b", InputStream(data: bytes))
        let once = [
            BodyPart(input, length: 7, name: "s", filename: "f", contentType: type, additionalHeaders: headers),
            BodyPart(stream, length: 7, name: "s", filename: "f", contentType: type, additionalHeaders: headers),
        ]
        for part in once {
            try await expectContent(part, length: 7)
            await #expect(throws: MultipartError(.bodyPartStreamConsumed, partIndex: 0)) { try await sent(part) }
        }
        let again = BodyPart(length: nil, name: "s", filename: "f", contentType: type, additionalHeaders: headers) {
            InputStream(data: bytes)
        }
        try await expectContent(again, length: nil)
        try await expectContent(again, length: nil)
    }

    @Test func `a received body is sent whole, or not if a piece of it has been read`() async throws {
        var form = MultipartFormData()
        for name in ["s", "t"] { form.append(BodyPart(bytes, name: name, filename: "f", contentType: "a/b")) }
        let chunks = ChunkSplitter.pieces(of: try form.encode(), size: 3)
        for reads in [false, true] {
            var parts = try ChunkSource(chunks).multipartParts(contentType: form.contentType).makeAsyncIterator()
            let part = try #require(try await parts.next())
            var pieces = part.body.makeAsyncIterator()
            if reads { _ = try await pieces.next() }
            guard reads else {
                #expect(try await sent(BodyPart(part)).data() == bytes)
                continue
            }
            let error = MultipartError(.bodyPartStreamConsumed, partIndex: 0)
            await #expect(throws: error) { try await sent(BodyPart(part)) }
        }
    }

    @Test(arguments: [0, 1, 65_536, 65_537, 200_000])
    func `the bytes of any collection are sent`(count: Int) async throws {
        let bytes = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 / 3) })
        let parts = [
            BodyPart(ChunkSource([Data([1]) + bytes].map { $0.dropFirst() }), length: UInt64(count), name: "s"),
            BodyPart(ChunkSource([Array(bytes)]), length: UInt64(count), name: "s"),
            BodyPart(ChunkSource([ForeignBytes(bytes)]), length: UInt64(count), name: "s"),
        ]
        for part in parts { #expect(try await sent(part).data() == bytes) }
        // Those of a message, too.
        let form = MultipartFormData([BodyPart(bytes, name: "s")])
        var regions = DispatchData.empty
        for piece in ChunkSplitter.pieces(of: try form.encode(), size: 30_000) {
            piece.withUnsafeBytes { regions.append(DispatchData(bytes: $0)) }
        }
        #expect(try MultipartFormData(pushing: [regions], contentType: form.contentType)[0].data() == bytes)
    }

    #if FullFoundation
        /// A stream that answers what it is told to.
        private final class OddStream: InputStream {
            let statuses: [Status]
            let count: Int
            var opens = 0

            init(_ statuses: [Status], count: Int) {
                self.statuses = statuses
                self.count = count
                super.init(data: Data())
            }

            override var streamStatus: Status { statuses[min(opens, statuses.count - 1)] }
            override func open() { opens += 1 }
            override func close() {}
            override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
                count == .max ? length + 1 : count
            }
        }

        @Test(
            arguments: [
                ([.notOpen, .open], 0, 1, nil), ([.open], 0, 0, nil), ([.atEnd], 0, 0, nil),
                ([.error], 0, 0, .bodyPartInputStreamCreationFailed),
                ([.notOpen, .error], 0, 1, .bodyPartInputStreamCreationFailed),
                ([.open], -1, 0, .inputStreamReadFailed), ([.open], .max, 0, .inputStreamReadFailed),
            ] as [([Stream.Status], Int, Int, MultipartError.Code?)]
        )
        func `a stream is opened unless it is open, and what it answers is checked`(
            statuses: [Stream.Status],
            count: Int,
            opens: Int,
            code: MultipartError.Code?
        ) {
            // SAFETY: nothing reads it at the same time.
            nonisolated(unsafe) let stream = OddStream(statuses, count: count)
            let result = MultipartError.catching { try BodyPart(length: nil, name: "s") { stream }.data() }
            #expect(result == code.map { .failure(MultipartError($0)) } ?? .success(Data()))
            #expect(stream.opens == opens)
        }

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
