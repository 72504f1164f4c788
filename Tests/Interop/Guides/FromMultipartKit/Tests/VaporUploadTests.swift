import MultipartForm
import NIOFoundationCompat
import Testing
import Vapor
import VaporTesting

import struct MultipartForm.MultipartFormData

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

    @Test func `a saved part is a file, and the others are dropped`() async throws {
        var form = MultipartFormData()
        form.append("Zoë", withName: "title")
        form.append(Self.video, withName: "other", fileName: "o", mimeType: "a/b")
        form.append(Self.video, withName: "video", fileName: "v", mimeType: "video/mp4")
        try await Self.send(form, to: "videos") { response, files in
            #expect(response.status == .ok)
            let answer = try response.content.decode([String: String].self)
            #expect(answer["title"] == "Zoë")
            #expect(files == [Self.video])
        }
    }

    @Test func `a collected form keeps the file that is saved`() async throws {
        var form = MultipartFormData()
        form.append("Zoë", withName: "name")
        form.append(Self.video, withName: "avatar", fileName: "a", mimeType: "image/png")
        try await Self.send(form, to: "profiles") { response, files in
            #expect(response.status == .created)
            #expect(files == [Self.video])
        }
    }

    @Test func `a part that is not accepted is refused`() async throws {
        var form = MultipartFormData()
        form.append("x", withName: "other")
        try await Self.send(form, to: "profiles") { response, files in
            #expect(response.status == .badRequest)
            #expect(files.isEmpty)
        }
    }

    @Test func `a part that is too long is 413`() async throws {
        var form = MultipartFormData()
        form.append(String(repeating: "x", count: 4097), withName: "bio")
        try await Self.send(form, to: "profiles") { response, files in
            #expect(response.status == .payloadTooLarge)
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

    @Test(arguments: ["videos", "profiles", "orders"])
    func `a message that was cut off is 400, and leaves no file`(_ path: String) async throws {
        var form = MultipartFormData()
        form.append(Self.video, withName: path == "videos" ? "video" : "avatar", fileName: "v", mimeType: "a/b")
        try await Self.send(form, to: path, cuttingOff: 100) { response, files in
            #expect(response.status == .badRequest)
            #expect(files.isEmpty)
        }
    }
}
