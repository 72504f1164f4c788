import Dispatch
import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// Chunks of bytes of any type, in every way that takes chunks.
@Suite struct ChunkTypeTests {
    private let form = {
        var form = MultipartFormData(boundary: "b")
        form.append("Ada", withName: "name")
        form.append(Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }), withName: "f", fileName: "x")
        return form
    }()

    private static let sizes = [1000, 70_000, 200_000]

    private var bodies: [Data] {
        get throws { try form.map { try $0.data() } }
    }

    private func chunks<Chunk>(ofSize size: Int, _ chunk: (Data) -> Chunk) throws -> [Chunk] {
        ChunkSplitter.pieces(of: try form.encode(), size: size).map(chunk)
    }

    /// Pushes the form in chunks of a type.
    private func expectPushed(_ type: String, _ chunk: (Data) -> some Collection<UInt8>) throws {
        for size in Self.sizes {
            var parser = MultipartParser(boundary: form.boundary)
            var collector = MultipartCollector(boundary: form.boundary)
            var received: [Data] = []
            func take() throws {
                while let event = try parser.next() {
                    switch event {
                    case .part: received.append(Data())
                    case .body(let bytes): received[received.count - 1].append(bytes)
                    case .endOfPart, .end: break
                    }
                }
            }
            for chunk in try chunks(ofSize: size, chunk) {
                parser.append(chunk)
                try take()
                try collector.append(chunk)
            }
            parser.finish()
            try take()
            #expect(try received == bodies, "\(type), chunks of \(size)")
            try expectSame(try collector.finish(), "\(type), pushed, chunks of \(size)")
        }
    }

    /// Pushes the form in chunks of a type, has them requested, and sends them as a part's content.
    private func expectForm<Chunk: Collection<UInt8> & Sendable>(
        _ type: String,
        _ chunk: (Data) -> Chunk
    ) async throws {
        try expectPushed(type, chunk)
        for size in Self.sizes {
            let source = ChunkSource(try chunks(ofSize: size, chunk))
            let collected = try await MultipartFormData(collecting: source, contentType: form.contentType)
            try expectSame(collected, "\(type), collected, chunks of \(size)")
            var received: [Data] = []
            for try await part in try source.multipartParts(contentType: form.contentType) {
                received.append(try await part.collect(upTo: 1 << 20))
            }
            #expect(try received == bodies, "\(type), parts, chunks of \(size)")

            var outer = MultipartFormData()
            outer.append(BodyPart(source, length: nil, name: "inner"))
            var collector = MultipartCollector(boundary: outer.boundary)
            for try await chunk in outer.chunks() { try collector.append(chunk) }
            #expect(try collector.finish()["inner"]?.data() == form.encode(), "\(type), sent, chunks of \(size)")
        }
    }

    private func expectSame(_ received: MultipartFormData, _ way: String) throws {
        #expect(received.map(\.name) == form.map(\.name), "\(way)")
        for (left, right) in zip(received, form) { #expect(try left.data() == right.data(), "\(way)") }
    }

    @Test func `bytes in one place`() async throws {
        try await expectForm("Data") { $0 }
        try await expectForm("slice of Data") { (Data([1, 2, 3]) + $0).dropFirst(3) }
        try await expectForm("Array") { Array($0) }
        try await expectForm("ArraySlice") { ([1, 2] + Array($0))[2...] }
        try await expectForm("ContiguousArray") { ContiguousArray($0) }
        try await expectForm("Slice<Data>") { Slice(base: $0, bounds: $0.startIndex..<$0.endIndex) }
    }

    @Test func `bytes in several places`() async throws {
        try expectPushed("DispatchData") { data in
            var result = DispatchData.empty
            for piece in ChunkSplitter.pieces(of: data, size: 30_000) {
                piece.withUnsafeBytes { result.append(DispatchData(bytes: $0)) }
            }
            return result
        }
        try await expectForm("ReversedCollection") { Array($0.reversed()).reversed() as ReversedCollection<[UInt8]> }
    }
}
