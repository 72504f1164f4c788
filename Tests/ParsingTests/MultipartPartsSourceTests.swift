import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// When the source of parts is read, and how much of it is held.
@Suite(.timeLimit(.minutes(10))) struct MultipartPartsSourceTests {
    private let contentType = "multipart/form-data; boundary=B"
    private let head = Data("--B\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n".utf8)
    private let close = Data("\r\n--B--\r\n".utf8)

    @Test func `the source is read only when the previous chunk is used up`() async throws {
        let source = ChunkSource([head + Data("12".utf8), Data("34".utf8), close])
        var parts = try source.multipartParts(contentType: contentType).makeAsyncIterator()
        let part = try #require(try await parts.next())
        var seen = [source.requests]
        for try await _ in part.body { seen.append(source.requests) }
        // The part and its first bytes are in chunk 1, bytes in 2, the part's end in 3.
        #expect(seen == [1, 1, 2])
        #expect(source.requests == 3)
        #expect(try await parts.next() == nil)
        #expect(source.requests == 4)
    }

    @Test func `a source is not iterated before its Content-Type is known to be that of a form`() async throws {
        let source = ChunkSource([head, close])
        await #expect(throws: MultipartError(.missingBoundary, offset: 19)) {
            try await MultipartFormData(collecting: source, contentType: "multipart/form-data")
        }
        #expect(throws: MultipartError(.missingBoundary, offset: 19)) {
            try source.multipartParts(contentType: "multipart/form-data")
        }
        #expect(source.iterations == 0)
        #expect(try await MultipartFormData(collecting: source, contentType: contentType).count == 1)
        #expect(source.iterations == 1)
    }

    @Test func `no more than a chunk is held`() async throws {
        let alive = AliveChunks()
        let body = Data(repeating: 120, count: 4096)
        let messages = [head] + Array(repeating: body, count: 50) + [close]
        let source = AsyncStream(unfolding: { [messages = Locked(messages[...])] in
            #expect(alive.count == 0)
            return messages.withLock { $0.popFirst() }.map { alive.chunk($0) }
        })
        var length = 0
        for try await part in try source.multipartParts(contentType: contentType) {
            for try await bytes in part.body { length += bytes.count }
        }
        #expect(length == 50 * 4096)
        #expect(alive.count == 0)
        #expect(alive.made == 52)
    }

    @Test func `pieces are slices of the chunks, whose bytes are not copied`() async throws {
        let chunk = head + Data(count: 4096)
        var bodies: [Data] = []
        for try await part in try ChunkSource([chunk, close]).multipartParts(contentType: contentType) {
            for try await bytes in part.body { bodies.append(bytes) }
        }
        let body = try #require(bodies.first)
        try #require(bodies.count == 1 && body.count == 4096)
        chunk.withUnsafeBytes { whole in
            body.withUnsafeBytes { part in
                #expect(part.baseAddress == whole.baseAddress.map { $0 + whole.count - part.count })
            }
        }
    }

    @Test(arguments: [nil, "text/plain", "multipart/mixed; boundary=b"])
    func `a message that is not a form has status 415`(contentType: String?) throws {
        let error = #expect(throws: MultipartError(.unsupportedMediaType, offset: 0)) {
            try ChunkSource([head]).multipartParts(contentType: contentType)
        }
        #expect(error?.httpStatus == 415)
    }

    @Test func `a malformed message stays malformed, and its source is not read further`() async throws {
        let source = ChunkSource([Data("--B\r\nno colon\r\n\r\n".utf8), head])
        var parts = try source.multipartParts(contentType: contentType).makeAsyncIterator()
        let expected = MultipartError(.malformedHeader, offset: 8, partIndex: 0)
        for _ in 0..<3 { await #expect(throws: expected) { try await parts.next() } }
        #expect(source.requests == 1)
    }

    @Test func `after the end the source is read to its end, and no more`() async throws {
        let source = ChunkSource([head + close, Data("epilogue".utf8), Data()])
        var parts = try source.multipartParts(contentType: contentType).makeAsyncIterator()
        _ = try await parts.next()
        #expect(source.requests == 1)
        for _ in 0..<3 { #expect(try await parts.next() == nil) }
        #expect(source.requests == 4)
    }

    // Older systems leave the caller's actor for it.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test @MainActor func `the source is read on the caller's actor`() async throws {
        let source = ActorBoundSource(chunks: [head + Data("12".utf8), Data("34".utf8), close])
        var count = 0
        for try await part in try source.multipartParts(contentType: contentType) {
            for try await bytes in part.body { count += bytes.count }
        }
        #expect(count == 4)
    }
}

/// Chunks that must be requested on the main actor.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private struct ActorBoundSource: AsyncSequence, Sendable {
    let chunks: [Data]

    struct AsyncIterator: AsyncIteratorProtocol {
        var chunks: [Data]

        mutating func next(isolation actor: isolated (any Actor)?) async -> Data? {
            #expect(actor === MainActor.shared)
            return chunks.isEmpty ? nil : chunks.removeFirst()
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(chunks: chunks)
    }
}

/// Makes chunks and counts those that are still in memory.
private final class AliveChunks: Sendable {
    private let counts = Locked((made: 0, freed: 0))

    var count: Int { counts.withLock { $0.made - $0.freed } }
    var made: Int { counts.withLock { $0.made } }

    func chunk(_ bytes: Data) -> Data {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        memory.copyBytes(from: bytes)
        counts.withLock { $0.made += 1 }
        guard let base = memory.baseAddress else { return Data() }
        return Data(
            bytesNoCopy: base,
            count: bytes.count,
            deallocator: .custom { pointer, _ in
                pointer.deallocate()
                self.counts.withLock { $0.freed += 1 }
            }
        )
    }
}
