import Foundation
import TestSupport
import Testing

/// Arguments that are not UTF-8, which the shell makes here: neither a text nor a file's name is ever changed.
struct ArgumentBytesTests {
    /// The octal escapes of `printf` for a Latin-1 letter, and for a byte that no UTF-8 has.
    private static let escapes = ["\\351", "\\377"]

    @Test(
        arguments: [
            "encode -F \"a=x$byte\"", "encode -F \"x$byte=a\"", "encode --form-string \"a=x$byte\"",
            "encode -F a=1 -o \"o$byte\"", "encode -F a=1 \"-oo$byte\"", "encode -F \"a=@f$byte\"",
            "encode -F \"a=@f;filename=$byte\"", "encode -F \"a=<f$byte\"", "encode --boundary \"x$byte\"",
            "decode message --into \"out$byte\"", "decode \"f$byte\" --into out", "inspect \"f$byte\"", "\"x$byte\"",
            "inspect message --content-type \"multipart/form-data; boundary=$byte\"",
        ],
        escapes
    )
    func `an argument that is not UTF-8 is exit code 64, and nothing is written`(words: String, byte: String) throws {
        let folder = try TemporaryDirectory()
        try folder.write(Message.text(Message.field("a", "1")), as: "message")
        try folder.write("", as: "f")
        // A name that is not UTF-8 cannot be created everywhere.
        let script = "byte=$(printf '\(byte)'); cp f \"f$byte\"; ls > before; \"$0\" \(words) > output 2> error"
        try folder.write("", as: "before")
        try folder.write("", as: "output")
        try folder.write("", as: "error")
        let process = try Tool.shell("\(script); code=$?; ls > after; exit $code", in: folder)
        process.standardError = FileHandle.nullDevice
        try Tool.finish(process)
        #expect(process.terminationStatus == 64)
        #expect(try folder.read("output").isEmpty)
        let error = try folder.text("error")
        #expect(error.hasPrefix("formdata: usage: argument ") && error.contains(" is not UTF-8: "))
        #expect(error.filter { $0 == "\n" }.count == 1)
        let (before, after) = (try folder.read("before"), try folder.read("after"))
        #expect(Set(after.split(separator: 10)) == Set(before.split(separator: 10) + [Data("after".utf8)]))
    }

    @Test func `the replacement character itself is a text like any other`() throws {
        let output = try Tool.run(["encode", "-F", "a=\u{FFFD}", "--boundary", "b"])
        #expect(output.standardOutput == Message.text(Message.field("a", "\u{FFFD}")))
    }

    /// Runs a script in a folder with a directory, `d`, and the byte that is not UTF-8; false if it cannot have one.
    private func run(_ script: String, in folder: TemporaryDirectory) throws -> Bool {
        let process = try Tool.shell("byte=$(printf '\\351'); mkdir \"d$byte\" || exit 99; \(script)", in: folder)
        process.standardError = FileHandle.nullDevice
        try Tool.finish(process)
        return process.terminationStatus != 99
    }

    @Test func `a link leads to a file whose name is not UTF-8`() throws {
        let folder = try TemporaryDirectory()
        let script = """
            printf text > "d$byte/f"; ln -s "d$byte/f" link
            "$0" encode -F 'a=<link' --boundary b > out
            """
        guard try run(script, in: folder) else { return }
        #expect(try folder.read("out") == Message.text(Message.field("a", "text")))
    }

    @Test func `a link to a file whose name is not UTF-8 is not replaced`() throws {
        let folder = try TemporaryDirectory()
        let script = """
            printf old > "d$byte/f"; ln -s "d$byte/f" link
            "$0" encode -F a=1 -o link --force; echo $? > code; cat link > content; test -L link && echo link > kind
            """
        guard try run(script, in: folder) else { return }
        #expect(try folder.text("code") == "73\n")
        #expect(try folder.text("content") == "old")
        #expect(try folder.text("kind") == "link\n")
    }
}
