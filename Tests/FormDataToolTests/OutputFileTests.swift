import Foundation
import Testing

/// The file `encode -o` writes: never overwritten unasked, never left half-written.
struct OutputFileTests {
    @Test func `an existing file is not overwritten`() throws {
        let folder = try Workspace()
        try folder.write("old", to: "out")
        let output = try Tool.run(["encode", "-F", "a=1", "-o", "out"], in: folder)
        #expect(output.exitCode == 73)
        #expect(output.errorLines.count == 1)
        #expect(try folder.text("out") == "old")
    }

    @Test func `force replaces a file and keeps its permissions`() throws {
        let folder = try Workspace()
        try folder.write("old", to: "out")
        #expect(chmod(folder.path(of: "out"), 0o640) == 0)
        let words = ["encode", "-F", "a=1", "--boundary", "b", "-o", "out", "--force"]
        #expect(try Tool.run(words, in: folder).exitCode == 0)
        #expect(try folder.read("out") == Message.text(Message.field("a", "1")))
        #expect(folder.names() == ["out"])
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(of: "out"))
        #expect(attributes[.posixPermissions] as? Int == 0o640)
    }

    @Test func `a file may be replaced by a form of itself`() throws {
        let folder = try Workspace()
        try folder.write("old", to: "out")
        let words = ["encode", "-F", "a=<out", "--boundary", "b", "-o", "out", "--force"]
        #expect(try Tool.run(words, in: folder).exitCode == 0)
        #expect(try folder.read("out") == Message.text(Message.field("a", "old")))
    }

    @Test func `force writes through a link and leaves it`() throws {
        let folder = try Workspace()
        try folder.write("old", to: "target")
        try FileManager.default.createSymbolicLink(atPath: folder.path(of: "link"), withDestinationPath: "target")
        let words = ["encode", "--boundary", "b", "-o", "link", "--force"]
        #expect(try Tool.run(words, in: folder).exitCode == 0)
        #expect(try folder.text("target") == "--b--\r\n")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path(of: "link")) == "target")
    }

    @Test func `a failed replacement leaves the old file`() throws {
        let folder = try Workspace()
        try folder.write("old", to: "out")
        let words = ["encode", "-F", "a=--b", "--boundary", "b", "-o", "out", "--force"]
        #expect(try Tool.run(words, in: folder).exitCode == 65)
        #expect(try folder.text("out") == "old")
        #expect(folder.names() == ["out"])
    }

    @Test(arguments: ["missing/out", ".", "file/out"])
    func `an output that cannot be created is exit code 73`(path: String) throws {
        let folder = try Workspace()
        try folder.write("", to: "file")
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
    func `a file that cannot be written to its end is exit code 74 and goes`(isReplacement: Bool) throws {
        let folder = try Workspace()
        try folder.write(Data(count: 4 << 20), to: "big")
        if isReplacement { try folder.write("old", to: "out") }
        let words = ["encode", "-F", "a=@big", "-o", "out", "--force"]
        let output = try Tool.run(words, in: folder, fileSizeLimit: 2048)
        #expect(output.exitCode == 74)
        #expect(output.errorLines.last?.hasPrefix("formdata: output-stream-write-failed: ") == true)
        #expect(folder.names() == (isReplacement ? ["big", "out"] : ["big"]))
        if isReplacement { #expect(try folder.text("out") == "old") }
    }

    @Test func `a signal ends the tool by that signal and leaves no file`() throws {
        let folder = try Workspace()
        let process = Process()
        let input = Pipe()
        process.executableURL = URL(fileURLWithPath: try #require(Tool.path))
        process.arguments = ["encode", "-F", "a=@-", "-o", "out"]
        process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        process.standardInput = input
        process.standardError = FileHandle.nullDevice
        try process.run()
        for _ in 0..<1000 where !folder.has("out") { usleep(10_000) }
        #expect(folder.has("out"))
        kill(process.processIdentifier, SIGTERM)
        // Ends the input too, should the signal have come between two reads.
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal)
        #expect(process.terminationStatus == SIGTERM)
        #expect(folder.names() == [])
    }

    @Test func `a hyphen is standard output`() throws {
        let output = try Tool.run(["encode", "--boundary", "b", "-o", "-"])
        #expect(output.text == "--b--\r\n")
    }
}
