import Foundation
import TestSupport
import Testing

/// A message in an HTTP message that was captured, read by `inspect` and `decode`.
struct HTTPMessageTests {
    private static let body = String(
        decoding: Message.text(Message.field("a", "1"), Message.field("b", "23")),
        as: UTF8.self
    )

    private static func request(_ fields: String...) -> String {
        "POST /upload?x=1 HTTP/1.1\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n"
    }

    private static let type = "Content-Type: multipart/form-data; boundary=b"

    private func report(_ message: String, _ words: String...) throws -> Report {
        let (words, bytes) = (["inspect", "--json"] + words, Data(message.utf8))
        // From a file, or byte by byte from a pipe, in turns.
        let output =
            try bytes.count.isMultiple(of: 2)
            ? Tool.run(words, input: .file(bytes)) : Tool.run(words + ["--chunk-size", "1"], input: .pipe(bytes))
        return try Report(output.standardOutput)
    }

    @Test(arguments: [
        "POST / HTTP/1.1\r\nHost: x\r\ncontent-type: multipart/form-data;\r\n boundary=b\r\n\r\n",
        "POST http://x/y HTTP/1.0\n\(type)\nX-Empty:\n\n",
        "POST /x HTTP/2\r\n\(type)\r\n\r\n",
        "AZ /x HTTP/1.1\r\n\(type)\r\n\r\n",
        "HTTP/1.1 200 OK\r\n\(type)\r\n\r\n",
        "HTTP/1.1 200\r\n\(type)\r\n\r\n",
        "MIME-Version: 1.0\r\n\(type)\r\n\r\n",
        "\(type)\n\n",
    ])
    func `the head gives the boundary, and offsets begin after it`(head: String) throws {
        let report = try report(head + Self.body)
        #expect(report.error == nil)
        #expect(report.parts.map(\.name) == ["a", "b"])
        #expect(report.findings == nil)
        #expect(report.head?.length == head.utf8.count)
        let line = String(head.prefix { !$0.isNewline })
        #expect(report.head?.startLine == (line.contains("HTTP/") ? line : nil))
        let cutOff = try self.report(head + Self.body.dropLast(3))
        #expect(cutOff.error?.offset == Self.body.utf8.count - 4)
        let folder = try TemporaryDirectory()
        let words = ["decode", "--strict", "--into", "out"]
        #expect(try Tool.run(words, input: .file(Data((head + Self.body).utf8)), in: folder).exitCode == 0)
        #expect(try folder.text("out/b") == "23")
    }

    @Test func `an option goes before the head's Content-Type`() throws {
        let head = Self.request("Content-Type: text/plain")
        #expect(try report(head + Self.body).error?.code == "unsupported-media-type")
        #expect(try report(head + Self.body, "--boundary", "b", "--strict").error == nil)
        #expect(try report(head + Self.body, "--content-type", "multipart/form-data; boundary=b").error == nil)
    }

    @Test(arguments: ["Subject: none", "HTTP/1.1", "POST /", "post / HTTP/1.1", "POST / x", "POST / x HTTP/1.1"])
    func `lines that are no head are a preamble`(line: String) throws {
        let report = try report("\(line)\r\n\r\n" + Self.body, "--boundary", "b")
        #expect(report.head == nil)
        #expect(report.findings?.map(\.code) == ["preamble-not-allowed"])
    }

