import Foundation
import TestSupport
import Testing

/// Runs the built tool.
enum Tool {
    /// The exit code and output of the tool.
    struct Output {
        /// The exit code; nil if a signal ended it.
        let exitCode: Int32?
        /// All of standard output.
        let standardOutput: Data
        /// All of standard error.
        let standardError: String

        /// Standard output as text.
        var text: String { String(decoding: standardOutput, as: UTF8.self) }

        /// The lines of standard error.
        var errorLines: [String] { standardError.split(separator: "\n").map(String.init) }
    }

    /// The tool's standard input.
    enum Input {
        /// A file with these bytes.
        case file(Data)
        /// A pipe that yields these bytes.
        case pipe(Data)
        /// The file or directory at a path.
        case path(String)
    }

    /// The tool did not end in time and was killed.
    struct TimedOut: Error {}

    /// The built tool, beside the tests' bundle.
    static let path: String? = {
        let own = [CommandLine.arguments.first, Bundle.main.executablePath].compactMap { $0 }
        let starts = own + Bundle.allBundles.map(\.bundlePath)
        for start in starts {
            var folder = URL(fileURLWithPath: start).deletingLastPathComponent()
            for _ in 0..<5 {
                let candidate = folder.appendingPathComponent("formdata").path
                var isDirectory: ObjCBool = false
                let exists = FileManager.default.fileExists(atPath: candidate, isDirectory: &isDirectory)
                if exists, !isDirectory.boolValue, FileManager.default.isExecutableFile(atPath: candidate) {
                    return candidate
                }
                folder.deleteLastPathComponent()
            }
        }
        return nil
    }()

    /// A process that runs the tool.
    static func process(_ arguments: [String], in folder: TemporaryDirectory? = nil) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(path))
        process.arguments = arguments
        if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder.path) }
        return process
    }

    /// A process that runs a shell script; its `$0` is the tool.
    static func shell(_ script: String, in folder: TemporaryDirectory? = nil) throws -> Process {
        let process = try process(["-c", script, try #require(path)], in: folder)
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        return process
    }

    /// Runs the tool to its end.
    ///
    /// - Parameters:
    ///   - arguments: The words after the tool's name.
    ///   - input: Standard input; empty unless given.
    ///   - outputPath: The file for standard output; collected unless given.
    ///   - folder: The directory it runs in.
    ///   - fileSizeLimit: The longest file it may write, in blocks of the shell's `ulimit`.
    ///   - processorSeconds: The CPU time it may use, which does not depend on other programs.
    /// - Returns: The exit code and output.
    /// - Throws: ``TimedOut``, or an error of the file system.
    static func run(
        _ arguments: [String],
        input: Input = .path("/dev/null"),
        outputPath: String? = nil,
        in folder: TemporaryDirectory? = nil,
        fileSizeLimit: Int? = nil,
        processorSeconds: Int? = nil
    ) throws -> Output {
        let spool = try TemporaryDirectory()
        var process = try process(arguments, in: folder)
        let limits = [fileSizeLimit.map { "ulimit -f \($0); " }, processorSeconds.map { "ulimit -t \($0); " }]
            .compactMap { $0 }
        if !limits.isEmpty {
            process = try shell(limits.joined() + "exec \"$0\" \"$@\"", in: folder)
            process.arguments? += arguments
        }
        let feeder = try connect(input, to: process, spool)
        let output = outputPath ?? spool.path(of: "output")
        process.standardOutput = try writer(output)
        process.standardError = try writer(spool.path(of: "error"))
        defer {
            feeder?.terminate()
            // Foundation keeps an ended process, and so the files that were opened for it.
            for case let file as FileHandle in [process.standardInput, process.standardOutput, process.standardError] {
                try? file.close()
            }
        }
        try finish(process)
        return Output(
            exitCode: process.terminationReason == .exit ? process.terminationStatus : nil,
            standardOutput: outputPath == nil ? try spool.read("output") : Data(),
            standardError: String(decoding: try spool.read("error"), as: UTF8.self)
        )
    }

    /// Runs a process to its end.
    static func finish(_ process: Process) throws {
        let ended = LimitedSemaphore()
        try start(process) { ended.signal() }
        ended.wait()
        if process.terminationReason == .uncaughtSignal, process.terminationStatus == SIGKILL { throw TimedOut() }
    }

    /// Starts a process with default signals. Kills it, and what it started, after ten minutes: then it hangs, as no
    /// test takes long, not even beside other programs.
    static func start(_ process: Process, atEnd: @escaping @Sendable () -> Void = {}) throws {
        _ = caughtSignals
        let ended = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in
            ended.signal()
            atEnd()
        }
        try process.run()
        let identifier = process.processIdentifier
        Thread {
            guard ended.wait(timeout: .now() + .seconds(600)) == .timedOut else { return }
            // The group, of which Foundation makes it the leader, and itself where it is none.
            for number in [-identifier, identifier] { kill(number, SIGKILL) }
        }.start()
    }

    /// Catches the signals that this process ignores, such as under `nohup`. A child inherits an ignored signal, but
    /// has the default for a caught one.
    private static let caughtSignals: Void = {
        for number in [SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM] {
            let previous = signal(number) { _ in }
            let isIgnored = unsafeBitCast(previous, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
            if !isIgnored { signal(number, previous) }
        }
    }()

    /// Connects standard input; returns the process that feeds a pipe, which the caller ends.
    private static func connect(_ input: Input, to process: Process, _ spool: TemporaryDirectory) throws -> Process? {
        switch input {
        case .path(let path):
            process.standardInput = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            return nil
        case .file(let data):
            try spool.write(data, as: "input")
            return try connect(.path(spool.path(of: "input")), to: process, spool)
        case .pipe(let data):
            try spool.write(data, as: "input")
            let feeder = Process()
            let pipe = Pipe()
            feeder.executableURL = URL(fileURLWithPath: "/bin/cat")
            feeder.arguments = [spool.path(of: "input")]
            feeder.standardOutput = pipe
            feeder.standardError = FileHandle.nullDevice
            try start(feeder)
            process.standardInput = pipe
            return feeder
        }
    }

    private static func writer(_ path: String) throws -> FileHandle {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        try #require(descriptor >= 0)
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }
}
