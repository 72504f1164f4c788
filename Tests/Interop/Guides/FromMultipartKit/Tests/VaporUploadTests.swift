import MultipartFormCodec
import NIOFoundationCompat
import Testing
import Vapor
import VaporTesting

import struct MultipartFormCodec.MultipartFormData

/// The routes of `ReceivingInVapor.md`, run in an application.
@Suite(.serialized) struct VaporUploadTests {
    /// Sends a form to a route; the check gets the directory for its files as well.
    private static func send(
        _ form: MultipartFormData,
        to path: String,
        cuttingOff count: Int = 0,
        _ check: @escaping (TestingHTTPResponse, [Data]) throws -> Void
    ) async throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("vapor-uploads-\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let body = ByteBuffer(data: try form.encode().dropLast(count))
        let contentType = form.contentType
        try await withApp { app in
            VaporUploads(directory: directory).add(to: app)
            try await app.testing(method: .running(hostname: "127.0.0.1", port: 0)).test(
                .POST,
                path,
                headers: ["Content-Type": contentType],
                body: body
            ) { response in
                let files = try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
                try check(response, files.map { try Data(contentsOf: $0) })
            }
        }
        try FileManager.default.removeItem(at: directory)
    }

    private static let video = Data((0..<3 << 20).map { UInt8(truncatingIfNeeded: $0 >> 4) })

    private static let caption = BodyPart("Zoë", name: "caption")

    private static func file(_ content: Data = video, name: String = "video") -> BodyPart {
        BodyPart(content, name: name, filename: "v", contentType: "video/mp4")
    }

    @Test func `a video is stored under a name of the server's own`() async throws {
        try await Self.send(MultipartFormData([Self.caption, Self.file()]), to: "videos") { response, files in
            #expect(response.status == .created)
            #expect(UUID(uuidString: response.body.string) != nil)
            #expect(files == [Self.video])
        }
    }

    private static let mistakes: [(parts: [BodyPart], status: HTTPResponseStatus, reason: String)] = [
        ([caption], .badRequest, "missing-value"),
        ([file()], .badRequest, "missing-value"),
        ([caption, file(Data())], .unprocessableEntity, "the video is empty"),
        ([caption, BodyPart("film", name: "video")], .badRequest, "expected-file"),
        ([caption, file(), file(Data([1]))], .badRequest, "duplicate-name"),
        ([caption, file(), file(Data([1]), name: "photo")], .badRequest, "part-rejected"),
        ([file(), BodyPart(String(repeating: "x", count: 1001), name: "caption")], .payloadTooLarge, "(limit 1000)"),
        ([caption, file(Data(count: 5 << 20))], .payloadTooLarge, "a form may have"),
    ]

    @Test(arguments: mistakes.indices)
    func `a form with a mistake is refused with a reason, and nothing is left`(_ index: Int) async throws {
        let mistake = Self.mistakes[index]
        try await Self.send(MultipartFormData(mistake.parts), to: "videos") { response, files in
            #expect(response.status == mistake.status)
            #expect(response.body.string.contains(mistake.reason), "\(response.body.string)")
            #expect(files.isEmpty)
        }
    }

    @Test func `parts are read as they arrive`() async throws {
        try await Self.send(MultipartFormData([Self.caption, Self.file()]), to: "sizes") { response, files in
            #expect(response.status == .ok)
            #expect(try response.content.decode([String: Int].self) == ["caption": 4, "video": Self.video.count])
            #expect(files.isEmpty)
        }
    }

    @Test func `a value is decoded, and one that does not fit is 400 with its path`() async throws {
        var form = MultipartFormData()
        form.append("bolt", withName: "items[0][article]")
        form.append("3", withName: "items[0][quantity]")
        try await Self.send(form, to: "orders") { response, _ in
            #expect(response.body.string == "3 bolt")
        }
        form.append("nut", withName: "items[1][article]")
        form.append("some", withName: "items[1][quantity]")
        try await Self.send(form, to: "orders") { response, _ in
            #expect(response.status == .badRequest)
            #expect(response.body.string.contains("quantity"))
        }
    }

    @Test(arguments: ["videos", "sizes", "orders"])
    func `a message that was cut off is 400, and leaves no file`(_ path: String) async throws {
        let form = MultipartFormData([Self.file()])
        try await Self.send(form, to: path, cuttingOff: 100) { response, files in
            #expect(response.status == .badRequest)
            #expect(files.isEmpty)
        }
    }
}
