import Foundation
import MultipartForm
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct MultipartEventsTests {
    private let boundary: Boundary
    private let head = Data("--B\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n".utf8)
    private let close = Data("\r\n--B--\r\n".utf8)

    init() throws {
        boundary = try #require(Boundary("B"))
    }

    @Test func `the source is asked only when the last chunk is used up`() async throws {
        let source = ChunkSource([head + Data("12".utf8), Data("34".utf8), close])
        var events = source.multipartEvents(boundary: boundary).makeAsyncIterator()
        var seen: [Int] = []
        while try await events.next() != nil { seen.append(source.requests) }
        // The part and its first bytes are in chunk 1, bytes in 2, the part's and the message's end in 3.
        #expect(seen == [1, 1, 2, 3, 3])
        #expect(source.requests == 4)
    }

    @Test func `no more than a chunk is held`() async throws {
        let alive = AliveChunks()
        let body = Data(repeating: 120, count: 4096)
        let messages = [head] + Array(repeating: body, count: 50) + [close]
        let source = AsyncStream(unfolding: { [messages = Mutex(messages[...])] in
            #expect(alive.count == 0)
            return messages.withLock { $0.popFirst() }.map { alive.chunk($0) }
        })
        var length = 0
        for try await event in source.multipartEvents(boundary: boundary) {
            if case .body(let bytes) = event { length += bytes.count }
        }
        #expect(length == 50 * 4096)
        #expect(alive.count == 0)
        #expect(alive.made == 52)
    }

    @Test func `body events are slices of data, whose bytes are not copied`() async throws {
        let chunk = head + Data(count: 4096)
        var bodies: [Data] = []
        for try await event in ChunkSource([chunk, close]).multipartEvents(boundary: boundary) {
            if case .body(let bytes) = event { bodies.append(bytes) }
        }
        let body = try #require(bodies.first)
        try #require(bodies.count == 1 && body.count == 4096)
        chunk.withUnsafeBytes { whole in
            body.withUnsafeBytes { part in
                #expect(part.baseAddress == whole.baseAddress.map { $0 + whole.count - part.count })
            }
        }
    }

    @Test func `a Content-Type field gives the boundary`() async throws {
        let source = ChunkSource([Array(head + close)])
        var count = 0
        for try await _ in try source.multipartEvents(contentType: "multipart/form-data; boundary=B") { count += 1 }
        #expect(count == 3)
        #expect(throws: MultipartParsingError(.missingBoundary, offset: 19)) {
            try source.multipartEvents(contentType: "multipart/form-data")
        }
    }

    @Test func `what the source throws comes through, again and again`() async throws {
        let source = ChunkSource([head]) { index in
            if index == 1 { throw POSIXError(.ECONNRESET) }
        }
        var events = source.multipartEvents(boundary: boundary).makeAsyncIterator()
        guard case .part = try await events.next() else {
            Issue.record("no part")
            return
        }
        for _ in 0..<3 {
            let error = await #expect(throws: POSIXError.self) { try await events.next() }
            #expect(error?.code == .ECONNRESET)
        }
        #expect(source.requests == 2)
    }

    @Test func `a malformed message stays malformed, and its source is left`() async throws {
        let source = ChunkSource([Data("--B\r\nno colon\r\n\r\n".utf8), head])
        var events = source.multipartEvents(boundary: boundary).makeAsyncIterator()
        let expected = MultipartParsingError(.malformedHeader, offset: 8, partIndex: 0)
        for _ in 0..<3 { await #expect(throws: expected) { try await events.next() } }
        #expect(source.requests == 1)
    }

    @Test func `behind the end the source is read to its end, and asked no more`() async throws {
        let source = ChunkSource([head + close, Data("epilogue".utf8), Data()])
        var events = source.multipartEvents(boundary: boundary).makeAsyncIterator()
        while let event = try await events.next(), event != .end {}
        #expect(source.requests == 1)
        for _ in 0..<3 { #expect(try await events.next() == nil) }
        #expect(source.requests == 4)
    }

    @Test func `a source that is not Sendable, and an actor's own, will do`() async throws {
        let reader = EventCounter(chunks: [head, close], boundary: boundary)
        #expect(try await reader.count() == 3)
    }
}

/// Reads events inside an actor, from a source that cannot leave it.
private actor EventCounter {
    private let source: LocalSource
    private let boundary: Boundary

    init(chunks: [Data], boundary: Boundary) {
        source = LocalSource(chunks: chunks)
        self.boundary = boundary
    }

    func count() async throws -> Int {
        var count = 0
        for try await _ in source.multipartEvents(boundary: boundary) { count += 1 }
        return count
    }
}

private final class LocalSource: AsyncSequence, AsyncIteratorProtocol {
    typealias Element = Data
    private var chunks: [Data]

    init(chunks: [Data]) {
        self.chunks = chunks
    }

    func makeAsyncIterator() -> LocalSource { self }

    func next(isolation actor: isolated (any Actor)?) async -> Data? {
        chunks.isEmpty ? nil : chunks.removeFirst()
    }
}

/// Makes chunks and knows how many of them are still in memory.
private final class AliveChunks: Sendable {
    private let counts = Mutex((made: 0, freed: 0))

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
