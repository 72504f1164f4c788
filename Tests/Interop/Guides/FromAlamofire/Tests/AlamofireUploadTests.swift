import Alamofire
import Foundation
import MultipartFormCodec
import Testing

import struct MultipartFormCodec.MultipartFormData

/// The code that `FromAlamofire.md` shows, run against a server on 127.0.0.1.
@Suite(.serialized) struct AlamofireUploadTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func form(_ uploads: AlamofireUploads) throws -> MultipartFormData {
        uploads.form(with: try directory.write(Data(count: 200_000), as: "photo.heic"))
    }

    private static let names = Data("one=3,two=3,photo=200000".utf8)

    @Test func `a form is sent from memory`() async throws {
        try await FormServer.run { url in
            let uploads = AlamofireUploads(to: url)
            let answer = try await uploads.sendData(form(uploads))
            #expect(answer == Self.names)
        }
    }

    @Test(arguments: [1000, 10_000_000] as [Int])
    func `a form is sent from memory, or from a file if it is long`(_ limit: Int) async throws {
        try await FormServer.run { url in
            let uploads = AlamofireUploads(to: url)
            let answer = try await uploads.send(form(uploads), inMemoryUpTo: limit)
            #expect(answer == Self.names)
        }
    }

    @Test(.enabled(if: isApple, "Alamofire's streams are sent on Apple's platforms only"))
    func `a form is sent while it is encoded`() async throws {
        try await FormServer.run { url in
            let uploads = AlamofireUploads(to: url)
            let answer = try await uploads.sendStream(form(uploads))
            #expect(answer == Self.names)
        }
    }

    @Test(.enabled(if: isApple, "Alamofire's streams are sent on Apple's platforms only"))
    func `a file that changed ends the upload with its own error`() async throws {
        try await FormServer.run { url in
            let uploads = AlamofireUploads(to: url)
            let form = try form(uploads)
            try directory.write(Data(count: 10), as: "photo.heic")
            let error = await #expect(throws: MultipartError.self) { try await uploads.sendStream(form) }
            #expect(error?.code == .bodyPartFileChanged && error?.partName == "photo")
        }
    }

    @Test(.enabled(if: isApple, "Alamofire's requests are sent again on Apple's platforms only"))
    func `a form in memory is sent again after a failure`() async throws {
        try await FormServer.run(refusing: 1) { url in
            let uploads = AlamofireUploads(to: url)
            let answer = try await uploads.sendRetrying(form(uploads))
            #expect(answer == Self.names)
        }
    }

    @Test(.enabled(if: isApple, "Alamofire's streams are sent on Apple's platforms only"))
    func `each attempt sends a new stream`() async throws {
        try await FormServer.run(refusing: 2) { url in
            let uploads = AlamofireUploads(to: url)
            let form = try form(uploads)
            await #expect(throws: AFError.self) { try await uploads.sendStream(form) }
            let answer = try await uploads.sendStream(form, attempts: 2)
            #expect(answer == Self.names)
        }
    }

    @Test func `header fields are carried over`() throws {
        let headers: HTTPHeaders = ["Content-Disposition": "form-data; name=\"s\"", "X-Id": "7"]
        let stream = InputStream(data: Data("abc".utf8))
        var form = MultipartFormData()
        form.append(stream, withLength: 3, headers: AlamofireUploads(to: directory.url).fields(headers))
        let received = try MultipartFormData(parsing: form.encode(), contentType: form.contentType)
        #expect(received["s"]?.headers["X-Id"] == "7")
        #expect(try received["s"]?.text() == "abc")
    }
}
