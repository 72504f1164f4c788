import Foundation
import TestSupport
import Testing

/// How the tool ends, by its streams and files: with which exit code or signal, line of an error, and files.
struct EndOfToolTests {
    /// A standard stream of the tool.
    enum Stream: String {
        case usual, closed
        /// A pipe whose other end is closed.
        case brokenPipe = "broken pipe"
        case full
        case directory
    }

    /// A row of the table.
    struct Row: Sendable, CustomTestStringConvertible {
        /// The tool's words, for the shell.
        let words: String
        var input = Stream.usual
        var output = Stream.usual
        var error = Stream.usual
        /// The exit code, or the signal as a negative number.
        let end: Int32
        /// The beginning of the last line of standard error, up to the system's own words; empty if there is no line.
        var line = ""
        /// The files and directories that are left besides the input.
        var left: [String] = []

        var testDescription: String { "\(words), \(input.rawValue), \(output.rawValue), \(error.rawValue)" }
    }

    private static let canBeFull = FileManager.default.fileExists(atPath: "/dev/full")

    private static let unwritten = "formdata: write-failed: output cannot be written: standard output ("
    private static let unread = "formdata: read-failed: input cannot be read: standard input ("
    private static let unopened = "formdata: cannot-open-input: input cannot be opened"
    private static let uncreated = "formdata: cannot-create-output: output cannot be created"
    private static let decoded = ["out/a", "out/f.txt", "out/manifest.json"]

    static let rows: [Row] = [
        // Standard output.
        Row(words: "--help", output: .closed, end: 74, line: unwritten),
        Row(words: "--version", output: .brokenPipe, end: -SIGPIPE),
        Row(words: "--help", output: .full, end: 74, line: unwritten),
        Row(words: "encode -F a=1", output: .closed, end: 74, line: unwritten),
        Row(words: "encode -F a=1 --boundary=b", output: .brokenPipe, end: -SIGPIPE, line: "Content-Length: "),
        Row(words: "encode -F a=1", output: .full, end: 74, line: unwritten),
        Row(
            words: "encode -F a=1 -o /dev/full --force",
            output: .full,
            end: 74,
            line: "formdata: write-failed: output cannot be written: /dev/full ("
        ),
        Row(words: "inspect good", output: .closed, end: 74, line: unwritten),
        Row(words: "inspect good", output: .brokenPipe, end: -SIGPIPE),
        Row(words: "inspect good", output: .full, end: 74, line: unwritten),
        Row(words: "inspect good --json", output: .brokenPipe, end: -SIGPIPE),
        Row(words: "inspect good --json", output: .full, end: 74, line: unwritten),
        Row(words: "inspect good --tree", output: .brokenPipe, end: -SIGPIPE),
        // Nothing is printed there.
        Row(words: "decode good --into out", output: .brokenPipe, end: 0, left: decoded),
        Row(words: "encode -F a=1 -o out", output: .closed, end: 0, line: "Content-Length: ", left: ["out"]),
        // Standard error. What cannot be said there changes neither the exit code nor what is left.
        Row(words: "frobnicate", error: .closed, end: 64),
        Row(words: "frobnicate", error: .brokenPipe, end: 64),
        Row(words: "frobnicate", error: .full, end: 64),
        Row(words: "encode -F a=1 -o out", error: .closed, end: 0, left: ["out"]),
        Row(words: "decode bad --into out", error: .brokenPipe, end: 65),
        Row(words: "decode bad --into out", error: .closed, end: 65),
        Row(words: "decode unchunked --into out", error: .brokenPipe, end: 65),
        Row(words: "decode surplus --into out", error: .brokenPipe, end: 0, left: decoded),
        Row(words: "decode unchunked --into out --keep", error: .brokenPipe, end: 65, left: decoded),
        // Standard input.
        Row(words: "inspect", input: .closed, end: 74, line: unread),
        Row(words: "inspect", input: .directory, end: 66, line: "\(unopened): standard input ("),
        Row(words: "decode --into out", input: .closed, end: 74, line: unread),
        Row(words: "decode --into out", input: .directory, end: 66, line: "\(unopened): standard input ("),
        Row(
            words: "encode -F a=@- -o out",
            input: .closed,
            end: 74,
            line: "formdata: input-stream-read-failed: part 0 \"a\": content cannot be read ("
        ),
        Row(words: "encode -F a=@- -o out", input: .directory, end: 66, line: "\(unopened): standard input ("),
        Row(words: "inspect", end: 65, line: "formdata: "),
        // Files.
        Row(words: "inspect missing", end: 66, line: "\(unopened): missing ("),
        Row(words: "inspect .", end: 66, line: "\(unopened): . ("),
        Row(words: "decode missing --into out", end: 66, line: "\(unopened): missing ("),
        Row(words: "decode good --into bad", end: 73, line: "\(uncreated): bad"),
        Row(words: "decode good --into bad/x", end: 73, line: "\(uncreated): bad/x ("),
        Row(words: "decode bad --into new/out", end: 65, line: "formdata: unexpected-end: part 1 \"f\": "),
        Row(words: "encode -F a=@missing -o out", end: 66, line: "formdata: body-part-file-not-reachable"),
        Row(words: "encode -F a=@. -o out", end: 66, line: "formdata: body-part-file-is-directory: part 0 \"a\": "),
        Row(words: "encode -F a=1 -o good", end: 73, line: "formdata: output-exists: output exists already: good"),
        Row(words: "encode -F a=1 -o missing/out", end: 73, line: "\(uncreated): missing/out ("),
        Row(words: "encode -F a=--b --boundary=b -o out", end: 65, line: "formdata: "),
    ]

