import Foundation
import MultipartFormCodec
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
        form.append(Data("png".utf8), withName: "avatar", fileName: "a.png", mimeType: "image/png")
        return form
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

        let disposition = "form-data; name=\"note\"; filename=\"note.txt\""
        form.append(
            stream,
            withLength: 5,
            headers: [
                "Content-Disposition": disposition,
                "Content-Type": "text/plain; charset=utf-8",
                "X-Revision": "7",
            ]
        )

        let received = try MultipartFormData(parsing: form.encode(), contentType: form.contentType)
        #expect(received["note"]?.headers["X-Revision"] == "7")
    }
}
