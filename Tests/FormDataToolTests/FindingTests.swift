import Foundation
import TestSupport
import Testing

/// `formdata inspect`: what strict mode refuses in a message that lenient mode reads, and what looks wrong.
struct FindingTests {
    /// The report of a message with the boundary `b`, which must not depend on how the message is cut: in chunks of a
    /// length that differs from message to message.
    private func report(_ message: String, _ words: String...) throws -> Report {
        let words = ["inspect", "--json", "--boundary", "b"] + words
        let whole = try Tool.run(words, input: .file(Data(message.utf8)))
        let size = "\(1 + message.utf8.count % 8)"
        let cut = try Tool.run(words + ["--chunk-size", size], input: .file(Data(message.utf8)))
        #expect(cut.text == whole.text, "\(size)")
        #expect(cut.standardError == whole.standardError)
        let report = try Report(whole.standardOutput)
        #expect(whole.exitCode == (report.error == nil ? 0 : 65))
        return report
    }

    private static func part(_ name: String, _ fields: String = "", _ body: String = "1") -> String {
        "--b\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\(fields)\r\n\(body)\r\n"
    }

    /// A message with what only strict mode refuses in a preamble, in parts, and in an epilogue.
    private static let everyFault =
        "\r\nhello\r\n" + part("a\\\"") + part("plain") + part("c", "Content-Transfer-Encoding: base64\r\n")
        + part("last") + "--b--\r\n" + part("again") + "--b--\r\n"

    @Test func `the first thing that strict mode refuses is found, and the bytes around the parts`() throws {
        let report = try report(Self.everyFault)
        #expect(report.error == nil)
        #expect(report.parts.count == 4)
        let findings = try #require(report.findings)
        #expect(findings.map(\.code) == ["preamble-not-allowed", nil, nil])
        #expect(findings.map(\.part) == [nil, nil, 2])
        #expect(findings.map(\.offset) == [0, nil, nil])
        #expect(findings[0].message == "9 bytes before the first delimiter (at offset 0)")
        let rest = (Self.part("again") + "--b--\r\n").utf8.count
        let epilogue = "\(rest) bytes after the close delimiter, which begin like another form, with part \"again\""
        #expect(findings[1].message == epilogue)
        #expect(findings[2].message == "part 2 \"c\": Content-Transfer-Encoding is base64, not 7bit, 8bit or binary")
    }

    @Test(arguments: [
        (part("plain") + part("a\\\\") + "--b--\r\n", "ambiguous-header", 1),
        (part("e", "Content-Length: 3\r\n") + "--b--\r\n", "content-length-mismatch", 0),
        (part("f", "", "x--b") + "--b--\r\n", "malformed-delimiter", 0),
        (part("g") + "--b \r\nX: y\r\n\r\n\r\n--b--\r\n", "malformed-delimiter", 0),
        (part("h", "X: y\r\n folded\r\n") + "--b--\r\n", "ambiguous-header", 0),
        (part("i") + "--b--\r\nx", "epilogue-not-allowed", nil),
    ])
    func `strict mode ends where lenient mode tolerates something`(message: String, code: String, part: Int?) throws {
        let lenient = try report(message)
        #expect(lenient.error == nil)
        #expect(lenient.findings?.compactMap(\.code) == [code])
        let strict = try report(message, "--strict")
        #expect(strict.error?.code == code)
        #expect(strict.error?.part == part)
        #expect(strict.error?.offset == lenient.findings?.first?.offset)
        #expect(strict.parts.prefix(part ?? 1).map(\.name) == lenient.parts.prefix(part ?? 1).map(\.name))
    }

    @Test func `in a terminal's words, what is tolerated stands after the table, and what is refused is the error`()
        throws
    {
        let message = Self.part("a\\\\") + "--b--\r\n"
        let table = "NAME  FILE NAME  TYPE  SIZE  TEXT\na\\    -          -        1  1\n"
        let reason =
            "header line 1 has a value that is neither a quoted string without controls and backslashes nor a "
            + "token of letters, digits, hyphens, dots and underscores"
        let text = "ambiguous-header: part 0: \(reason)"
        let line = #""Content-Disposition: form-data; name="a\\"""#
        let tolerated = try Tool.run(["inspect"], input: .file(Data(message.utf8)))
        #expect(tolerated.text == "\(table)\ntolerated: \(text) (at offset 5)\n")
        #expect(tolerated.standardError.isEmpty)
        let refused = try Tool.run(["inspect", "--strict"], input: .file(Data(message.utf8)))
        #expect(refused.text.isEmpty)
        #expect(refused.standardError == "formdata: \(text): \(line) (at offset 5)\n")
        #expect(refused.exitCode == 65)
        let tree = try Tool.run(["inspect", "--tree"], input: .file(Data(message.utf8)))
        #expect(tree.text == "a\\  1 byte\n\ntolerated: \(text) (at offset 5)\n")
    }

