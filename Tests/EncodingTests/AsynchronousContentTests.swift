import Foundation
import MultipartFormCodec
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct AsynchronousContentTests {
    /// A sequence of pieces that may throw after them.
    private struct Pieces: AsyncSequence, Sendable {
        typealias Element = Data

        let pieces: [String]
        var error: (any Error & Sendable)?
        var requests: Counter?

        struct Iterator: AsyncIteratorProtocol {
            // Makes the iterator not Sendable.
            final class Position { var value = 0 }

            let pieces: Pieces
            let position = Position()

            mutating func next() async throws -> Data? {
                pieces.requests?.increment()
                await Task.yield()
                guard position.value < pieces.pieces.count else {
                    if let error = pieces.error { throw error }
                    return nil
                }
                position.value += 1
                return Data(pieces.pieces[position.value - 1].utf8)
            }
        }

        func makeAsyncIterator() -> Iterator { Iterator(pieces: self) }
    }

    private func form(_ pieces: Pieces, length: UInt64?, boundary: Boundary = .random()) -> MultipartFormData {
        var form = MultipartFormData(boundary: boundary)
        form.append("x", withName: "a")
        form.append(BodyPart(pieces, length: length, name: "s", filename: "f", contentType: "a/b"))
        form.append("y", withName: "b")
        return form
    }

    private func plain(_ text: String, boundary: Boundary) -> MultipartFormData {
        var form = MultipartFormData(boundary: boundary)
        form.append("x", withName: "a")
        form.append(Data(text.utf8), withName: "s", fileName: "f", mimeType: "a/b")
        form.append("y", withName: "b")
        return form
    }

    @Test(arguments: [[], [""], ["abc"], ["", "a", "bcd", "", "efghijklmnop"], ["0123456789"]], [true, false])
    func `chunks of any size give the same bytes as memory`(pieces: [String], isKnown: Bool) async throws {
        let text = pieces.joined()
        let form = form(Pieces(pieces: pieces), length: isKnown ? UInt64(text.utf8.count) : nil)
        let plain = plain(text, boundary: form.boundary)
        #expect(form.encodedLength == (isKnown ? plain.encodedLength : nil))
        let expected = try plain.encode()
        for size in [1, 2, 3, 7, 65536] {
            #expect(try await EncodingEntryPoints.chunks(form, size: size) == expected, "chunks of \(size)")
        }
    }

    @Test func `several sequences, of any type of bytes, follow each other`() async throws {
        var form = MultipartFormData()
        let bytes = AsyncStream<[UInt8]> { stream in
            for byte in UInt8(0)..<100 { stream.yield([byte, byte]) }
            stream.finish()
        }
        form.append(BodyPart(Pieces(pieces: ["one", "two"]), length: nil, name: "a"))
        form.append(BodyPart(bytes, length: 200, name: "b"))
        let encoded = try await EncodingEntryPoints.chunks(form, size: 64)
        let parsed = try MultipartFormData(parsing: encoded, contentType: form.boundary.contentType)
        #expect(try parsed["a"]?.text() == "onetwo")
        #expect(try parsed["b"]?.data() == Data((UInt8(0)..<100).flatMap { [$0, $0] }))
    }

    @Test func `a stream of the library is read once, and is refused after that`() async throws {
        let bytes = Data("stream".utf8)
        let (plain, plainFeed) = AsyncStream<Data>.makeStream()
        let (throwing, throwingFeed) = AsyncThrowingStream<Data, any Error>.makeStream()
        plainFeed.yield(bytes)
        plainFeed.finish()
        throwingFeed.yield(bytes)
        throwingFeed.finish()
        let directory = try TemporaryDirectory()
        let mine = try directory.write(Data(), as: "mine")
        let parts = [
            BodyPart(plain, length: nil, name: "s"),
            BodyPart(BodyPart(throwing, length: nil, name: "s"), headers: ["Content-Disposition": "form-data; name=s"]),
        ]
        for part in parts {
            // A file that cannot be created does not cost the stream.
            await #expect(throws: MultipartError(.outputStreamFileAlreadyExists)) { try await part.save(to: mine) }
            let form = MultipartFormData([part, BodyPart("x", name: "x")])
            let parsed = try MultipartFormData(
                parsing: try await EncodingEntryPoints.chunks(form, size: 64),
                contentType: form.boundary.contentType
            )
            #expect(try parsed[0].data() == bytes)
            let error = MultipartError(.bodyPartStreamConsumed, partIndex: 0)
            await #expect(throws: error) { try await EncodingEntryPoints.chunks(form, size: 64) }
            let output = directory.url.appendingPathComponent("output")
            await #expect(throws: error) { try await form.writeEncodedData(to: output) }
            await #expect(throws: MultipartError(.bodyPartStreamConsumed)) { try await part.save(to: output) }
            #expect(directory.contents == ["mine"])
        }
    }

    @Test(arguments: [(5, 4), (5, 6), (0, 1), (1, 0), (4, 1000)])
    func `a sequence that lies about its length is an error, and its excess is not sent`(
        declared: Int,
        yielded: Int
    ) async throws {
        let actual = UInt64(min(yielded, declared + 1))
        let pieces = Pieces(pieces: [String](repeating: "*", count: yielded))
        let form = form(pieces, length: UInt64(declared))
        for size in [1, 2, 7, 65536] {
            var sent = Data()
            let error = await #expect(throws: MultipartError.self, "chunks of \(size)") {
                for try await chunk in form.chunks(ofSize: size) { sent.append(chunk) }
            }
            #expect(error == MultipartError(.bodyPartLengthMismatch, partIndex: 1))
            #expect(error?.expectedLength == UInt64(declared) && error?.actualLength == actual)
            // The last declared byte is not sent before the end is known.
            #expect(sent.count { $0 == UInt8(ascii: "*") } < max(declared, 1))
        }
    }

    @Test(arguments: [["--BND"], ["x\r\n--BNDx"], ["x\n", "--B", "ND"], ["x\r", "-", "-", "B", "N", "D", "--"]])
    func `a collision is found across elements and chunks`(pieces: [String]) async throws {
        let form = form(Pieces(pieces: pieces), length: nil, boundary: Boundary("BND"))
        for size in [1, 2, 3, 7, 65536] {
            await #expect(throws: MultipartError(.boundaryCollision, partIndex: 1)) {
                try await EncodingEntryPoints.chunks(form, size: size)
            }
        }
    }

    @Test func `content that only resembles the boundary is no collision`() async throws {
        let pieces = ["--BN", "\nD", "BND-", "BND"]
        let form = form(Pieces(pieces: pieces), length: nil, boundary: Boundary("BND"))
        let expected = try plain(pieces.joined(), boundary: form.boundary).encode()
        #expect(try await EncodingEntryPoints.chunks(form, size: 3) == expected)
    }

    @Test func `an error of the sequence is the underlying error, a cancellation is rethrown`() async throws {
        let failing = form(Pieces(pieces: ["a"], error: POSIXError(.ECONNRESET)), length: nil)
        await #expect {
            try await EncodingEntryPoints.chunks(failing, size: 10)
        } throws: { error in
            let error = error as? MultipartError
            return error == MultipartError(.inputStreamReadFailed, partIndex: 1) && error?.partName == "s"
                && (error?.underlyingError as? POSIXError)?.code == .ECONNRESET
        }
        let cancelled = form(Pieces(pieces: ["a"], error: CancellationError()), length: nil)
        await #expect(throws: CancellationError.self) { try await EncodingEntryPoints.chunks(cancelled, size: 10) }
    }

    @Test func `no more elements are requested than a chunk needs`() async throws {
        let requests = Counter()
        let elements = [String](repeating: String(repeating: "z", count: 100), count: 50)
        let pieces = Pieces(pieces: elements, requests: requests)
        var form = MultipartFormData()
        form.append(BodyPart(pieces, length: nil, name: "s"))
        var iterator = form.chunks(ofSize: 1000).makeAsyncIterator()
        for turn in 1...4 {
            _ = try await iterator.next()
            #expect(requests.value <= turn * 10)
        }
    }

    @Test func `cancelling the task ends the wait for an element`() async throws {
        let (source, feed) = AsyncStream<Data>.makeStream()
        let form = {
            var form = MultipartFormData()
            form.append(BodyPart(source, length: nil, name: "s"))
            return form
        }()
        let started = Signal()
        let task = Task {
            for try await _ in form.chunks(ofSize: 8) { started.give() }
        }
        await started.wait()
        task.cancel()
        // Cancellation ends an AsyncStream; the chunks must not take that for the end of the content.
        await #expect(throws: CancellationError.self) { try await task.value }
        feed.finish()
    }

    @Test func `every synchronous entryPoint refuses a sequence before the first byte`() throws {
        let form = form(Pieces(pieces: ["a"]), length: 1)
        let error = MultipartError(.bodyPartIsAsynchronous, partIndex: 1)
        let directory = try TemporaryDirectory()
        let output = directory.url.appendingPathComponent("output")
        #expect(throws: error) { try form.encode() }
        #expect(throws: error) {
            var buffer = Data()
            try form.encode(into: &buffer)
        }
        #expect(throws: error) { try form.writeEncodedData(to: output) }
        #if FullFoundation
            #expect(throws: error) { try form.makeInputStream() }
        #endif
        #expect(throws: error) { _ = try form.makeReader() }
        #expect(throws: error) { try EncodingEntryPoints.pieces(form, size: 10) }
        #expect(throws: MultipartError(.bodyPartIsAsynchronous)) { try form["s"]?.data() }
        #expect(throws: MultipartError(.bodyPartIsAsynchronous)) { try form["s"]?.text() }
        #expect(directory.contents.isEmpty)
        #expect(form["s"]?.length == 1)
    }

    @Test(arguments: [1, 4, 9, 10, 200])
    func `an element's bytes are read once`(size: Int) async throws {
        let element = ChangingBytes(Data(repeating: 1, count: 20), counts: [10, 20, 0])
        let elements = AsyncStream<ChangingBytes> { stream in
            stream.yield(element)
            stream.finish()
        }
        var form = MultipartFormData(boundary: "b")
        form.append(BodyPart(elements, length: nil, name: "s"))
        var message = Data()
        for try await chunk in form.chunks(ofSize: size) { message += chunk }
        let parsed = try MultipartFormData(parsing: message, contentType: form.contentType)
        #expect(try parsed["s"]?.data() == Data(repeating: 1, count: 10))
        #expect(element.calls.value == 1)
    }
}
