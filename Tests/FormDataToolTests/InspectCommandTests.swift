import Foundation
import Testing

/// `formdata inspect`: the table, the JSON, and the limits.
struct InspectCommandTests {
    @Test func `the table has aligned columns`() throws {
        let file = "Content-Type: image/png\r\n" + Message.file("photo", "ü😀.png", "12345")
        let message = Message.text(Message.field("a", "1"), file, Message.file("", "-", ""))
        let output = try Tool.run(["inspect"], input: .file(message))
        #expect(output.exitCode == 0)
        let expected = """
            NAME   FILE NAME  TYPE       SIZE
            a      -          -             1
            photo  ü😀.png    image/png     5
            ""     "-"        -             0

            """
        #expect(output.text == expected)
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
            {"parts":[{"name":null,"filename":null,"contentType":null,"headers":[["X","y"]],"length":1,"body":"eg=="}]}

            """
        #expect(output.text == expected)
    }

    @Test func `after an error the complete parts are listed`() throws {
        let output = try Tool.run(["inspect", "--json"], input: .file(Message.cutOff))
        #expect(output.exitCode == 65)
        let report = try Report(output.standardOutput)
        #expect(report.parts.map(\.name) == ["a"])
        let error = try #require(report.error)
        #expect(error.code == "unexpected-end")
        #expect(error.part == 1)
        #expect(error.offset == Message.cutOff.count)
        #expect(output.standardError == "formdata: unexpected-end: \(error.message)\n")
        #expect(try Tool.run(["inspect"], input: .file(Message.cutOff)).text.contains("\na "))
    }

    @Test func `an error outside a part has null for its part`() throws {
        let output = try Tool.run(["inspect", "--json", "--boundary", "c"], input: .file(Message.text()))
        #expect(output.exitCode == 65)
        #expect(
            output.text.hasPrefix(
                "{\"parts\":[],\"error\":{\"code\":\"boundary-not-found\",\"offset\":7,\"part\":null,"
            )
        )
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

    @Test func `strict mode refuses what lenient mode reads`() throws {
        let message = Message.text("X: y\r\n\r\n")
        #expect(try Tool.run(["inspect"], input: .file(message)).exitCode == 0)
        let output = try Tool.run(["inspect", "--strict", "--json"], input: .file(message))
        #expect(output.exitCode == 65)
        #expect(try Report(output.standardOutput).error?.code == "missing-content-disposition")
    }

    @Test(arguments: [
        ("--max-parts", 2, "limit-parts"), ("--max-header-count", 1, "limit-header-count"),
        ("--max-header-bytes", 46, "limit-header-bytes"), ("--max-preamble-bytes", 4, "limit-preamble-bytes"),
        ("--max-part-bytes", 6, "limit-part-bytes"), ("--max-total-bytes", 122, "limit-total-bytes"),
    ])
    func `a limit holds exactly`(option: String, size: Int, code: String) throws {
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

    @Test(arguments: [
        ("--b--", nil), ("--b--\r\n", nil), ("--b-- \n", nil), ("--b\r\n\r\n\r\n--b--", nil),
        ("--b \t\n\n\n--b--\n", nil),
        ("", "boundary-not-found"), ("-b", "boundary-not-found"), ("pre\r\n--b--", "boundary-not-found"),
        ("--" + String(repeating: "x", count: 300) + "\r\n", "boundary-not-found"), ("--\r\n", "invalid-boundary"),
        ("--" + String(repeating: "x", count: 257) + "\r\n", "invalid-boundary"),
    ])
    func `without an option the first line gives the boundary`(message: String, code: String?) throws {
        let output = try Tool.run(["inspect", "--json"], input: .file(Data(message.utf8)))
        #expect(try Report(output.standardOutput).error?.code == code)
        #expect(output.exitCode == (code == nil ? 0 : 65))
    }
}