    @Test(arguments: rows.filter { canBeFull || ![$0.output, $0.error].contains(.full) })
    func `an end has its exit code, its line and its files`(row: Row) throws {
        let folder = try TemporaryDirectory()
        let whole = Message.text(Message.field("a", "1"), Message.file("f", "f.txt", "xy"))
        let head = "POST / HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=b\r\n"
        let bad = whole.dropLast(10)
        try folder.write(whole, as: "good")
        try folder.write(whole + Data("x\n".utf8), as: "surplus")
        try folder.write(bad, as: "bad")
        try folder.write(Data("\(head)Transfer-Encoding: chunked\r\n\r\n".utf8) + bad, as: "unchunked")
        let given = folder.contents

        let spool = try TemporaryDirectory()
        let ways = [row.input, row.output, row.error].enumerated().compactMap { number, stream in
            let sign = number == 0 ? "<" : ">"
            return switch stream {
            case .usual: number == 2 ? "2> '\(spool.path)/error'" : "\(number)\(sign) /dev/null"
            case .closed: "\(number)\(sign)&-"
            case .brokenPipe: nil
            case .full: "\(number)\(sign) /dev/full"
            case .directory: "\(number)\(sign) ."
            }
        }
        let process = try Tool.shell("exec \"$0\" \(row.words) \(ways.joined(separator: " "))", in: folder)
        let pipe = Pipe()
        try pipe.fileHandleForReading.close()
        if row.output == .brokenPipe { process.standardOutput = pipe }
        if row.error == .brokenPipe { process.standardError = pipe }
        try Tool.finish(process)

        let isSignal = process.terminationReason == .uncaughtSignal
        #expect((isSignal ? -1 : 1) * process.terminationStatus == row.end)
        if row.error == .usual {
            let line = try spool.text("error").split(separator: "\n").last ?? ""
            #expect(row.line.isEmpty ? line.isEmpty : line.hasPrefix(row.line), "\(line)")
        }
        let left = folder.contents.filter { !given.contains($0) }
            .flatMap { name in folder.names(in: name)?.map { "\(name)/\($0)" } ?? [name] }
        #expect(left == row.left)
    }

    @Test(arguments: ["0<&-", "1>&-", "2>&-"])
    func `what is printed to a closed stream is not in the output`(closing: String) throws {
        let folder = try TemporaryDirectory()
        let process = try Tool.shell("exec \"$0\" encode -F a=1 --boundary b -o out \(closing)", in: folder)
        process.standardError = FileHandle.nullDevice
        try Tool.finish(process)
        #expect(process.terminationStatus == 0)
        #expect(try folder.read("out") == Message.text(Message.field("a", "1")))
    }

    @Test func `new directories and files have the rights that the user's mask leaves`() throws {
        let folder = try TemporaryDirectory()
        try folder.write(Message.text(Message.field("a", "1")), as: "message")
        let script = "umask 026; \"$0\" decode message --into new/out && exec \"$0\" encode -F a=1 -o file"
        let process = try Tool.shell(script, in: folder)
        process.standardError = FileHandle.nullDevice
        try Tool.finish(process)
        #expect(process.terminationStatus == 0)
        func rights(_ name: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: folder.path(of: name))[.posixPermissions] as? Int
        }
        for directory in ["new", "new/out"] { #expect(try rights(directory) == 0o751) }
        for file in ["new/out/a", "new/out/manifest.json", "file"] { #expect(try rights(file) == 0o640) }
    }

    /// As by Ctrl-C, twice: the second one does not wait until the files are removed.
    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `a second signal of a kind ends the tool at once`(signal: Int32) throws {
        let folder = try TemporaryDirectory()
        let beginning = Data("--b\r\n\(Message.field("a", "1"))\r\n--b\r\n\r\n".utf8) + Data(count: 1 << 20)
        // On a machine that is busy, the first signal may take longer to arrive than the pause.
        for round in 0..<10 {
            let process = try Tool.process(["decode", "--into", "out\(round)"], in: folder)
            let input = Pipe()
            process.standardInput = input
            process.standardError = FileHandle.nullDevice
            try Tool.start(process)
            // More than a pipe holds: when the pipe has taken all of it, the first part is in its file.
            try input.fileHandleForWriting.write(contentsOf: beginning)
            #expect(folder.has("out\(round)/a"))
            // The tool stops when the first signal has arrived, and finds the second one when it goes on.
            kill(process.processIdentifier, signal)
            kill(process.processIdentifier, SIGSTOP)
            usleep(1000 << UInt32(round))
            kill(process.processIdentifier, signal)
            kill(process.processIdentifier, SIGCONT)
            process.waitUntilExit()
            try input.fileHandleForWriting.close()
            #expect(process.terminationReason == .uncaughtSignal)
            #expect(process.terminationStatus == signal)
            if folder.has("out\(round)/a") { return }
        }
        Issue.record("no second signal ended the tool")
    }
}
