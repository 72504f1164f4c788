import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// The media type of a part that has a file name, and no type of its own: it follows the file name, whichever way the
/// part came into the form.
@Suite struct FileTypeTests {
    private static let types: [(filename: String, type: String)] = [
        ("image.png", "image/png"), ("NOTE.TXT", "text/plain"), ("noextension", "application/octet-stream"),
        ("archive.tar.GZ", "application/gzip"), (".json", "application/octet-stream"),
        ("a.", "application/octet-stream"), ("mail.eml", "application/octet-stream"),
        ("a.unknown", "application/octet-stream"), ("\u{E9} b.pdf", "application/pdf"), ("a\"b.jpg", "image/jpeg"),
    ]

    private let directory: TemporaryDirectory
    /// A file whose extension is not that of the file names.
    private let url: URL

    init() throws {
        directory = try TemporaryDirectory()
        url = try directory.write(Data("v".utf8), as: "source.csv")
    }

    private func field(_ headers: String) -> Data {
        Data("--B\r\nContent-Disposition: form-data; name=\"f\"\(headers)\r\n\r\nv\r\n--B--\r\n".utf8)
    }

    /// A part with a file name for each way into a form.
    private func parts(named filename: String) async throws -> [(way: String, part: BodyPart)] {
        let content = Data("v".utf8)
        var form = MultipartFormData()
        form.append(content, withName: "f", fileName: filename)
        form.append(url, withName: "f", fileName: filename)
        let chunks = ChunkSource([content])
        var parts = [
            ("append data", form[0]), ("append URL", form[1]),
            ("data", BodyPart(content, name: "f", filename: filename)),
            ("file", try BodyPart(contentsOf: url, name: "f", filename: filename)),
            ("range", try BodyPart(contentsOf: url, range: 0..<1, name: "f", filename: filename)),
            ("sequence", BodyPart(chunks, length: 1, name: "f", filename: filename)),
            ("FormFile data", FormFile(content, filename: filename).formPart(named: "f")),
            ("FormFile file", try FormFile(contentsOf: url, filename: filename).formPart(named: "f")),
        ]
        var encoder = FormDataEncoder()
        encoder.dataEncoding = .file(named: filename)
        parts.append(("encoded data", try encoder.encode(["f": content])[0]))
        #if FullFoundation
            form.append(InputStream(data: content), withLength: 1, name: "f", fileName: filename)
            parts += [
                ("append stream", form[2]),
                ("stream", BodyPart(InputStream(data: content), length: 1, name: "f", filename: filename)),
                ("opened", BodyPart(length: nil, name: "f", filename: filename) { InputStream(data: content) }),
            ]
        #endif
        return try await parts + receivedParts(named: filename)
    }

    /// Received parts that get a file name, or another name.
    private func receivedParts(named filename: String) async throws -> [(way: String, part: BodyPart)] {
        let escaped = filename.replacing("\"", with: "%22")
        var headers: HeaderFields = ["Content-Disposition": "form-data; name=\"f\"; filename=\"\(escaped)\""]
        let field = try MultipartFormData(parsing: field(""), contentType: "multipart/form-data; boundary=B")[0]
        var result = [("received, named", BodyPart(field, headers: headers))]
        var iterator = try ChunkSource([self.field("")])
            .multipartParts(contentType: "multipart/form-data; boundary=B").makeAsyncIterator()
        let arriving = try #require(try await iterator.next())
        headers["X-Id"] = "7"
        result.append(("arriving, named", BodyPart(BodyPart(arriving), headers: headers)))
        let file = self.field("; filename=\"\(escaped)\"")
        let received = try MultipartFormData(parsing: file, contentType: "multipart/form-data; boundary=B")[0]
        result.append(("received, renamed", received.formPart(named: "g")))
        return result
    }

    @Test(arguments: types)
    func `a file without a type is sent with that of its name, whichever way it came in`(
        filename: String,
        type: String
    ) async throws {
        for (way, part) in try await parts(named: filename) {
            #expect(part.contentType == type && part.headers["Content-Type"] == type, "\(way)")
            var form = MultipartFormData(boundary: "BND")
            form.append(part)
            var message = Data()
            for try await chunk in form.chunks(ofSize: 7) { message += chunk }
            for mode in [ParsingMode.lenient, .strict] {
                let options = MultipartParser.Options(mode: mode)
                let read = ParsedMessage([message], boundary: "BND", options: options)
                // Of a part that is refused, nothing is read.
                let hasField = part.headers["X-Id"] != nil
                guard mode == .lenient || !hasField else { continue }
                #expect(read.error == nil, "\(way), \(mode): \(String(describing: read.error))")
                #expect(read.parts.map(\.headers.contentType) == [type], "\(way), \(mode)")
            }
        }
    }

    @Test func `a type that is given, and a received file without a type, stay as they are`() throws {
        var form = MultipartFormData()
        form.append(Data(), withName: "f", fileName: "a.png", mimeType: "b/c")
        form.append(url, withName: "f", fileName: "a.png", mimeType: "b/c")
        #expect(form.map(\.contentType) == ["b/c", "b/c"])
        let message = field("; filename=\"a.png\"")
        let received = try MultipartFormData(parsing: message, contentType: "multipart/form-data; boundary=B")[0]
        #expect(received.contentType == nil)
        #expect(try MultipartFormData([received], boundary: "B").encode() == message)
    }

    @Test func `a part that is refused has the type that it was to be sent with`() {
        var form = MultipartFormData()
        form.append(URL(fileURLWithPath: "/nonexistent/a.png"), withName: "f")
        form.append(Data(), withName: "a\0", fileName: "a.png")
        for part in form { #expect(part.error != nil && part.contentType == "image/png") }
    }

    @Test func `strict mode accepts the type of every extension`() throws {
        for known in MediaType.knownExtensions {
            let form = MultipartFormData([BodyPart(Data(), name: "f", filename: "a.\(known)")], boundary: "BND")
            let options = MultipartParser.Options(mode: .strict)
            #expect(ParsedMessage([try form.encode()], boundary: "BND", options: options).error == nil, "\(known)")
        }
    }
}
