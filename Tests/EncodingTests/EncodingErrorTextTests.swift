import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// What errors of encoding say beyond their code.
@Suite struct EncodingErrorTextTests {
    private func text(_ operation: () throws -> Void) -> String? {
        #expect(throws: MultipartError.self) { try operation() }?.description
    }

    private func form(_ boundary: Boundary = .random(), _ fill: (inout MultipartFormData) -> Void) -> MultipartFormData
    {
        var form = MultipartFormData(boundary: boundary)
        fill(&form)
        return form
    }

    @Test func `a collision names the boundary`() async {
        let text = "part 0 \"a\": content has \"--a'b\" in it, the boundary after two hyphens"
        let inMemory = form("a'b") { $0.append("x--a'b", withName: "a") }
        #expect(self.text { _ = try inMemory.encode() } == text)
        let long = form("a'b") { $0.append(Data(count: 100_000) + Data("\n--a'b".utf8), withName: "a") }
        #expect(self.text { _ = try long.encode() } == text)
        let arriving = form("a'b") { $0.append(BodyPart(ChunkSource([Data("--a'b".utf8)]), length: nil, name: "a")) }
        let error = await #expect(throws: MultipartError.self) { for try await _ in arriving.chunks() {} }
        #expect(error?.description == text)
    }

    @Test func `a header line that begins like a delimiter is not called content`() {
        let part = BodyPart("x", name: "a", additionalHeaders: ["--X": "y"])
        let form = form("--X") { $0.append(part) }
        let other = self.form("X") { $0.append(part) }
        #expect(text { _ = try other.encode() } == "part 0 \"a\": header line begins with \"--X\", the boundary")
        #expect(throws: Never.self) { try form.encode() }
    }

    @Test func `an offset beyond the end is shown with the length`() async throws {
        for length in [4, nil] as [UInt64?] {
            let form = form {
                $0.append(BodyPart(length: length, name: "s") { InputStream(data: Data("text".utf8)) })
            }
            let count = UInt64(try form.encode().count)
            let text = "offset \(count + 1) is beyond the end of the message, \(count)"
            #expect(self.text { _ = try form.makeReader(from: count + 1) } == text)
            let chunks = form.chunks(from: count + 1)
            let error = await #expect(throws: MultipartError.self) { for try await _ in chunks {} }
            #expect(error?.description == text)
            #if FullFoundation
                if length != nil {
                    #expect(self.text { _ = try form.makeInputStream(from: count + 1) } == text)
                }
            #endif
        }
    }

    @Test func `a length that is too large is shown`() throws {
        let lengths: [UInt64] = [1 << 62, .max]
        let forms = lengths.map { length in
            form { $0.append(BodyPart(length: length, name: "s") { InputStream(data: Data()) }) }
        }
        let length = try #require(forms[0].encodedLength)
        let text = "message of \(length) bytes does not fit in memory"
        #expect(self.text { _ = try forms[0].encode() } == text)
        var buffer = Data("before".utf8)
        #expect(self.text { try forms[0].encode(into: &buffer) } == text)
        #expect(self.text { _ = try forms[1].makeReader() }?.hasSuffix("total length does not fit in 64 bits") == true)
    }

    @Test func `a message that is cancelled does not blame a Progress`() {
        struct Enough: Error {}
        let form = form { $0.append("x", withName: "a") }
        let directory = FileManager.default.temporaryDirectory
        let file = directory.appendingPathComponent("cancelled-\(UInt64.random(in: 0...(.max)))")
        let progress = EncodingProgress { _ in throw Enough() }
        #expect(text { try form.writeEncodedData(to: file, progress: progress) } == "encoding was cancelled (Enough)")
    }

    @Test func `an offset within asynchronous content is not taken for the wrong call`() async {
        let form = form { $0.append(BodyPart(ChunkSource([Data("12345".utf8)]), length: 5, name: "a")) }
        let chunks = form.chunks(from: (form.encodedLength ?? 0) - 50)
        let error = await #expect(throws: MultipartError.self) { for try await _ in chunks {} }
        #expect(error?.description == "part 0 \"a\": offset is within an asynchronous sequence")
        #expect(
            text { _ = try form.encode() }
                == "part 0 \"a\": content is an asynchronous sequence, which only asynchronous methods read"
        )
    }

    @Test(arguments: [
        ("name=\"a\u{1}\"", "name or file name has a control character"),
        ("name=a; x=\"\u{7F}\"", "Content-Disposition has a control character"),
        ("name=a; NAME*0=b", "Content-Disposition has the parameter \"name*0\", which a form's part cannot have"),
    ])
    func `a received disposition that cannot be sent on says why`(parameters: String, reason: String) throws {
        let message = "--B\r\nContent-Disposition: form-data; \(parameters)\r\n\r\nx\r\n--B--\r\n"
        let received = try MultipartFormData(
            parsing: Data(message.utf8),
            contentType: "multipart/form-data; boundary=B"
        )
        #expect(text { _ = try received.encode() }?.hasSuffix(": \(reason)") == true)
    }
}
