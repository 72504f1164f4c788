import Foundation
import MultipartFormCodec
import TestSupport
import Testing

@Suite struct ReplacedHeadersTests {
    private static func encoded(_ part: BodyPart) throws -> String {
        String(decoding: try MultipartFormData([part], boundary: "B").encode(), as: UTF8.self)
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
                ["Content-Disposition": "\(String(repeating: "t", count: 65)); name=a"],
                "disposition type \"\(String(repeating: "t", count: 64))\" is not form-data"
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
        var form = MultipartFormData([BodyPart("1", name: "first")])
        form.append(InputStream(data: Data()), withLength: 0, headers: headers)
        #expect(form.firstError?.code == part.error?.code && form.firstError?.partIndex == 1)
        #expect(form[1].name == headers.name && form.firstError?.partName == headers.name)
        #expect(throws: MultipartError.self) { try Self.encoded(part) }
    }

    @Test func `a part that cannot be sent keeps its error`() {
        let missing = BodyPart("x", name: "\u{0}")
        let replaced = BodyPart(missing, headers: ["Content-Disposition": "form-data; name=a"])
        #expect(replaced.error == missing.error && replaced.name == "a")
        #expect(missing.error?.description == "name has a control character, 0x00")
    }
}
