import Foundation
import TestSupport
import Testing

/// The file that `encode -o` writes: never overwritten without `--force`, never left half-written.
struct OutputFileTests {
    @Test func `an existing file is not overwritten`() throws {
        let folder = try TemporaryDirectory()
        try folder.write("old", as: "out")
        let output = try Tool.run(["encode", "-F", "a=1", "-o", "out"], in: folder)
        #expect(output.exitCode == 73)
        #expect(output.errorLines.count == 1)
        #expect(try folder.text("out") == "old")
    }

    @Test func `force replaces a file and keeps its permissions`() throws {
        let folder = try TemporaryDirectory()
        try folder.write("old", as: "out")
        #expect(chmod(folder.path(of: "out"), 0o640) == 0)
        let words = ["encode", "-F", "a=1", "--boundary", "b", "-o", "out", "--force"]
        #expect(try Tool.run(words, in: folder).exitCode == 0)
        #expect(try folder.read("out") == Message.text(Message.field("a", "1")))
        #expect(folder.names() == ["out"])
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(of: "out"))
        #expect(attributes[.posixPermissions] as? Int == 0o640)
    }

    @Test func `a file may be replaced by a form that contains it`() throws {
        let folder = try TemporaryDirectory()
        try folder.write("old", as: "out")
        let words = ["encode", "-F", "a=<out", "--boundary", "b", "-o", "out", "--force"]
        #expect(try Tool.run(words, in: folder).exitCode == 0)
        #expect(try folder.read("out") == Message.text(Message.field("a", "old")))
    }

    @Test func `force writes through a link and keeps it`() throws {
        let folder = try TemporaryDirectory()
        try folder.write("old", as: "target")
        try FileManager.default.createSymbolicLink(atPath: folder.path(of: "link"), withDestinationPath: "target")
        let words = ["encode", "--boundary", "b", "-o", "link", "--force"]
        #expect(try Tool.run(words, in: folder).exitCode == 0)
        #expect(try folder.text("target") == "--b--\r\n")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path(of: "link")) == "target")
    }

    @Test func `a failed replacement leaves the old file`() throws {
        let folder = try TemporaryDirectory()
        try folder.write("old", as: "out")
        let words = ["encode", "-F", "a=--b", "--boundary", "b", "-o", "out", "--force"]
        #expect(try Tool.run(words, in: folder).exitCode == 65)
        #expect(try folder.text("out") == "old")
        #expect(folder.names() == ["out"])
    }

    @Test(arguments: [String(repeating: "n", count: 256), "missing/", "file/out"])
    func `an output that cannot be created is refused before the form is encoded`(path: String) throws {
        let folder = try TemporaryDirectory()
        try folder.write("", as: "file")
        for words in [[], ["--force"]] {
            let output = try Tool.run(["encode", "-F", "a=1", "-o", path] + words, in: folder)
            #expect(output.exitCode == 73)
            // Nothing was said of the form's type and length.
            #expect(output.errorLines.count == 1)
        }
        #expect(folder.names() == ["file"])
    }

    @Test(arguments: ["missing/out", ".", "file/out"])
    func `an output that cannot be created is exit code 73`(path: String) throws {
        let folder = try TemporaryDirectory()
        try folder.write("", as: "file")
        let output = try Tool.run(["encode", "-F", "a=1", "-o", path, "--force"], in: folder)
        #expect(output.exitCode == 73)
        #expect(output.errorLines.count == 1)
        #expect(folder.names() == ["file"])
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full"))
    func `a full device is exit code 74 and stays`() throws {
        let output = try Tool.run(["encode", "-F", "a=1", "-o", "/dev/full", "--force"])
        #expect(output.exitCode == 74)
        #expect(FileManager.default.fileExists(atPath: "/dev/full"))
        #expect(try Tool.run(["encode", "-F", "a=1", "-o", "/dev/null", "--force"]).exitCode == 0)
    }

    @Test(arguments: [false, true])
    func `a file that cannot be written to its end is exit code 74 and is removed`(isReplacement: Bool) throws {
        let folder = try TemporaryDirectory()
        try folder.write(Data(count: 4 << 20), as: "big")
        if isReplacement { try folder.write("old", as: "out") }
        let words = ["encode", "-F", "a=@big", "-o", "out", "--force"]
        let output = try Tool.run(words, in: folder, fileSizeLimit: 2048)
        #expect(output.exitCode == 74)
        #expect(output.errorLines.last?.hasPrefix("formdata: write-failed: ") == true)
        #expect(folder.names() == (isReplacement ? ["big", "out"] : ["big"]))
        if isReplacement { #expect(try folder.text("out") == "old") }
    }

    /// Starts the tool, and returns while it is writing or replacing a file.
    private func started(
        in folder: TemporaryDirectory,
        _ words: [String] = []
    ) throws -> (process: Process, input: Pipe) {
        let before = folder.names()
        let process = try Tool.process(["encode", "-F", "a=@-", "-o", "out"] + words, in: folder)
        let input = Pipe()
        process.standardInput = input
        process.standardError = FileHandle.nullDevice
        try Tool.start(process)
        // More than the tool keeps in memory: when the pipe has taken all of it, much of it is in the file.
        try input.fileHandleForWriting.write(contentsOf: Data(count: 3 << 20))
        #expect(folder.names() != before)
        return (process, input)
    }

    @Test(arguments: [SIGTERM, SIGINT, SIGHUP], [false, true])
    func `a signal ends the tool by that signal and leaves no file`(signal: Int32, isReplacement: Bool) throws {
        let folder = try TemporaryDirectory()
        if isReplacement { try folder.write("old", as: "out") }
        let (process, input) = try started(in: folder, isReplacement ? ["--force"] : [])
        kill(process.processIdentifier, signal)
        // Ends the input as well, in case the signal came between two reads.
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal)
        #expect(process.terminationStatus == signal)
        #expect(folder.names() == (isReplacement ? ["out"] : []))
        if isReplacement { #expect(try folder.text("out") == "old") }
    }

    @Test(arguments: [false, true])
    func `a killed tool leaves nothing under the output's name`(isReplacement: Bool) throws {
        let folder = try TemporaryDirectory()
        if isReplacement { try folder.write("old", as: "out") }
        let (process, _) = try started(in: folder, isReplacement ? ["--force"] : [])
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        #expect(process.terminationStatus == SIGKILL)
        let names = try #require(folder.names())
        // The name marks the file as a leftover.
        #expect(names.filter { $0.hasPrefix(".multipart-form-") }.count == 1)
        #expect(names.filter { !$0.hasPrefix(".") } == (isReplacement ? ["out"] : []))
        if isReplacement { #expect(try folder.text("out") == "old") }
    }

    @Test func `a file that takes the output's name during the write stays`() throws {
        let folder = try TemporaryDirectory()
        let (process, input) = try started(in: folder)
        try? FileManager.default.removeItem(atPath: folder.path(of: "out"))
        try folder.write("theirs", as: "out")
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        #expect(process.terminationReason == .exit)
        #expect(process.terminationStatus == 73)
        #expect(folder.names() == ["out"])
        #expect(try folder.text("out") == "theirs")
    }

    @Test func `a hyphen is standard output`() throws {
        let output = try Tool.run(["encode", "--boundary", "b", "-o", "-"])
        #expect(output.text == "--b--\r\n")
    }
}