    @Test func `a preamble is tolerated only before a part, or before the close delimiter`() throws {
        let codes = { (message: String) throws in try self.report(message).findings?.map(\.code) }
        #expect(try codes("x\r\n" + Self.part("a") + "--b--\r\n") == ["preamble-not-allowed"])
        #expect(try codes("\r\n--b--\r\n\r\nx") == ["preamble-not-allowed", nil])
        #expect(try codes("x\r\n--b--\r\n") == nil)
        #expect(try codes("x\r\n" + String(Self.part("a").dropLast(2))) == ["preamble-not-allowed"])
        #expect(try codes("x\r\n--b\r\nno colon\r\n\r\n\r\n--b--\r\n") == nil)
    }

    @Test func `a form that strict mode accepts has no findings`() throws {
        let message = Self.part("a") + Self.part("ü", "Content-Transfer-Encoding: 8BIT\r\n") + "--b--\r\n\r\n"
        for words in [["inspect", "--json"], ["inspect", "--json", "--strict"]] {
            let output = try Tool.run(words, input: .file(Data(message.utf8)))
            #expect(try Report(output.standardOutput).findings == nil)
            #expect(output.exitCode == 0)
        }
    }

    @Test func `a message whose lines end in LF is one finding, not one for each line`() throws {
        let fields = Self.part("a") + Self.part("c", "Content-Transfer-Encoding: base64\r\n")
        let message = (fields + "--b--\r\n").replacing("\r\n", with: "\n")
        let findings = try #require(try report(message).findings)
        #expect(findings.map(\.code) == ["bare-lf", nil])
        #expect(findings.map(\.offset) == [3, nil])
        #expect(findings[0].message == "lines end in LF alone (at offset 3)")
        // Where strict mode refuses something before, a note says it.
        let later = try #require(try report("\n\(message)\nmore").findings)
        #expect(later.map(\.code) == ["preamble-not-allowed", nil, nil, nil])
        #expect(later[1].message == "lines end in LF alone")
        #expect(later[2].message == "4 bytes after the close delimiter")
    }

    @Test func `what lenient mode also refuses is the error and no finding`() throws {
        let cutOff = Self.part("a\\\\") + "--b\r\nX: y\r\nContent-"
        let lenient = try report(cutOff)
        #expect(lenient.error?.code == "unexpected-end")
        #expect(lenient.findings?.map(\.code) == ["ambiguous-header"])
        let plain = try report(Self.part("a"), "--strict")
        #expect(plain.error?.code == "unexpected-end")
        #expect(plain.findings == nil)
        let limited = try report(Self.everyFault, "--max-parts", "1")
        #expect(limited.error?.code == "limit-parts")
        #expect(limited.findings?.map(\.code) == ["preamble-not-allowed"])
    }

