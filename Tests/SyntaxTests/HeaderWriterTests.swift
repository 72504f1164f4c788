import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// A writer that scans from each name to the end of the section would exceed the time limit.
@Suite(.timeLimit(.minutes(10))) struct HeaderWriterTests {
    private let count = 30_000
    private let value = String(repeating: "v", count: 50)

    @Test func `many extra headers are written in linear time`() throws {
        let fields = HeaderFields(repeatElement(HeaderField(name: "X", value: value), count: count))
        var form = MultipartFormData()
        form.append(BodyPart(Data(), name: "a", additionalHeaders: fields))
        #expect(form.firstError == nil)
        #expect(try form.encode().count > count * 55)
    }

    @Test func `a section whose lines were joined is written in linear time`() throws {
        let lines = String(repeating: "X: \(value)\r\n", count: count)
        let section = "Content-Disposition: form-data;\r\n name=\"a\"\r\n\(lines)"
        let limits = MultipartParser.Options(maxHeaderCount: .max, maxHeaderBytes: .max)
        let form = try MultipartFormData(
            parsing: Data("--B\r\n\(section)\r\n\r\n--B--\r\n".utf8),
            contentType: Boundary("B").contentType,
            options: limits
        )
        #expect(form[0].name == "a")
        #expect(try form.encode().count > count * 55)
    }

    /// The section of a part as it is sent, or the text of the error.
    private func section(_ part: BodyPart) -> String {
        if let error = part.error { return error.description }
        do {
            return try MultipartFormData([part], boundary: "B").sentSection()
        } catch {
            return "\(error)"
        }
    }

    @Test func `a section has a name, a file name and a type, in this order`() {
        let disposition = "Content-Disposition: form-data; name=\"a\""
        let rows: [(BodyPart, String)] = [
            (BodyPart("x", name: "a"), disposition),
            (BodyPart("x", name: "a", contentType: "b/c"), "\(disposition)\r\nContent-Type: b/c"),
            (
                BodyPart(Data(), name: "a", filename: "b"),
                "\(disposition); filename=\"b\"\r\nContent-Type: application/octet-stream"
            ),
            (
                BodyPart(Data(), name: "a", filename: "", contentType: "b/c; d=\"e\""),
                "\(disposition); filename=\"\"\r\nContent-Type: b/c; d=\"e\""
            ),
            (
                BodyPart("x", name: "a", additionalHeaders: ["X-B": "c", "y": "", "X-B": " d\t"]),
                "\(disposition)\r\nX-B: c\r\ny: \r\nX-B:  d\t"
            ),
        ]
        for (part, section) in rows { #expect(self.section(part) == section) }
        #expect(BodyPart(Data(), name: "a", filename: "b").contentType == "application/octet-stream")
        #expect(BodyPart(Data(), name: "a", filename: "b").headers["Content-Type"] == "application/octet-stream")
    }

    @Test func `a name is escaped as HTML says, with CR LF for each line break`() {
        let rows: [(String, String)] = [
            ("a", "a"), ("", ""), ("a\"b", "a%22b"), ("\"", "%22"), ("\r\n", "%0D%0A"), ("a\rb", "a%0D%0Ab"),
            ("a\nb", "a%0D%0Ab"), ("\n\r", "%0D%0A%0D%0A"), ("%", "%"), ("%22", "%22"), ("a\\b", "a\\b"),
            ("\\\"", "\\%22"), ("\u{E9}\u{1F600}", "\u{E9}\u{1F600}"), ("\u{E9}\"\u{E9}", "\u{E9}%22\u{E9}"),
            ("a\tb", "a\tb"), ("\t\"", "\t%22"), ("a;b=c", "a;b=c"), ("?'", "?'"), ("\u{85}\u{2028}", "\u{85}\u{2028}"),
            ("\"a\nb\"c", "%22a%0D%0Ab%22c"),
        ]
        for (name, escaped) in rows {
            let part = BodyPart("x", name: name)
            #expect(section(part) == "Content-Disposition: form-data; name=\"\(escaped)\"", "\(name.debugDescription)")
            #expect(part.name == name && part.headers.name == escaped, "\(name.debugDescription)")
            let file = BodyPart(Data(), name: name, filename: "f\"", contentType: "a/b")
            #expect(
                file.name == name && file.filename == "f\"" && file.contentType == "a/b",
                "\(name.debugDescription)"
            )
        }
    }

    @Test func `a file name keeps its line breaks`() {
        let rows: [(String, String)] = [
            ("a\rb", "a%0Db"), ("a\nb", "a%0Ab"), ("\r\n", "%0D%0A"), ("\n\r", "%0A%0D"), ("a\"b", "a%22b"),
            ("a\\b/%22", "a\\b/%22"), ("\u{E9}", "\u{E9}"), ("\tb", "\tb"),
        ]
        for (filename, escaped) in rows {
            let part = BodyPart(Data(), name: "a", filename: filename, contentType: "b/c")
            #expect(
                section(part)
                    == "Content-Disposition: form-data; name=\"a\"; filename=\"\(escaped)\"\r\nContent-Type: b/c"
            )
            #expect(part.filename == filename && part.name == "a", "\(filename.debugDescription)")
        }
    }

    @Test func `a name or file name with another control character is refused`() {
        for byte in UInt8(0)..<128 {
            let text = "a\(Unicode.Scalar(byte))\""
            let isRefused = byte == 0x7F || (byte < 0x20 && !"\t\r\n".utf8.contains(byte))
            let hexadecimal = "0x\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16, uppercase: true))"
            for (part, kind) in [
                (BodyPart("", name: text), "name"), (BodyPart(Data(), name: "a", filename: text), "file name"),
            ] {
                #expect((part.error != nil) == isRefused, "\(hexadecimal)")
                guard isRefused else { continue }
                #expect(part.error == MultipartError(.invalidCharacter))
                #expect(part.error?.description == "\(kind) has a control character, \(hexadecimal)")
            }
        }
    }

    @Test func `a name or file name with more combining marks than any parser of ours takes is refused`() throws {
        for (count, isRefused) in [(30, false), (31, true), (1000, true)] {
            for text in ["", "e", "\"\r\n"].map({ $0 + String(repeating: "\u{301}", count: count) }) {
                for part in [BodyPart("", name: text), BodyPart(Data(), name: "a", filename: text)] {
                    #expect(part.error == (isRefused ? MultipartError(.tooManyCombiningMarks) : nil), "\(count) marks")
                    guard !isRefused else { continue }
                    let form = MultipartFormData([part], boundary: "B")
                    let received = try MultipartFormData(parsing: form.encode(), contentType: form.contentType)
                    #expect(received.count == 1)
                }
            }
        }
    }

    @Test func `the error of a media type shows at most 64 characters of it`() {
        let type = String(repeating: "x", count: 100)
        let error = BodyPart(Data(), name: "a", filename: "b", contentType: type).error
        #expect(error?.description == "media type \"\(type.prefix(64))\" is not type/subtype")
    }

    @Test func `a media type is a type and a subtype, with parameters or without`() {
        let rows: [(String, String)] = [
            ("", "media type is empty"), ("a/b\r\nX: y", "media type is not printable ASCII"),
            ("a/\u{E9}", "media type is not printable ASCII"), ("a/b\u{7F}", "media type is not printable ASCII"),
            ("\0", "media type is not printable ASCII"), ("a/b\u{1F}", "media type is not printable ASCII"),
        ]
        for (type, text) in rows {
            let part = BodyPart(Data(), name: "a", contentType: type)
            #expect(part.error == MultipartError(.invalidHeaderValue), "\(type.debugDescription)")
            #expect(part.error?.description == text, "\(type.debugDescription)")
            #expect(part.name == "a" && part.contentType == type)
        }
        let malformed = [
            " ", "a", "\"", ".usdz", "usdz", "image/", "/png", "image jpeg", "image/jpeg png", "a/b/c", "a/b c",
            "a/b;c", "a/b;c=", "a/b;c=d e", "a/b;c=\"", "a/b;=d", "a/b,c/d", " a/b", "a/b;c=\"d\"e", "@/a",
        ]
        for type in malformed {
            let part = BodyPart(Data(), name: "a", contentType: type)
            #expect(part.error == MultipartError(.invalidHeaderValue), "\(type)")
            #expect(part.error?.description == "media type \(type.debugDescription) is not type/subtype")
        }
        let valid = [
            "a/b;\tc=~", "text/plain; charset=utf-8", "text/plain;charset=utf-8;", "a/b ; c=\"d \\\" ;e\"", "a.b+c/d-e",
            "a/b; c=\"\"", "model/vnd.usdz+zip",
        ]
        for type in valid {
            #expect(BodyPart(Data(), name: "a", contentType: type).error == nil, "\(type)")
        }
    }

    @Test func `an extra field has a token for a name, and printable ASCII for a value`() {
        let long = String(repeating: "x", count: 70)
        let rows: [(String, String, MultipartError.Code, String)] = [
            ("", "a", .invalidHeaderName, "header name \"\" is not a token"),
            ("a b", "a", .invalidHeaderName, "header name \"a b\" is not a token"),
            ("a:", "b", .invalidHeaderName, "header name \"a:\" is not a token"),
            ("X\r\nY", "a", .invalidHeaderName, #"header name "X\r\nY" is not a token"#),
            ("\u{E9}", "a", .invalidHeaderName, "header name \"\u{E9}\" is not a token"),
            ("\(long):", "a", .invalidHeaderName, "header name \"\(long.prefix(64))\" is not a token"),
            ("X", "a\r\nY: b", .invalidHeaderValue, "value of header field \"X\" is not printable ASCII"),
            ("X", "\u{E9}", .invalidHeaderValue, "value of header field \"X\" is not printable ASCII"),
            ("X", "\u{7F}", .invalidHeaderValue, "value of header field \"X\" is not printable ASCII"),
            (long, "\0", .invalidHeaderValue, "value of header field \"\(long.prefix(64))\" is not printable ASCII"),
        ]
        for (name, value, code, text) in rows {
            let part = BodyPart("x", name: "a", additionalHeaders: ["Y": "z", name: value])
            #expect(part.error == MultipartError(code), "\(name.debugDescription)")
            #expect(part.error?.description == text)
        }
        let fine: HeaderFields = ["!#$%&'*+-.^_`|~0": " !\"#~\t", "X": ""]
        #expect(BodyPart("x", name: "a", additionalHeaders: fine).error == nil)
    }

    @Test func `an extra field may not name, type, frame or encode the part`() {
        for name in ["Content-Disposition", "content-type", "CONTENT-LENGTH", "Content-Type"] {
            let part = BodyPart("x", name: "a", additionalHeaders: [name: "binary"])
            #expect(part.error == MultipartError(.forbiddenHeader), "\(name)")
            #expect(part.error?.description == "header field \"\(name)\" may not be set")
        }
        for (encoding, isAllowed) in [
            ("7bit", true), ("8BIT", true), ("Binary", true), ("base64", false), ("", false), ("7bit ", false),
            ("quoted-printable", false), ("16bit", false), ("binary; x=y", false),
        ] {
            let part = BodyPart("x", name: "a", additionalHeaders: ["content-transfer-ENCODING": encoding])
            #expect((part.error == nil) == isAllowed, "\(encoding)")
            guard !isAllowed else { continue }
            #expect(part.error == MultipartError(.forbiddenHeader))
            #expect(part.error?.description == "Content-Transfer-Encoding is not 7bit, 8bit or binary")
        }
        for name in ["Content-Id", "Content-Typed", "Content-Lengths", "X-Content-Type"] {
            #expect(BodyPart("x", name: "a", additionalHeaders: [name: "base64"]).error == nil, "\(name)")
        }
    }

    @Test func `an extra field may begin with hyphens, but not with the delimiter`() throws {
        for headers: HeaderFields in [["--B": "c"], ["Y": "z", "--B": "c"], ["--B": "c", "Y": "z"]] {
            let part = BodyPart("x", name: "a", additionalHeaders: headers)
            #expect(part.error == nil)
            #expect(throws: MultipartError(.boundaryCollision, partIndex: 0)) {
                try MultipartFormData([part], boundary: "B").encode()
            }
            #expect(throws: Never.self) { try MultipartFormData([part], boundary: "C").encode() }
        }
    }

    @Test func `a part that is refused leaves nothing in its form`() throws {
        let parts = [
            BodyPart("x", name: "a"), BodyPart("x", name: "nul\0", contentType: "a/b"),
            BodyPart("x", name: "bad", contentType: "a/b", additionalHeaders: ["X": "\n"]), BodyPart("y", name: "b"),
        ]
        var form = MultipartFormData(parts, boundary: "B")
        form.append("z", withName: "nul\0")
        form.append("z", withName: "bad", mimeType: "\n")
        form.append("z", withName: "c", mimeType: "a/b")
        form.removeAll(named: "nul\0")
        form.removeAll(named: "bad")
        var expected = MultipartFormData([parts[0], parts[3]], boundary: "B")
        expected.append("z", withName: "c", mimeType: "a/b")
        #expect(try form.encode() == expected.encode())
    }

    @Test func `a part that is refused has the fields that it was to be sent with`() {
        let extra: HeaderFields = ["X": "\n"]
        let rows: [(BodyPart, [String])] = [
            (
                BodyPart(Data(), name: "a\"", filename: "b", additionalHeaders: extra),
                [
                    "Content-Disposition: form-data; name=\"a%22\"; filename=\"b\"",
                    "Content-Type: application/octet-stream", "X: \n",
                ]
            ),
            (BodyPart("x", name: "a\0", contentType: "c/d", additionalHeaders: extra), ["Content-Type: c/d", "X: \n"]),
            (BodyPart(Data(), name: "a", filename: "\0", contentType: "c/d"), ["Content-Type: c/d"]),
            (
                BodyPart("x", name: "a", contentType: ""),
                ["Content-Disposition: form-data; name=\"a\"", "Content-Type: "]
            ),
        ]
        for (part, fields) in rows {
            #expect(part.error != nil)
            #expect(part.headers.map { "\($0.name): \($0.value)" } == fields)
        }
        let file = BodyPart(Data(), name: "a\0", filename: "b", contentType: "c/d")
        #expect(file.name == "a\0" && file.filename == "b" && file.contentType == "c/d")
    }

    @Test func `short fields of all lengths are written as long ones are`() throws {
        for nameLength in [0, 1, 7, 8, 9, 511, 512, 513] {
            for contentLength in [0, 1, 8, 511, 512, 513] {
                for letter in ["n", "\"", "?", "\\"] {
                    let name = String(repeating: "n", count: max(0, nameLength - 1)) + (nameLength > 0 ? letter : "")
                    let content = String(repeating: "c", count: contentLength)
                    var form = MultipartFormData(boundary: "B")
                    form.append(content, withName: name)
                    form.append(content, withName: name)
                    let escaped = name.replacing("\"", with: "%22")
                    let section = "Content-Disposition: form-data; name=\"\(escaped)\"\r\n"
                    let part = "--B\r\n\(section)\r\n\(content)\r\n"
                    #expect(
                        try form.encode() == Data("\(part)\(part)--B--\r\n".utf8),
                        "\(nameLength) \(contentLength) \(letter)"
                    )
                    #expect(try form[1].name == name && form[1].text() == content)
                    #expect(form.parts(named: name).count == 2 && form["x"] == nil)
                }
            }
        }
    }
}
