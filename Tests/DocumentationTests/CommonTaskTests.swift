import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// Common tasks, each in a few lines.
@Suite struct CommonTaskTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test func `a form is uploaded from memory, or from a file if it is long`() async throws {
        let photoURL = try directory.write(Data(count: 5000), as: "IMG_1.heic")
        for limit in [1000, 10_000_000] {
            var form = MultipartFormData()
            form.append("Ada", withName: "author")
            form.append(photoURL, withName: "photo", fileName: "portrait.heic")

            let body = try await form.withEncodedForm(inMemoryUpTo: limit) { encoded in
                switch encoded {
                case .data(let body): body
                case .file(let file): try Data(contentsOf: file)
                }
            }
            let received = try MultipartFormData(parsing: body, contentType: form.contentType)
            #expect(received["photo"]?.contentType == "image/heic")
            #expect(received["photo"]?.filename == "portrait.heic")
        }
    }

    @Test func `a whole body is parsed`() throws {
        var sent = MultipartFormData()
        sent.append("Ada", withName: "name")
        for index in 0..<2 { sent.append(Data([UInt8(index)]), withName: "photo", fileName: "\(index).png") }
        let body = try sent.encode()
        let field: String? = sent.contentType

        let form = try MultipartFormData(parsing: body, contentType: field)
        let name = try form["name"]?.text(), photos = form.parts(named: "photo")

        #expect(name == "Ada" && photos.count == 2)
        #expect(throws: MultipartError(.unsupportedMediaType, offset: 0)) {
            try MultipartFormData(parsing: body, contentType: nil)
        }
        let text = sent.boundary.description
        #expect(try MultipartFormData(parsing: body, contentType: Boundary(parsing: text).contentType).count == 3)
    }

    @Test func `a form is collected with a limit for each field`() async throws {
        let target = directory.url.appendingPathComponent("avatar.png")
        func handle(_ sent: MultipartFormData) async throws {
            let chunks = ChunkSource(ChunkSplitter.pieces(of: try sent.encode(), size: 100))

            let form = try await MultipartFormData(collecting: chunks, contentType: sent.contentType) {
                switch $0.name {
                case "avatar": .disk(upTo: 5 << 20)
                case "name", "bio": .memory(upTo: 4 << 10)
                default: .reject
                }
            }
            try await form["avatar"]?.save(to: target)
        }
        var form = MultipartFormData()
        form.append("Ada", withName: "name")
        form.append(Data(count: 1000), withName: "avatar", fileName: "a.png")
        try await handle(form)
        #expect(try Data(contentsOf: target) == Data(count: 1000))
        form.append(String(repeating: "x", count: 5000), withName: "bio")
        let tooLong = await #expect(throws: MultipartError.self) { try await handle(form) }
        #expect(tooLong?.httpStatus == 413 && tooLong?.partName == "bio")
        var other = MultipartFormData()
        other.append("x", withName: "other")
        let rejected = await #expect(throws: MultipartError.self) { try await handle(other) }
        #expect(rejected?.httpStatus == 400)
    }

    @Test func `a form for S3 has its fields in order and its length known`() throws {
        let policy = [("key", "uploads/a.jpg"), ("policy", "e30="), ("x-amz-signature", "0")]
        let fileURL = try directory.write(Data(count: 100), as: "a")

        var form = MultipartFormData()
        for (name, value) in policy { form.append(value, withName: name) }
        form.append(fileURL, withName: "file", mimeType: "image/jpeg")

        #expect(form.map(\.name) == ["key", "policy", "x-amz-signature", "file"])
        #expect(try form.encodedLength == UInt64(form.encode().count))
        #expect(form.dropLast().allSatisfy { $0.contentType == nil })
    }

    @Test func `a test knows every byte of a request`() throws {
        func makeForm(boundary: Boundary = .random()) -> MultipartFormData {
            var form = MultipartFormData(boundary: boundary)
            form.append("Ada", withName: "name")
            return form
        }
        let text = String(decoding: try makeForm(boundary: "snapshot").encode(), as: UTF8.self)
        let expected =
            "--snapshot\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\nAda\r\n--snapshot--\r\n"
        #expect(text == expected)
    }

    @Test func `an upload is resumed from what the server has received`() async throws {
        let fileURL = try directory.write(Data((0..<10_000).map { UInt8(truncatingIfNeeded: $0) }), as: "video.mp4")
        func form(boundary: Boundary) -> MultipartFormData {
            var form = MultipartFormData(boundary: boundary)
            form.append(fileURL, withName: "file")
            return form
        }
        let kept = form(boundary: .random()).boundary.description
        let all = try form(boundary: try Boundary(parsing: kept)).encode()
        for received: UInt64 in [0, 1, 100, 5000, UInt64(all.count)] {
            let form = form(boundary: try Boundary(parsing: kept))

            var reader = try form.makeReader(from: received)
            var rest = Data()
            while let chunk = try reader.next(maxLength: 4096) { rest += chunk }
            #expect(all.prefix(Int(received)) + rest == all)

            var chunks = Data()
            for try await chunk in form.chunks(from: received) { chunks += chunk }
            #expect(chunks == rest)
        }
    }
}
