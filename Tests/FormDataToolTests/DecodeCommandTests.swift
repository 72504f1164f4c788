import Foundation
import TestSupport
import Testing

/// `formdata decode`: the files, the manifest, and the cleanup after an error.
struct DecodeCommandTests {
    @Test func `each part becomes a file and a line of the manifest`() throws {
        let folder = try TemporaryDirectory()
        let message = Message.text(Message.field("a", "1"), Message.file("f", "x.bin", "\u{0}\r\n"))
        let output = try Tool.run(["decode", "--into", "new/out"], input: .pipe(message), in: folder)
        #expect(output.exitCode == 0)
        #expect(output.standardError.isEmpty)
        #expect(folder.names(in: "new/out") == ["a", "manifest.json", "x.bin"])
        #expect(try folder.text("new/out/a") == "1")
        #expect(try folder.text("new/out/x.bin") == "\u{0}\r\n")
        let manifest = try folder.text("new/out/manifest.json")
        let headers = "[[\"Content-Disposition\",\"form-data; name=\\\"a\\\"\"]]"
        let first = """
            {"contentType":null,"file":"a","filename":null,"headers":\(headers),"length":1,"name":"a"}
            """
        #expect(manifest.hasPrefix("{\"parts\":[\(first),"))
        let report = try Report(Data(manifest.utf8))
        #expect(report.error == nil)
        #expect(report.parts.map(\.file) == ["a", "x.bin"])
        #expect(report.parts.map(\.length) == [1, 3])
        #expect(report.parts.map(\.complete) == [nil, nil])
    }

    @Test(arguments: [
        ("../../x", "x"), ("/etc/passwd", "passwd"), ("a/b", "b"), ("C:\\\\x", "x"), ("..\\\\..\\\\y", "y"),
        ("..", "n"),
        (".", "n"), ("", "n"), ("dir/", "n"), ("manifest.json", "manifest-2.json"),
        ("Manifest.JSON", "Manifest-2.JSON"), ("a\tb\u{7F}", "ab"), ("…/é😀", "é😀"),
    ])
    func `no file name leads out of the directory`(filename: String, expected: String) throws {
        let folder = try TemporaryDirectory()
        let message = Message.text(Message.file("n", filename, "content"))
        let output = try Tool.run(["decode", "--into", "out/deep"], input: .file(message), in: folder)
        #expect(output.exitCode == 0)
        #expect(folder.names() == ["out"])
        #expect(folder.names(in: "out") == ["deep"])
        #expect(folder.names(in: "out/deep") == [expected, "manifest.json"].sorted())
        #expect(try folder.text("out/deep/\(expected)") == "content")
        #expect(try Report(folder.read("out/deep/manifest.json")).parts.first?.filename?.isEmpty == filename.isEmpty)
    }

    @Test(arguments: [("../x", "x"), ("", "part"), ("..", "part"), ("a/b/", "part")])
    func `a field's name is made as safe as a file name`(name: String, expected: String) throws {
        let folder = try TemporaryDirectory()
        let message = Message.text(Message.field(name, "1"))
        #expect(try Tool.run(["decode", "--into", "out"], input: .file(message), in: folder).exitCode == 0)
        #expect(folder.names(in: "out") == [expected, "manifest.json"].sorted())
    }

