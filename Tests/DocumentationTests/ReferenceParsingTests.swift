import Foundation
import MultipartFormCodec
import TestSupport
import Testing

private final class UploadHandler {
    private var collector: MultipartCollector?

    func begin(contentType: String?) throws {
        let options = MultipartCollector.Options(maxDiskBytes: 100 << 20)
        collector = try MultipartCollector(contentType: contentType, options: options)
    }

    func receive(_ chunk: Data) throws {
        try collector?.append(chunk)
    }

    func end() throws -> MultipartFormData? {
        try collector.take()?.finish()
    }
}

/// The code of the reference pages on parsing and receiving forms, compiled and run.
@Suite struct ReferenceParsingTests {
    private let directory: TemporaryDirectory
    private let contentType: String
    private let body: Data

    /// The message in pieces, as a server receives it.
    private var pieces: [Data] { ChunkSplitter.pieces(of: body, size: 100) }
    private var chunks: ChunkSource<Data> { ChunkSource(pieces) }

    init() throws {
        directory = try TemporaryDirectory()
        var form = MultipartFormData()
        form.append("Notes", withName: "title")
        form.append("0123", withName: "csrf-token")
        form.append(Data([1, 2, 3]), withName: "video", fileName: "v.mp4")
        form.append(Data([4, 5]), withName: "video", fileName: "v.pdf", mimeType: "application/pdf")
        contentType = form.contentType
        body = try form.encode()
    }

    @Test func `fields are kept and files are saved as they arrive`() async throws {
        let directory = directory.url

        var fields: [String: String] = [:]
        for try await part in try chunks.multipartParts(contentType: contentType) {
            guard let name = part.name else { continue }
            if part.filename == nil {
                fields[name] = try await part.text(upTo: 4096)
            } else {
                let id = UUID().uuidString
                let file = directory.appendingPathComponent(id)
                try await part.save(to: file, upTo: 2 << 30)
            }
        }

        #expect(fields == ["title": "Notes", "csrf-token": "0123"])
        #expect(self.directory.contents.count == 2)
    }

    @Test func `a handler collects what is pushed to it`() throws {
        let handler = UploadHandler()
        try handler.begin(contentType: contentType)
        for piece in pieces { try handler.receive(piece) }
        #expect(try handler.end()?.count == 4)
        #expect(try handler.end() == nil)
    }

    @Test func `a parser calls a handler with each event`() throws {
        let chunks = pieces

        var names: [String] = []
        var parser = try MultipartParser(contentType: contentType)
        for chunk in chunks {
            try parser.parse(chunk.span) { event, _ in
                if case .part(let headers) = event { names.append(headers.name ?? "") }
            }
        }
        try parser.finish { _, _ in }

        #expect(names == ["title", "csrf-token", "video", "video"])
    }

    /// A message with two files in one part.
    private static func nested() throws -> (body: Data, contentType: String) {
        var files = MultipartFormData()
        for index in 0..<2 { files.append(Data([UInt8(index)]), withName: "", fileName: "\(index).png") }
        var form = MultipartFormData()
        let type = "multipart/mixed; boundary=\(files.boundary)"
        form.append(BodyPart(try files.encode(), name: "photos", contentType: type))
        return (try form.encode(), form.contentType)
    }

    @Test func `files in one part are saved`() throws {
        let (body, contentType) = try Self.nested()
        let form = try MultipartFormData(parsing: body, contentType: contentType)
        let directory = directory.url

        for part in form where part.contentType?.hasPrefix("multipart/mixed") == true {
            for file in try MultipartFormData(nestedIn: part) {
                let name = UUID().uuidString
                try file.save(to: directory.appendingPathComponent(name))
            }
        }

        #expect(self.directory.contents.count == 2)
    }

    @Test func `a message that is not a form is parsed as a nested one`() throws {
        let body = Data("--b\r\nContent-Type: application/http\r\n\r\n1\r\n--b\r\n\r\n2\r\n--b--\r\n".utf8)
        for contentType in ["multipart/mixed; boundary=b", "multipart/byteranges; boundary=\"b\""] {
            var contents: [(type: String?, data: Data)] = []
            func handle(_ type: String?, _ data: Data) { contents.append((type, data)) }

            let message = BodyPart(body, name: "", contentType: contentType)
            for part in try MultipartFormData(nestedIn: message) {
                handle(part.headers["Content-Type"], try part.data())
            }

            #expect(contents.map(\.type) == ["application/http", nil])
            #expect(contents.map(\.data) == [Data("1".utf8), Data("2".utf8)])
        }
    }

    @Test func `files in one part are parsed as they arrive`() async throws {
        let (body, contentType) = try Self.nested()
        var count = 0
        func handle(_ event: MultipartParser.Event<Data>) { count += event == .endOfPart ? 1 : 0 }

        let chunks = ChunkSource(ChunkSplitter.pieces(of: body, size: 10))
        for try await part in try chunks.multipartParts(contentType: contentType) {
            var nested = try MultipartParser(nestedIn: part.headers)
            for try await bytes in part.body {
                nested.append(bytes)
                while let event = try nested.next() { handle(event) }
            }
            nested.finish()
            while let event = try nested.next() { handle(event) }
        }

        #expect(count == 2)
    }

    @Test func `a message in a file is parsed, and a part copied out of it`() throws {
        let bodyURL = try directory.write(body, as: "body")
        let videoURL = directory.url.appendingPathComponent("video.mp4")

        let form = try MultipartFormData(parsingFileAt: bodyURL, contentType: contentType)
        let title = try form["title"]?.text()
        try form["video"]?.save(to: videoURL)  // copies this part out of the file

        #expect(title == "Notes")
        #expect(try Data(contentsOf: videoURL) == Data([1, 2, 3]))
    }

    @Test func `a header field of a part that is passed on is left out`() async throws {
        let section = "content-disposition:form-data; name=a\r\nX-Token: 7\r\nContent-Length: 1\r\nX-Kind:  b\r\n\r\nx"
        let message = Data("--b\r\n\(section)\r\n--b--\r\n".utf8)
        let (chunks, continuation) = AsyncStream.makeStream(of: Data.self)
        continuation.yield(message)
        continuation.finish()
        let contentType = "multipart/form-data; boundary=b"

        let parts = try chunks.multipartParts(contentType: contentType)
        let body = EncodedFormChunks(
            encoding: parts.map { part in
                var headers = part.headers
                headers["X-Token"] = nil
                // The encoder accepts none that the program passes.
                headers["Content-Length"] = nil
                return BodyPart(BodyPart(part), headers: headers)
            }
        )

        let sent = try await body.reduce(into: Data()) { $0 += $1 }
        let kept = "\r\ncontent-disposition: form-data; name=a\r\nX-Kind: b\r\n\r\nx\r\n--"
        #expect(String(decoding: sent, as: UTF8.self).contains(kept), "\(String(decoding: sent, as: UTF8.self))")
    }

    @Test func `an error in received bytes says where it is`() throws {
        var form = MultipartFormData()
        form.append("Ada", withName: "name")
        form.append("ada@example.com", withName: "email")
        form.append(Data(count: 5_242_881), withName: "avatar", fileName: "a.jpg", mimeType: "image/jpeg")
        let body = try form.encode()
        let error = #expect(throws: MultipartError.self) {
            try MultipartFormData(
                parsing: body,
                contentType: form.contentType,
                options: MultipartParser.Options(maxPartBytes: 5_242_880)
            )
        }
        let text = "part 2 \"avatar\": body exceeds 5242880 bytes (at offset 5243222)"
        #expect(error?.description == text)
    }
}
