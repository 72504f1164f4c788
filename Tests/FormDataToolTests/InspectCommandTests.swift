import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// `formdata inspect`: the table, the JSON, and the limits.
struct InspectCommandTests {
    @Test func `the table has aligned columns`() throws {
        let file = "Content-Type: image/png\r\n" + Message.file("photo", "ü😀.png", "12345")
        let message = Message.text(Message.field("a", "1"), file, Message.file("", "-", ""))
        let output = try Tool.run(["inspect"], input: .file(message))
        #expect(output.exitCode == 0)
        let expected = """
            NAME   FILE NAME  TYPE       SIZE  TEXT
            a      -          -             1  1
            photo  ü😀.png    image/png     5
            ""     "-"        -             0


            """
        #expect(output.text.hasPrefix(expected + "tolerated: ambiguous-header: "))
    }

    @Test func `an error before the first part leaves no table`() throws {
        let output = try Tool.run(["inspect"], input: .file(Data("no form".utf8)))
        #expect(output.exitCode == 65)
        #expect(output.standardOutput.isEmpty)
        #expect(try Tool.run(["inspect"], input: .file(Message.text())).text == "NAME  FILE NAME  TYPE  SIZE  TEXT\n")
    }

    @Test func `on a terminal the table is at most as wide as the terminal`() throws {
        let long = String(repeating: "漢字", count: 50)
        let type = "Content-Type: application/vnd.openxmlformats-officedocument.wordprocessingml.document\r\n"
        let parts = [Message.field("short", long), type + Message.file(long, long, "12345")]
        for (columns, variable, widest) in [
            (80, nil, 80), (80, "40", 40), (100, "x", 100), (10, nil, 33), (1, nil, 33), (80, "1", 33), (80, "0", 80),
        ] {
            let message = Message.text(parts[0], parts[1])
            let output = try Terminal.run(["inspect"], input: message, columns: columns, variable: variable)
            #expect(output.exitCode == 0)
            let widths = output.text.split(separator: "\n").map { line in
                line.unicodeScalars.reduce(0) { $0 + (0x2E80...0xA4CF ~= $1.value ? 2 : 1) }
            }
            #expect(widths.count == 3)
            // A character of two columns may leave one free.
            #expect(widest - 1...widest ~= widths[1] && widths.allSatisfy { $0 <= widest }, "\(columns): \(widths)")
            #expect(output.text.contains("…"))
            #expect(output.text.hasSuffix("     5\n"))
        }
        // The width is unknown.
        let message = Message.text(parts[0], parts[1])
        let text = try Tool.run(["inspect"], input: .file(message)).text
        #expect(try Terminal.run(["inspect"], input: message, columns: 0).text == text)
    }

    @Test(arguments: [(65, 20, 20), (64, 19, 20), (63, 19, 19), (62, 18, 19)])
    func `the widest columns are cut, of equal ones the first, until a line fits`(columns: Int, name: Int, text: Int)
        throws
    {
        let shown = { (letter: String, width: Int) in
            width == 20 ? String(repeating: letter, count: 20) : String(repeating: letter, count: width - 1) + "…"
        }
        let message = Message.text(Message.field(shown("n", 20), shown("x", 20)))
        let output = try Terminal.run(["inspect"], input: message, columns: columns)
        #expect(output.text.hasSuffix("\n\(shown("n", name))  -          -       20  \(shown("x", text))\n"))
    }

    @Test func `a cell is filled up by the width of its characters`() throws {
        let widths: [(scalar: Unicode.Scalar, width: Int)] = [
            ("\u{2FF}", 1), ("\u{300}", 0), ("\u{10FF}", 1), ("\u{1100}", 2), ("\u{2E80}", 2), ("\u{A4D0}", 1),
            ("\u{AC00}", 2), ("\u{F900}", 2), ("\u{FB00}", 1), ("\u{FE30}", 2), ("\u{FE70}", 1), ("\u{FF61}", 1),
            ("\u{FFE0}", 2), ("\u{20000}", 2),
        ]
        let parts = widths.map { "--b\r\n\(Message.field("a\($0.scalar)", "1"))\r\n" }
        let output = try Tool.run(["inspect"], input: .file(Data((parts.joined() + "--b--\r\n").utf8)))
        let rows = widths.map { scalar, width in
            "a\(scalar)\(String(repeating: " ", count: 5 - width))-          -        1  1\n"
        }
        let table = "NAME  FILE NAME  TYPE  SIZE  TEXT\n" + rows.joined()
        #expect(output.standardOutput.starts(with: table.utf8), "\(output.text)")
    }