    @Test(arguments: [
        ("", "A cat", "header line \"A cat\" is not a name, a colon and a value"),
        ("X: y\r\n", "a\tb c", "header line \"a\\u{9}b c\" is not a name, a colon and a value"),
        ("X: y\r\n", "{\"a\":1}", "header line \"{\"a\":1}\" is not a name, a colon and a value"),
        ("X: y\r\n", "=\u{1B}:", "header line \"=\\u{1B}:\" is not a name, a colon and a value"),
    ])
    func `a header line that is none is shown, with a guess`(fields: String, line: String, reason: String) throws {
        let hint = line.hasSuffix(":") ? "" : "; is the empty line before the content missing?"
        for before in ["", Self.part("x"), "\r\n" + Self.part("a\\\\")] {
            let start = "\(before)--b\r\nContent-Disposition: form-data; name=\"caption\"\r\n\(fields)"
            for end in ["\r\n", "\r\n\r\n--b--\r\n"] {
                let report = try report("\(start)\(line)\(end)")
                let index = before.isEmpty ? 0 : 1
                #expect(report.error?.code == "malformed-header")
                #expect(report.error?.message.hasPrefix("part \(index): \(reason)\(hint) (at offset ") == true)
                let code = before.hasPrefix("\r\n") ? "preamble-not-allowed" : nil
                #expect(report.findings?.map(\.code) == code.map { [$0] })
                let strict = try self.report("\(start)\(line)\(end)", "--strict")
                #expect(strict.error?.code == code ?? "malformed-header")
                if code == nil { #expect(strict.error?.message == report.error?.message) }
            }
        }
    }

    @Test func `the first byte of a header section may be the error`() throws {
        let message = try report("--b\r\n{\"a\":1}\r\n\r\n1\r\n--b--\r\n").error?.message
        #expect(message?.hasPrefix("part 0: header line \"{\"a\":1}\" is not a name, a colon and a value; ") == true)
        #expect(message?.hasSuffix(" (at offset 5)") == true)
    }

    @Test(arguments: [(1024, true), (1025, false)])
    func `the name in another form is shown if it is in the first 1024 bytes`(length: Int, isShown: Bool) throws {
        let start = "--b\r\nContent-Disposition: form-data; name=\"again\"\r\nX: "
        let fields = start + String(repeating: "y", count: length - start.utf8.count - 4) + "\r\n\r\n"
        let findings = try report(Self.part("a") + "--b--\r\n\(fields)1\r\n--b--\r\n").findings
        let text = try #require(findings?.first?.message)
        #expect(text.contains("\(length + 10) bytes after the close delimiter, which begin like another form"))
        #expect(text.contains(", with part \"again\"") == isShown)
    }

    @Test func `a long header line that is none is cut`() throws {
        for count in [127, 128, 129, 100_000] {
            let line = "x" + String(repeating: " y", count: count)
            let message = "--b\r\n\(line)\r\n\r\n\r\n--b--\r\n"
            let output = try Tool.run(["inspect", "--max-header-bytes", "1000000"], input: .file(Data(message.utf8)))
            #expect(output.standardError.hasPrefix("formdata: malformed-header: part 0: header line \"x y y"))
            #expect(output.standardError.utf8.count < 220)
        }
        // A colon is among the first 1024 bytes, or after them.
        for (count, hasColon) in [(1022, true), (1023, false)] {
            let message = "--b\r\n=\(String(repeating: "x", count: count)):\r\n\r\n\r\n--b--\r\n"
            let output = try Tool.run(["inspect"], input: .file(Data(message.utf8)))
            #expect(output.standardError.hasPrefix("formdata: malformed-header: part 0: header line \"=xxx"))
            #expect(output.standardError.contains("is the empty line before the content missing?") != hasColon)
        }
    }

    @Test func `a note is cut at 300 columns, and the name of its part at 64`() throws {
        let start = "file name is a path: /"
        for (extra, end) in [(0, "x"), (1, "…")] {
            let room = 300 - start.count
            let path = "/" + String(repeating: "x", count: room + extra)
            let name = String(repeating: "x", count: 64 + extra)
            let notes = try Findings.notes("name=\"\(name)\"; filename=\"\(path)\"", Data("1".utf8))
            let note = start + String(repeating: "x", count: room - 1) + end
            #expect(notes == ["note: part 0 \"\(String(repeating: "x", count: 63))\(end)\": \(note)"])
        }
    }

    @Test func `a header line that is none is shown however long its section is`() throws {
        for count in [100_000, 3_000_000] {
            let message = "--b\r\nA cat\r\nX: \(String(repeating: "y", count: count))\r\n\r\n1\r\n--b--\r\n"
            for mode in [[], ["--strict"]] {
                let words = ["inspect", "--max-header-bytes", "\(Int.max)"] + mode
                let output = try Tool.run(words, input: .file(Data(message.utf8)))
                #expect(
                    output.standardError.hasPrefix("formdata: malformed-header: part 0: header line \"A cat\" is not")
                )
                #expect(output.errorLines.first?.hasSuffix(" (at offset 7)") == true)
                #expect(output.text.isEmpty)
            }
        }
    }

    @Test func `a message whose last delimiter is not the close delimiter is told from one that was cut off`() throws {
        let reason = "message ends in a delimiter that is not the close delimiter"
        for end in ["--b\r\n", "--b", "--b \t\r\n"] {
            for mode in [[], ["--strict"]] where mode.isEmpty || ["--b\r\n", "--b"].contains(end) {
                let message = Self.part("a") + end
                let output = try Tool.run(["inspect", "--json"] + mode, input: .file(Data(message.utf8)))
                let error = try Report(output.standardOutput).error
                #expect(error?.code == "unexpected-end")
                #expect(error?.part == nil)
                #expect(error?.message == "\(reason) (at offset \(message.utf8.count))")
            }
        }
        for end in ["", "--b-", "--b\r\nX: y", "--b\r\nX: y--b", "--b\r\nX: y\r\n", "--b\r\n\r\n"] {
            let error = try report(Self.part("a") + end).error
            #expect(error?.message.contains("that is not the close delimiter") == false, "\(end)")
        }
    }

