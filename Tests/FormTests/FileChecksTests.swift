import Foundation
import MultipartFormCodec
import TestSupport
import Testing

@Suite struct FileChecksTests {
    private let directory: TemporaryDirectory
    private let file: URL

    init() throws {
        directory = try TemporaryDirectory()
        file = try directory.write(Data("content".utf8), as: "Makefile")
    }

    private func firstError(_ url: URL) -> MultipartError? {
        var form = MultipartFormData()
        form.append(url, withName: "f")
        var named = MultipartFormData()
        named.append(url, withName: "f", fileName: "x", mimeType: "a/b")
        if !["", "/"].contains(url.path) { #expect(named.firstError?.code == form.firstError?.code) }
        #expect(named[0].filename == "x" && named[0].contentType == "a/b")
        return form.firstError
    }

    /// The error of a file while one of its system calls fails: the `number`-th of this kind.
    private func firstError(
        of failing: SystemCalls.Call,
        number: Int = 1,
        _ code: POSIXErrorCode
    ) -> MultipartError? {
        let count = Counter()
        var form = MultipartFormData()
        SystemCalls.intercepting { call, _ in
            call == failing && count.increment() == number ? POSIXError(code) : nil
        } during: {
            form.append(file, withName: "f")
        }
        return form.firstError
    }

    @Test func `a file without an extension is fine`() throws {
        var form = MultipartFormData()
        form.append(file, withName: "f")
        #expect(form.firstError == nil)
        #expect(form["f"]?.filename == "Makefile")
        #expect(form["f"]?.contentType == "application/octet-stream")
        #expect(try form["f"]?.text() == "content")
        #expect(form["f"]?.length == 7)
    }

    @Test func `a file may be empty`() throws {
        let part = try BodyPart(contentsOf: try directory.write(Data(), as: "empty"), name: "f")
        #expect(try part.data().isEmpty && part.length == 0)
    }

    @Test func `a file has the name and the type of its path unless others are given, a field has neither`() throws {
        let photo = try directory.write(Data("x".utf8), as: "photo.jpg")
        let parts = [
            try BodyPart(contentsOf: photo, name: "f"), try BodyPart(contentsOf: photo, range: 0..<1, name: "f"),
            try FormFile(contentsOf: photo).part,
        ]
        for part in parts { #expect(part.filename == "photo.jpg" && part.contentType == "image/jpeg") }
        let other = try BodyPart(contentsOf: photo, name: "f", filename: "a", contentType: "text/plain")
        #expect(other.filename == "a" && other.contentType == "text/plain")
        let field = try BodyPart(fieldContentsOf: photo, name: "f", additionalHeaders: ["X-Id": "7"])
        #expect(field.filename == nil && field.contentType == nil && field.headers["X-Id"] == "7")
        #expect(try BodyPart(fieldContentsOf: photo, name: "f", contentType: "a/b").contentType == "a/b")
        let root = URL(fileURLWithPath: "/")
        #expect(throws: MultipartError(.bodyPartFilenameInvalid)) { try BodyPart(contentsOf: root, name: "f") }
    }

    @Test func `BodyPart(contentsOf:) makes the same checks`() throws {
        let part = try BodyPart(contentsOf: file, name: "f", filename: "x", additionalHeaders: ["X-Id": "7"])
        var form = MultipartFormData()
        form.append(part)
        let parsed = try MultipartFormData(parsing: try form.encode(), contentType: form.boundary.contentType)
        #expect(parsed.first?.headers["x-id"] == "7")
        #expect(try parsed.first?.text() == "content")
    }

    @Test(arguments: ["https", "http", "HTTP", "ftp", "httpx"])
    func `a URL that is not a file's is refused, that of a web resource with the reason`(scheme: String) throws {
        let text = "\(scheme)://example.com/photo.jpg"
        let error = firstError(try #require(URL(string: text)))
        #expect(error?.code == .bodyPartURLInvalid && error?.path == text)
        let isWeb = scheme.lowercased().hasPrefix("http") && scheme != "httpx"
        let reason = isWeb ? "URL is that of a web resource, not of a file" : "URL is not that of a file"
        #expect(error?.description == "part 0 \"f\": \(reason): \(text)")
    }

    @Test(arguments: ["server", "127.0.0.1", "localhost.example"])
    func `a file on another machine is refused`(host: String) throws {
        let url = try #require(URL(string: "file://\(host)\(file.path)"))
        let error = firstError(url)
        #expect(error?.code == .bodyPartURLInvalid)
        #expect(error?.path == (url.isFileURL ? url.path : url.absoluteString))
        #expect(throws: MultipartError(.bodyPartURLInvalid, path: url.path)) {
            try BodyPart(contentsOf: url, name: "f")
        }
        #expect(throws: MultipartError(.bodyPartURLInvalid)) {
            try MultipartFormData(parsingFileAt: url, contentType: Boundary.random().contentType)
        }
    }

    @Test(arguments: ["", "localhost", "LOCALHOST"])
    func `a file URL may have this machine as its host`(host: String) throws {
        let url = try #require(URL(string: "file://\(host)\(file.path)"))
        #expect(firstError(url) == nil)
    }

    @Test(arguments: [
        "file:///", "file:///tmp/.", "file:///tmp/..", "https://example.com/", "https://example.com",
        "https://example.com/a/..",
    ])
    func `a URL without a file name cannot name a part`(text: String) throws {
        let url = try #require(URL(string: text))
        var form = MultipartFormData()
        form.append(url, withName: "f")
        #expect(form.firstError?.code == .bodyPartFilenameInvalid)
        #expect(form.firstError?.path == (url.isFileURL ? url.path : text))
    }

    @Test func `a file that cannot be read later has an error of its kind, with its path and the reason`() throws {
        let missing = directory.url.appendingPathComponent("missing"), fifo = directory.url.appendingPathComponent("f")
        try #require(mkfifo(fifo.path, 0o600) == 0)
        let below = file.appendingPathComponent("below"), device = URL(fileURLWithPath: "/dev/zero")
        let rows: [(MultipartError?, URL, MultipartError.Code, POSIXErrorCode?)] = [
            (firstError(missing), missing, .bodyPartFileNotReachable, .ENOENT),
            (firstError(below), below, .bodyPartFileNotReachableWithError, .ENOTDIR),
            (firstError(of: .stat, .EACCES), file, .bodyPartFileNotReachableWithError, .EACCES),
            (firstError(directory.url), directory.url, .bodyPartFileIsDirectory, nil),
            (firstError(fifo), fifo, ErrorCode.bodyPartFileIsSpecial, nil),
            (firstError(device), device, ErrorCode.bodyPartFileIsSpecial, nil),
            (firstError(of: .open, .EMFILE), file, .bodyPartInputStreamCreationFailed, .EMFILE),
            // The first status is that of opening the file.
            (firstError(of: .fstat, .EIO), file, .bodyPartInputStreamCreationFailed, .EIO),
            (firstError(of: .fstat, number: 2, .EIO), file, .bodyPartFileSizeQueryFailedWithError, .EIO),
        ]
        for (error, url, code, reason) in rows {
            #expect(error == MultipartError(code, partIndex: 0) && error?.partName == "f" && error?.path == url.path)
            #expect((error?.underlyingError as? POSIXError)?.code == reason)
            guard url != file else { continue }
            #expect(throws: MultipartError(code)) { try BodyPart(fieldContentsOf: url, name: "f") }
            #expect(throws: MultipartError(code)) { try BodyPart(contentsOf: url, name: "f") }
        }
    }

    @Test func `the first failed check is kept and thrown by every entryPoint`() async throws {
        let missing = directory.url.appendingPathComponent("missing")
        var form = MultipartFormData()
        form.append("1", withName: "a")
        form.append(missing, withName: "f")
        form.append(directory.url, withName: "g")
        form.append("1", withName: "nul\u{0}")
        let expected = MultipartError(.bodyPartFileNotReachable, partIndex: 1)
        #expect(form.firstError == expected)
        #expect(form.count == 4)
        #expect(form.encodedLength == nil)
        let output = directory.url.appendingPathComponent("output")
        #expect(throws: expected) { try form.encode() }
        await #expect(throws: expected) {
            try await EncodingEntryPoints.encoded(form, inMemoryUpTo: 0, directory: directory.url)
        }
        #expect(throws: expected) { try form.writeEncodedData(to: output) }
        #expect(directory.contents == ["Makefile"])
    }
}
