import Foundation
import MultipartForm
import TestSupport
import Testing

/// What a server does with an upload, apart from HTTP: the function that `TestingAServer.md` tests.
private func receive<Chunks: AsyncSequence & Sendable>(
    _ chunks: Chunks,
    contentType: String?,
    into directory: URL
) async throws -> [String: String] where Chunks.Element == Data {
    var options = MultipartParser.Options()
    options.maxTotalBytes = 10_000
    var answer: [String: String] = [:]
    for try await part in try chunks.multipartParts(contentType: contentType, options: options) {
        switch part.name {
        case "title":
            answer["title"] = try await part.text(upTo: 100)
        case "photo":
            let name = part.safeFilename ?? "photo"
            try await part.save(to: directory.appendingPathComponent(name), upTo: 5000)
            answer["photo"] = name
        default:
            break
        }
    }
    return answer
}

/// The code of `TestingAServer.md`.
@Suite struct ServerTestingTests {
    private let workspace: TemporaryDirectory
    private var directory: URL { workspace.url }

    init() throws {
        workspace = try TemporaryDirectory()
    }

    @Test func `a client's form is the one that was agreed`() throws {
        var form = MultipartFormData(boundary: "snapshot")
        form.append("Lighthouse", withName: "title")
        form.append(Data("PNG".utf8), withName: "photo", fileName: "a.png", mimeType: "image/png")
        let snapshot = """
            --snapshot
            Content-Disposition: form-data; name="title"

            Lighthouse
            --snapshot
            Content-Disposition: form-data; name="photo"; filename="a.png"
            Content-Type: image/png

            PNG
            --snapshot--

            """
        #expect(try form.encode() == Data(snapshot.replacingOccurrences(of: "\n", with: "\r\n").utf8))
    }

    @Test func `the answer is the same wherever the body is cut`() async throws {
        var form = MultipartFormData(boundary: "b")
        form.append("Lighthouse", withName: "title")
        form.append(Data("\r\n--b".utf8), withName: "photo", fileName: "a.png", mimeType: "image/png")
        form.boundary = .random()
        let body = try form.encode()
        for place in 0...body.count {
            let (chunks, continuation) = AsyncStream.makeStream(of: Data.self)
            continuation.yield(body.prefix(place))
            continuation.yield(body.dropFirst(place))
            continuation.finish()
            let answer = try await receive(chunks, contentType: form.contentType, into: directory)
            #expect(answer == ["title": "Lighthouse", "photo": "a.png"], "cut at \(place)")
            let saved = directory.appendingPathComponent("a.png")
            #expect(try Data(contentsOf: saved) == form["photo"]?.data(), "cut at \(place)")
            try FileManager.default.removeItem(at: saved)
        }
    }

    @Test func `a body that breaks off is refused, and leaves no file`() async throws {
        var form = MultipartFormData()
        form.append("Lighthouse", withName: "title")
        form.append(Data(count: 100), withName: "photo", fileName: "a.png", mimeType: "image/png")
        let body = try form.encode()
        // The line break after the close delimiter may be missing.
        for length in 0..<body.count - 2 {
            let (chunks, continuation) = AsyncStream.makeStream(of: Data.self)
            continuation.yield(body.prefix(length))
            continuation.finish()
            let error = await #expect(throws: MultipartError.self, "\(length) bytes") {
                try await receive(chunks, contentType: form.contentType, into: directory)
            }
            #expect(error?.httpStatus == 400, "\(length) bytes")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        // Only of those bodies that broke off after the whole photo.
        #expect(names.isEmpty || names == ["a.png"])
    }

    private static let part = "--b\r\nContent-Disposition: form-data; name=title\r\n\r\nx\r\n"
    private static let hostileBodies: [(body: String, status: Int)] = [
        ("", 400),
        ("no delimiter", 400),
        ("--b\r\nno colon\r\n\r\nx\r\n--b--\r\n", 400),
        ("--b\r\nX: \(String(repeating: "x", count: 1 << 20))\r\n\r\nx\r\n--b--\r\n", 413),
        ("--b\r\n\(String(repeating: "X: x\r\n", count: 1000))\r\nx\r\n--b--\r\n", 413),
        (String(repeating: part, count: 10_000) + "--b--\r\n", 413),
        (part.replacingOccurrences(of: "x\r\n", with: String(repeating: "x", count: 101)) + "\r\n--b--\r\n", 413),
        (part.replacingOccurrences(of: "name=title", with: "name=\"title\"; name=\"photo\"") + "--b--\r\n", 400),
    ]

    // Some bodies are too long to be printed as arguments.
    @Test(arguments: hostileBodies.indices)
    func `a hostile body is refused with the right status`(index: Int) async throws {
        let (body, status) = Self.hostileBodies[index]
        let contentType = "multipart/form-data; boundary=b"
        for size in [1, 7, 4096] {
            let chunks = ChunkSource(ChunkSplitter.pieces(of: Data(body.utf8), size: size))
            let error = await #expect(throws: MultipartError.self) {
                try await receive(chunks, contentType: contentType, into: directory)
            }
            #expect(error?.httpStatus == status)
        }
    }

    @Test(arguments: ["../../etc/passwd", "..", "/etc/passwd", "C:\\a.png", "a/../b.png", "nul\u{0}.png", ""])
    func `a file name cannot leave the directory`(_ name: String) async throws {
        let body = "--b\r\nContent-Disposition: form-data; name=photo; filename=\"\(name)\"\r\n\r\nx\r\n--b--\r\n"
        let inside = directory.appendingPathComponent("inside")
        try FileManager.default.createDirectory(at: inside, withIntermediateDirectories: false)
        let chunks = ChunkSource([Data(body.utf8)])
        _ = try? await receive(chunks, contentType: "multipart/form-data; boundary=b", into: inside)
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        #expect(names == ["inside"])
    }
}
