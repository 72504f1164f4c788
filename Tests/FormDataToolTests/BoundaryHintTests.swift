import Foundation
import TestSupport
import Testing

/// What `inspect` and `decode` say of a message whose boundary is wrong, or not known.
struct BoundaryHintTests {
    private func message(_ words: [String], _ input: String) throws -> String {
        let inspected = try Tool.run(["inspect"] + words, input: .file(Data(input.utf8)))
        let decoded = try Tool.run(
            ["decode", "--into", "out"] + words,
            input: .file(Data(input.utf8)),
            in: TemporaryDirectory()
        )
        #expect(inspected.exitCode == 65)
        #expect(decoded.standardError == inspected.standardError)
        #expect(inspected.errorLines.count == 1)
        return inspected.standardError
    }

    @Test(arguments: [
        ("--ab", ": the same but for leading hyphens"), ("\"ab\"", ": the same without quotes"),
        ("'ab'", ": the same without quotes"), ("AB", ": the same but for letter case"),
        ("ab; charset=utf-8", ": the same without \"; charset=utf-8\" at its end"), ("a", ": the same, and more"),
        ("xy", ""),
    ])
    func `a wrong boundary is compared with that of the first line`(boundary: String, difference: String) throws {
        let form = "--ab\r\n\r\n1\r\n--ab--\r\n"
        let reason = "message begins with boundary \"ab\", not with \"\(boundary)\"\(difference)"
        for input in [form, "\r\n" + form, form + String(repeating: "x", count: 100_000)] {
            let text = try message(["--boundary", boundary], input)
            #expect(text.contains(reason), "\(text)")
        }
        let quoted = boundary.replacing("\"", with: "\\\"")
        let head = "POST / HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=\"\(quoted)\"\r\n\r\n"
        for input in [form, "\r\n" + form] { #expect(try message([], head + input).contains(reason)) }
    }

    @Test func `an escape sequence in the boundary of an HTTP head is not printed`() throws {
        let boundary = Data("ab".utf8) + [0xC2, 0x9B] + Data("31m".utf8)
        let head = Data("POST / HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=".utf8) + boundary
        let lines = Data("\r\n\r\n--ab\r\nfoo\r\n--".utf8) + boundary + Data("\r\n\r\n1\r\n--".utf8) + boundary
        for words in [["inspect"], ["inspect", "--strict"], ["inspect", "--json"]] {
            let output = try Tool.run(words, input: .file(head + lines + Data("--\r\n".utf8)))
            #expect(!output.standardError.unicodeScalars.contains("\u{9B}"))
            #expect(!output.standardOutput.contains(0x9B))
        }
    }

    @Test func `the largest limit is no overflow`() throws {
        let words = ["inspect", "--boundary", "x", "--max-total-bytes", "\(Int.max)"]
        let output = try Tool.run(words, input: .file(Data("--x--\n".utf8)))
        #expect(output.exitCode == 0 || output.exitCode == 65)
    }

    @Test func `an empty input is named`() throws {
        let text = "formdata: boundary-not-found: message is empty (at offset 0)\n"
        #expect(try message([], "") == text)
        #expect(try message(["--boundary", "b"], "") == text)
        #expect(try message(["--content-type", "multipart/form-data; boundary=b"], "") == text)
        let short = try message(["--boundary", "b"], "x")
        #expect(!short.contains("message is empty") && short.hasSuffix(" (at offset 1)\n"))
    }

    @Test(arguments: ["\r\n", "\n", "\r\n\r\n\r\n"])
    func `empty lines before the first delimiter are skipped to find the boundary`(lines: String) throws {
        let input = Data(lines.utf8) + Message.text(Message.field("a", "1"))
        let report = try Report(Tool.run(["inspect", "--json"], input: .file(input)).standardOutput)
        #expect(report.error == nil)
        #expect(report.parts.map(\.name) == ["a"])
        #expect(report.findings?.map(\.code) == ["preamble-not-allowed"])
        #expect(report.findings?.map(\.offset) == [0])
        let folder = try TemporaryDirectory()
        #expect(try Tool.run(["decode", "--into", "out"], input: .file(input), in: folder).exitCode == 0)
    }

    @Test(arguments: ["", " ", "\r\n", "\n", "\r\n\r\n", "\n\n", "\r\nmore", "\r\n--x\r\n\r\n1\r\n--x--\r\n"])
    func `the first line of an empty form is its close delimiter, whatever follows`(rest: String) throws {
        for start in ["", "\r\n"] {
            let output = try Tool.run(["inspect", "--json"], input: .file(Data("\(start)--x--\(rest)".utf8)))
            let report = try Report(output.standardOutput)
            #expect(report.error == nil)
            #expect(report.parts.isEmpty)
        }
        let text = try message([], "preamble\r\n--x--\(rest)")
        #expect(text.contains("the line at offset 10 may: --boundary x (at offset 0)"), "\(text)")
    }

    @Test(arguments: ["Content-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n", "\r\n1\r\n"])
    func `a boundary may end in hyphens`(part: String) throws {
        let form = "--x--\r\n\(part)--x--\r\n\(part)--x----\r\n"
        let report = try Report(Tool.run(["inspect", "--json"], input: .file(Data(form.utf8))).standardOutput)
        #expect(report.error == nil)
        #expect(report.parts.map(\.length) == [1, 1])
    }

    @Test func `the boundary of a part that is cut off may end in hyphens`() throws {
        let text = try message([], "--x--\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1")
        #expect(text.hasPrefix("formdata: unexpected-end: part 0 \"a\": "))
    }

    @Test func `a byte order mark is named`() throws {
        let input = "\u{FEFF}--b\r\n\r\n1\r\n--b--\r\n"
        for words in [[], ["--boundary", "b"], ["--strict"]] {
            let output = try Tool.run(["inspect"] + words, input: .file(Data(input.utf8)))
            #expect(output.exitCode == 65)
            #expect(output.standardError.contains(": message begins with a byte order mark, the bytes EF BB BF ("))
        }
    }

    @Test func `a later line that looks like a delimiter is named`() throws {
        let text = try message([], "preamble\r\n--\r\n--b\r\n\r\n1\r\n--b--\r\n")
        let reason = "first line does not give the boundary; the line at offset 14 may: --boundary b (at offset 0)"
        #expect(text == "formdata: boundary-not-found: \(reason)\n")
        let closed = try message([], "preamble\r\n--x--\r\n--x----\r\n")
        #expect(closed.contains("the line at offset 10 may: --boundary x (at offset 0)"))
        #expect(
            try message([], "no form\n")
                == "formdata: boundary-not-found: first line does not give the boundary (at offset 0)\n"
        )
    }