    @Test(arguments: [
        (request("Host: x") + body, "unsupported-media-type", "Content-Type"),
        (request("Content-Type: application/json") + "{}", "unsupported-media-type", "application/json"),
        (request("Content-Type: multipart/form-data") + body, "missing-boundary", "begins with \"b\""),
        (request(type), "boundary-not-found", "nothing follows the HTTP head of 76 bytes"),
        (request(type, type) + body, "malformed-http-head", "two Content-Type fields (at offset 0)"),
        (
            request(type, "Content-Length: -1") + body, "malformed-http-head",
            "Content-Length of the HTTP head is \"-1\""
        ),
        (request(type, "Content-Length: 5", "Content-Length: 6") + body, "malformed-http-head", "\"5\" and \"6\""),
        (request(type, "Content-Length: 5, 6") + body, "malformed-http-head", "\"5, 6\", not one length (at offset 0)"),
        (request(type, "Content-Length: 5,") + body, "malformed-http-head", "\"5,\", not one length"),
        (request(type, "Content-Length: 1 0") + body, "malformed-http-head", "\"1 0\", not one length"),
        (request(type, "Content-Length:") + body, "malformed-http-head", "\"\", not one length"),
        (request(type, "Content-Length: 18446744073709551616") + body, "malformed-http-head", "not one length"),
        (
            request(type, "Transfer-Encoding: identity", "Content-Length: 5", "Content-Length: 6") + body,
            "malformed-http-head", "\"5\" and \"6\", not one length"
        ),
        (
            request(type, "Transfer-Encoding:", "Content-Length: x") + body, "malformed-http-head",
            "\"x\", not one length"
        ),
        ("HTTP/1.1 100 Continue\r\n\r\n" + body, "unsupported-media-type", "Content-Type"),
        (request(type, "Content-Encoding: gzip") + "compressed", "unsupported-coding", "gzip"),
        (request(type, "Transfer-Encoding: gzip, chunked") + body, "unsupported-coding", "gzip, chunked"),
        (request(type, "Transfer-Encoding: chunked, chunked") + body, "unsupported-coding", "chunked, chunked"),
        (
            request(type, "Transfer-Encoding: chunked", "Transfer-Encoding: chunked") + body, "unsupported-coding",
            "is chunked, chunked"
        ),
        (
            "POST / HTTP/1.1\r\n\(type)\r\n" + body, "malformed-http-head",
            "this is no field: \"--b\" (at offset \(17 + type.utf8.count + 2))"
        ),
        (request("X y: z", type) + body, "malformed-http-head", "this is no field: \"X y: z\""),
        ("POST / HTTP/1.1\r\n\(type)\r\n", "malformed-http-head", "ends in its head"),
        ("POST / HTTP/1.1", "malformed-http-head", "ends in its head"),
    ])
    func `a head without a form after it has a message of its own`(input: String, code: String, text: String) throws {
        let error = try #require(try report(input).error)
        #expect(error.code == code)
        #expect(error.message.contains(text))
    }