    @Test func `a terminal shows how far a message of more than 32 MiB is, until an error`() throws {
        let folder = try TemporaryDirectory()
        try folder.write("--b\r\n\r\n", as: "message")
        try #require(truncate(folder.path(of: "message"), off_t(33) << 20) == 0)
        // The limit is exceeded in the second block of 256 KiB.
        let words = ["inspect", "message", "--max-part-bytes", "300000"]
        let output = try Terminal.run(words, showsErrors: true, in: folder)
        #expect(output.exitCode == 65)
        let bar = String(repeating: ".", count: 40)
        #expect(output.text.hasPrefix("\r[\(bar)] 0% of 33 MiB\u{1B}[K\r\u{1B}[Kformdata: limit-part-bytes: "))
    }

    @Test func `the end of a line is cut after its last character, also one that joins the next`() throws {
        // U+0D4E is one Character with whatever follows it, a space too.
        let message = Message.text(Message.field("a", "x\u{D4E}"), Message.field("b", "1234"))
        let output = try Tool.run(["inspect"], input: .file(message))
        let lines = output.text.unicodeScalars.split(separator: "\n").map { String($0) }
        #expect(lines.count == 3)
        #expect(lines[1].utf8.elementsEqual("a     -          -        4  x\u{D4E}".utf8))
    }

    private static let letter = "e"
    private static func marks(_ count: Int) -> String { String(repeating: "\u{301}", count: count) }

    @Test(arguments: [
        ("", "\"\""), ("a b", "a b"), (" a", "\" a\""), ("a\u{A0}", "a\\u{A0}"),
        ("\u{3164}山\u{3000}田\u{2009}", "\\u{3164}山\u{3000}田\\u{2009}"), ("\"a\"", "\"\"a\"\""),
        ("1\r\n2\n\t\\n", "1\\r\\n2\\n\\t\\\\n"), ("\u{1B}[2J\u{202E}\u{0}", "\\u{1B}[2J\\u{202E}\\u{0}"),
        ("\u{FEFF}ü😀", "\\u{FEFF}ü😀"),
        (String(repeating: "x", count: 60), String(repeating: "x", count: 60)),
        (String(repeating: "x", count: 61), String(repeating: "x", count: 59) + "…"),
        (String(repeating: "\u{7}", count: 1 << 20), String(repeating: "\\u{7}", count: 11) + "\\u{7…"),
        // At most 240 scalars, with the ellipsis.
        (String(repeating: letter + marks(7), count: 30), String(repeating: letter + marks(7), count: 30)),
        (
            String(repeating: letter + marks(20), count: 30),
            String(repeating: letter + marks(20), count: 11) + letter + marks(7) + "…"
        ),
    ])
    func `the text of a field is shown on one line, up to 60 columns`(value: String, shown: String) throws {
        let output = try Tool.run(["inspect"], input: .file(Message.text(Message.field("a", value))))
        let line = try #require(output.text.split(separator: "\n").last)
        let size = "\(value.utf8.count)"
        let padding = String(repeating: " ", count: max(0, 4 - size.count))
        #expect(line == "a     -          -     \(padding)\(size)  \(shown)")
    }

    @Test func `a field that is not UTF-8 is shown with U+FFFD, and has no text in JSON`() throws {
        let message = Data("--b\r\n\r\nG".utf8) + [0xFC] + Data("nther\r\n--b--\r\n".utf8)
        #expect(try Tool.run(["inspect"], input: .file(message)).text.contains("  G\u{FFFD}nther\n"))
        let output = try Tool.run(["inspect", "--json", "--bodies"], input: .file(message))
        let report = try Report(output.standardOutput)
        #expect(report.parts.map(\.text) == [nil])
        #expect(report.parts.map(\.body) == [Data([0x47, 0xFC]) + Data("nther".utf8)])
    }