    @Test(arguments: [
        ("+_./:=aZ-9", "+_./:=aZ-9"), ("a b", "'a b'"), ("'a", #"''\''a'"#), ("(it's?)", #"'(it'\''s?)'"#),
    ])
    func `its boundary is named as a shell reads it`(boundary: String, word: String) throws {
        let text = try message([], "preamble\r\n--\(boundary)\r\n\r\n1\r\n--\(boundary)--\r\n")
        #expect(text.hasSuffix(" may: --boundary \(word) (at offset 0)\n"))
    }

    @Test func `another boundary cannot reach the terminal`() throws {
        let text = try message(["--boundary", "b"], "--\u{1B}[2J\u{202E}\r\n\r\n1\r\n")
        #expect(text.contains("\"\\u{1B}[2J\\u{202E}\""))
        let later = try message([], "x\n--\u{9B}2J\u{202E}\n")
        #expect(!later.unicodeScalars.contains { $0 == "\u{9B}" || $0 == "\u{202E}" })
    }

    @Test(arguments: [("--b", "is a"), ("--b--", "is a"), ("--b---c", "looks like a"), ("--", "looks like a")])
    func `a delimiter right after another one is told from content without an empty line`(
        line: String,
        text: String
    ) throws {
        let fields = "Content-Type: application/xml\r\n\r\n<x/>\r\n--b--\r\n"
        for input in ["--b\r\n\(line)\r\n\(fields)", "--b\n\(line)\n\(fields.replacing("\r\n", with: "\n"))"] {
            let output = try Tool.run(["inspect", "--boundary", "b"], input: .file(Data(input.utf8)))
            let reason = "header line \"\(line)\" \(text) delimiter, right after another one (at offset"
            #expect(output.standardError.contains(": malformed-header: part 0: \(reason)"))
        }
        // After a header field, an empty line is what is missing.
        let later = "--b\r\nX: y\r\n\(line)\r\n\(fields)"
        let output = try Tool.run(["inspect", "--boundary", "b"], input: .file(Data(later.utf8)))
        #expect(output.standardError.contains("is the empty line before the content missing?"))
    }

    @Test func `delimiters without their two hyphens are named`() throws {
        let input = "b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\nb--\r\n"
        let reason = "boundary-not-found: message begins with boundary \"b\" without two hyphens before it (at offset"
        for start in ["", "\r\n"] {
            #expect(try message(["--boundary", "b"], start + input).hasPrefix("formdata: \(reason)"))
            let own = "first line does not give the boundary; it may be the boundary, without two hyphens: b (at"
            #expect(try message([], start + input).contains(own))
        }
        #expect(!(try message(["--boundary", "c"], input).contains("hyphens")))
        #expect(!(try message([], "b\r\n1\r\nb\r\n").contains("hyphens")))
        #expect(!(try message([], "b--").contains("hyphens")))
        for length in [300, 301] {
            let line = String(repeating: "_", count: length)
            #expect(try message([], "\(line)\n1\n\(line)--\n").contains("two hyphens: _") == (length == 300))
        }
        #expect(!(try message([], "\u{1B}\n\u{1B}--").unicodeScalars.contains("\u{1B}")))
    }

    @Test(arguments: [
        ("multipart/form-data boundary=b", "; is the semicolon before \"boundary\" missing?"),
        ("multipart/form-data, Boundary=b", "; is the semicolon before \"Boundary\" missing?"),
        ("multipart/form-data\tboundary=b\u{202E}", "; is the semicolon before \"boundary\" missing?"),
        ("multipart/form-data; boundary=\"b", "; is a closing quote missing?"), ("boundary=b", ""),
    ])
    func `a Content-Type that is malformed is shown, with a guess`(value: String, hint: String) throws {
        let shown = value.replacing("\t", with: "\\u{9}").replacing("\u{202E}", with: "\\u{202E}")
        let form = String(decoding: Message.text(Message.field("a", "1")), as: UTF8.self)
        for mode in [[], ["--strict"]] {
            let text = try message(["--content-type", value] + mode, form)
            let reason = "Content-Type is malformed: \"\(shown)\"\(hint) (at offset"
            #expect(text.hasPrefix("formdata: malformed-content-type: \(reason)"), "\(text)")
            let head = "POST / HTTP/1.1\r\nContent-Type: \(value)\r\n\r\n"
            #expect(try message(mode, head + form) == text)
        }
    }

    @Test func `a first delimiter that is too short is named where its part is lost`() throws {
        let file = "Content-Disposition: form-data; name=\"f\"; filename=\"a\"\r\n\r\nF\r\n------x--\r\n"
        let first = "----x\r\nContent-Disposition: form-data; name=\"token\"\r\n\r\nsecret\r\n"
        let input = Tool.Input.file(Data("\(first)------x\r\n\(file)".utf8))
        let hint = "begins with boundary \"--x\", not with \"----x\": the same but for leading hyphens"
        let reason = "\(first.utf8.count) bytes before the first delimiter; message \(hint)"
        let inspected = try Tool.run(["inspect", "--boundary", "----x"], input: input)
        #expect(inspected.text.hasSuffix("\ntolerated: preamble-not-allowed: \(reason) (at offset 4)\n"))
        let folder = try TemporaryDirectory()
        let decoded = try Tool.run(["decode", "--into", "out", "--boundary", "----x"], input: input, in: folder)
        #expect(decoded.exitCode == 0)
        #expect(decoded.standardError == "note: \(reason)\n")
        // The first line's own boundary.
        let text = try message([], "\(first)------x\r\n\(file)")
        let place = "the line at offset \(first.utf8.count) begins with boundary \"----x\", not with \"--x\""
        #expect(
            text.contains("message ends before its close delimiter; \(place): the same but for leading hyphens (at")
        )
        // The same boundary, and one that is not related.
        let other = try message([], "--b\r\n\r\n1\r\n--b\r\n\r\n2\r\n--zz\r\n")
        #expect(other.contains("unexpected-end") && !other.contains("begins with"))
    }