    @Test func `names that differ only by letter case or Unicode form are numbered`() throws {
        let folder = try TemporaryDirectory()
        let names = ["a.txt", "A.TXT", "a-2.txt", "a.txt", "é", "e\u{301}", "manifest.json", "noext", "noext"]
        let message = Data(
            (names.map { "--b\r\n\(Message.file("n", $0, $0))\r\n" }.joined() + "--b--\r\n").utf8
        )
        #expect(try Tool.run(["decode", "--into", "out"], input: .file(message), in: folder).exitCode == 0)
        let parts = try Report(folder.read("out/manifest.json")).parts
        let files = try parts.map { try #require($0.file) }
        #expect(
            files == [
                "a.txt", "A-2.TXT", "a-2-2.txt", "a-3.txt", "é", "e\u{301}-2", "manifest-2.json", "noext", "noext-2",
            ]
        )
        for (name, file) in zip(names, files) { #expect(try folder.text("out/\(file)") == name) }
    }

    @Test func `a name that is too long is cut between characters and keeps its extension`() throws {
        let folder = try TemporaryDirectory()
        let long = String(repeating: "é", count: 200) + ".txt"
        let message = Message.text(Message.file("n", long, "1"), Message.file("n", long, "2"))
        #expect(try Tool.run(["decode", "--into", "out"], input: .file(message), in: folder).exitCode == 0)
        let stem = String(repeating: "é", count: 125)
        #expect(try folder.text("out/\(stem).txt") == "1")
        #expect(try folder.text("out/\(stem.dropLast())-2.txt") == "2")
    }

    @Test func `long names that are cut to the same name are numbered in sequence`() throws {
        let folder = try TemporaryDirectory()
        let names = (0..<600).map { String(repeating: "q", count: 300) + "\($0)" }
        let message = names.map { "--b\r\n\(Message.file("n", $0, "1"))\r\n" }.joined()
        let output = try Tool.run(
            ["decode", "--into", "out"],
            input: .file(Data("\(message)--b--\r\n".utf8)),
            in: folder
        )
        #expect(output.exitCode == 0)
        let cut = String(repeating: "q", count: 255)
        #expect(folder.has("out/\(cut)"))
        #expect(folder.has("out/\(cut.dropLast(4))-600"))
    }

    @Test func `characters that change the text direction are removed from file names`() throws {
        let folder = try TemporaryDirectory()
        let message = Message.text(
            Message.file("n", "invoice\u{202E}fdp.exe", "1"),
            Message.field("\u{2066}a\u{2028}b\u{61C}", "2")
        )
        #expect(try Tool.run(["decode", "--into", "out"], input: .file(message), in: folder).exitCode == 0)
        #expect(folder.names(in: "out") == ["ab", "invoicefdp.exe", "manifest.json"])
    }

    @Test func `files and links in the directory are left alone`() throws {
        let folder = try TemporaryDirectory()
        let manager = FileManager.default
        try manager.createDirectory(atPath: folder.path(of: "out"), withIntermediateDirectories: false)
        try folder.write("old", as: "out/a")
        try manager.createSymbolicLink(atPath: folder.path(of: "out/l"), withDestinationPath: "../victim")
        let message = Message.text(Message.field("a", "new"), Message.field("l", "new"))
        #expect(try Tool.run(["decode", "--into", "out"], input: .file(message), in: folder).exitCode == 0)
        #expect(folder.names() == ["out"])
        #expect(folder.names(in: "out") == ["a", "a-2", "l", "l-2", "manifest.json"])
        #expect(try folder.text("out/a") == "old")
    }

    @Test func `a directory with a manifest is refused`() throws {
        let folder = try TemporaryDirectory()
        let message = Message.text(Message.field("a", "1"))
        #expect(try Tool.run(["decode", "--into", "out"], input: .file(message), in: folder).exitCode == 0)
        let manifest = try folder.read("out/manifest.json")
        #expect(try Tool.run(["decode", "--into", "out"], input: .file(message), in: folder).exitCode == 73)
        #expect(try folder.read("out/manifest.json") == manifest)
        #expect(folder.names(in: "out") == ["a", "manifest.json"])
    }

    @Test(arguments: [false, true])
    func `a manifest, even a link that leads nowhere, is noticed before a message is read`(isLink: Bool) throws {
        let folder = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: folder.path(of: "out"), withIntermediateDirectories: false)
        if isLink {
            let path = folder.path(of: "out/manifest.json")
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "nowhere")
        } else {
            try folder.write("old", as: "out/manifest.json")
        }
        let output = try Tool.run(["decode", "--into", "out"], input: .file(Message.cutOff), in: folder)
        #expect(output.exitCode == 73)
        #expect(output.standardError.hasPrefix("formdata: output-exists: "))
        #expect(folder.names(in: "out") == ["manifest.json"])
    }

    @Test func `a directory that cannot be created is exit code 73`() throws {
        let folder = try TemporaryDirectory()
        try folder.write("", as: "file")
        for path in ["file", "file/out", "new/" + String(repeating: "x", count: 300)] {
            let output = try Tool.run(["decode", "--into", path], input: .file(Message.text()), in: folder)
            #expect(output.exitCode == 73)
        }
        #expect(folder.names() == ["file"])
    }

    @Test(arguments: [
        ("new/.", ["new"], "new"), ("o/../p", ["o", "p"], "p"), ("q/./r/", ["q"], "q/r"), ("new//a/..", ["new"], "new"),
        ("./s/../t/.", ["s", "t"], "t"),
    ])
    func `a path with dots is made as far as it is missing`(path: String, names: [String], place: String) throws {
        let message = Message.text(Message.field("f", "1"))
        let folder = try TemporaryDirectory()
        let output = try Tool.run(["decode", "--into", path], input: .file(message), in: folder)
        #expect(output.exitCode == 0, "\(output.standardError)")
        #expect(folder.names() == names)
        #expect(try folder.text("\(place)/f") == "1")
        let other = try TemporaryDirectory()
        #expect(try Tool.run(["decode", "--into", path], input: .file(Message.cutOff), in: other).exitCode == 65)
        #expect(other.names() == [])
    }

    @Test func `after an error nothing is left, not even the directories`() throws {
        let folder = try TemporaryDirectory()
        let output = try Tool.run(["decode", "--into", "new/out"], input: .file(Message.cutOff), in: folder)
        #expect(output.exitCode == 65)
        #expect(output.standardError.hasPrefix("formdata: unexpected-end: part 1 \"f\": "))
        #expect(folder.names() == [])
    }

    @Test func `after an error the files of others stay`() throws {
        let folder = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: folder.path(of: "out"), withIntermediateDirectories: false)
        try folder.write("old", as: "out/a")
        #expect(try Tool.run(["decode", "--into", "out"], input: .file(Message.cutOff), in: folder).exitCode == 65)
        #expect(folder.names(in: "out") == ["a"])
    }

    @Test func `keep leaves the parts before an error and reports which are complete`() throws {
        let folder = try TemporaryDirectory()
        let words = ["decode", "--into", "out", "--keep"]
        #expect(try Tool.run(words, input: .file(Message.cutOff), in: folder).exitCode == 65)
        let report = try Report(folder.read("out/manifest.json"))
        #expect(report.parts.map(\.complete) == [true, false])
        #expect(report.error?.code == "unexpected-end")
        #expect(try folder.text("out/a") == "1")
        let partial = try #require(report.parts.last)
        #expect(try folder.read("out/x.bin").count == partial.length)
        #expect("abcdef".hasPrefix(try folder.text("out/x.bin")))
    }

    @Test func `keep leaves the parts before an error even if there is no room for the manifest`() throws {
        let folder = try TemporaryDirectory()
        let parts = Data(String(repeating: "--b\r\n\(Message.field("a", "1"))\r\n", count: 30).utf8)
        let words = ["decode", "--into", "out", "--keep"]
        #expect(try Tool.run(words, input: .file(parts), in: folder, fileSizeLimit: 1).exitCode == 65)
        #expect(folder.names(in: "out") == (["a"] + (2...30).map { "a-\($0)" }).sorted())
    }

    @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
    func `a signal ends the tool by that signal and leaves nothing`(signal: Int32) throws {
        let folder = try TemporaryDirectory()
        let process = try Tool.process(["decode", "--into", "new/out"], in: folder)
        let input = Pipe()
        process.standardInput = input
        process.standardError = FileHandle.nullDevice
        try Tool.start(process)
        let part = Data("--b\r\n\r\n".utf8) + Data(count: 1 << 20) + Data("\r\n".utf8)
        for _ in 0..<4 { try input.fileHandleForWriting.write(contentsOf: part) }
        #expect(folder.has("new/out/part"))
        kill(process.processIdentifier, signal)
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal)
        #expect(process.terminationStatus == signal)
        #expect(folder.names() == [])
    }

    @Test(arguments: [false, true])
    func `a full disk is exit code 74`(keeps: Bool) throws {
        let folder = try TemporaryDirectory()
        try folder.write(Data(count: 4 << 20), as: "big")
        #expect(try Tool.run(["encode", "-F", "a=1", "-F", "b=@big", "-o", "m"], in: folder).exitCode == 0)
        let words = ["decode", "m", "--into", "out"] + (keeps ? ["--keep"] : [])
        let output = try Tool.run(words, in: folder, fileSizeLimit: 2048)
        #expect(output.exitCode == 74)
        #expect(output.standardError.hasPrefix("formdata: write-failed: "))
        #expect(folder.names(in: "out") == (keeps ? ["a", "big", "manifest.json"] : nil))
    }
}
