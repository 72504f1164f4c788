import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// Forms whose parts arrive while they are encoded.
@Suite(.timeLimit(.minutes(10))) struct ArrivingPartsTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private var form: MultipartFormData {
        get throws {
            var form = MultipartFormData(boundary: "BND")
            form.append("Ada", withName: "a")
            form.append(try directory.write(Data(count: 3000), as: "file"), withName: "f")
            form.append(BodyPart(length: nil, name: "s") { InputStream(data: Data("stream".utf8)) })
            form.append(BodyPart(ChunkSource([Data("sequence".utf8)]), length: 8, name: "q", filename: "x"))
            form.append("", withName: "empty")
            return form
        }
    }

    private func bytes(_ chunks: EncodedFormChunks) async throws -> Data {
        try await chunks.reduce(into: Data()) { $0 += $1 }
    }

    @Test(arguments: [1, 2, 3, 7, 100, 65_536])
    func `the bytes are those of the whole form`(size: Int) async throws {
        let form = try form
        let parts = ChunkSource(Array(form))
        let chunks = EncodedFormChunks(encoding: parts, boundary: form.boundary, ofSize: size)
        let expected = try await EncodingEntryPoints.chunks(form, size: size)
        #expect(try await EncodingEntryPoints.bytes(of: chunks, size: size) == expected)
        #expect(chunks.contentType == "multipart/form-data; boundary=BND")
    }

    @Test func `a sequence without parts gives an empty form`() async throws {
        let chunks = EncodedFormChunks(encoding: ChunkSource<BodyPart>([]), boundary: "BND")
        #expect(try await bytes(chunks) == MultipartFormData(boundary: "BND").encode())
    }

    @Test func `the boundary is random unless one is chosen, and stays with the sequence`() async throws {
        let first = EncodedFormChunks(encoding: ChunkSource([BodyPart("x", name: "a")]))
        let second = EncodedFormChunks(encoding: ChunkSource([BodyPart("x", name: "a")]))
        #expect(first.contentType != second.contentType)
        let parsed = try MultipartFormData(parsing: try await bytes(first), contentType: first.contentType)
        #expect(try parsed["a"]?.text() == "x")
        #expect(try await bytes(first) == bytes(first))
    }

    @Test func `a part is requested when the previous one has been encoded`() async throws {
        let source = ChunkSource((0..<3).map { BodyPart(Data(count: 1000), name: "\($0)") })
        var requests: [Int] = []
        for try await _ in EncodedFormChunks(encoding: source, boundary: "BND", ofSize: 500) {
            requests.append(source.requests)
        }
        // A part with its header section is a little longer than two chunks.
        #expect(requests == [1, 1, 2, 2, 3, 3, 4])
    }

    @Test(arguments: [1, 7, 65_536])
    func `parts are sent before and after those that arrive`(size: Int) async throws {
        let form = try form
        let parts = Array(form)
        for (before, after) in [(0, 0), (1, 0), (0, 1), (2, 2), (2, 3), (5, 0), (0, 5)] {
            let chunks = EncodedFormChunks(
                encoding: ChunkSource(Array(parts.dropFirst(before).dropLast(after))),
                before: Array(parts.prefix(before)),
                after: Array(parts.suffix(after)),
                boundary: form.boundary,
                ofSize: size
            )
            let expected = try await EncodingEntryPoints.chunks(form, size: size)
            // Twice, since each iteration begins with the first part again.
            #expect(try await EncodingEntryPoints.bytes(of: chunks, size: size) == expected, "\(before), \(after)")
            #expect(try await EncodingEntryPoints.bytes(of: chunks, size: size) == expected, "\(before), \(after)")
        }
    }

    @Test func `the first part that arrives is requested after the parts before it, and no part after the end`()
        async throws
    {
        let source = ChunkSource([BodyPart(Data(count: 1000), name: "b")])
        let chunks = EncodedFormChunks(
            encoding: source,
            before: [BodyPart(Data(count: 1000), name: "a")],
            after: [BodyPart(Data(count: 1000), name: "c"), BodyPart(Data(count: 1000), name: "d")],
            boundary: "BND",
            ofSize: 500
        )
        var requests: [Int] = []
        for try await _ in chunks { requests.append(source.requests) }
        #expect(requests == [0, 0, 1, 1, 2, 2, 2, 2, 2])
    }

    @Test func `a part before or after the arriving ones has its index in an error`() async throws {
        let (good, bad) = (BodyPart("x", name: "a"), BodyPart("x", name: "nul\u{0}"))
        let cases: [(before: [BodyPart], after: [BodyPart], index: Int)] = [
            ([good, bad], [], 1), ([good], [good, bad], 3),
        ]
        for (before, after, index) in cases {
            let chunks = EncodedFormChunks(encoding: ChunkSource([good]), before: before, after: after, boundary: "BND")
            let error = await #expect(throws: MultipartError(.invalidCharacter, partIndex: index)) {
                try await bytes(chunks)
            }
            #expect(error?.partName == bad.name)
        }
    }

    @Test func `if the sequence throws, nothing is sent after it`() async throws {
        let source = ChunkSource([BodyPart("x", name: "a")]) { index in
            if index == 1 { throw POSIXError(.ECONNRESET) }
        }
        let chunks = EncodedFormChunks(
            encoding: source,
            after: [BodyPart("y", name: "b")],
            boundary: "BND",
            ofSize: 1
        )
        var sent = Data()
        let error = await #expect(throws: POSIXError.self) { for try await chunk in chunks { sent += chunk } }
        #expect(error?.code == .ECONNRESET)
        #expect(sent.suffix(3) == Data("\r\nx".utf8))
    }

    @Test func `an error has the index of the part that caused it`() async throws {
        let good = BodyPart("x", name: "a")
        let failures: [(part: BodyPart, code: MultipartError.Code)] = [
            (BodyPart("x", name: "nul\u{0}"), .invalidCharacter), (BodyPart("--BND", name: "b"), .boundaryCollision),
            (BodyPart(length: 3, name: "b") { InputStream(data: Data()) }, .bodyPartLengthMismatch),
            (BodyPart(ChunkSource([Data()]), length: 3, name: "b"), .bodyPartLengthMismatch),
        ]
        for (part, code) in failures {
            let chunks = EncodedFormChunks(encoding: ChunkSource([good, good, part, good]), boundary: "BND")
            let error = await #expect(throws: MultipartError(code, partIndex: 2)) { try await bytes(chunks) }
            #expect(error?.partName == part.name)
        }
    }

    @Test func `an error of the sequence is rethrown, and the message has no end`() async throws {
        let source = ChunkSource([BodyPart("x", name: "a")]) { index in
            if index == 1 { throw POSIXError(.ECONNRESET) }
        }
        var sent = Data()
        let error = await #expect(throws: POSIXError.self) {
            for try await chunk in EncodedFormChunks(encoding: source, boundary: "BND", ofSize: 1) { sent += chunk }
        }
        #expect(error?.code == .ECONNRESET)
        #expect(sent.suffix(3) == Data("\r\nx".utf8).suffix(3))
    }

    @Test func `a received message is passed on as it arrives`() async throws {
        let form = try form
        let encoded = try await EncodingEntryPoints.chunks(form, size: 1000)
        for size in [1, 7, 1000, 65_536] {
            let source = ChunkSource(ChunkSplitter.pieces(of: encoded, size: size))
            let parts = try source.multipartParts(contentType: form.contentType)
            let kept = parts.filter { $0.name != "a" }.map { part in
                part.name == "f" ? BodyPart(part.body, length: nil, name: "renamed") : BodyPart(part)
            }
            let chunks = EncodedFormChunks(encoding: kept)
            let passed = try MultipartFormData(parsing: try await bytes(chunks), contentType: chunks.contentType)
            #expect(passed.map(\.name) == ["renamed", "s", "q", "empty"])
            #expect(try passed["renamed"]?.data() == Data(count: 3000))
            #expect(try passed["q"]?.text() == "sequence")
            #expect(passed["q"]?.filename == "x")
        }
    }

    @Test func `a body of which bytes have been read is not passed on`() async throws {
        let message = "--B\r\nContent-Disposition: form-data; name=a\r\n\r\nHELLO\r\n--B--\r\n"
        for (readsFirst, isRenamed) in [(false, false), (true, false), (false, true), (true, true)] {
            for size in [1, 1000] {
                let source = ChunkSource(ChunkSplitter.pieces(of: Data(message.utf8), size: size))
                let parts = try source.multipartParts(contentType: "multipart/form-data; boundary=B")
                let part = try #require(await parts.first { _ in true })
                let passedOn = isRenamed ? BodyPart(part.body, length: nil, name: "a") : BodyPart(part)
                let form = MultipartFormData([passedOn])
                if readsFirst {
                    var body = part.body.makeAsyncIterator()
                    _ = try await body.next()
                } else {
                    let sent = try await bytes(form.chunks())
                    #expect(try MultipartFormData(parsing: sent, contentType: form.contentType)["a"]?.text() == "HELLO")
                }
                let error = await #expect(throws: MultipartError.self) { try await bytes(form.chunks()) }
                #expect(error == MultipartError(.bodyPartStreamConsumed, partIndex: 0) && error?.partName == "a")
            }
        }
    }

    @Test func `a truncated or malformed incoming message is an error with status 400`() async throws {
        let head = "--B\r\nContent-Disposition: form-data; name=a\r\n\r\n"
        for message in ["\(head)cut off", "\(head)x\r\n--B\r\nno colon\r\n\r\n"] {
            let source = ChunkSource([Data(message.utf8)])
            let parts = try source.multipartParts(contentType: "multipart/form-data; boundary=B")
            let chunks = EncodedFormChunks(encoding: parts.map { BodyPart($0) }, boundary: "BND")
            var sent = Data()
            let error = await #expect(throws: MultipartError.self) {
                for try await chunk in chunks { sent += chunk }
            }
            #expect(error?.httpStatus == 400)
            #expect(sent.range(of: Data("--BND--".utf8)) == nil)
        }
    }

    @Test func `cancellation ends the encoding`() async throws {
        let waiting = Signal()
        let source = ChunkSource([BodyPart("x", name: "a")], waitingAt: 1, waiting: waiting)
        let chunks = EncodedFormChunks(encoding: source)
        let task = Task { try await bytes(chunks) }
        await waiting.wait()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `a sequence that ends because it is cancelled does not end the message`() async throws {
        let waiting = Signal()
        let parts = AsyncStream<BodyPart> {
            waiting.give()
            try? await waitForCancellation()
            return nil
        }
        let sent = Locked(Data())
        let task = Task {
            let chunks = EncodedFormChunks(encoding: parts, after: [BodyPart("y", name: "b")], ofSize: 1)
            for try await chunk in chunks { sent.withLock { $0 += chunk } }
        }
        await waiting.wait()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(sent.withLock { $0 }.isEmpty)
    }

    @Test(arguments: [false, true])
    func `received parts whose source only ends because it is cancelled are not an error of the message`(
        _ hasBody: Bool
    ) async throws {
        let waiting = Signal()
        let beginning = "--BND\r\nContent-Disposition: form-data; name=a\r\n" + (hasBody ? "\r\nx" : "")
        let chunks = Locked([Data(beginning.utf8)])
        let source = AsyncStream<Data> {
            if let chunk = chunks.withLock({ $0.popLast() }) { return chunk }
            waiting.give()
            try? await waitForCancellation()
            return nil
        }
        let parts = try source.multipartParts(contentType: "multipart/form-data; boundary=BND")
        let task = Task { try await bytes(EncodedFormChunks(encoding: parts.map { BodyPart($0) })) }
        await waiting.wait()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
