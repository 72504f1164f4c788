import Foundation
import MultipartForm
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
    private struct Checksum {
        private(set) var sum = 0

        mutating func update(_ bytes: Data) { sum += bytes.reduce(0) { $0 + Int($1) } }
    }

    private struct FileTooLong: Error, Equatable {
        let name: String?
        let limit: Int?
    }

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
                try await part.save(to: directory.appendingPathComponent(UUID().uuidString), upTo: 2 << 30)
            }
        }

        #expect(fields == ["title": "Notes", "csrf-token": "0123"])
        #expect(self.directory.contents.count == 2)
    }

    @Test func `a body is processed piece by piece`() async throws {
        var digest = Checksum()
        for try await part in try chunks.multipartParts(contentType: contentType) {
            guard part.contentType == "application/pdf" else { continue }
            for try await bytes in part.body { digest.update(bytes) }
        }

        #expect(digest.sum == 9)
    }

    @Test func `a handler collects what is pushed to it`() throws {
        let handler = UploadHandler()
        try handler.begin(contentType: contentType)
        for piece in pieces { try handler.receive(piece) }
        #expect(try handler.end()?.count == 4)
        #expect(try handler.end() == nil)
    }

    @Test func `options limit a form and place its files`() async throws {
        let uploads = directory.url

        let options = MultipartCollector.Options(
            parser: MultipartParser.Options(mode: .strict, maxParts: 20),
            maxDiskBytes: 50 << 20,
            temporaryDirectory: uploads
        )

        let form = try await MultipartFormData(collecting: chunks, contentType: contentType, options: options) { _ in
            .disk(upTo: 100)
        }
        #expect(form.count == 4 && directory.contents.count == 4)
    }

    @Test func `a route keeps the parts that are expected`() async throws {
        let form = try await MultipartFormData(collecting: chunks, contentType: contentType) { headers in
            switch headers.name {
            case "title": .memory(upTo: 1 << 10)
            case "video": .disk(upTo: 2 << 30)
            case "csrf-token": .skip
            default: .reject
            }
        }

        #expect(form.map(\.name) == ["title", "video", "video"])
        #expect(form.map { $0.fileURL == nil } == [true, false, false])
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

    @Test func `events follow a part from its headers to its end`() throws {
        var (begun, ended, length, isComplete) = (0, 0, 0, false)
        func begin(_ headers: HeaderFields) { begun += 1 }
        func endPart() { ended += 1 }
        func take(_ event: MultipartParser.Event<Data>) {
            switch event {
            case .part(let headers): begin(headers)
            case .body(let bytes): length += bytes.count
            case .endOfPart: endPart()
            case .end: isComplete = true
            }
        }
        var parser = try MultipartParser(contentType: contentType)
        parser.append(body)
        parser.finish()
        while let event = try parser.next() { take(event) }
        #expect((begun, ended, length) == (4, 4, 14) && isComplete)
    }

    @Test func `options limit a whole message`() throws {
        var options = MultipartParser.Options.strict
        options.maxPartBytes = 10 << 20
        options.maxTotalBytes = 50 << 20
        let form = try MultipartFormData(parsing: body, contentType: contentType, options: options)

        #expect(form.count == 4)
    }

    @Test func `strict mode reads parts as they arrive`() async throws {
        let options = MultipartParser.Options(mode: .strict)
        let parts = try chunks.multipartParts(contentType: contentType, options: options)

        var names: [String?] = []
        for try await part in parts { names.append(part.name) }
        #expect(names.count == 4)
    }

    @Test func `an error is told apart by its code`() throws {
        func collect(_ chunk: Data) throws {
            var collector = try MultipartCollector(contentType: contentType) { headers in
                headers.name == "title" ? .memory(upTo: 2) : .accept
            }
            do {
                try collector.append(chunk)
            } catch let error as MultipartError where error.code == .limitPartBytes {
                throw FileTooLong(name: error.partName, limit: error.limit)
            }
        }
        #expect(throws: FileTooLong(name: "title", limit: 2)) { try collect(body) }
        #expect(throws: MultipartError(.malformedDelimiter, offset: 1)) { try collect(Data("x".utf8) + body) }
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
                try file.save(to: directory.appendingPathComponent(UUID().uuidString))
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

    private actor Upstream {
        private(set) var bytes = Data()

        func send(_ chunk: Data) throws { bytes += chunk }
    }

    @Test func `parts are passed on as they arrive`() async throws {
        let upstream = Upstream()

        let parts = try chunks.multipartParts(contentType: contentType)
        let body = EncodedFormChunks(encoding: parts.filter { $0.name != "csrf-token" }.map { BodyPart($0) })
        for try await chunk in body { try await upstream.send(chunk) }

        let received = try MultipartFormData(parsing: await upstream.bytes, contentType: body.contentType)
        #expect(received.map(\.name) == ["title", "video", "video"])
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
                headers["Content-Length"] = nil  // the encoder accepts none that the program passes
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