    @Test func `JSON has the text of fields of up to 1024 bytes, and of no file`() throws {
        let values = ["", "ü\u{1B}", String(repeating: "x", count: 1024), String(repeating: "x", count: 1025)]
        let fields = values.map { Message.field("a", $0) }
        let message = Message.text(fields[0], fields[1], fields[2], fields[3], Message.file("f", "f", "1"))
        for words in [["inspect", "--json"], ["inspect", "--json", "--bodies", "--chunk-size", "7"]] {
            let output = try Tool.run(words, input: .file(message))
            let texts = try Report(output.standardOutput).parts.map(\.text)
            #expect(texts.prefix(3).map { $0 ?? "-" } == Array(values.prefix(3)))
            #expect(texts.suffix(2) == [nil, nil])
            #expect(!output.standardOutput.contains(0x1B))
        }
    }

    @Test func `marks that take no column do not widen a cell`() throws {
        let character = "e" + String(repeating: "\u{301}", count: 30)
        let name = String(repeating: character, count: 200)
        let output = try Tool.run(["inspect"], input: .file(Message.text(Message.file("a", name, "1"))))
        #expect(output.exitCode == 0)
        #expect(output.standardOutput.count < 1000)
        #expect(output.standardOutput.count > 100)
    }

    @Test func `a hostile name cannot reach the terminal`() throws {
        let name = "\u{1B}[2J\u{9B}x\u{202E}y\u{2028}z"
        let message = Message.text(Message.file(name, name, "1"))
        for words in [["inspect"], ["inspect", "--json"]] {
            let output = try Tool.run(words, input: .file(message))
            #expect(output.exitCode == 0)
            let scalars = output.text.unicodeScalars
            #expect(!scalars.contains { $0 != "\n" && $0.properties.generalCategory == .control })
            #expect(!scalars.contains("\u{202E}"))
            #expect(!scalars.contains("\u{2028}"))
        }
        #expect(try Tool.run(["inspect"], input: .file(message)).text.contains("\\u{1B}[2J"))
        let report = try Report(Tool.run(["inspect", "--json"], input: .file(message)).standardOutput)
        #expect(report.parts.first?.name == name)
    }

    @Test func `the JSON has its keys in order and nulls for what is absent`() throws {
        let message = Message.text("X: y\r\n\r\nz")
        let output = try Tool.run(["inspect", "--json", "--bodies"], input: .file(message))
        let expected = """
            {"parts":[{"contentType":null,"filename":null,"headers":[["X","y"]],"name":null,"body":"eg==",
            """
        #expect(output.text.hasPrefix(expected + "\"length\":1,\"text\":\"z\"}],\"findings\":[{"))
    }

    @Test func `after an error the parts so far are listed`() throws {
        let output = try Tool.run(["inspect", "--json"], input: .file(Message.cutOff))
        #expect(output.exitCode == 65)
        let report = try Report(output.standardOutput)
        #expect(report.parts.map(\.name) == ["a", "f"])
        #expect(output.text.contains(",\"complete\":false}]"))
        let error = try #require(report.error)
        #expect(error.code == "unexpected-end")
        #expect(error.part == 1)
        #expect(error.offset == Message.cutOff.count)
        #expect(output.standardError == "formdata: unexpected-end: \(error.message)\n")
        #expect(try Tool.run(["inspect"], input: .file(Message.cutOff)).text.contains("\na "))
    }

    @Test func `with bodies a truncated part is listed as incomplete`() throws {
        let output = try Tool.run(["inspect", "--json", "--bodies"], input: .file(Message.cutOff))
        #expect(output.exitCode == 65)
        let report = try Report(output.standardOutput)
        #expect(report.error?.code == "unexpected-end")
        #expect(report.parts.map(\.name) == ["a", "f"])
        #expect(report.parts.map(\.complete) == [nil, false])
        let body = try #require(report.parts.last?.body)
        #expect(report.parts.last?.length == body.count)
        #expect("abcdef".hasPrefix(String(decoding: body, as: UTF8.self)))
    }

