import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// The code of `TestingAServer.md`. The function under test is that of `ReceivingInAnyServer.md`, in
/// `StoreVideo.swift`.
@Suite struct ServerTestingTests {
    private let workspace: TemporaryDirectory
    private var directory: URL { workspace.url }

    init() throws {
        workspace = try TemporaryDirectory()
    }

    @Test func `a client's form is the one that was agreed`() throws {
        var form = MultipartFormData(boundary: "snapshot")
        form.append("Lighthouse", withName: "caption")
        form.append(Data("film".utf8), withName: "video", fileName: "a.mp4", mimeType: "video/mp4")
        let snapshot = """
            --snapshot
            Content-Disposition: form-data; name="caption"

            Lighthouse
            --snapshot
            Content-Disposition: form-data; name="video"; filename="a.mp4"
            Content-Type: video/mp4

            film
            --snapshot--

            """
        #expect(try form.encode() == Data(snapshot.replacingOccurrences(of: "\n", with: "\r\n").utf8))
    }

    private func store(_ pieces: [Data], as contentType: String, in directory: URL) async throws -> String {
        let (chunks, continuation) = AsyncStream.makeStream(of: Data.self)
        for piece in pieces { continuation.yield(piece) }
        continuation.finish()
        return try await storeVideo(
            chunks,
            contentType: contentType,
            contentLength: nil,
            in: directory,
            maxVideoBytes: 5000
        )
    }

    private func refusal(of pieces: [Data], as contentType: String) async -> Refusal? {
        do {
            _ = try await store(pieces, as: contentType, in: directory)
            return nil
        } catch {
            return Refusal(error)
        }
    }

    private var form: MultipartFormData {
        var form = MultipartFormData()
        form.append("Lighthouse", withName: "caption")
        form.append(Data("\r\n--b".utf8), withName: "video", fileName: "a.mp4", mimeType: "video/mp4")
        return form
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path)
    }

    @Test func `the file is the same wherever the body is cut`() async throws {
        let form = form
        let body = try form.encode()
        for place in 0...body.count {
            let pieces = [body.prefix(place), body.dropFirst(place)]
            let name = try await store(pieces, as: form.contentType, in: directory)
            #expect(try names() == [name], "cut at \(place)")
            let file = directory.appendingPathComponent(name)
            #expect(try Data(contentsOf: file) == form["video"]?.data(), "cut at \(place)")
            try FileManager.default.removeItem(at: file)
        }
    }

    @Test func `a body that ends early is refused, and leaves no file`() async throws {
        let form = form
        let body = try form.encode()
        // The line break after the close delimiter may be missing.
        for length in 0..<body.count - 2 {
            let refusal = await refusal(of: [body.prefix(length)], as: form.contentType)
            #expect(refusal?.status == 400, "\(length) bytes")
        }
        #expect(try names().isEmpty)
    }

    @Test(arguments: ["caption", "video"])
    func `a form without a part, or with a part twice, is refused`(_ name: String) async throws {
        var form = form
        form.append(try #require(form[name]))
        let twice = try await refusal(of: [form.encode()], as: form.contentType)
        #expect(twice?.reason == "duplicate-name \"\(name)\"")
        form.removeAll(named: name)
        let missing = try await refusal(of: [form.encode()], as: form.contentType)
        #expect(missing?.reason == "missing-value \"\(name)\"")
        #expect(try names().isEmpty)
    }

    @Test func `an error of the standard library is refused without its text`() {
        var form = MultipartFormData()
        form.append("gold", withName: "plan")
        let error = #expect(throws: DecodingError.self) {
            try FormDataDecoder().decode([String: Plan].self, from: form)
        }
        let refusal = error.map { Refusal($0) }
        #expect(refusal?.status == 400)
        #expect(refusal?.reason == "invalid-value \"plan\"")
    }

    private enum Plan: String, Decodable { case free }

    @Test(arguments: [(5000, nil), (5001, 413)] as [(Int, Int?)])
    func `a video at the limit is stored, and one byte more is refused`(_ length: Int, _ status: Int?) async throws {
        var form = form
        form.removeAll(named: "video")
        form.append(Data(count: length), withName: "video", fileName: "a.mp4", mimeType: "video/mp4")
        let refusal = try await refusal(of: [form.encode()], as: form.contentType)
        #expect(refusal?.status == status)
        #expect(try names().count == (status == nil ? 1 : 0))
    }

    private static let part = "--b\r\nContent-Disposition: form-data; name=caption\r\n\r\nx\r\n"
    private static let hostileBodies: [(body: String, status: Int)] = [
        ("", 400),
        ("no delimiter", 400),
        ("--b\r\nno colon\r\n\r\nx\r\n--b--\r\n", 400),
        ("--b\r\nX: \(String(repeating: "x", count: 1 << 20))\r\n\r\nx\r\n--b--\r\n", 413),
        ("--b\r\n\(String(repeating: "X: x\r\n", count: 1000))\r\nx\r\n--b--\r\n", 413),
        (String(repeating: part, count: 10_000) + "--b--\r\n", 413),
        (part.replacingOccurrences(of: "x\r\n", with: String(repeating: "x", count: 1001)) + "\r\n--b--\r\n", 413),
        (part.replacingOccurrences(of: "caption", with: "\"caption\"; name=\"video\"") + "--b--\r\n", 400),
    ]

    // Some bodies are too long to be printed as arguments.
    @Test(arguments: hostileBodies.indices)
    func `a hostile body is refused with the right status`(index: Int) async throws {
        let (body, status) = Self.hostileBodies[index]
        for size in [1, 7, 4096] {
            let pieces = ChunkSplitter.pieces(of: Data(body.utf8), size: size)
            let refusal = await refusal(of: pieces, as: "multipart/form-data; boundary=b")
            #expect(refusal?.status == status)
        }
        #expect(try names().isEmpty)
    }

    @Test(arguments: ["../../etc/passwd", "..", "/etc/passwd", "C:\\a.mp4", "a/../b.mp4", "nul\u{0}.mp4", "a.mp4"])
    func `a file name does not decide where a file is`(_ filename: String) async throws {
        let body = """
            --b\r
            Content-Disposition: form-data; name=caption\r
            \r
            x\r
            --b\r
            Content-Disposition: form-data; name=video; filename="\(filename)"\r
            \r
            x\r
            --b--\r

            """
        let inside = directory.appendingPathComponent("inside")
        try FileManager.default.createDirectory(at: inside, withIntermediateDirectories: false)
        let name = try? await store([Data(body.utf8)], as: "multipart/form-data; boundary=b", in: inside)
        #expect(try names() == ["inside"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: inside.path) == [name].compactMap(\.self))
    }
}
