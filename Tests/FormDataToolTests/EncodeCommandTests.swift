import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// `formdata encode`: the message, its reported type and length, and its output.
struct EncodeCommandTests {
    @Test func `the content type and length on standard error match the message`() throws {
        let output = try Tool.run(["encode", "-F", "a=1", "-F", "b=2"])
        #expect(output.exitCode == 0)
        #expect(output.errorLines.count == 2)
        let type = try #require(output.errorLines.first)
        #expect(type.hasPrefix("Content-Type: multipart/form-data; boundary="))
        #expect(output.errorLines.last == "Content-Length: \(output.standardOutput.count)")
        let value = String(type.dropFirst("Content-Type: ".count))
        let list = try Tool.run(["inspect", "--content-type", value, "--strict"], input: .file(output.standardOutput))
        #expect(list.exitCode == 0)
    }

    @Test func `a form without fields is a valid empty form`() throws {
        let output = try Tool.run(["encode", "--boundary", "b"])
        #expect(output.standardOutput == Data("--b--\r\n".utf8))
        #expect(try Tool.run(["inspect", "--json"], input: .file(output.standardOutput)).text == "{\"parts\":[]}\n")
    }

    @Test(arguments: [false, true])
    func `the length is printed for standard input from a file and from a pipe`(isPipe: Bool) throws {
        let content = Data("some content".utf8)
        let output = try Tool.run(["encode", "-F", "a=@-"], input: isPipe ? .pipe(content) : .file(content))
        #expect(output.exitCode == 0)
        #expect(output.errorLines.last == "Content-Length: \(output.standardOutput.count)")
    }

    @Test(arguments: [Tool.Input.file(Data("x".utf8)), .pipe(Data("x".utf8))])
    func `standard input may be one byte`(input: Tool.Input) throws {
        let output = try Tool.run(["encode", "-F", "a=<-", "--boundary", "b"], input: input)
        #expect(output.standardOutput == Message.text(Message.field("a", "x")))
    }

    @Test func `standard input may be a file that has been read in part`() throws {
        let folder = try TemporaryDirectory()
        try folder.write("line\nrest", as: "file")
        let script = "{ read line; exec \"$0\" encode -F 'a=<-' --boundary b; } < file > out 2> error"
        try Tool.finish(Tool.shell(script, in: folder))
        let message = Message.text(Message.field("a", "rest"))
        #expect(try folder.read("out") == message)
        #expect(try folder.text("error").hasSuffix("\nContent-Length: \(message.count)\n"))
    }

    @Test func `an input is closed when it has been read`() throws {
        let folder = try TemporaryDirectory()
        let fields = String(repeating: " -F 'a=</dev/null'", count: 50)
        let process = try Tool.shell("ulimit -n 20; exec \"$0\" encode\(fields) > out 2> error", in: folder)
        try Tool.finish(process)
        #expect(process.terminationStatus == 0)
    }

    @Test func `line breaks of text fields are normalised on request, those of files are not`() throws {
        let folder = try TemporaryDirectory()
        try folder.write("1\n2\r3\r\n4", as: "f")
        let words = ["encode", "-F", "a=1\n2\r3\r\n4", "-F", "b=<f", "-F", "c=@f", "-F", "d=1\n2;filename=x"]
        let plain = try Tool.run(words, in: folder)
        let normalised = try Tool.run(words + ["--normalize-newlines"], in: folder)
        #expect(normalised.errorLines.last == "Content-Length: \(normalised.standardOutput.count)")
        let list = ["inspect", "--json", "--bodies"]
        let raw = try Report(Tool.run(list, input: .file(plain.standardOutput)).standardOutput)
        let read = try Report(Tool.run(list, input: .file(normalised.standardOutput)).standardOutput)
        let sent = Data("1\n2\r3\r\n4".utf8)
        let normal = Data("1\r\n2\r\n3\r\n4".utf8)
        #expect(raw.parts.map(\.body) == [sent, sent, sent, Data("1\n2".utf8)])
        #expect(read.parts.map(\.body) == [normal, normal, sent, Data("1\n2".utf8)])
    }