    @Test func `a body is as long as its Content-Length`() throws {
        let length = Self.body.utf8.count
        let exact = Self.request(Self.type, "Content-Length: \(length)") + Self.body
        #expect(try report(exact, "--strict").findings == nil)
        let next = try report(exact + "GET / HTTP/1.1\r\n\r\n", "--strict")
        #expect(next.error == nil)
        #expect(
            next.findings?.map(\.message) == [
                "Content-Length of the HTTP head is \(length), but 18 bytes follow the HTTP body, from \"GET / HTTP/1.1\""
            ]
        )
        let short = try report(Self.request(Self.type, "Content-Length: \(length - 5)") + Self.body)
        #expect(short.error?.code == "unexpected-end")
        #expect(short.error?.offset == length - 5)
        #expect(
            short.findings?.map(\.message) == [
                "Content-Length of the HTTP head is \(length - 5), but 5 bytes follow the HTTP body"
            ]
        )
        let long = try report(exact.dropLast(5) + "")
        #expect(long.error?.code == "unexpected-end")
        #expect(
            long.findings?.map(\.message) == [
                "Content-Length of the HTTP head is \(length), but its body has \(length - 6) bytes"
            ]
        )
    }

    @Test func `a body is read whole if it is longer than what is read at once`() throws {
        let message = Message.text(Message.field("a", String(repeating: "x", count: 1 << 18)))
        let head = Self.request(Self.type, "Content-Length: \(message.count)")
        let input = Data(head.utf8) + message + Data("more".utf8)
        let report = try Report(Tool.run(["inspect", "--json"], input: .file(input)).standardOutput)
        #expect(report.parts.map(\.length) == [1 << 18])
        let note = "Content-Length of the HTTP head is \(message.count), but 4 bytes follow the HTTP body"
        #expect(report.findings?.map(\.message) == [note])
    }

    private static func chunked(_ text: String, _ size: Int, _ lineBreak: String = "\r\n") -> String {
        let bytes = Array(text.utf8)
        let chunks = stride(from: 0, to: bytes.count, by: size).map { start in
            let chunk = bytes[start..<min(start + size, bytes.count)]
            return String(chunk.count, radix: 16, uppercase: start % 2 == 0) + (start % 3 == 0 ? ";x=y" : "")
                + lineBreak
                + String(decoding: chunk, as: UTF8.self) + lineBreak
        }
        return chunks.joined() + "0" + lineBreak
    }

    @Test(arguments: [1, 2, 16, 17, 1000], ["\r\n", "\n"])
    func `chunks are joined`(size: Int, lineBreak: String) throws {
        let head = Self.request(Self.type, "transfer-encoding: Chunked")
        for trailer in ["", "X: y\(lineBreak)"] {
            let input = head + Self.chunked(Self.body, size, lineBreak) + trailer + lineBreak
            let report = try report(input, "--strict", "--bodies")
            #expect(report.error == nil)
            #expect(report.parts.map(\.body) == [Data("1".utf8), Data("23".utf8)])
            #expect(report.findings == nil)
        }
    }

    @Test func `the size of a chunk may have leading zeros`() throws {
        let head = Self.request(Self.type, "Transfer-Encoding: chunked")
        let size = String(repeating: "0", count: 100) + String(Self.body.utf8.count, radix: 16)
        let report = try report("\(head)\(size)\r\n\(Self.body)\r\n0000000000000000000\r\n\r\n", "--strict")
        #expect(report.error == nil)
        #expect(report.parts.map(\.name) == ["a", "b"])
        #expect(report.findings == nil)
        for size in ["0001234567890123456", "01000000000000000"] {
            #expect(try self.report("\(head)\(size)\r\n").error?.code == "malformed-chunk")
        }
    }

    @Test(arguments: [
        ["chunked", "identity"], ["identity", "chunked"], ["chunked, Identity"], ["identity ,\tChunked,"],
    ])
    func `codings are one list over all fields, in which identity counts for nothing`(values: [String]) throws {
        let fields = [Self.type] + values.map { "Transfer-Encoding: \($0)" }
        let head = Self.request(fields.joined(separator: "\r\n"))
        let report = try report(head + Self.chunked(Self.body, 50) + "\r\n", "--strict")
        #expect(report.error == nil)
        #expect(report.parts.count == 2)
        #expect(report.findings == nil)
    }

    @Test func `a long coding is cut`() throws {
        let head = Self.request(Self.type, "Content-Encoding: " + String(repeating: "x", count: 10_000))
        let error = try #require(try report(head + "compressed").error)
        #expect(error.message.utf8.count < 200)
        #expect(error.offset == 0)
    }

    @Test(arguments: [
        ("2\r\n--b", "a chunk of the HTTP body does not have its size", 5),
        ("2\r\n--\r\nx", "a chunk of the HTTP body has no size", 7),
        ("1234567890123456\r\n", "a chunk's size has more than 15 digits after leading zeros", 15),
        ("00x7\r\n", "a chunk's size is no hexadecimal number", 2),
    ])
    func `the offset of a wrong chunk is counted after the head`(body: String, reason: String, offset: Int) throws {
        let error = try report(Self.request(Self.type, "Transfer-Encoding: chunked") + body).error
        #expect(error?.message == "\(reason) (at offset \(offset) after the head)")
        #expect(error?.offset == offset)
    }

    private static func form(ofLength length: Int) -> String {
        let rest = length - Message.text(Message.field("a", "")).count
        return String(decoding: Message.text(Message.field("a", String(repeating: "x", count: rest))), as: UTF8.self)
    }

    @Test func `a chunk may be longer than what is read at once`() throws {
        let head = Self.request(Self.type, "Transfer-Encoding: chunked")
        let input = head + Self.chunked(Self.form(ofLength: 300_000), 300_000) + "\r\n"
        let output = try Tool.run(["inspect", "--json", "--strict"], input: .file(Data(input.utf8)))
        let report = try Report(output.standardOutput)
        #expect(report.error == nil)
        #expect(report.parts.count == 1)
        #expect(report.findings == nil)
    }

    @Test func `a request after the body is recognized by its first 256 bytes, of which some are read later`() throws {
        let length = 1 << 18 - 100 - Self.request(Self.type, "Content-Length: 123456").utf8.count
        let request = Self.request(Self.type, "Content-Length: \(length)") + Self.form(ofLength: length)
        try #require(request.utf8.count == 1 << 18 - 100)
        for (count, isShown) in [(245, true), (246, false)] {
            let next = "GET /\(String(repeating: "y", count: count)) HTTP/1.1\r\n\r\n"
            let output = try Tool.run(["inspect"], input: .file(Data((request + next).utf8)))
            #expect(output.text.contains("\(next.utf8.count) bytes follow the HTTP body"))
            #expect(output.text.contains("the HTTP body, from \"GET /yyy") == isShown)
        }
    }

    @Test func `chunks that are cut off, followed or wrong are named`() throws {
        let head = Self.request(Self.type, "Transfer-Encoding: chunked")
        let whole = head + Self.chunked(Self.body, 50) + "\r\n"
        #expect(try report(whole.dropLast(1) + "").findings?.map(\.message) == ["the last chunk is missing"])
        #expect(try report(whole + "x").findings?.map(\.message) == ["1 byte follows the HTTP body"])
        #expect(try report(head).findings?.map(\.message) == ["the last chunk is missing"])
        let cases = [
            ("50\r\n--b\r\n", "unexpected-end"), ("2\r\n--b", "malformed-chunk"), ("2\r\n--\r\nx", "malformed-chunk"),
            ("1234567890123456\r\n", "malformed-chunk"), ("0x7\r\n--b--\r\n\r\n", "malformed-chunk"),
            ("7g\r\n--b--\r\n\r\n", "malformed-chunk"), ("7 ;x=y\r\n--b--\r\n\r\n0\r\n\r\n", nil),
            ("7\t\r\n--b--\r\n\r\n0\t;x\r\n\r\n", nil),
        ]
        for (body, code) in cases { #expect(try report(head + body).error?.code == code, "\(body)") }
        let joined = try report(head + Self.body)
        #expect(joined.error == nil)
        #expect(joined.findings?.count == 1)
        // RFC 9112 §6.3: a Content-Length does not count beside a Transfer-Encoding.
        let counted = try report(Self.request(Self.type, "Transfer-Encoding: chunked", "Content-Length: 3") + Self.body)
        #expect(counted.error == nil)
        #expect(counted.parts.count == 2)
    }

    @Test func `a long Content-Length that is none is cut`() throws {
        let head = Self.request(Self.type, "Content-Length: " + String(repeating: "x", count: 10_000))
        let error = try #require(try report(head + Self.body).error)
        #expect(error.message.utf8.count < 140)
    }

    @Test(arguments: ["+N", "-N", "N.0", "0xN", "N, +N", "N,"])
    func `a Content-Length is digits alone`(value: String) throws {
        let field = "Content-Length: " + value.replacing("N", with: "\(Self.body.utf8.count)")
        let error = try report(Self.request(Self.type, field) + Self.body).error
        #expect(error?.code == "malformed-http-head")
        #expect(error?.message.contains("Content-Length of the HTTP head is") == true)
    }

    @Test(arguments: ["N, N", "N,N ,\tN", "0N", "N\r\nContent-Length: N"])
    func `a Content-Length that is repeated counts once`(value: String) throws {
        let length = Self.body.utf8.count
        let field = "Content-Length: " + value.replacing("N", with: "\(length)")
        #expect(try report(Self.request(Self.type, field) + Self.body).findings == nil)
        let next = try report(Self.request(Self.type, field) + Self.body + "x")
        #expect(next.findings?.first?.message.contains("is \(length), but 1 byte follows") == true)
    }

    @Test func `lengths that are the same count beside the coding identity, as if it were not there`() throws {
        let length = "Content-Length: \(Self.body.utf8.count)"
        let head = Self.request(Self.type, "Transfer-Encoding: Identity", length, length)
        let report = try report(head + Self.body + "x")
        #expect(report.error == nil)
        #expect(report.parts.count == 2)
        #expect(report.findings?.count == 2)
        #expect(report.findings?.last?.message.hasSuffix("but 1 byte follows the HTTP body") == true)
    }

    @Test func `a head that is too long is told from one that ends`() throws {
        let field = "X: " + String(repeating: "y", count: 1 << 10)
        for count in [200, 256, 300, 1000] {
            let fields = Array(repeating: field, count: count).joined(separator: "\r\n")
            let message = Self.request(fields, Self.type) + Self.body
            let error = try report(message).error
            #expect(error?.code == (count == 200 ? nil : "malformed-http-head"))
            let reason = "the HTTP head exceeds 262144 bytes (at offset 262144)"
            #expect(error?.message == (count == 200 ? nil : reason))
        }
        // As long as what is read at once.
        let start = "POST / HTTP/1.1\r\nX: "
        let cut = start + String(repeating: "y", count: 1 << 18 - start.utf8.count)
        #expect(try report(cut).error?.message.contains("exceeds 262144 bytes") == true)
        #expect(try report(String(cut.dropLast())).error?.message.contains("ends in its head") == true)
    }

    @Test(arguments: [
        "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 100\n\n",
    ])
    func `interim responses before a head or after it are no part of the message`(interim: String) throws {
        let length = Self.body.utf8.count
        for head in [
            Self.request(Self.type, "Content-Length: \(length)"), "HTTP/1.1 200 OK\r\n\(Self.type)\r\n\r\n",
        ] {
            for input in [interim + head, head + interim] {
                let report = try report(input + Self.body, "--strict")
                #expect(report.error == nil)
                #expect(report.parts.map(\.name) == ["a", "b"])
                #expect(report.findings == nil)
                #expect(report.head?.length == input.utf8.count)
                #expect(report.head?.startLine == head.split(separator: "\r\n").first.map(String.init))
            }
        }
        let alone = try report("HTTP/1.1 100 Continue\r\n\r\n" + Self.body, "--boundary", "b")
        #expect(alone.parts.count == 2)
        #expect(alone.head?.startLine == "HTTP/1.1 100 Continue")
    }

    @Test func `a Content-Length beside a Transfer-Encoding is noted, since servers differ`() throws {
        let note = "the HTTP head has Content-Length beside Transfer-Encoding: servers may differ on its body"
        for lengths in [["Content-Length: 3"], ["Content-Length: -1"], ["Content-Length: 3", "Content-Length: 4"]] {
            let fields = ([Self.type] + lengths + ["Transfer-Encoding: chunked"]).map { $0 + "\r\n" }.joined()
            let input = "POST / HTTP/1.1\r\n\(fields)\r\n" + Self.chunked(Self.body, 50) + "\r\n"
            let report = try report(input)
            #expect(report.error == nil)
            #expect(report.parts.count == 2)
            #expect(report.findings?.map(\.message) == [note])
            let words = ["decode", "--into", "out"]
            let decoded = try Tool.run(words, input: .file(Data(input.utf8)), in: TemporaryDirectory())
            #expect(decoded.standardError == "note: \(note)\n")
        }
    }

    @Test func `decode says the same of bytes that are missing or follow, and fails if any are missing`() throws {
        let length = Self.body.utf8.count
        let exact = Self.request(Self.type, "Content-Length: \(length)") + Self.body
        let chunked = Self.request(Self.type, "Transfer-Encoding: chunked") + Self.chunked(Self.body, 50)
        let long = Self.request(Self.type, "Content-Length: \(length + 1)") + Self.body
        let declared = "Content-Length of the HTTP head is"
        let cases = [
            (exact + "more", 0, "note: \(declared) \(length), but 4 bytes follow the HTTP body\n"),
            (long, 65, "formdata: incomplete-body: \(declared) \(length + 1), but its body has \(length) bytes\n"),
            (chunked, 65, "formdata: incomplete-body: the last chunk is missing\n"),
            (
                Self.request(Self.type, "Transfer-Encoding: chunked") + Self.body, 0,
                "note: Transfer-Encoding of the HTTP head is chunked, but its body has no chunks\n"
            ),
        ]
        for (input, exitCode, text) in cases {
            for source in [Tool.Input.file(Data(input.utf8)), .pipe(Data(input.utf8))] {
                let folder = try TemporaryDirectory()
                let output = try Tool.run(["decode", "--into", "out"], input: source, in: folder)
                #expect(output.exitCode == Int32(exitCode))
                #expect(output.standardError == text)
                #expect(folder.names() == (exitCode == 0 ? ["out"] : []))
            }
            let note = text.split(separator: ": ", maxSplits: exitCode == 0 ? 1 : 2).last.map(String.init)
            #expect(try report(input).findings?.map { $0.message + "\n" } == note.map { [$0] })
        }
    }

    @Test func `a message that is refused before its end has what there is to say of the bytes around it`() throws {
        // A part's header fields in those of the request.
        let head = Self.request("Content-Disposition: form-data; name=\"f\"", Self.type, "Content-Length: 20")
        let input = head + "JPEG\r\n--b--\r\n"
        let note = "Content-Length of the HTTP head is 20, but its body has 13 bytes"
        let inspected = try report(input)
        #expect(inspected.error?.code == "boundary-not-found")
        #expect(inspected.findings?.last?.message == note)
        // More than is read at once, so nothing is known of its length.
        let long = "--b\r\nno colon\r\n\r\n" + String(repeating: "x", count: 1 << 18)
        let longer = try report(Self.request(Self.type, "Content-Length: 1000000") + long)
        #expect(longer.error?.code == "malformed-header")
        #expect(longer.findings == nil)
        let words = ["decode", "--into", "out"]
        let decoded = try Tool.run(words, input: .file(Data(input.utf8)), in: TemporaryDirectory())
        #expect(decoded.errorLines.map { $0.hasPrefix("formdata: boundary-not-found: ") } == [true])
        #expect(decoded.exitCode == 65)
    }

    @Test func `decode keeps the parts of a body that lacks bytes`() throws {
        let folder = try TemporaryDirectory()
        let input = Self.request(Self.type, "Content-Length: 1000") + Self.body
        let words = ["decode", "--keep", "--into", "out"]
        #expect(try Tool.run(words, input: .file(Data(input.utf8)), in: folder).exitCode == 65)
        #expect(try Report(folder.read("out/manifest.json")).error?.code == "incomplete-body")
        #expect(try folder.text("out/b") == "23")
    }

    @Test func `a table begins with what the head is`() throws {
        let line = "POST /\u{1B}[2J" + String(repeating: "x", count: 100) + " HTTP/1.1"
        let output = try Tool.run(["inspect"], input: .file(Data("\(line)\r\n\(Self.type)\r\n\r\n\(Self.body)".utf8)))
        let head = try #require(output.text.split(separator: "\n").last)
        #expect(head.hasPrefix("head: \"POST /\\u{1B}[2Jxxx"))
        #expect(head.hasSuffix("…\", \(line.utf8.count + 51) bytes; offsets begin after it"))
    }
}
