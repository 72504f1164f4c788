import Foundation
import TestSupport
import Testing

/// What `inspect` says first of uploads that fail, as people report them.
struct UploadFaultTests {
    private static let type = "Content-Type: multipart/form-data; boundary=b\r\n"

    private static func part(_ fields: String, _ body: String = "1") -> String {
        "--b\r\nContent-Disposition: form-data; name=\"a\"\(fields)\r\n\r\n\(body)\r\n"
    }

    /// The error, which is the first line, after the head of an HTTP message.
    /// Words with which an input of a length is read whole, or byte by byte, in turns.
    private static func cut(_ length: Int) -> [String] { length.isMultiple(of: 2) ? ["--chunk-size", "1"] : [] }

    private func error(_ input: Data, _ words: String...) throws -> String {
        let output = try Tool.run(["inspect"] + Self.cut(input.count) + words, input: .file(input))
        #expect(output.exitCode == 65)
        return try #require(output.errorLines.first)
    }

    private func notes(_ input: String, _ words: String...) throws -> [String] {
        let words = ["inspect", "--json"] + Self.cut(input.utf8.count) + words
        let output = try Tool.run(words, input: .file(Data(input.utf8)))
        #expect(output.exitCode == 0, "\(output.standardError)")
        return try Report(output.standardOutput).findings?.filter { $0.code == nil }.map(\.message) ?? []
    }

    @Test(arguments: [
        (
            "form-data; name=\"file\"; filename=\"my \"best\" photo.jpg\"",
            "is a quote within a value not escaped as %22?"
        ),
        ("form-data; name=\"a\"b\"", "is a quote within a value not escaped as %22?"),
        ("form-data; name=\"file\" filename=\"a.jpg\"", "is the semicolon before \"filename\" missing?"),
        ("form-data name=\"file\"", "is the semicolon before \"name\" missing?"),
        ("form-data, name=\"file\"", "is the semicolon before \"name\" missing?"),
        ("form-data; name=a filename=b", "is the semicolon before \"filename\" missing?"),
        ("form-data; name=\"file", "is a closing quote missing?"),
        ("form-data; name=\"a\u{1B}\" b", nil), ("\"form-data\"; name=\"a\"", nil),
    ])
    func `a Content-Disposition that is refused is shown, with a guess`(value: String, guess: String?) throws {
        let shown = value.replacing("\u{1B}", with: "\\u{1B}")
        let reason = "formdata: malformed-content-disposition: part 0: Content-Disposition is malformed: \"\(shown)\""
        for fields in ["", "X: y\r\n"] {
            let input = "--b\r\n\(fields)Content-Disposition: \(value)\r\n\r\n1\r\n--b--\r\n"
            for words in [[], ["--strict"]] {
                let output = try Tool.run(["inspect"] + words, input: .file(Data(input.utf8)))
                #expect(output.errorLines.first?.hasPrefix(reason + (guess.map { "; \($0)" } ?? "") + " (at ") == true)
            }
            let later = Data((Self.part("") + input).utf8)
            #expect(try error(later).hasPrefix(reason.replacing("part 0", with: "part 1")))
        }
    }

    @Test func `the lines of a folded field are shown as one`() throws {
        let input = "--b\r\nContent-Disposition: form-data;\r\n name=\"a\"\r\n filename=\"b\"\r\n\r\n1\r\n--b--\r\n"
        let text = try error(Data(input.utf8))
        #expect(text.contains("form-data;\\u{D}\\u{A} name=\"a\"\\u{D}\\u{A} filename="))
        #expect(text.contains("is the semicolon before \"filename\" missing?"))
    }

    @Test func `a long Content-Disposition is cut`() throws {
        let value = "form-data; name=\"\(String(repeating: "x", count: 5000))\"b\""
        let text = try error(Data("--b\r\nContent-Disposition: \(value)\r\n\r\n1\r\n--b--\r\n".utf8))
        #expect(text.contains("malformed: \"form-data; name=\"xxx"))
        #expect(text.utf8.count < 300)
    }

