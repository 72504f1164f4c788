import Foundation
import MultipartFormCodec
import NIOCore
import Testing

/// Views of SwiftNIO's buffers as chunks, without its module for Foundation.
@Suite struct ByteBufferTests {
    private let form = {
        var form = MultipartFormData(boundary: "b")
        form.append("Ada", withName: "name")
        form.append(Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0) }), withName: "file", fileName: "a.bin")
        return form
    }()

    /// The encoded form in views, of which each begins within its buffer.
    private func views(ofSize size: Int) throws -> [ByteBufferView] {
        let data = try form.encode()
        return stride(from: 0, to: data.count, by: size).map { start in
            var buffer = ByteBuffer(bytes: [1, 2, 3])
            buffer.moveReaderIndex(forwardBy: 3)
            buffer.writeBytes(data[start...].prefix(size))
            return buffer.readableBytesView
        }
    }

    private func stream(ofSize size: Int) throws -> AsyncStream<ByteBufferView> {
        let views = try views(ofSize: size)
        return AsyncStream { continuation in
            for view in views { continuation.yield(view) }
            continuation.finish()
        }
    }

    private func expectSame(_ received: MultipartFormData) throws {
        #expect(received.map(\.name) == form.map(\.name))
        for (left, right) in zip(received, form) { #expect(try left.data() == right.data()) }
    }

    @Test(arguments: [1000, 65_536, 1 << 20])
    func `a form is collected`(size: Int) async throws {
        try expectSame(try await MultipartFormData(collecting: stream(ofSize: size), contentType: form.contentType))
        var collector = try MultipartCollector(contentType: form.contentType)
        for view in try views(ofSize: size) { try collector.append(view) }
        try expectSame(try collector.finish())
    }

    @Test(arguments: [1000, 65_536, 1 << 20])
    func `parts are read as they arrive`(size: Int) async throws {
        var received = MultipartFormData()
        for try await part in try stream(ofSize: size).multipartParts(contentType: form.contentType) {
            received.append(try await part.collect(upTo: 1 << 20), withName: part.name ?? "", fileName: part.filename)
        }
        try expectSame(received)
    }

    @Test(arguments: [1000, 65_536, 1 << 20])
    func `events are those of the same bytes as data`(size: Int) throws {
        func events(_ append: (inout MultipartParser, ByteBufferView) -> Void) throws -> [MultipartParser.Event<Data>] {
            var parser = try MultipartParser(contentType: form.contentType)
            var events: [MultipartParser.Event<Data>] = []
            for view in try views(ofSize: size) {
                append(&parser, view)
                while let event = try parser.next() { events.append(event) }
            }
            parser.finish()
            while let event = try parser.next() { events.append(event) }
            return events
        }
        let expected = try events { $0.append(Data($1)) }
        #expect(expected.count >= 7)
        #expect(try events { $0.append($1) } == expected)
    }

    @Test(arguments: [1000, 65_536])
    func `a part's content arrives in views`(size: Int) async throws {
        var sent = MultipartFormData()
        sent.append(BodyPart(try stream(ofSize: size), length: nil, name: "inner"))
        var collector = try MultipartCollector(contentType: sent.contentType)
        for try await chunk in sent.chunks() { try collector.append(chunk) }
        #expect(try collector.finish()["inner"]?.data() == form.encode())
    }
}
