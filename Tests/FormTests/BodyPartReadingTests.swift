import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// Content that a function of the program reads.
@Suite struct BodyPartReadingTests {
    private struct Reason: Error {}

    /// What is open is counted, and is closed when nothing refers to it.
    private final class Source {
        private var rest: ArraySlice<UInt8>
        private let open: Locked<Int>

        init(_ bytes: [UInt8], _ open: Locked<Int>) {
            rest = bytes[...]
            self.open = open
            open.withLock { $0 += 1 }
        }

        deinit {
            open.withLock { $0 -= 1 }
        }

        func read(upTo limit: Int = .max) -> Data? {
            let piece = rest.prefix(limit)
            rest = rest.dropFirst(piece.count)
            return piece.isEmpty ? nil : Data(piece)
        }
    }

    @Test(arguments: [1, 1000, .max], [true, false])
    func `the content is read from its start each time, and closed`(limit: Int, isKnown: Bool) async throws {
        // A single piece that is longer than any buffer, or many short ones.
        let count = [1: 200, 1000: 2001][limit] ?? 100_000
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 7) }
        let open = Locked(0)
        let part = BodyPart(
            reading: {
                let source = Source(bytes, open)
                return { source.read(upTo: limit) }
            },
            length: isKnown ? UInt64(count) : nil,
            name: "a",
            filename: "f",
            contentType: "a/b",
            additionalHeaders: ["X-Id": "7"]
        )
        let expected = Data(bytes)
        #expect(part.length == (isKnown ? UInt64(count) : nil))
        #expect(try part.data() == expected && part.data() == expected)
        var form = MultipartFormData(boundary: "b")
        form.append("x", withName: "before")
        form.append(part)
        let whole = try form.encode()
        // A long content takes too long in chunks of a byte.
        var entryPoints = try await limit == .max ? EncodingEntryPoints.inMemory(form) : EncodingEntryPoints.all(form)
        entryPoints.append(("chunks of 65536", try await EncodingEntryPoints.chunks(form, size: 65536)))
        entryPoints.append(("a file", try await EncodingEntryPoints.encoded(form, inMemoryUpTo: 0)))
        for (name, encoded) in entryPoints { #expect(encoded == whole, "\(name)") }
        #expect(open.withLock { $0 } == 0)
        let received = try MultipartFormData(parsing: whole, contentType: form.contentType)
        #expect(try received["a"]?.data() == expected && received["a"]?.headers["X-Id"] == "7")
        #expect(received["a"]?.filename == "f" && received["a"]?.contentType == "a/b")
    }

    @Test func `what is thrown is the underlying error`() throws {
        let unopened = BodyPart(reading: { throw Reason() }, length: nil, name: "a")
        let unread = BodyPart(reading: { { throw Reason() } }, length: nil, name: "a")
        for (part, code) in [
            (unopened, .bodyPartInputStreamCreationFailed), (unread, .inputStreamReadFailed),
        ] as [(BodyPart, MultipartError.Code)] {
            let error = #expect(throws: MultipartError(code)) { try part.data() }
            #expect(error?.underlyingError is Reason)
            var form = MultipartFormData()
            form.append(part)
            #expect(throws: MultipartError(code, partIndex: 0)) { try form.encode() }
        }
    }

    @Test func `an asynchronous encoding reads on a thread of its own`() async throws {
        let name = Locked<[Bool]>([])
        var form = MultipartFormData()
        form.append(
            BodyPart(
                reading: {
                    {
                        name.withLock { $0.append(Thread.isMainThread) }
                        return nil
                    }
                },
                length: nil,
                name: "a"
            )
        )
        let chunks = form.chunks()
        try await Task { @MainActor in for try await _ in chunks {} }.value
        #expect(name.withLock { $0 } == [false])
    }

    @Test func `content may be as long as a limit allows, and no longer`() throws {
        var decoder = FormDataDecoder()
        decoder.maxValueBytes = 5
        for (count, isTaken) in [(0, true), (4, true), (5, true), (6, false), (500_000, false)] {
            let bytes = Data(repeating: 0x61, count: count)
            for length in [nil, UInt64(count)] {
                let part = BodyPart(
                    reading: {
                        var rest = [bytes][...]
                        return { rest.popFirst() }
                    },
                    length: length,
                    name: "a"
                )
                for part in [part, BodyPart(bytes, name: "a")] {
                    let value = try? decoder.decode([String: String].self, from: MultipartFormData([part]))["a"]
                    #expect(value == (isTaken ? String(repeating: "a", count: count) : nil), "\(count)")
                }
            }
        }
    }
}
