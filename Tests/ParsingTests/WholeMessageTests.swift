import Foundation
import MultipartFormCodec
import TestSupport
import Testing

@Suite struct WholeMessageTests {
    private func message(_ content: Data) throws -> (Data, Boundary) {
        var form = MultipartFormData()
        form.append("1", withName: "a")
        form.append(content, withName: "f", fileName: "x.bin", mimeType: "a/b")
        form.append("2", withName: "b")
        return (try form.encode(), form.boundary)
    }

    /// One byte must not keep all of a message.
    @Test(arguments: [
        "Content-Disposition: form-data; name=\"a\"", "content-disposition: form-data; name=\"a\"",
        "Content-Disposition:form-data;name=a", "Content-Disposition: form-data;\r\n name=\"a\"", "X: y",
        "Content-Disposition: form-data; name=\"\u{E9}\"",
        "Content-Disposition: form-data; name=\"a\"; filename*=utf-8''b",
    ])
    func `short content is a copy, whatever its header section`(section: String) throws {
        for (count, isCopy) in [(15, true), (100, true), (512, true), (513, false)] {
            let body = String(repeating: "x", count: count)
            let message = Data("--b\r\n\(section)\r\n\r\n\(body)\r\n--b--\r\n".utf8)
            for mode in [ParsingMode.lenient, .strict] {
                let options = MultipartParser.Options(mode: mode)
                let type = "multipart/form-data; boundary=b"
                guard let form = try? MultipartFormData(parsing: message, contentType: type, options: options) else {
                    #expect(mode == .strict)
                    continue
                }
                let content = try form[0].data()
                #expect(content == Data(body.utf8))
                let isSlice = message.withUnsafeBytes { whole in
                    content.withUnsafeBytes { part in
                        guard let start = whole.baseAddress, let place = part.baseAddress else { return false }
                        return start <= place && place < start + whole.count
                    }
                }
                #expect(isSlice != isCopy, "\(count) bytes, \(mode)")
            }
        }
    }

    @Test func `a slice of a larger buffer is parsed in place`() throws {
        let (data, boundary) = try message(Data("content".utf8))
        let padded = Data("padding".utf8) + data
        let form = try MultipartFormData(parsing: padded[7...], contentType: boundary.contentType)
        #expect(try form.map { try $0.text() } == ["1", "content", "2"])
    }

    @Test func `long content of a message in a file stays there`() throws {
        let directory = try TemporaryDirectory()
        let content = Data((0..<600_000).map { UInt8(truncatingIfNeeded: $0 &* 13 >> 3) })
        let (data, boundary) = try message(content)
        let file = try directory.write(data, as: "message")
        let form = try MultipartFormData(parsingFileAt: file, contentType: boundary.contentType)
        #expect(form.map(\.length) == [1, 600_000, 1])
        #expect(try form["f"]?.data() == content)
        #expect(try form["b"]?.text() == "2")
        #expect(try form.encode().count == data.count)
        #expect(throws: Never.self) { try form.encode() }

        // The short parts are in memory, the long one was left in the file.
        try FileManager.default.removeItem(at: file)
        #expect(try form["a"]?.text() == "1")
        #expect { try form["f"]?.data() } throws: {
            ($0 as? MultipartError)?.code == .bodyPartInputStreamCreationFailed
        }
    }

    @Test func `content of exactly the threshold is in memory, and one byte more stays in the file`() throws {
        let directory = try TemporaryDirectory()
        for (count, isInMemory) in [(99, true), (100, true), (101, false)] {
            let content = Data(repeating: 120, count: count)
            let (data, boundary) = try message(content)
            let file = try directory.write(data, as: "message")
            let form = try MultipartFormData(parsingFileAt: file, contentType: boundary.contentType, inMemoryUpTo: 100)
            #expect(try form["f"]?.data() == content)
            try FileManager.default.removeItem(at: file)
            #expect((try? form["f"]?.data()) == (isInMemory ? content : nil), "\(count) bytes")
        }
    }

    @Test func `a file that changes while it is parsed is an error`() throws {
        let directory = try TemporaryDirectory()
        let (data, boundary) = try message(Data(count: 100_000))
        let preamble = Data("preamble\r\n".utf8)
        let file = try directory.write(preamble + data, as: "message")
        let isReported = Locked(false)
        let options = MultipartParser.Options { _ in
            isReported.withLock { $0 = true }
            try? (preamble + data + Data("epilogue".utf8)).write(to: file)
        }
        #expect(throws: MultipartError(.bodyPartFileChanged)) {
            try MultipartFormData(parsingFileAt: file, contentType: boundary.contentType, options: options)
        }
        #expect(isReported.withLock { $0 })
    }

    @Test func `a message in a file has the errors of one in memory`() throws {
        let directory = try TemporaryDirectory()
        let (data, boundary) = try message(Data(count: 300_000))
        let file = try directory.write(data.dropLast(4), as: "message")
        let expected = MultipartError(.unexpectedEnd, offset: UInt64(data.count - 4))
        #expect(throws: expected) { try MultipartFormData(parsingFileAt: file, contentType: boundary.contentType) }
        #expect(throws: expected) {
            try MultipartFormData(parsing: data.dropLast(4), contentType: boundary.contentType)
        }
        let missing = directory.url.appendingPathComponent("missing")
        #expect(throws: MultipartError(.bodyPartFileNotReachable)) {
            try MultipartFormData(parsingFileAt: missing, contentType: boundary.contentType)
        }
        #expect(throws: MultipartError(.bodyPartFileIsDirectory)) {
            try MultipartFormData(parsingFileAt: directory.url, contentType: boundary.contentType)
        }
    }

    @Test(arguments: [ParsingMode.lenient, .strict])
    func `a nested message is parsed on request`(mode: ParsingMode) throws {
        let inner =
            "--IN\r\nContent-Disposition: file; filename=\"1.txt\"\r\nContent-Type: text/plain\r\n\r\none\r\n"
            + "--IN\r\nContent-Disposition: file; filename=\"2.bin\"\r\n\r\n\0\u{1}\r\n--IN--\r\n"
        var outer = MultipartFormData()
        outer.append(Data(inner.utf8), withName: "files", mimeType: "multipart/mixed; boundary=IN")
        outer.append("x", withName: "plain")
        // Strict mode refuses a nested message: some parsers read its parts as the form's.
        let form = try MultipartFormData(parsing: try outer.encode(), contentType: outer.boundary.contentType)
        let files = try MultipartFormData(
            nestedIn: try #require(form["files"]),
            options: MultipartParser.Options(mode: mode)
        )
        #expect(files.map(\.filename) == ["1.txt", "2.bin"])
        #expect(files.map(\.name) == [nil, nil])
        #expect(try files.map { try $0.data() } == [Data("one".utf8), Data([0, 1])])
        #expect(files.first?.headers.contentDisposition?.type == "file")
        let plain = try #require(form["plain"])
        #expect { try MultipartFormData(nestedIn: plain, options: MultipartParser.Options(mode: mode)) } throws: {
            ($0 as? MultipartError)?.code == .unsupportedMediaType
        }
    }
}