    /// Texts that errors quote: the widest in columns, its beginning, an input with `$` in its place, and the error.
    private static let quotations: [(Int, String, String, String)] = [
        (64, "x", "--b\r\n$\r\n\r\n1\r\n--b--\r\n", "header line \"$\" is not a name"),
        // The first line of a part continues no other one.
        (64, " ", "--b\r\n$\r\n\r\n1\r\n--b--\r\n", "header line \"$\" is not a name"),
        (
            160, "form-data; name=\"", "--b\r\nContent-Disposition:$\r\n\r\n1\r\n--b--\r\n",
            "Content-Disposition is malformed: \"$\"; is a closing quote missing?"
        ),
        (
            160, "Content-Disposition: form-data; name=a; name=", "--b\r\n$\r\n\r\n1\r\n--b--\r\n",
            "parameter occurs twice: \"$\" (at"
        ),
        (
            160, "multipart/form-data; charset=", "POST / HTTP/1.1\r\nContent-Type: $\r\n\r\n--b--\r\n",
            "Content-Type has no boundary parameter: \"$\"; the message begins with"
        ),
        (64, "", "POST / HTTP/1.1\r\n$\r\n\r\n--b--\r\n", "this is no field: \"$\" (at"),
        (64, "", "POST / HTTP/1.1\r\nContent-Encoding: $\r\n\r\nx", "Content-Encoding of the HTTP head is $: undo it"),
    ]

    @Test(arguments: quotations)
    func `what is quoted is cut if it is too wide`(columns: Int, start: String, input: String, said: String) throws {
        let room = columns - start.count
        for (count, end) in [(room, "x"), (room + 1, "…")] {
            let quoted = start + String(repeating: "x", count: count)
            let text = try error(Data(input.replacing("$", with: quoted).utf8))
            let shown = start + String(repeating: "x", count: room - 1) + end
            #expect(text.contains(said.replacing("$", with: shown)), "\(text)")
        }
    }

    @Test(arguments: [
        (
            "Content-Disposition: form-data; name=\"a\"; name=\"b\"",
            "duplicate-parameter: part 0: parameter occurs twice"
        ),
        (
            "Content-Disposition: form-data; name=\"a\"\r\nContent-Disposition: form-data; name=\"b\"",
            "duplicate-header: part 0: header field occurs twice"
        ),
    ])
    func `a line with something that occurs twice is shown`(fields: String, reason: String) throws {
        let line = fields.components(separatedBy: "\r\n").last ?? ""
        let text = try error(Data("--b\r\n\(fields)\r\n\r\n1\r\n--b--\r\n".utf8))
        #expect(text.hasPrefix("formdata: \(reason): \"\(line)\" (at offset"))
    }

    @Test(arguments: [
        ("multipart/form-data; boundary=b; boundary=c", "Content-Type has two boundary parameters"),
        ("multipart/form-data; charset=utf-8", "Content-Type has no boundary parameter"),
        ("multipart/form-data; boundary=\"\"", "Content-Type: boundary is empty"),
        ("multipart", "Content-Type is malformed"),
    ])
    func `a Content-Type that is refused is shown with its value, once`(value: String, reason: String) throws {
        let form = Self.part("") + "--b--\r\n"
        for (input, words) in [
            (form, ["--content-type", value]), ("POST / HTTP/1.1\r\nContent-Type: \(value)\r\n\r\n\(form)", []),
        ] {
            let output = try Tool.run(["inspect"] + words, input: .file(Data(input.utf8)))
            let line = try #require(output.errorLines.first)
            #expect(line.contains(": \(reason): \"\(value)\""), "\(line)")
            #expect(line.components(separatedBy: "Content-Type").count == 2)
            #expect(line.components(separatedBy: value).count == 2)
        }
    }

    @Test(arguments: [
        ("--max-parts", "1", "limit-parts"), ("--max-header-count", "0", "limit-header-count"),
        ("--max-header-bytes", "20", "limit-header-bytes"), ("--max-part-bytes", "0", "limit-part-bytes"),
        ("--max-total-bytes", "100", "limit-total-bytes"), ("--max-preamble-bytes", "1", "limit-preamble-bytes"),
    ])
    func `an error of a limit names its option`(option: String, limit: String, code: String) throws {
        let start = option == "--max-preamble-bytes" ? "hello\r\n" : ""
        let input = start + Self.part("") + Self.part("") + "--b--\r\n"
        let text = try error(Data(input.utf8), "--boundary", "b", option, limit)
        #expect(text.hasPrefix("formdata: \(code): "))
        #expect(text.contains(", the limit of \(option) (at offset "))
    }

