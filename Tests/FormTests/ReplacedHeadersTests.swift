import Foundation
import MultipartFormCodec
import TestSupport
import Testing

@Suite struct ReplacedHeadersTests {
    private static func received(_ lines: String...) throws -> BodyPart {
        let section = lines.map { $0 + "\r\n" }.joined()
        let message = Data("--B\r\n\(section)\r\ncontent\r\n--B--\r\n".utf8)
        return try MultipartFormData(parsing: message, contentType: Boundary("B").contentType)[0]
    }

    private static func encoded(_ part: BodyPart) throws -> String {
        String(decoding: try MultipartFormData([part], boundary: "B").encode(), as: UTF8.self)
    }

    @Test(arguments: [
        #"form-data; name="a\\b"; filename="c\"d""#, "form-data; name=a", "Form-Data; filename=\"\u{E9}\"; name=\"b\"",
        "form-data; name=a; filename=\"b\"; filename*=utf-8''%C3%A9", "attachment; name=a; size=7",
    ])
    func `a received part without one of its fields is sent as it came`(disposition: String) throws {
        let fields = ["Content-Disposition: \(disposition)", "content-type: a/b; c"]
        let part = try Self.received("X-Secret: 1", fields[0], "Content-Length: 7", fields[1], "x-secret: 2")
        var headers = part.headers
        headers["X-Secret"] = nil
        headers["Content-Length"] = nil
        headers["None"] = nil
        let replaced = BodyPart(part, headers: headers)
        #expect(replaced.error == nil)
        #expect([replaced.name, replaced.filename, replaced.contentType] == [part.name, part.filename, "a/b; c"])
        let lines = fields.map { $0 + "\r\n" }.joined()
        #expect(try Self.encoded(replaced) == "--B\r\n\(lines)\r\ncontent\r\n--B--\r\n")
    }

    @Test func `a received part whose disposition is written again, or cannot be sent, keeps nothing that is lost`()
        throws
    {
        for (disposition, header, code) in [
            ("form-data; name=a; filename=b; filename*=utf-8''c", HeaderField(name: "X", value: "1"), true),
            ("form-data; name=a; name*=utf-8''c", nil, true),
            ("form-data; name=a", HeaderField(name: "X", value: "1"), false),
        ] {
            let part = try Self.received("Content-Disposition: \(disposition)", "X-Secret: 1")
            var headers = part.headers
            headers["X-Secret"] = nil
            if let header { headers.append(header) }
            let replaced = BodyPart(part, headers: headers)
            #expect(replaced.error?.code.description == (code ? "lossy-disposition" : nil), "\(disposition)")
        }
    }

    @Test func `a changed field is written again, the content is the same`() throws {
        let directory = try TemporaryDirectory()
        let file = directory.url.appendingPathComponent("a.txt")
        try Data("file".utf8).write(to: file)
        for (part, content) in [
            (BodyPart("text", name: "a"), "text"), (try BodyPart(fieldContentsOf: file, name: "a"), "file"),
            (BodyPart(InputStream(data: Data("stream".utf8)), length: 6, name: "a"), "stream"),
        ] {
            let headers: HeaderFields = ["Content-Disposition": "form-data; name=\"b\"", "X": "1"]
            let replaced = BodyPart(part, headers: headers)
            #expect(replaced.name == "b" && replaced.length == part.length)
            #expect(
                try Self.encoded(replaced)
                    == "--B\r\nContent-Disposition: form-data; name=\"b\"\r\nX: 1\r\n\r\n\(content)\r\n--B--\r\n"
            )
        }
    }

    @Test(arguments: [#"a\\\\b"c"#, #"a"b\"#, "a\r\nb\\", #"\"#])
    func `a name that is sent escaped stays as it is while its disposition does`(name: String) throws {
        let part = BodyPart(Data("x".utf8), name: name, filename: name, contentType: "a/b")
        for field in [nil, HeaderField(name: "X-Id", value: "7")] {
            var headers = part.headers
            if let field { headers.append(field) }
            let replaced = BodyPart(part, headers: headers)
            #expect(replaced.error == nil && replaced.name == name && replaced.filename == name)
            let lines = field.map { "\($0.name): \($0.value)\r\n" } ?? ""
            let expected = try Self.encoded(part).replacing("\r\n\r\n", with: "\r\n\(lines)\r\n")
            #expect(try Self.encoded(replaced) == expected)
        }
    }

    @Test func `a file that was made without a type has the one that is sent`() throws {
        let file = BodyPart(Data(), name: "a", filename: "b")
        let replaced = BodyPart(file, headers: file.headers)
        for part in [file, replaced] { #expect(part.contentType == "application/octet-stream") }
        #expect(try Self.encoded(replaced) == Self.encoded(file))
    }

    @Test(
        arguments: [
            ([:], "part has no name"), (["Content-Disposition": "form-data"], "part has no name"),
            (
                ["Content-Disposition": "form-data; name=a", "content-length": "7"],
                "header field \"Content-Length\" may not be set"
            ),
            (
                ["Content-Disposition": "form-data; name=a", "content-disposition": "form-data; name=a"],
                "header field \"Content-Disposition\" may not be set twice"
            ),
            (["Content-Disposition": "form-data; name=\"a"], "Content-Disposition is malformed"),
            (
                ["Content-Disposition": "attachment; name=a"],
                "disposition type \"attachment\" is not form-data"
            ),
            (
                ["Content-Disposition": "form-data; name=a; size=1"],
                "Content-Disposition has the parameter \"size\", which a form's part cannot have"
            ), (["Content-Disposition": "form-data; name=a", "a b": ""], "header name \"a b\" is not a token"),
            (
                ["Content-Disposition": "form-data; name=a", "X": "\u{E9}"],
                "value of header field \"X\" is not printable ASCII"
            ),
            (
                ["Content-Disposition": "form-data; name=a", "Content-Transfer-Encoding": "base64"],
                "Content-Transfer-Encoding is not 7bit, 8bit or binary"
            ),
        ] as [(HeaderFields, String)]
    )
    func `headers that cannot be sent are the part's error`(headers: HeaderFields, reason: String) throws {
        let part = BodyPart(BodyPart("x", name: "a"), headers: headers)
        #expect(part.error?.description == reason)
        #expect(part.headers == headers)
        #expect(throws: MultipartError.self) { try Self.encoded(part) }
    }

    @Test func `a part that cannot be sent keeps its error`() {
        let missing = BodyPart("x", name: "\u{0}")
        let replaced = BodyPart(missing, headers: ["Content-Disposition": "form-data; name=a"])
        #expect(replaced.error == missing.error && replaced.name == "a")
        #expect(missing.error?.description == "name has a control character, 0x00")
    }
}