    @Test func `text after a lone LF is a delimiter only before the first part, or if lines end in LF`() throws {
        let reason = "message ends in a delimiter that is not the close delimiter"
        let part = Self.part("a").dropLast(2)
        for end in ["--b", "--b\r\n", "--b \t"] {
            let error = try #require(try report("\(part)\n\(end)").error)
            #expect(error.code == "unexpected-end")
            #expect(error.part == 0)
            #expect(!error.message.hasPrefix(reason), "\(error.message)")
            let first = try report("x\n\(end)").error
            #expect(first?.message.hasPrefix(reason) == true)
        }
        let bare = "\(part)\r\n--b\r\n".replacing("\r\n", with: "\n")
        #expect(try report(bare).error?.message.hasPrefix(reason) == true)
    }

    @Test func `a boundary in a finding cannot reach the terminal`() throws {
        let message = "--x\r\n" + (Self.part("a") + "--b\r\n").replacing("--b", with: "--b\u{202E}")
        let type = "multipart/form-data; boundary=\"b\u{202E}\""
        for mode in [[], ["--strict"]] {
            let output = try Tool.run(["inspect", "--content-type", type] + mode, input: .file(Data(message.utf8)))
            let text = output.text + output.standardError
            #expect(text.contains("b\\u{202E}\""))
            #expect(!text.unicodeScalars.contains("\u{202E}"))
        }
    }

    @Test func `the reason against a header section is shown, and in strict mode the line`() throws {
        let message = "--b\r\nContent-Disposition: form-data; name=my caption\r\n\r\n1\r\n--b--\r\n"
        let reason = "part 0: header line 1 has other text after its value, such as another parameter or white space"
        #expect(try report(message).findings?.map(\.message) == ["\(reason) (at offset 5)"])
        let strict = try report(message, "--strict")
        let line = "\"Content-Disposition: form-data; name=my caption\""
        #expect(strict.error?.message == "\(reason): \(line) (at offset 5)")
        // Before a part that fails in the same piece.
        #expect(try report(message.dropLast(7) + "--bx").findings?.first?.message == "\(reason) (at offset 5)")
    }