    private static func x(_ count: Int) -> String { String(repeating: "x", count: count) }

    /// Bytes that are no form, and the beginning of what is said.
    static let otherBytes: [(Data, String)] = [
        (Data([0x1F, 0x8B, 8, 0, 1, 2, 3]), "compressed with gzip: "),
        (Data("{\"a\":1}\n".utf8), "JSON, not a form: "), (Data(" [\n {\"a\":1}]".utf8), "JSON, not a form: "),
        (Data("{\"log\":{\"version\":\"1.2\",\"creator\":{}}}".utf8), "a HAR file"),
        (Data("a=1&b%20c=x+y".utf8), "form-urlencoded: "), (Data("a=".utf8), "form-urlencoded: "),
        (Data("LS1iDQpDb250ZW50LURpc3Bvc2l0aW9uOg==".utf8), "in base64: "),
        (Data(String(repeating: "iVBORw0KGgoAAAANSUhEUgAA", count: 3).utf8), "in base64: "),
        (Data("<!DOCTYPE html>\n<title>413</title>".utf8), "an HTML page"), (Data("<html>".utf8), "an HTML page"),
        (Data([0x50, 0, 0x4F, 0, 0x53, 0]), "in UTF-16"), (Data([0xFF, 0xFE, 0x2D, 0, 0x2D, 0, 0x62, 0]), "in UTF-16"),
        (Data([0, 0x2D, 0, 0x2D, 0, 0x62]), "in UTF-16"),
        // A euro sign after a byte order mark, without any zero.
        (Data([0xFF, 0xFE, 0xAC, 0x20]), "in UTF-16"), (Data([0xFE, 0xFF, 0x20, 0xAC]), "in UTF-16"),
        (
            Data("*   Trying 127.0.0.1:80...\n* Connected to x\n  % Total\n> POST / HTTP/1.1\n> Host: x\n>\n".utf8),
            "what curl -v prints"
        ),
        (Data("> POST / HTTP/1.1\r\n> Host: x\r\n> \r\n".utf8), "what curl -v prints"),
        (Data("== Info:   Trying 127.0.0.1:80...\n=> Send header, 100 bytes (0x64)\n".utf8), "a trace of curl"),
        (Data("00000000: 2d2d 620d 0a43  --b..C\n".utf8), "a hex dump"),
        (Data("00000000  2d 2d 62 0d 0a 43 6f 6e  |--b..Con|\n".utf8), "a hex dump"),
        (Data("0000000 2d2d 0d62\n".utf8), "a hex dump"), (Data("0000000   -   -   b\n".utf8), "a hex dump"),
        (Data("*   Trying 127.0.0.1:9...\n* connect to 127.0.0.1 failed\n".utf8), "what curl -v prints"),
        (Data("0000   2d 2d 62 0d\n".utf8), "a hex dump"),
        (Data("2d2d620d0a".utf8), "a hex dump"),
        (Data("2d 2d 62 0d 0a".utf8), "a hex dump"),
        (
            Data(":method: POST\n:path: /\ncontent-type: multipart/form-data; boundary=b\n\n--b--\n".utf8),
            "a dump of HTTP/2"
        ),
        (Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]), "a PNG file, not a form: "),
        (Data("%PDF-1.7\n".utf8), "a PDF file, not a form: "),
        (Data([0x0A, 0x0D, 0x0D, 0x0A, 0x1C, 0, 0, 0]), "a capture of packets: "),
        (Data("\t0x0000:  4500 0034\n".utf8), "what tcpdump prints: "),
        (
            Data("a=b&photo=@x.png".utf8),
            "form-urlencoded: the sender has to choose multipart/form-data, as curl -d sends"
        ),
        (Data("[45 45 98 13 10]\n".utf8), "a list of bytes as numbers: "),
        (Data("Uint8Array(95) [\n  45, 45, 98,\n".utf8), "a list of bytes as numbers: "),
        (Data("[80, 79, 83, 84]".utf8), "a list of bytes as numbers: "),
        (Data("{\"body\":\"LS1i\"}".utf8), "an event of API Gateway: "),
        (Data(#"{"body":"--b\r\nContent-Disposition: form-data"}"#.utf8), "JSON with a form in a string: "),
        (Data(#"--b\r\ncontent-type: a/b\r\n\r\n"#.utf8), #"text with \r\n in place of line breaks: "#),
        (Data(#"--b\nContent-Disposition: form-data"#.utf8), #"text with \n in place of line breaks: "#),
        (
            Data(#"--b\x0d\x0aContent-Disposition: form-data"#.utf8),
            #"text with \x0D\x0A in place of line breaks, as nginx"#
        ),
        (
            Data(#"127.0.0.1 "POST /" "--b\x0D\x0AContent-Type: a/b"#.utf8),
            #"text with \x0D\x0A in place of line breaks"#
        ),
        (Data(#"--b\015\012Content-Disposition: form-data"#.utf8), #"text with \015\012 in place of line breaks: "#),
        (Data(#"--b\u000d\u000aContent-Disposition: form-data"#.utf8), "text with escapes as in JSON: "),
        (Data("--b%0D%0AContent-Disposition%3A".utf8), "percent-encoded: "),
        (Data("--b^M\nContent-Disposition: form-data\n".utf8), "what cat -v prints: "),
        (Data(#"b"--b\r\nContent-Disposition: form-data; name='a'"#.utf8), "a byte string that Python printed: "),
        (Data(#"b'POST / HTTP/1.1\r\nContent-Type: multipart/form-data"#.utf8), "a byte string that Python printed: "),
        (
            Data("POST {{host}}/up\nContent-Type: multipart/form-data; boundary=b\n\n".utf8),
            "a request for an IDE to send: "
        ),
        (Data("--1a2b-A--\n[29/Aug/2026]\n".utf8), "an audit log of ModSecurity: "),
        (Data("System.Byte[]\n".utf8), "\"System.Byte[]\", which .NET makes of an object: "),
        (Data("1a\r\n--b\r\n".utf8), "in chunks: "), (Data("9\r\n--b\r\n".utf8), "in chunks: "),
        (Data("00000000000001a\r\n--b\r\n".utf8), "in chunks: "),
        (Data([0xD4, 0xC3, 0xB2, 0xA1, 2, 0, 4, 0]), "a capture of packets: "),
        (Data([0xA1, 0xB2, 0xC3, 0xD4, 0, 2, 0, 4]), "a capture of packets: "),
        (Data([0x4D, 0x3C, 0xB2, 0xA1, 2, 0, 4, 0]), "a capture of packets: "),
        (Data("--1-A--\n[29/Aug/2026]\n".utf8), "an audit log of ModSecurity: "),
        (Data("0000 2d 2d 62 0d 0a\n".utf8), "a hex dump"), (Data("LS0t".utf8), "in base64: "),
        (Data(String(repeating: "iVBORw0KGgoA", count: 5).utf8), "in base64: "),
        (Data("LS0x===".utf8), "form-urlencoded: "),
        (Data("a=\(x(60))".utf8), "form-urlencoded: "),
        (Data("[object \(x(56))".utf8), "\"[object \(x(56))\", which"),
        (Data("[object \(x(57))".utf8), "\"[object \(x(55))…\", which"),
        // The last byte is the last one that is looked at.
        (Data("\(String(repeating: " ", count: 4085))burpVersion".utf8), "a file of Burp: "),
    ]

    @Test(arguments: otherBytes)
    func `bytes that are no form are named, with what to do`(input: Data, words: String) throws {
        let reason = "boundary-not-found: message is \(words)"
        #expect(try error(input).hasPrefix("formdata: \(reason)"))
        #expect(try error(input, "--strict", "--boundary", "x").contains(": message is \(words)"))
        let head = Data("POST / HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=x\r\n\r\n".utf8)
        #expect(try error(head + input).hasPrefix("formdata: \(reason)"))
    }

    @Test(arguments: [
        "no form", "", "-b\r\n", "hello=there, you", "* item\n* item\n", "[info] x", "deadbeef",
        "Dear all,\n> quoted\n", "{", "[45]", "[450, 45]", "curly", "POST x", "a IP b", "--A--\n[x]", "1a\r\n-",
        "System", "000000000000001a\r\n--b\r\n", "abc 12", "LS0", #"a\nb %0D ^M"#,
        x(59), String(repeating: " ", count: 4086) + "burpVersion",
    ])
    func `other bytes are not named`(text: String) throws {
        #expect(try !error(Data(text.utf8), "--boundary", "x").contains("message is " + (text.isEmpty ? "JSON" : "")))
    }

    @Test func `the Content-Encoding of a head is named, and its start line shown`() throws {
        let head = "POST / HTTP/1.1\r\n\(Self.type)Content-Encoding: gzip\r\n\r\n"
        let output = try Tool.run(["inspect"], input: .file(Data(head.utf8) + [0x1F, 0x8B, 8]))
        #expect(output.text.hasPrefix("head: \"POST / HTTP/1.1\", "))
        #expect(
            output.standardError.hasPrefix("formdata: unsupported-coding: Content-Encoding of the HTTP head is gzip")
        )
    }

    @Test func `a body that is not compressed is read, whatever its head says`() throws {
        let form = Self.part("") + "--b--\r\n"
        let head = "POST / HTTP/1.1\r\n\(Self.type)Content-Encoding: GZIP, br\r\n\r\n"
        let note = "Content-Encoding of the HTTP head is gzip, br, but its body is not compressed"
        #expect(try notes(head + form) == [note])
        let words = ["decode", "--into", "out"]
        let decoded = try Tool.run(words, input: .file(Data((head + form).utf8)), in: TemporaryDirectory())
        #expect(decoded.exitCode == 0)
        #expect(decoded.standardError == "note: \(note)\n")
        #expect(try notes(head.replacing("GZIP, br", with: "identity") + form) == [])
        #expect(try error(Data((head + "\u{1B}\u{3}").utf8)).contains("unsupported-coding"))
    }

    @Test func `the size of a chunk before the first delimiter is named, by decode too`() throws {
        let form = Self.part("") + "--b--\r\n"
        let start = "\(String(form.utf8.count, radix: 16))\r\n"
        let words = ["--boundary", "b"]
        let text =
            "\(start.utf8.count) bytes before the first delimiter, the size of a chunk: its content has such lines, too"
        let inspected = try Tool.run(["inspect"] + words, input: .file(Data((start + form).utf8)))
        #expect(inspected.text.hasSuffix("\ntolerated: preamble-not-allowed: \(text) (at offset 0)\n"))
        let folder = try TemporaryDirectory()
        let decoded = try Tool.run(
            ["decode", "--into", "out"] + words,
            input: .file(Data((start + form).utf8)),
            in: folder
        )
        #expect(decoded.standardError == "note: \(text)\n")
        for start in ["x\r\n", "12 \r\n", "12\n", "\r\n"] {
            let output = try Tool.run(["inspect"] + words, input: .file(Data((start + form).utf8)))
            #expect(!output.text.contains("chunk"))
        }
    }

    @Test(arguments: [
        ("--b--b\r\n", "other bytes after the close delimiter, in its line: \"--b--b\"; is the line break"),
        ("--b--x\r\n", "other bytes after the close delimiter, in its line: \"--b--x\" (at"),
        ("--b--\u{A0}\r\n", "other bytes after the close delimiter, in its line: \"--b--\\u{A0}\" (at"),
    ])
    func `the line of a malformed delimiter is shown if it is near the start`(line: String, reason: String) throws {
        let text = try error(Data((Self.part("") + line).utf8))
        #expect(text.hasPrefix("formdata: malformed-delimiter: part 0 \"a\": \(reason)"))
        let long = Self.part("", String(repeating: "x", count: 1 << 18)) + line
        #expect(try error(Data(long.utf8)).contains("in its line (at offset"))
    }

    @Test(arguments: [((1 << 18) - 1, ": \"--bx\""), (1 << 18, "")])
    func `the line of a delimiter is shown if its error is in the first 256 KiB`(offset: Int, line: String) throws {
        let content = Self.x(offset - 3 - Self.part("", "").utf8.count)
        let input = Data("\(Self.part("", content))--bx\r\n".utf8)
        let output = try Tool.run(["inspect", "--strict"], input: .file(input))
        let reason = "other bytes after the boundary, in a delimiter's line"
        #expect(output.standardError.hasSuffix(": \(reason)\(line) (at offset \(offset))\n"))
    }

    @Test(arguments: [
        ("image/png", true), ("audio/wav", true), ("text/csv", true), ("application/octet-stream", true),
        ("text/plain; charset=utf-8", false), ("Text/Plain", false), ("application/json", false),
    ])
    func `a media type without a file name is noted, unless fields have it`(type: String, isNoted: Bool) throws {
        let reason = "has type \(type) and no file name: Spring, Quarkus, OpenAI and FastAPI find no such file"
        let message = Self.part("\r\nContent-Type: \(type)") + "--b--\r\n"
        #expect(try notes(message) == (isNoted ? ["part 0 \"a\": \(reason)"] : []))
        #expect(try notes(Self.part("; filename=\"f\"\r\nContent-Type: \(type)") + "--b--\r\n") == [])
    }

    @Test(arguments: [("PUT", true), ("PATCH", true), ("POST", false), ("GET", false)])
    func `a method whose forms PHP does not read is noted`(method: String, isNoted: Bool) throws {
        let message = "\(method) /a HTTP/1.1\r\n\(Self.type)\r\n\(Self.part(""))--b--\r\n"
        let expected = isNoted ? ["the method is \(method): PHP reads forms of POST only"] : []
        #expect(try notes(message) == expected)
        let words = ["decode", "--into", "out"]
        let decoded = try Tool.run(words, input: .file(Data(message.utf8)), in: TemporaryDirectory())
        #expect(decoded.standardError.isEmpty)
    }

    @Test func `more parts than Tomcat reads are noted`() throws {
        let parts = { (count: Int) in String(repeating: Self.part(""), count: count) + "--b--\r\n" }
        #expect(try notes(parts(50)) == [])
        let reason = "51 parts: Tomcat refuses more than 50 since 9.0.107, 10.1.43 and 11.0.9"
        #expect(try notes(parts(51)) == [reason])
    }

    @Test(arguments: [("GrÃ¼n", "Grün"), ("Grün", nil), ("Ã", nil)])
    func `a value that was encoded twice is noted`(value: String, text: String?) throws {
        let note = text.map { "part 0 \"a\": value seems to be UTF-8 encoded twice: \($0)" }
        #expect(try notes(Self.part("", value) + "--b--\r\n") == (note.map { [$0] } ?? []))
    }

    @Test func `a CR alone after the close delimiter is named, and no part is incomplete`() throws {
        let input = Self.part("") + "--b--\r"
        let reason = "message ends in a CR without its LF, after the close delimiter"
        let lenient = try Tool.run(["inspect"], input: .file(Data(input.utf8)))
        #expect(lenient.exitCode == 0)
        #expect(lenient.text.hasSuffix("\ntolerated: unexpected-end: \(reason) (at offset \(input.utf8.count))\n"))
        let output = try Tool.run(["inspect", "--strict"], input: .file(Data(input.utf8)))
        #expect(output.standardError == "formdata: unexpected-end: \(reason) (at offset \(input.utf8.count))\n")
        #expect(output.text == "NAME  FILE NAME  TYPE  SIZE  TEXT\na     -          -        1  1\n")
    }

    @Test(arguments: [
        (
            part("") + "--b \r\nX: y\r\n\r\n\r\n--b--\r\n", "white space after the boundary, in a delimiter's line",
            "--b "
        ),
        (part("") + "--b--\t\r\n", "white space after the boundary, in a delimiter's line", "--b--\\u{9}"),
        (part("") + "--b-c\r\n\r\n--b--\r\n", "other bytes after the boundary, in a delimiter's line", "--b-c"),
        (part("").dropLast(2) + "--b--\r\n", "part has no line break before its delimiter", "--b--"),
        (part("", "x --b y") + "--b--\r\n", "content has the boundary after two hyphens", nil),
    ])
    func `a delimiter that strict mode refuses is described, with its line`(
        message: String,
        reason: String,
        line: String?
    ) throws {
        let text = try error(Data(message.utf8), "--strict")
        let shown = line.map { ": \"\($0)\"" } ?? ""
        #expect(text.hasPrefix("formdata: malformed-delimiter: part 0 \"a\": \(reason)\(shown) (at offset "))
        let lenient = try Report(Tool.run(["inspect", "--json"], input: .file(Data(message.utf8))).standardOutput)
        #expect(lenient.findings?.first?.message.contains(reason) == true)
    }

    @Test func `line breaks of two kinds are named, and not for one`() throws {
        for input in ["--b\n\n1\r\n--b--\n", "--b\r\nX: y\n\r\n\r\n--b--\r\n"] {
            #expect(try error(Data(input.utf8)).contains("message has both LF and CR LF line breaks"))
        }
    }

    @Test func `a part in which the chunks have a fault is incomplete, one before a delimiter is not`() throws {
        let head = "POST / HTTP/1.1\r\n\(Self.type)Transfer-Encoding: chunked\r\n\r\n"
        let start = String(Self.part("").dropLast())
        let chunk = "\(String(start.utf8.count, radix: 16))\r\n\(start)\r\n"
        for (input, isCut) in [
            (head + chunk + "6g\r\n", true), (Self.part("") + "--b", false), (start + "\r\n--", true),
        ] {
            let output = try Tool.run(["inspect", "--boundary", "b"], input: .file(Data(input.utf8)))
            #expect(output.exitCode == 65)
            #expect(output.text.contains("(incomplete)") == isCut, "\(input)")
        }
    }

    @Test(arguments: ["ab", "--b", "B", "b; charset=utf-8", "'b'", "xy"])
    func `another boundary is named in both modes`(boundary: String) throws {
        for start in ["", "\r\n"] {
            let form = Data((start + Self.part("") + "--b--\r\n").utf8)
            let lenient = try error(form, "--boundary", boundary)
            #expect(lenient.contains("message begins with boundary \"b\", not with \"\(boundary)\""))
            guard !boundary.contains(";") else { continue }
            let strict = try error(form, "--strict", "--boundary", boundary)
            #expect(strict.contains("message begins with boundary \"b\", not with \"\(boundary)\""), "\(strict)")
        }
    }

    @Test func `a fault in the chunks is the same error for each command and mode`() throws {
        let head = "POST / HTTP/1.1\r\n\(Self.type)Transfer-Encoding: chunked\r\n\r\n"
        let form = Self.part("\r\nX: y")
        let input = Data((head + String(form.utf8.count, radix: 16) + "\r\n\(form)\r\n6g\r\n").utf8)
        for mode in [[], ["--strict"]] {
            let inspected = try Tool.run(["inspect"] + mode, input: .file(input))
            let decoded = try Tool.run(
                ["decode", "--into", "out"] + mode,
                input: .file(input),
                in: TemporaryDirectory()
            )
            #expect(inspected.standardError == decoded.standardError)
            #expect(inspected.exitCode == 65)
        }
        #expect(try error(input).hasPrefix("formdata: malformed-chunk: a chunk's size is no hexadecimal number ("))
    }

    @Test func `a preflight shows its head, and says what it is`() throws {
        let input = "OPTIONS /u HTTP/1.1\r\nOrigin: http://x\r\nAccess-Control-Request-Method: POST\r\n\r\n"
        let output = try Tool.run(["inspect"], input: .file(Data(input.utf8)))
        #expect(output.text.hasPrefix("head: \"OPTIONS /u HTTP/1.1\", \(input.utf8.count) bytes"))
        let reason = "message has no Content-Type field: it is a browser's preflight, not the upload"
        #expect(output.standardError.hasPrefix("formdata: unsupported-media-type: \(reason)"))
    }

    @Test func `a stream of pictures is named`() throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=b\r\n\r\n"
        let text = try error(Data((head + Self.part("")).utf8))
        #expect(
            text.contains(
                "media type is \"multipart/x-mixed-replace\", not multipart/form-data: it is a stream of pictures"
            )
        )
    }

    @Test func `an unknown option points to the help`() throws {
        let output = try Tool.run(["inspect", "--jsn"])
        #expect(output.exitCode == 64)
        #expect(output.standardError == "formdata: usage: unknown option --jsn; see formdata --help\n")
    }

    @Test func `the start line of a request after the body is shown`() throws {
        let form = Self.part("") + "--b--\r\n"
        let request = "POST /first HTTP/1.1\r\n\(Self.type)Content-Length: \(form.utf8.count)\r\n\r\n\(form)"
        let next = request.replacing("first", with: "\u{1B}second")
        let text = "but \(next.utf8.count) bytes follow the HTTP body, from \"POST /\\u{1B}second HTTP/1.1\""
        #expect(try notes(request + next) == ["Content-Length of the HTTP head is \(form.utf8.count), \(text)"])
    }
}