    @Test(arguments: ["", "a\nb", "ü", String(repeating: "x", count: 71), "end "])
    func `an invalid boundary is exit code 64, and the message says why`(boundary: String) throws {
        let output = try Tool.run(["encode", "-F", "a=1", "--boundary", boundary])
        #expect(output.exitCode == 64)
        let error = #expect(throws: MultipartError.self) { try Boundary(parsing: boundary) }
        #expect(output.standardError == "formdata: invalid-boundary: \(try #require(error))\n")
    }

    @Test func `content that holds the boundary is exit code 65 and leaves no file`() throws {
        let folder = try TemporaryDirectory()
        let output = try Tool.run(["encode", "-F", "a=--b", "--boundary", "b", "-o", "out"], in: folder)
        #expect(output.exitCode == 65)
        #expect(output.errorLines.last?.hasPrefix("formdata: boundary-collision: part 0 \"a\": ") == true)
        #expect(folder.names() == [])
    }

    @Test(arguments: ["a\u{1}=x", "a=x;type=text/\u{1}x", "a=x;type=text/ü", "a=x;filename=\u{7F}"])
    func `names and types that cannot be written are exit code 65`(field: String) throws {
        let output = try Tool.run(["encode", "-F", field])
        #expect(output.exitCode == 65)
        #expect(output.standardOutput.isEmpty)
        #expect(output.errorLines.count == 1)
    }

    @Test(arguments: [("missing", "body-part-file-not-reachable"), (".", "body-part-file-is-directory")], ["@", "<"])
    func `a missing file or a directory is exit code 66, and its field is named`(
        file: (path: String, code: String),
        sign: String
    ) throws {
        let folder = try TemporaryDirectory()
        let words = ["encode", "-F", "a=1", "-F", "b c=\(sign)\(file.path)", "-o", "out", "--normalize-newlines"]
        let output = try Tool.run(words, in: folder)
        #expect(output.exitCode == 66)
        #expect(output.standardError.hasPrefix("formdata: \(file.code): part 1 \"b c\": file "))
        #expect(output.errorLines.count == 1)
        #expect(folder.names() == [])
    }

    @Test(arguments: ["@", "<"])
    func `a FIFO, a pipe and a device are read as streams`(sign: String) throws {
        let folder = try TemporaryDirectory()
        let content = Data("1\n2".utf8)
        try folder.write(content, as: "content")
        #expect(mkfifo(folder.path(of: "fifo"), 0o600) == 0)
        let writer = try Tool.shell("cat content > fifo", in: folder)
        try Tool.start(writer)
        defer { writer.terminate() }
        // A shell replaces <(command) by a path such as /dev/fd/63.
        for (path, body) in [("fifo", content), ("/dev/fd/0", content), ("/dev/stdin", content), ("/dev/null", Data())]
        {
            let output = try Tool.run(["encode", "-F", "a=\(sign)\(path)"], input: .pipe(content), in: folder)
            try #require(output.exitCode == 0, "\(path): \(output.standardError)")
            #expect(output.errorLines.last == "Content-Length: \(output.standardOutput.count)")
            let list = try Tool.run(["inspect", "--json", "--bodies"], input: .file(output.standardOutput))
            let part = try #require(try Report(list.standardOutput).parts.first)
            #expect(part.body == body)
            #expect(part.filename == (sign == "@" ? path.split(separator: "/").last.map(String.init) : nil))
            #expect(part.contentType == (sign == "@" ? "application/octet-stream" : nil))
        }
    }

    @Test(arguments: ["-", "/dev/stdin", "/dev/fd/0", "link"], ["-", "/dev/stdin", "/dev/fd/0", "link"])
    func `a pipe at standard input is read by one field only, whatever it is called`(
        first: String,
        second: String
    ) throws {
        let folder = try TemporaryDirectory()
        let link = folder.path(of: "link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/dev/fd/0")
        for sign in ["<", "@"] {
            let words = ["encode", "-F", "a=<\(first)", "-F", "x=1", "-F", "b=\(sign)\(second)"]
            let output = try Tool.run(words, input: .pipe(Data("text".utf8)), in: folder)
            #expect(output.exitCode == 64)
            #expect(output.standardError == "formdata: usage: standard input can be read by one field only\n")
        }
    }

