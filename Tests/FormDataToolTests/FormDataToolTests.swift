import Foundation
import TestSupport
import Testing

/// The command line as a whole: help, versions and mistakes.
struct FormDataToolTests {
    @Test(arguments: [["--help"], ["-h"], ["help"]])
    func `help names the commands and the exit codes`(words: [String]) throws {
        let output = try Tool.run(words)
        #expect(output.exitCode == 0)
        #expect(output.standardError.isEmpty)
        for word in ["encode", "decode", "inspect", "64", "65", "66", "73", "74"] {
            #expect(output.text.contains(word))
        }
    }

    @Test(arguments: ["encode", "decode", "inspect"])
    func `each command has its own help`(command: String) throws {
        let help = try Tool.run([command, "--help"])
        #expect(help.exitCode == 0)
        #expect(help.text.contains("formdata \(command)"))
        #expect(try Tool.run(["help", command]).text == help.text)
    }

    @Test(arguments: [["--help"], ["encode", "--help"], ["decode", "--help"], ["inspect", "--help"]])
    func `help fits on a screen of 80 columns and 24 lines`(words: [String]) throws {
        let lines = try Tool.run(words).text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        // The last line of the screen is the shell's prompt.
        #expect(lines.count < 24)
        #expect(lines.allSatisfy { $0.count <= 80 })
    }

    @Test func `the version is printed`() throws {
        let output = try Tool.run(["--version"])
        #expect(output.exitCode == 0)
        #expect(output.text.hasPrefix("formdata "))
    }

    @Test func `without a command a short usage goes to standard error`() throws {
        let output = try Tool.run([])
        #expect(output.exitCode == 64)
        #expect(output.standardOutput.isEmpty)
        #expect(output.errorLines.count == 1)
    }

    @Test(arguments: [
        ["frobnicate"], ["help", "frobnicate"], ["encode", "--frob"], ["encode", "-F"], ["encode", "-F", "name"],
        ["encode", "operand"], ["encode", "--force=yes"], ["encode", "-o", ""], ["encode", "-F", "a=@-", "-F", "b=<-"],
        ["encode", "--boundary", "x", "--boundary", "y"], ["decode"], ["decode", "--into"], ["decode", "--into", ""],
        ["decode", "a", "b", "--into", "x"], ["inspect", "--chunk-size", "0"], ["inspect", "--chunk-size", "x"],
        ["inspect", "--chunk-size=-1"], ["inspect", "--chunk-size", "+5"],
        ["inspect", "--max-parts", "99999999999999999999"], ["inspect", "--bodies"],
        ["inspect", "--boundary", "b", "--content-type", "c"], ["inspect", "a", "b"],
    ])
    func `a mistake in the command line is one line and exit code 64`(words: [String]) throws {
        let folder = try TemporaryDirectory()
        let output = try Tool.run(words, in: folder)
        #expect(output.exitCode == 64)
        #expect(output.standardOutput.isEmpty)
        #expect(output.errorLines.count == 1)
        #expect(output.standardError.hasPrefix("formdata: usage: "))
        #expect(folder.names() == [])
    }

    @Test func `option values may be joined to their options`() throws {
        let message = Message.text(Message.field("a", "1"))
        let separate = try Tool.run(["inspect", "--json", "--boundary", "b", "-"], input: .file(message))
        let joined = try Tool.run(["inspect", "--boundary=b", "--json", "--", "-"], input: .file(message))
        #expect(separate.exitCode == 0)
        #expect(separate.standardOutput == joined.standardOutput)
        #expect(try Tool.run(["encode", "-Fa=1", "--boundary=b"]).standardOutput == message)
    }

    @Test func `after two hyphens each argument is an operand`() throws {
        let output = try Tool.run(["inspect", "--", "--json"], in: TemporaryDirectory())
        #expect(output.exitCode == 66)
        #expect(output.standardError.hasPrefix("formdata: cannot-open-input: input cannot be opened: --json ("))
    }

    @Test func `a mark that joins the character before it does not hide an option`() throws {
        let mark = "\u{301}"
        for word in ["-\(mark)", "--\(mark)", "--json\(mark)"] {
            let output = try Tool.run(["inspect", word])
            #expect(output.exitCode == 64)
            #expect(output.standardError == "formdata: usage: unknown option \(word); see formdata --help\n")
        }
        let message = Data("--\(mark)--\r\n".utf8)
        #expect(try Tool.run(["inspect", "--boundary=\(mark)"], input: .file(message)).exitCode == 0)
        let folder = try TemporaryDirectory()
        #expect(try Tool.run(["encode", "-F", "a=1", "-o\(mark)"], in: folder).exitCode == 0)
        #expect(folder.names()?.count == 1)
        #expect(try Tool.run(["inspect", "\(mark)--json"], in: folder).exitCode == 66)
    }

    @Test(arguments: ["encode -F a=@big", "inspect message", "inspect message --json", "inspect big.m --json --bodies"])
    func `a closed pipe ends the tool silently, as it ends other filters`(command: String) throws {
        let folder = try TemporaryDirectory()
        try folder.write(Data(count: 4 << 20), as: "big")
        // More than a pipe holds, in every output.
        let names = (0..<1000).map { String(repeating: "n", count: 500) + "\($0)" }
        let parts = names.map { "--b\r\n\(Message.file($0, $0, "1"))\r\n" }.joined()
        try folder.write("\(parts)--b--\r\n", as: "message")
        #expect(try Tool.run(["encode", "-F", "a=@big", "-o", "big.m"], in: folder).exitCode == 0)
        let script = "{ \"$0\" \(command) 2> error; echo $? > code; } | head -c 1 > /dev/null"
        let process = try Tool.shell(script, in: folder)
        try Tool.start(process)
        process.waitUntilExit()
        #expect(try folder.text("code") == "\(128 + SIGPIPE)\n")
        #expect(try !folder.text("error").contains("formdata: "))
    }

    @Test func `standard streams that do not block are waited for`() throws {
        let content = String(repeating: "x", count: 1 << 20)
        let (input, output) = (Pipe(), Pipe())
        for file in [input.fileHandleForReading, output.fileHandleForWriting] {
            let flags = fcntl(file.fileDescriptor, F_GETFL)
            try #require(fcntl(file.fileDescriptor, F_SETFL, flags | O_NONBLOCK) == 0)
        }
        let process = try Tool.process(["encode", "-F", "a=<-", "--boundary", "b"])
        (process.standardInput, process.standardOutput) = (input, output)
        process.standardError = FileHandle.nullDevice
        let ended = LimitedSemaphore()
        try Tool.start(process) { ended.signal() }
        try output.fileHandleForWriting.close()
        Thread {
            for _ in 0..<4 {
                usleep(50_000)
                input.fileHandleForWriting.write(Data(repeating: 120, count: 1 << 18))
            }
            try? input.fileHandleForWriting.close()
        }.start()
        usleep(100_000)
        #expect(output.fileHandleForReading.readDataToEndOfFile() == Message.text(Message.field("a", content)))
        ended.wait()
        #expect(process.terminationStatus == 0)
    }
}
