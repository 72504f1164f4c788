import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// The syntax of `-F`.
struct FieldSyntaxTests {
    /// An argument and the expected part.
    struct Case: Sendable, CustomTestStringConvertible {
        let argument: String
        let name: String
        let filename: String?
        let type: String?
        let body: String

        var testDescription: String { argument }

        init(_ argument: String, _ name: String, _ body: String, filename: String? = nil, type: String? = nil) {
            self.argument = argument
            self.name = name
            self.filename = filename
            self.type = type
            self.body = body
        }
    }

    private static let html = "text/html; charset=utf-8"

    static let texts = [
        Case("a=1", "a", "1"),
        Case("a=", "a", ""),
        Case("=x", "", "x"),
        Case("a=b=c", "a", "b=c"),
        Case(" a = x ", " a ", "x"),
        Case("a=x;y", "a", "x"),
        Case("a=x;", "a", "x"),
        Case("a=x;types=y", "a", "x"),
        Case("a=x;type=text/html", "a", "x", type: "text/html"),
        Case("a=x; TYPE=text/html", "a", "x", type: "text/html"),
        Case("a=x;y;type=text/html", "a", "x", type: "text/html"),
        Case("a=x;type=text/html; charset=utf-8", "a", "x", type: html),
        Case("a=x;type=text/html; charset=utf-8;filename=n", "a", "x", filename: "n", type: html),
        Case("a=x;filename=n;type=text/html", "a", "x", filename: "n", type: "text/html"),
        Case("a=x;filename=z.html", "a", "x", filename: "z.html", type: "text/html"),
        Case("a=x;filename=z.html;type=a/b", "a", "x", filename: "z.html", type: "a/b"),
        Case("a=x;type=a/b;filename=z.html", "a", "x", filename: "z.html", type: "a/b"),
        Case("a=x;type=a/b;type=c", "a", "x", type: "a/b;type=c"),
        Case("a=x;type=a/b; TYPE=c;filename=n", "a", "x", filename: "n", type: "a/b; TYPE=c"),
        Case("a=x;type=a/b;filename=n;type=c/d", "a", "x", filename: "n", type: "c/d"),
        Case("a=x;type=a/b;c=\";filename=n\"", "a", "x", type: "a/b;c=\";filename=n\""),
        Case("a=x;filename=", "a", "x", filename: "", type: "application/octet-stream"),
        Case("a=\"x;type=a/b\"", "a", "x;type=a/b"),
        Case("a=\"x\\\"y\\\\z\\n\"", "a", "x\"y\\z\\n"),
        Case("a=\"@f.txt\"", "a", "@f.txt"),
        Case("a=\"x\";type=text/html", "a", "x", type: "text/html"),
        Case("a=\"x", "a", "\"x"),
        Case("a=\"x\" y", "a", "x"),
        Case("a=\" x \" ", "a", " x "),
        Case("a= \"x;y\"", "a", "x;y"),
        Case("a=(x", "a", "(x"),
        Case("ü😀=é;filename=\"a,b;c\"", "ü😀", "é", filename: "a,b;c", type: "application/octet-stream"),
    ]

    static let files = [
        Case("a=@f.txt", "a", "text", filename: "f.txt", type: "text/plain"),
        Case("a=@ f.txt ;type=text/html", "a", "text", filename: "f.txt", type: "text/html"),
        Case("a=@f.txt;filename=g.png", "a", "text", filename: "g.png", type: "image/png"),
        Case("a=@f.txt;filename=d/g", "a", "text", filename: "d/g", type: "text/plain"),
        Case("a=@f.txt;filename=.png", "a", "text", filename: ".png", type: "text/plain"),
        Case("a=@f.txt;filename=\"x\\\"y\";type=a/b", "a", "text", filename: "x%22y", type: "a/b"),
        Case("a=@\"b;c,d.txt\"", "a", "odd", filename: "b;c,d.txt", type: "text/plain"),
        Case("a=@\"b;c,d.txt\";type=a/b", "a", "odd", filename: "b;c,d.txt", type: "a/b"),
        Case("a=@./f.txt", "a", "text", filename: "f.txt", type: "text/plain"),
        Case("a=@Makefile", "a", "all:", filename: "Makefile", type: "application/octet-stream"),
        Case("a=@f.txt;x=1;junk", "a", "text", filename: "f.txt", type: "text/plain"),
        Case("a=<f.txt", "a", "text"),
        Case("a=<f.txt;x", "a", "text"),
        Case("a=<f.txt;type=text/html", "a", "text", type: "text/html"),
        Case("a=<\"b;c,d.txt\"", "a", "odd"),
        Case("a=<c d.png", "a", "image"),
        Case("a=<c d.png;filename=g.html", "a", "image", filename: "g.html", type: "text/html"),
        Case("a=@c d.png;type=a/b;type=c", "a", "image", filename: "c d.png", type: "a/b;type=c"),
        Case("a=@-", "a", "input", filename: "-", type: "application/octet-stream"),
        Case("a=@-;filename=i.txt;type=a/b", "a", "input", filename: "i.txt", type: "a/b"),
        Case("a=<-", "a", "input"),
    ]