    @Test func `a pipe or a FIFO is read by one field only`() throws {
        let folder = try TemporaryDirectory()
        #expect(mkfifo(folder.path(of: "fifo"), 0o600) == 0)
        let words = "-F 'a=</dev/fd/3' -F 'b=@/dev/fd/3'"
        for (path, fields) in [("/dev/fd/3", words), ("./fifo", "-F 'a=@fifo,./fifo'")] {
            let process = try Tool.shell("echo x | \"$0\" encode \(fields) 3<&0 <&- 2> error", in: folder)
            try Tool.finish(process)
            #expect(process.terminationStatus == 64)
            #expect(try folder.text("error") == "formdata: usage: \(path) can be read by one field only\n")
        }
    }

    @Test func `what begins again each time is read by any number of fields`() throws {
        let folder = try TemporaryDirectory()
        try folder.write("text", as: "file")
        let words = ["encode", "-F", "a=<file", "-F", "b=<file", "-F", "c=</dev/null", "-F", "d=</dev/null"]
        let text = ["a", "b"].map { Message.field($0, "text") } + ["c", "d"].map { Message.field($0, "") }
        for standardInput in ["/dev/null", folder.path(of: "file")] {
            let output = try Tool.run(words + ["--boundary", "b"], input: .path(standardInput), in: folder)
            #expect(output.standardOutput == Message.text(text[0], text[1], text[2], text[3]))
        }
    }

    @Test func `line breaks of a value from a pipe are normalised on request`() throws {
        let words = ["encode", "-F", "a=</dev/fd/0", "--normalize-newlines", "--boundary", "b"]
        let output = try Tool.run(words, input: .pipe(Data("1\n2".utf8)))
        #expect(output.standardOutput == Message.text(Message.field("a", "1\r\n2")))
    }

    @Test func `line breaks of a value from a file at standard input are normalised on request`() throws {
        let words = ["encode", "-F", "a=<-", "--normalize-newlines", "--boundary", "b"]
        let output = try Tool.run(words, input: .file(Data("1\n2".utf8)))
        #expect(output.exitCode == 0)
        #expect(output.standardOutput == Message.text(Message.field("a", "1\r\n2")))
        #expect(output.errorLines.last == "Content-Length: \(output.standardOutput.count)")
    }

    @Test func `a missing file is an error, too, if its line breaks are to be normalised`() throws {
        let folder = try TemporaryDirectory()
        for sign in ["<", "@"] {
            let words = ["encode", "-F", "a=\(sign)missing", "--normalize-newlines", "-o", "out"]
            let output = try Tool.run(words, in: folder)
            #expect(output.exitCode == 66)
            #expect(output.errorLines.count == 1)
            #expect(folder.names() == [])
        }
        // A URL has no `..`, so the library finds this file, which the system does not.
        try folder.write("1\n2", as: "f")
        let words = ["encode", "-F", "a=<missing/../f", "--normalize-newlines", "-o", "out"]
        #expect(try Tool.run(words, in: folder).exitCode == 66)
        #expect(folder.names() == ["f"])
    }