    @Test func `decode says that bytes before the first delimiter are in no part`() throws {
        let form = Message.text(Message.field("a", "1"))
        let words = ["decode", "--into", "out", "--boundary", "b"]
        for (preamble, length) in [
            ("hello\r\n", "7 bytes"), ("\r\n\n", "3 bytes"), ("\n", "1 byte"), ("--xy\r\n", "6 bytes"),
        ] {
            let input = Tool.Input.file(Data(preamble.utf8) + form)
            let text = "note: \(length) before the first delimiter\n"
            #expect(try Tool.run(words, input: input, in: TemporaryDirectory()).standardError == text)
        }
        let later = try Tool.run(words, input: .file(form + Data("x".utf8)), in: TemporaryDirectory())
        #expect(later.standardError == "note: 1 byte after the close delimiter\n")
        let strict = try Tool.run(words + ["--strict"], input: .file(Data("x\n".utf8) + form), in: TemporaryDirectory())
        #expect(strict.errorLines.count == 1)
    }

    @Test(arguments: [
        "Content-Type: multipart/form-data; boundary=b", "content-type:multipart/form-data; boundary=b",
        "  Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 1\r\n",
        "  Content-Type: multipart/form-data; boundary=b\n  Content-Length: 1",
        "Content-Length: 1\nContent-Type:\tmultipart/form-data; boundary=b",
        "Content-Type: multipart/form-data;\r\n boundary=b\r\nContent-Length: 1",
        "Content-Type: multipart/form-data;\r\n\tcharset=utf-8;\r\n  boundary=b",
    ])
    func `the option takes the line that encode prints`(line: String) throws {
        let input = Message.text(Message.field("a", "1"))
        let words = ["inspect", "--content-type", line]
        #expect(try Tool.run(words, input: .file(input)).exitCode == 0)
        let output = try Tool.run(["encode", "-F", "a=1"])
        for printed in [output.standardError, output.errorLines[0]] {
            let words = ["inspect", "--strict", "--content-type", printed]
            #expect(try Tool.run(words, input: .file(output.standardOutput)).exitCode == 0)
        }
    }
}
