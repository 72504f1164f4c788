import Foundation
import MultipartForm
import TestSupport
import Testing

/// The code of the reference pages on building, encoding and reading forms, compiled and run.
@Suite struct ReferenceFormTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// A form with a field and a file.
    private func sample() -> MultipartFormData {
        var form = MultipartFormData()
        form.append("Ada", withName: "name")
        form.append(Data("png".utf8), withName: "avatar", fileName: "../a.png", mimeType: "image/png")
        return form
    }

    @Test func `a form is built from text, a file and a part`() throws {
        let json = Data("{}".utf8)
        func make(_ fileURL: URL) throws -> MultipartFormData {
            var form = MultipartFormData()
            form.append("Ada", withName: "author")
            form.append(fileURL, withName: "photo")
            form.append(BodyPart(json, name: "metadata", contentType: "application/json"))
            if let error = form.firstError { throw error }
            return form
        }
        let form = try make(try directory.write(Data("jpeg".utf8), as: "a.jpg"))
        #expect(form.map(\.name) == ["author", "photo", "metadata"])
        #expect(form.map(\.contentType) == [nil, "image/jpeg", "application/json"])
        #expect(throws: MultipartError(.bodyPartFileNotReachable, partIndex: 1)) {
            try make(directory.url.appendingPathComponent("missing"))
        }
    }

    @Test func `parts of a received form are found by name`() throws {
        var sent = MultipartFormData()
        sent.append("Notes", withName: "title")
        for index in 0..<2 { sent.append(Data([UInt8(index)]), withName: "photo", fileName: "\(index).png") }
        let (body, contentType) = (try sent.encode(), sent.contentType)
        let directory = directory.url

        let form = try MultipartFormData(parsing: body, contentType: contentType)
        let title = try form["title"]?.text()
        for photo in form.parts(named: "photo") {
            try photo.save(to: directory.appendingPathComponent(UUID().uuidString))
        }

        #expect(title == "Notes")
        #expect(self.directory.contents.count == 2)
    }

    @Test func `parts are made with fields, ranges and without a file name`() throws {
        let url = try directory.write(Data(count: 5000), as: "video")
        let readme = try directory.write(Data("Read me".utf8), as: "readme.md")

        var form = MultipartFormData()
        form.append(BodyPart("Ada", name: "name", additionalHeaders: ["Content-Language": "en"]))
        form.append(try BodyPart(contentsOf: url, range: 0..<1000, name: "chunk", filename: "video.mp4"))
        form.append(try BodyPart(fieldContentsOf: readme, name: "readme"))

        let received = try MultipartFormData(parsing: form.encode(), contentType: form.contentType)
        #expect(received["name"]?.headers["content-language"] == "en")
        #expect(received["chunk"]?.length == 1000)
        #expect(received["readme"]?.filename == nil)
    }

    @Test func `a received part is saved under a safe name`() throws {
        let (id, directory) = (7, directory.url)
        func save(_ form: MultipartFormData) throws -> URL? {
            guard let part = form["avatar"], part.contentType == "image/png" else { return nil }
            let name = part.safeFilename ?? "avatar.png"
            let file = directory.appendingPathComponent("\(id)-\(name)")
            try part.save(to: file, permissions: 0o640)
            return file
        }
        #expect(try save(sample())?.lastPathComponent == "7-a.png")
        #expect(self.directory.contents == ["7-a.png"])
        #expect(try save(MultipartFormData()) == nil)
    }

    @Test func `a boundary is fixed, kept and parsed`() throws {
        let (body, parameter) = (Data("--x--\r\n".utf8), "x")

        let fixed = MultipartFormData(boundary: "snapshot")

        let kept = fixed.boundary.description
        let resumed = MultipartFormData(boundary: try Boundary(parsing: kept))

        let sent = try Boundary(parsing: parameter, mode: .lenient)
        let received = try MultipartFormData(parsing: body, contentType: sent.contentType)
        #expect(resumed.boundary == "snapshot")
        #expect(received.isEmpty)
    }

    @Test(arguments: [true, false])
    func `an encoded form is sent from memory or from its file`(isLong: Bool) async throws {
        var form = sample()
        if isLong { form.append(Data(count: 10_000_000), withName: "video", fileName: "v.mp4") }
        var sent: (inMemory: Bool, bytes: Data)?
        func send(_ body: Data) async throws { sent = (true, body) }
        func send(fileAt url: URL) async throws { sent = (false, try Data(contentsOf: url)) }

        try await form.withEncodedForm(inMemoryUpTo: 10_000_000) { encoded in
            switch encoded {
            case .data(let body): try await send(body)
            case .file(let file): try await send(fileAt: file)
            }
        }

        #expect(sent?.inMemory == !isLong)
        #expect(sent?.bytes == (try form.encode()))
    }

    private final class Socket {
        private(set) var bytes = Data()

        func write(_ chunk: Data) throws { bytes += chunk }
    }

    @Test func `a reader fills a socket, and continues at an offset`() throws {
        var form = sample()
        form.append(Data(count: 200_000), withName: "video", fileName: "v.mp4")
        let (socket, received) = (Socket(), UInt64(100_000))

        var reader = try form.makeReader()
        while let chunk = try reader.next(maxLength: 65_536) {
            try socket.write(chunk)
        }

        var resumed = try form.makeReader(from: received)
        let rest = try resumed.next(maxLength: .max)
        #expect(socket.bytes == (try form.encode()))
        #expect(rest == socket.bytes.dropFirst(Int(received)))
    }

    private actor Connection {
        private(set) var bytes = Data()

        func send(_ chunk: Data) throws { bytes += chunk }
    }

    @Test func `chunks are sent as they are encoded`() async throws {
        let (form, connection) = (sample(), Connection())

        let chunks = form.chunks(ofSize: 16_384)
        for try await chunk in chunks {
            try await connection.send(chunk)
        }

        #expect(await connection.bytes == (try form.encode()))
    }

    @Test func `header fields are read by name and one by one`() throws {
        var lines: [String] = []
        func print(_ line: String) { lines.append(line) }

        let part = BodyPart("Ada", name: "name", additionalHeaders: ["Content-Language": "en"])
        let language = part.headers["content-language"]
        let name = part.headers.name

        for field in part.headers {
            print("\(field.name): \(field.value)")
        }
        #expect(language == "en" && name == "name")
        #expect(lines == ["Content-Disposition: form-data; name=\"name\"", "Content-Language: en"])
    }

    @Test(arguments: [("a.png", "sent"), ("missing", "asked"), ("", "asked")])
    func `an error that the user can correct is told apart`(name: String, outcome: String) throws {
        try directory.write(Data("png".utf8), as: "a.png")
        let fileURL = directory.url.appendingPathComponent(name)
        var form = MultipartFormData()
        var result = "sent"
        func askForAnotherFile() { result = "asked" }
        func report(_ error: MultipartError?) { result = "reported" }

        form.append(fileURL, withName: "photo")
        switch form.firstError?.code {
        case nil: break
        case .bodyPartFileNotReachable, .bodyPartFileIsDirectory: askForAnotherFile()
        default: report(form.firstError)
        }

        #expect(result == outcome)
    }

    @Test func `the bytes of a message are those of its anatomy`() throws {
        let png = Data("png".utf8)

        var form = MultipartFormData(boundary: "x")
        form.append("Ada", withName: "name")
        form.append(png, withName: "f", fileName: "a.png", mimeType: "image/png")
        let contentType = form.contentType  // multipart/form-data; boundary=x
        let message = try form.encode()

        #expect(contentType == "multipart/form-data; boundary=x")
        let lines = [
            "--x", "Content-Disposition: form-data; name=\"name\"", "", "Ada", "--x",
            "Content-Disposition: form-data; name=\"f\"; filename=\"a.png\"", "Content-Type: image/png", "", "png",
            "--x--", "",
        ]
        #expect(String(decoding: message, as: UTF8.self) == lines.joined(separator: "\r\n"))
    }

    @Test func `forms are encoded after a head in one buffer`() throws {
        let (socket, head, forms) = (Socket(), "POST /\r\n\r\n", [sample(), sample()])

        var buffer = Data(head.utf8)
        for form in forms {
            try form.encode(into: &buffer)
            try socket.write(buffer)
            buffer.removeSubrange(head.utf8.count...)
        }

        let expected = try forms.map { Data(head.utf8) + (try $0.encode()) }.reduce(Data(), +)
        #expect(socket.bytes == expected && buffer == Data(head.utf8))
    }

    @Test func `a stream is opened for each encoding`() throws {
        let logURL = try directory.write(Data("line\n".utf8), as: "log")
        var form = MultipartFormData()

        form.append(
            BodyPart(length: nil, name: "log", filename: "log.txt", contentType: "text/plain") {
                guard let stream = InputStream(url: logURL) else { throw CocoaError(.fileReadNoSuchFile) }
                return stream
            }
        )

        let first = try form.encode()
        #expect(try form.encode() == first && form.encodedLength == nil)
    }

    @Test func `a sequence is sent as another task produces it`() async throws {
        let connection = Connection()
        var form = MultipartFormData(boundary: "x")

        let readings = AsyncStream<Data> { continuation in
            for value in [20, 21, 19] { continuation.yield(Data("\(value)\n".utf8)) }
            continuation.finish()
        }
        form.append(BodyPart(readings, length: nil, name: "readings", filename: "readings.csv"))
        for try await chunk in form.chunks() { try await connection.send(chunk) }

        let received = try MultipartFormData(parsing: await connection.bytes, contentType: form.contentType)
        #expect(try received["readings"]?.text() == "20\n21\n19\n")
    }

    @Test func `a stream is appended with its own headers`() throws {
        let stream = InputStream(data: Data("hello".utf8))
        var form = MultipartFormData()

        form.append(
            stream,
            withLength: 5,
            headers: [
                "Content-Disposition": "form-data; name=\"note\"; filename=\"note.txt\"",
                "Content-Type": "text/plain; charset=utf-8",
                "X-Revision": "7",
            ]
        )

        let received = try MultipartFormData(parsing: form.encode(), contentType: form.contentType)
        #expect(received["note"]?.headers["X-Revision"] == "7")
    }
}