    /// A terminal, its path, and its other end, which has sent it many ends of input.
    private func terminal() throws -> (screen: FileHandle, path: String, keyboard: FileHandle) {
        var own: Int32 = -1
        var other: Int32 = -1
        try #require(openpty(&own, &other, nil, nil, nil) == 0)
        let keyboard = FileHandle(fileDescriptor: own, closeOnDealloc: true)
        let screen = FileHandle(fileDescriptor: other, closeOnDealloc: true)
        try keyboard.write(contentsOf: Data(repeating: 4, count: 20))
        return (screen, String(cString: try #require(ttyname(other))), keyboard)
    }

    @Test func `a terminal at standard input is read by one field only, and other devices by any number`() throws {
        let folder = try TemporaryDirectory()
        let (own, other) = (try terminal(), try terminal())
        defer { withExtendedLifetime((own, other)) {} }
        for (first, second, exitCode) in [
            ("-", own.path, 64), (other.path, other.path, 0), ("/dev/null", "/dev/null", 0),
        ] {
            let words = [
                "encode", "-F", "a=<\(first)", "-F", "b=<\(second)", "--boundary", "b", "-o", "out", "--force",
            ]
            let process = try Tool.process(words, in: folder)
            process.standardInput = own.screen
            process.standardError = FileHandle.nullDevice
            try Tool.finish(process)
            #expect(process.terminationStatus == Int32(exitCode), "\(first)")
            #expect(folder.has("out") == (exitCode == 0))
        }
        #expect(try folder.read("out") == Message.text(Message.field("a", ""), Message.field("b", "")))
    }

    @Test func `a file that was removed while it is open is read by its descriptor`() throws {
        let folder = try TemporaryDirectory()
        try folder.write("content", as: "file")
        let command = "exec 3< file; rm file; exec \"$0\" encode -F 'a=</dev/fd/3' --boundary b -o out"
        let process = try Tool.shell(command, in: folder)
        process.standardError = FileHandle.nullDevice
        try Tool.start(process)
        process.waitUntilExit()
        #expect(try folder.read("out") == Message.text(Message.field("a", "content")))
    }

    @Test func `a path through a link is resolved by the system`() throws {
        let folder = try TemporaryDirectory()
        let manager = FileManager.default
        try manager.createDirectory(atPath: folder.path(of: "x/y"), withIntermediateDirectories: true)
        try manager.createSymbolicLink(atPath: folder.path(of: "link"), withDestinationPath: "x/y")
        try folder.write("right", as: "x/f")
        try folder.write("wrong", as: "f")
        let output = try Tool.run(["encode", "-F", "a=<link/../f", "--boundary", "b"], in: folder)
        #expect(output.standardOutput == Message.text(Message.field("a", "right")))
    }

    @Test(arguments: [["a=@-"], ["a=<-"], ["a=@-", "--normalize-newlines"], ["a=<-", "--normalize-newlines"]])
    func `a directory at standard input is exit code 66`(words: [String]) throws {
        let folder = try TemporaryDirectory()
        let output = try Tool.run(["encode", "-F"] + words, input: .path(folder.path))
        #expect(output.exitCode == 66)
        let reason = "input cannot be opened: standard input (Is a directory)"
        #expect(output.standardError == "formdata: cannot-open-input: \(reason)\n")
    }

    @Test func `an input that cannot be opened when it is read has the system's words`() throws {
        let folder = try TemporaryDirectory()
        #expect(mkfifo(folder.path(of: "fifo"), 0o600) == 0)
        // The output takes the last descriptor that the shell allows.
        let script = "exec 2> error; ulimit -n 4; exec \"$0\" encode -F 'a=@fifo' -o out"
        let process = try Tool.shell(script, in: folder)
        try Tool.finish(process)
        #expect(process.terminationStatus == 66)
        let reason = "part 0 \"a\": content cannot be opened (Too many open files)"
        #expect(try folder.text("error").hasSuffix("formdata: body-part-input-stream-creation-failed: \(reason)\n"))
        #expect(folder.names() == ["error", "fifo"])
    }

    @Test func `a terminal gets a form of text, and one that is binary on request only`() throws {
        let folder = try TemporaryDirectory()
        try folder.write("\u{1B}[2J", as: "binary")
        let words = ["encode", "-F", "a=ü\t1", "--boundary", "b"]
        let text = try Terminal.run(words, in: folder)
        #expect(text.exitCode == 0)
        #expect(Data(text.text.replacing("\n", with: "\r\n").utf8) == Message.text(Message.field("a", "ü\t1")))
        let refused = try Terminal.run(words + ["-F", "f=@binary"], in: folder)
        #expect(refused.exitCode == 64)
        #expect(refused.text.isEmpty)
        #expect(refused.error.hasPrefix("formdata: usage: "))
        #expect(refused.error.contains("-o FILE") && refused.error.contains("--output -"))
        for option in [["-o", "-"], ["--output=-"]] {
            let given = try Terminal.run(words + ["-F", "f=@binary"] + option, in: folder)
            #expect(given.exitCode == 0)
            #expect(given.text.contains("\u{1B}[2J"))
        }
        let file = try Terminal.run(words + ["-F", "f=@binary", "-o", "out"], in: folder)
        #expect(file.exitCode == 0)
        #expect(file.text.isEmpty)
        #expect(folder.has("out"))
    }

    @Test func `standard input may be a file that has been read to its end`() throws {
        let output = try Tool.run(["encode", "-F", "f=@-", "--boundary", "b"], input: .file(Data()))
        #expect(output.exitCode == 0)
        #expect(output.text.hasSuffix("\r\n\r\n\r\n--b--\r\n"))
    }

    @Test func `a terminal shows how far a form of more than 32 MiB is`() throws {
        let folder = try TemporaryDirectory()
        for (mebibytes, isShown) in [(31, false), (33, true)] {
            try folder.write("", as: "f")
            try #require(truncate(folder.path(of: "f"), off_t(mebibytes) << 20) == 0)
            let start = ProcessInfo.processInfo.systemUptime
            let output = try Terminal.run(
                ["encode", "-F", "f=@f", "-o", "out \(mebibytes)"],
                showsErrors: true,
                in: folder
            )
            #expect(output.exitCode == 0)
            #expect(output.text.contains("% of 33 MiB\u{1B}[K") == isShown)
            #expect(output.text.hasSuffix("\r\u{1B}[K") == isShown)
            // At most one step in a tenth of a second.
            let steps = output.text.components(separatedBy: "% of ").count - 1
            #expect(Double(steps) <= (ProcessInfo.processInfo.systemUptime - start) / 0.1 + 1)
        }
    }

    @Test(arguments: [
        (32 << 20, nil), (32 << 20 + 1, "[#\(String(repeating: ".", count: 39))] 3% of 32 MiB"),
        (40 << 20 + 1, "[\(String(repeating: ".", count: 40))] 2% of 40 MiB"),
    ])
    func `a terminal shows the share of the first MiB`(length: Int, bar: String?) throws {
        let folder = try TemporaryDirectory()
        // The boundary in the second MiB ends the tool.
        try folder.write(Data(count: 3 << 19) + Data("\r\n--b\r\n".utf8), as: "f")
        let size = length - Message.text(Message.field("f", "")).count
        try #require(truncate(folder.path(of: "f"), off_t(size)) == 0)
        let words = ["encode", "-F", "f=<f", "--boundary", "b", "-o", "out"]
        let output = try Terminal.run(words, showsErrors: true, in: folder)
        #expect(output.exitCode == 65)
        let shown = bar.map { "\r\($0)\u{1B}[K\r\u{1B}[K" } ?? ""
        #expect(output.text.contains("Content-Length: \(length)\n\(shown)formdata: boundary-collision: "))
    }

    /// The content of a field `f` that lacks one byte to the first MiB of its form.
    private static let firstPiece = Data(
        String(repeating: "x", count: 1 << 20 - 1 - "--b\r\n\(Message.field("f", ""))".utf8.count).utf8
    )

    @Test(arguments: ["\u{A0}", "\u{E9}", "\u{100000}"])
    func `a character may go on in the next piece of a text`(character: String) throws {
        let folder = try TemporaryDirectory()
        try folder.write(Self.firstPiece + Data(character.utf8), as: "f")
        let output = try Terminal.run(["encode", "-F", "f=<f", "--boundary", "b"], in: folder)
        #expect(output.exitCode == 0)
        #expect(output.text.replacing("\r\n", with: "\n").hasSuffix("x\(character)\n--b--\n"))
    }

    @Test func `a byte that begins no character is noticed at the end of a piece`() throws {
        let folder = try TemporaryDirectory()
        try folder.write(Self.firstPiece + Data([0xF5]), as: "f")
        let output = try Terminal.run(["encode", "-F", "f=<f", "--boundary", "b"], in: folder)
        #expect(output.exitCode == 64)
        #expect(output.text.isEmpty)
    }

    @Test(
        arguments: [[0x00], [0x08], [0x0B], [0x1B], [0x1F], [0x7F], [0xC2, 0x9B], [0x9B], [0xE2, 0x82]] as [[UInt8]]
    )
    func `a control character that text does not have makes a form binary`(bytes: [UInt8]) throws {
        let folder = try TemporaryDirectory()
        for count in [0, 2000] {
            try folder.write(Data(repeating: 0x20, count: count) + bytes, as: "f")
            let output = try Terminal.run(["encode", "-F", "f=@f"], in: folder)
            #expect(output.exitCode == 64)
            #expect(output.text.isEmpty)
        }
    }
}
