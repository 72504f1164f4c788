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
        let fact = "message begins with boundary \"ab\", not with \"\(boundary)\"\(difference)"
        for input in [form, "\r\n" + form, form + String(repeating: "x", count: 100_000)] {
            let text = try message(["--boundary", boundary], input)
            #expect(text.contains(fact), "\(text)")
        }
        let quoted = boundary.replacing("\"", with: "\\\"")
        let head = "POST / HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=\"\(quoted)\"\r\n\r\n"
        for input in [form, "\r\n" + form] { #expect(try message([], head + input).contains(fact)) }
    }

    @Test func `an empty input is named`() throws {
        let text = "formdata: boundary-not-found: message is empty (at offset 0)\n"
        #expect(try message([], "") == text)
        #expect(try message(["--boundary", "b"], "") == text)
        #expect(try message(["--content-type", "multipart/form-data; boundary=b"], "") == text)
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
        let fact = "first line does not give the boundary; the line at offset 14 may: --boundary b (at offset 0)"
        #expect(text == "formdata: boundary-not-found: \(fact)\n")
        #expect(
            try message([], "{}\n")
                == "formdata: boundary-not-found: first line does not give the boundary (at offset 0)\n"
        )
    }

    @Test func `another boundary cannot reach the terminal`() throws {
        let text = try message(["--boundary", "b"], "--\u{1B}[2J\u{202E}\r\n\r\n1\r\n")
        #expect(text.contains("\"\\u{1B}[2J\\u{202E}\""))
        let later = try message([], "x\n--\u{9B}2J\u{202E}\n")
        #expect(!later.unicodeScalars.contains { $0 == "\u{9B}" || $0 == "\u{202E}" })
    }

    @Test(arguments: [
        "Content-Type: multipart/form-data; boundary=b", "content-type:multipart/form-data; boundary=b",
        "  Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 1\r\n",
        "Content-Length: 1\nContent-Type:\tmultipart/form-data; boundary=b",
    ])
    func `the option takes the line that encode prints`(line: String) throws {
        let input = Message.text(Message.field("a", "1"))
        let words = ["inspect", "--strict", "--content-type", line]
        #expect(try Tool.run(words, input: .file(input)).exitCode == 0)
        let output = try Tool.run(["encode", "-F", "a=1"])
        for printed in [output.standardError, output.errorLines[0]] {
            let words = ["inspect", "--strict", "--content-type", printed]
            #expect(try Tool.run(words, input: .file(output.standardOutput)).exitCode == 0)
        }
    }
}