    @Test func `a part whose end was not found is listed as incomplete`() throws {
        let message = Self.part("a") + "--b\r\nContent-Disposition: form-data; name=\"b\"\r\n\r\n123"
        let output = try Tool.run(["inspect"], input: .file(Data(message.utf8)))
        #expect(
            output.text
                == """
                NAME  FILE NAME  TYPE  SIZE  TEXT
                a     -          -        1  1
                b     -          -        3  (incomplete)

                """
        )
        let report = try report(message)
        #expect(report.parts.map(\.name) == ["a", "b"])
        // Its notes are listed.
        let encoded = String(Self.part("c", "Content-Transfer-Encoding: base64\r\n").dropLast(2))
        let note = "part 0 \"c\": Content-Transfer-Encoding is base64, not 7bit, 8bit or binary"
        #expect(try self.report(encoded).findings?.map(\.message).last == note)
    }

    @Test func `a refusal in the Content-Type is one of two, and has its value`() throws {
        let message = Self.part("a\\\\") + "--b--\r\n"
        let value = "multipart/form-data; x=\"\\y\"; boundary=b"
        let words = ["inspect", "--json", "--content-type", value]
        let lenient = try Report(Tool.run(words, input: .file(Data(message.utf8))).standardOutput)
        #expect(lenient.findings?.map(\.code) == ["ambiguous-header", "ambiguous-header"])
        let reason = "Content-Type has another parameter than the boundary, or white space around its equals sign"
        #expect(lenient.findings?.first?.message == "\(reason): \"\(value)\"")
        #expect(lenient.findings?.first?.offset == nil)
        let strict = try Report(Tool.run(words + ["--strict"], input: .file(Data(message.utf8))).standardOutput)
        #expect(strict.error?.code == "ambiguous-header")
        #expect(strict.error?.message == "\(reason): \"\(value)\" (at offset 0)")
        #expect(strict.parts.isEmpty)
    }

    @Test func `a boundary that strict mode refuses is one refusal, and hides no other`() throws {
        for (name, others) in [("a\\\\", ["ambiguous-header"]), ("plain", [])] {
            let message = (Self.part(name) + "--b--\r\n").replacing("--b", with: "--é")
            for words in [["--content-type", "multipart/form-data; boundary=\"é\""], ["--boundary", "é"], []] {
                for size in ["1", "7", "100", "65536"] {
                    let words = ["inspect", "--json", "--chunk-size", size] + words
                    let report = try Report(Tool.run(words, input: .file(Data(message.utf8))).standardOutput)
                    #expect(report.findings?.map(\.code) == ["invalid-boundary"] + others)
                }
            }
        }
    }

    @Test(arguments: [
        ("\u{C3}\u{BC}", "name seems to be UTF-8 encoded twice: ü"),
        ("\u{E2}\u{201A}\u{AC}", "name seems to be UTF-8 encoded twice: €"),
        ("\u{C3}\u{9B}x", "name seems to be UTF-8 encoded twice: Ûx"),
        ("ü", nil), ("Ã", nil), ("漢", nil), ("abc", nil),
    ])
    func `a name that was encoded twice is noted`(name: String, remark: String?) throws {
        let findings = try report(Self.part(name) + "--b--\r\n").findings
        let shown = name.replacing("\u{9B}", with: "\\u{9B}")
        #expect(findings?.map(\.message) == remark.map { ["part 0 \"\(shown)\": \($0)"] })
        #expect(findings?.allSatisfy { $0.code == nil && $0.part == 0 } ?? true)
    }

    @Test(arguments: ["../../etc/passwd", "/home/ada/a.txt", "C:\\fakepath\\a.txt"])
    func `a file name that is a path is noted`(filename: String) throws {
        let message = "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"\(filename)\"\r\n\r\n\r\n--b--\r\n"
        let findings = try #require(try report(message).findings)
        #expect(findings.last?.message == "part 0 \"f\": file name is a path: \(filename)")
        #expect(findings.map(\.code) == (filename.contains("\\") ? ["ambiguous-header", nil] : [nil]))
    }

    @Test func `of very many findings the first thousand are listed, and the others counted`() throws {
        let message = String(repeating: Self.part("a", "", "undefined"), count: 1003) + "--b--\r\n"
        let words = ["inspect", "--max-parts", "2000"]
        let output = try Tool.run(words + ["--json"], input: .file(Data(message.utf8)), processorSeconds: 20)
        let report = try Report(output.standardOutput)
        #expect(report.parts.count == 1003)
        #expect(report.findings?.count == 1000)
        // One is on the number of parts.
        #expect(report.moreFindings == 4)
        let table = try Tool.run(words, input: .file(Data(message.utf8)))
        #expect(table.text.hasSuffix("\nnote: and 4 more\n"))
    }

    @Test func `a long body after a refusal takes linear time`() throws {
        let body = String(repeating: "\n", count: 1 << 18)
        let message = Self.part("a\\\\", "", body) + Self.part("b\\\\") + "--b--\r\n"
        let output = try Tool.run(["inspect", "--json"], input: .file(Data(message.utf8)), processorSeconds: 20)
        #expect(try Report(output.standardOutput).findings?.map(\.part) == [0])
    }

    @Test func `lines after a refusal take no call of the parser each, wherever they are`() throws {
        let limits = ["--max-header-bytes", "10000000", "--max-header-count", "10000000"]
        let lines = String(repeating: "\n", count: 20 << 20)
        let fields = String(repeating: "--b\n", count: 1 << 20)
        let body = Self.part("a\\\\", "", String(repeating: "\n", count: 1 << 20))
        let cases = [
            (Self.part("a") + "--b--\r\nx" + lines, "epilogue-not-allowed"),
            ("--b\n" + fields, "malformed-header"),
            (body + "--b--\r\n", "ambiguous-header"),
        ]
        for (message, code) in cases {
            let words = ["inspect", "--json"] + limits
            let output = try Tool.run(words, input: .file(Data(message.utf8)), processorSeconds: 20)
            let report = try Report(output.standardOutput)
            #expect(report.error?.code ?? report.findings?.first?.code == code)
        }
    }

    @Test func `findings cannot reach the terminal with what they quote`() throws {
        let hostile = "\u{1B}[2J\u{202E}/\u{C3}\u{BC}\u{1B}"
        let message =
            "--b\r\nContent-Disposition: form-data; name=\"\(hostile)\"; filename=\"\(hostile)\"\r\n\r\n\r\n--b--\r\n"
        for words in [["inspect"], ["inspect", "--json"], ["inspect", "--strict"]] {
            let output = try Tool.run(words, input: .file(Data(message.utf8)))
            #expect(
                !(output.text + output.standardError).unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" }
            )
        }
    }
}