    @Test(arguments: [0, 1, 2, 3, 4, 49_151, 49_152, 49_153, 200_000])
    func `a body of any length is printed in base64`(length: Int) throws {
        let body = Data((0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) })
        let message = Data("--b\r\n\r\n".utf8) + body + Data("\r\n--b--\r\n".utf8)
        for size in ["65536", "1000", "1"] where size != "1" || length < 100 || length == 49_153 {
            let output = try Tool.run(["inspect", "--json", "--bodies", "--chunk-size", size], input: .file(message))
            #expect(try Report(output.standardOutput).parts.map(\.body) == [body])
        }
    }

    @Test func `a body is printed while it is read`() async throws {
        let process = try Tool.process(["inspect", "--json", "--bodies"])
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try Tool.start(process)
        let body = Data(count: 4 << 20)
        let text = try await BackgroundThread.run {
            let received = LimitedSemaphore()
            // On another thread, since the tool reads no more while the other pipe is full.
            Thread {
                let writer = input.fileHandleForWriting
                try? writer.write(contentsOf: Data("--b\r\n\r\n".utf8) + body)
                received.wait()
                try? writer.write(contentsOf: Data("\r\n--b--\r\n".utf8))
                try? writer.close()
            }.start()
            let reader = output.fileHandleForReading
            var text = Data()
            // The body has not ended, yet its text arrives.
            while text.count < 5 << 20, let piece = try reader.read(upToCount: 65_536) { text += piece }
            received.signal()
            return try text + (reader.readToEnd() ?? Data())
        }
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(try Report(text).parts.map(\.body) == [body])
    }

    @Test func `an error outside a part has null for its part`() throws {
        let output = try Tool.run(["inspect", "--json", "--boundary", "c"], input: .file(Message.text()))
        #expect(output.exitCode == 65)
        #expect(output.text.hasPrefix("{\"parts\":[],\"error\":{\"code\":\"boundary-not-found\","))
        #expect(output.text.hasSuffix(",\"offset\":7,\"part\":null}}\n"))
    }

    @Test(arguments: [
        (["--content-type", "text/plain"], "unsupported-media-type"),
        (["--content-type", "multipart/form-data"], "missing-boundary"),
        (["--content-type", "x"], "malformed-content-type"),
        (["--content-type", "multipart/form-data; boundary=b; boundary=b"], "duplicate-parameter"),
        (["--content-type", "multipart/form-data; boundary=\"\""], "invalid-boundary"),
        (["--boundary", ""], "invalid-boundary"),
        (["--boundary", "ü", "--strict"], "invalid-boundary"),
    ])
    func `a wrong content type is an error of the message`(words: [String], code: String) throws {
        let output = try Tool.run(["inspect", "--json"] + words, input: .file(Message.text()))
        #expect(output.exitCode == 65)
        let report = try Report(output.standardOutput)
        #expect(report.parts.isEmpty)
        #expect(report.error?.code == code)
    }

    @Test(arguments: [
        "multipart/form-data; boundary=b; boundary=b; x=", "multipart/form-data; x=", "multipart/form-data; x*=y",
        "multipart/form-data;; boundary=b; boundary=b", "multipart/form-data; x=; boundary=\"\"",
        "multipart/form-data; boundary=b; boundary*=b; boundary=b", "multipart/form-data; boundary=b; x=\"\\y\"",
        "x",
    ])
    func `of a wrong content type each mode's command prints the code of the library in that mode`(value: String) throws
    {
        for mode in [ParsingMode.lenient, .strict] {
            let result = MultipartError.catching {
                _ = try MultipartParser(contentType: value, options: MultipartParser.Options(mode: mode))
            }
            var error: MultipartError?
            if case .failure(let failure) = result { error = failure }
            let flag = mode == .strict ? ["--strict"] : []
            for words in [["inspect", "--content-type", value], ["decode", "--into", "out", "--content-type", value]] {
                let output = try Tool.run(words + flag, input: .file(Message.text()), in: TemporaryDirectory())
                #expect(output.exitCode == (error == nil ? 0 : 65))
                let code = output.errorLines.last?.split(separator: ":").dropFirst().first
                #expect(code.map { String($0.dropFirst()) } == error?.code.description, "\(mode)")
            }
        }
    }

    @Test func `strict mode refuses what lenient mode reads`() throws {
        let message = Message.text("X: y\r\n\r\n")
        #expect(try Tool.run(["inspect"], input: .file(message)).exitCode == 0)
        let output = try Tool.run(["inspect", "--strict", "--json"], input: .file(message))
        #expect(output.exitCode == 65)
        let error = try #require(Report(output.standardOutput).error)
        #expect(error.code == "ambiguous-header")
        #expect(error.message.hasPrefix("part 0: header line 1 has another field than "))
    }

    @Test(arguments: [
        ("--max-parts", 2, "limit-parts"), ("--max-header-count", 1, "limit-header-count"),
        ("--max-header-bytes", 46, "limit-header-bytes"), ("--max-preamble-bytes", 4, "limit-preamble-bytes"),
        ("--max-part-bytes", 6, "limit-part-bytes"), ("--max-total-bytes", 122, "limit-total-bytes"),
    ])
    func `a limit is exact`(option: String, size: Int, code: String) throws {
        let message = Data("pre\n".utf8) + Message.text(Message.field("a", "123456"), Message.field("bcd", "1"))
        try #require(message.count == 122)
        let words = ["inspect", "--json", "--boundary", "b", option]
        let within = try Tool.run(words + ["\(size)"], input: .file(message))
        #expect(within.exitCode == 0, "\(within.standardError)")
        let over = try Tool.run(words + ["\(size - 1)"], input: .file(message))
        #expect(over.exitCode == 65)
        #expect(try Report(over.standardOutput).error?.code == code)
    }

    @Test(arguments: [1, 2, 3, 7, 100_000_000_000])
    func `the report does not depend on the chunk size`(size: Int) throws {
        let body = String(repeating: "\r\n--\r\n--b-\r", count: 50)
        for message in [Message.text(Message.field("a", body), Message.file("b", "c", "")), Message.cutOff] {
            let words = ["inspect", "--json", "--bodies"]
            let whole = try Tool.run(words + ["--boundary=b"], input: .file(message))
            let cut = try Tool.run(words + ["--boundary=b", "--chunk-size", "\(size)"], input: .pipe(message))
            #expect(cut.exitCode == whole.exitCode)
            #expect(cut.standardOutput == whole.standardOutput)
            #expect(cut.standardError == whole.standardError)
        }
    }

    private static func opening(_ count: Int, _ lineBreak: String) -> String {
        "--" + String(repeating: "x", count: count) + lineBreak
    }

    private static let openings: [(message: String, code: String?)] = [
        ("--b--", nil), ("--b--\r\n", nil), ("--b-- \n", nil), ("--b\r\n\r\n\r\n--b--", nil),
        ("--b \t\n\n\n--b--\n", nil),
        ("", "boundary-not-found"), ("-b", "boundary-not-found"), ("pre\r\n--b--", "boundary-not-found"),
        (opening(300, "\r\n"), "boundary-not-found"), ("--\r\n", "invalid-boundary"),
        (opening(257, "\r\n"), "invalid-boundary"),
        (opening(298, "\n"), "invalid-boundary"),
        (opening(299, "\n"), "boundary-not-found"), ("----\r\n", "unexpected-end"),
    ]

    @Test(arguments: openings)
    func `without an option the first line gives the boundary`(message: String, code: String?) throws {
        let output = try Tool.run(["inspect", "--json"], input: .file(Data(message.utf8)))
        #expect(try Report(output.standardOutput).error?.code == code)
        #expect(output.exitCode == (code == nil ? 0 : 65))
    }
}
