import Foundation
import MultipartFormCodec
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct EntryPointTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func content(_ length: Int) -> Data { Data((0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7) }) }

    /// A form with each kind of content, and its bytes. The length of the form is known, or a part's is not.
    private func form(
        _ content: Data,
        _ boundary: Boundary,
        isKnown: Bool
    ) throws -> (form: MultipartFormData, bytes: Data) {
        var form = MultipartFormData(boundary: boundary)
        form.append(content, withName: "memory")
        form.append(try directory.write(content, as: "content"), withName: "file")
        form.append(BodyPart(length: UInt64(content.count), name: "known") { InputStream(data: content) })
        if !isKnown { form.append(BodyPart(length: nil, name: "unknown") { InputStream(data: content) }) }
        form.append(content, withName: "last")
        var bytes = Data()
        for part in form {
            let fields = part.headers.map { "\($0.name): \($0.value)\r\n" }.joined()
            bytes += Data("--\(boundary)\r\n\(fields)\r\n".utf8) + content + Data("\r\n".utf8)
        }
        return (form, bytes + Data("--\(boundary)--\r\n".utf8))
    }

    @Test(arguments: [0, 1, 700], [Boundary.random(), "chosen"])
    func `every entry point gives the bytes of each kind of content`(length: Int, boundary: Boundary) async throws {
        for isKnown in [true, false] {
            let (form, bytes) = try form(content(length), boundary, isKnown: isKnown)
            for (name, encoded) in try await EncodingEntryPoints.all(form) {
                #expect(encoded == bytes, "\(name)")
            }
        }
    }

    @Test(arguments: [Boundary.random(), "chosen"])
    func `long content is encoded in memory`(boundary: Boundary) async throws {
        for isKnown in [true, false] {
            let (form, bytes) = try form(content(300_000), boundary, isKnown: isKnown)
            for (name, encoded) in try await EncodingEntryPoints.inMemory(form) {
                #expect(encoded == bytes, "\(name)")
            }
        }
    }

    // `encode(into:)` appends 64 KiB at a time.
    @Test func `content may begin where a buffer ends`() throws {
        let content = Data(repeating: 2, count: 100_000)
        for length in 65_300...65_536 {
            var form = MultipartFormData()
            form.append(Data(repeating: 1, count: length), withName: "a")
            form.append(content, withName: "b")
            let encoded = try form.encode()
            #expect(form.encodedLength == UInt64(encoded.count), "\(length)")
            let end = content + Data("\r\n--\(form.boundary)--\r\n".utf8)
            #expect(encoded.suffix(end.count) == end, "\(length)")
            var buffer = Data()
            try form.encode(into: &buffer)
            #expect(buffer == encoded, "\(length)")
        }
    }
}
