import MultipartFormCodec
import NIOFoundationCompat
import Testing
import Vapor
import VaporTesting

import struct MultipartFormCodec.FormDataDecoder
import struct MultipartFormCodec.FormDataEncoder
import struct MultipartFormCodec.MultipartFormData

/// The code that `FromMultipartKit.md` shows for Vapor, run in an application.
@Suite(.serialized) struct VaporFormTests {
    private static let profile = Profile(
        name: "Ada",
        tags: ["a", "b"],
        address: Address(street: "X", zip: "1"),
        avatar: File(data: "jpeg", filename: "a.jpg")
    )

    private let routes: VaporRoutes

    init() throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("vapor-forms-\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        routes = VaporRoutes(directory: directory)
        routes.configure()
    }

    private func send(
        _ form: MultipartFormData,
        to path: String,
        _ check: (TestingHTTPResponse) async throws -> Void
    ) async throws {
        let body = ByteBuffer(data: try form.encode())
        let contentType = form.contentType
        try await withApp { app in
            routes.add(to: app)
            try await app.testing(method: .running(hostname: "127.0.0.1", port: 0)).test(
                .POST,
                path,
                headers: ["Content-Type": contentType],
                body: body
            ) { response in
                try await check(response)
            }
        }
        try FileManager.default.removeItem(at: routes.directory)
    }

    private func form() throws -> MultipartFormData {
        try FormDataEncoder().encode(Self.profile)
    }

    @Test func `content is decoded and encoded`() async throws {
        try await send(form(), to: "profile") { response in
            #expect(response.status == .ok)
            #expect(response.headers.contentType?.parameters["boundary"] != nil)
            let answer = try response.content.decode(Profile.self)
            #expect(answer == Self.profile)
        }
    }

    @Test func `a value is taken at a path`() async throws {
        try await send(form(), to: "name") { #expect($0.body.string == "1") }
    }

    @Test func `one route uses the coder`() async throws {
        try await send(form(), to: "once") { #expect($0.body.string == "a.jpg") }
    }

    @Test(arguments: ["upload", "video"])
    func `a streamed body is collected, or read part by part`(_ path: String) async throws {
        let directory = routes.directory
        try await send(form(), to: path) { response in
            #expect(response.status == .created)
            let files = try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
            #expect(try files.map { try Data(contentsOf: $0) } == [Data("jpeg".utf8)])
        }
    }

    @Test func `a value that does not fit is 400, with its path`() async throws {
        var form = try form()
        form.removeAll(named: "address[zip]")
        try await send(form, to: "profile") { response in
            #expect(response.status == .badRequest)
            #expect(response.body.string.contains("zip"))
        }
    }

    @Test func `a message that was cut off is 400, and another media type is 415`() async throws {
        let form = try form()
        let body = ByteBuffer(data: try form.encode().dropLast(10))
        let contentType = form.contentType
        try await withApp { app in
            routes.add(to: app)
            try await app.testing().test(.POST, "profile", headers: ["Content-Type": contentType], body: body) {
                #expect($0.status == .badRequest)
                #expect($0.body.string.contains("unexpected-end"))
            }
            try await app.testing().test(.POST, "once", headers: ["Content-Type": "text/plain"], body: body) {
                #expect($0.status == .unsupportedMediaType)
            }
        }
    }
}