    @Test(arguments: texts + files)
    func `a field follows curl's syntax`(expected: Case) throws {
        let words = ["encode", "-F", expected.argument, "--boundary", "b"]
        let message = try Tool.run(words, input: .file(Data("input".utf8)), in: folder())
        try #require(message.exitCode == 0, "\(message.standardError)")
        // Strict mode refuses content in a file without a name, names with a space at an edge and without a character,
        // and `name=` in a type, all of which curl sends.
        let isUnusual =
            expected.filename == "" || ["", " a "].contains(expected.name) || expected.type?.contains("name=") == true
        let form = try MultipartFormData(
            parsing: message.standardOutput,
            contentType: "multipart/form-data; boundary=b",
            options: MultipartParser.Options(mode: isUnusual ? .lenient : .strict)
        )
        let part = try #require(form.first)
        #expect(form.count == 1)
        #expect(part.name == expected.name)
        #expect(part.filename == expected.filename)
        #expect(part.contentType == expected.type)
        #expect(try part.data() == Data(expected.body.utf8))
    }

    @Test(arguments: [
        "a", "", "a=@", "a=<", "a=x;type=foo", "a=x;type=/b", "a=x;type=a//b", "a=x;type=a;type=b", "a=x;headers=@h",
        "a=@f.txt;encoder=base64", "a=@f.txt,",
    ])
    func `a field that breaks the syntax is exit code 64`(argument: String) throws {
        let output = try Tool.run(["encode", "-F", argument], in: folder())
        #expect(output.exitCode == 64)
        #expect(output.standardOutput.isEmpty)
    }

    @Test(arguments: [
        ("a=x; w ;type=a/b", "skipped ;w, which is no parameter"),
        ("a=@f.txt;x=1", "skipped ;x=1, which is no parameter"),
        ("a=\"x\" y\u{1B}", "skipped y\\u{1B} after a closing quote"),
        ("a=(x", "sent as text, though curl begins a group with ("), ("a=x;", nil), ("a=\"x\" ", nil),
        ("a=\"(x\"", nil),
    ])
    func `what curl skips is skipped and said, as is a group`(argument: String, note: String?) throws {
        let output = try Tool.run(["encode", "-F", argument], in: folder())
        #expect(output.exitCode == 0)
        let notes = output.errorLines.filter { $0.hasPrefix("note: ") }
        #expect(notes == note.map { ["note: field \"a\": \($0)"] } ?? [])
    }

    @Test func `a second type is a parameter of the first one, which must be a media type with it`() throws {
        let output = try Tool.run(["encode", "-F", "a=x;type=a/b;type=c/d"])
        #expect(output.exitCode == 65)
        #expect(output.standardError.contains("\"a/b;type=c/d\""))
    }

    @Test func `a list of files makes several parts of one name`() throws {
        let words = ["encode", "-F", "a=@f.txt;type=a/b,\"b;c,d.txt\";filename=x", "--boundary", "b"]
        let message = try Tool.run(words, in: folder())
        let list = try Report(Tool.run(["inspect", "--json"], input: .file(message.standardOutput)).standardOutput)
        #expect(list.parts.map(\.name) == ["a", "a"])
        #expect(list.parts.map(\.filename) == ["f.txt", "x"])
        #expect(list.parts.map(\.contentType) == ["a/b", "text/plain"])
    }

    @Test func `a form string is taken literally`() throws {
        let output = try Tool.run(["encode", "--form-string", "a=@x;type=a/b", "--boundary", "b"])
        #expect(output.standardOutput == Message.text(Message.field("a", "@x;type=a/b")))
    }

    private func folder() throws -> TemporaryDirectory {
        let folder = try TemporaryDirectory()
        try folder.write("text", as: "f.txt")
        try folder.write("odd", as: "b;c,d.txt")
        try folder.write("all:", as: "Makefile")
        try folder.write("image", as: "c d.png")
        return folder
    }
}
