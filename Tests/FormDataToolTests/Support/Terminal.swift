import Foundation
import TestSupport
import Testing

/// Runs the built tool with a terminal as its standard output or its standard error.
enum Terminal {
    /// What the tool printed and how it ended.
    struct Output {
        /// The exit code.
        let exitCode: Int32
        /// What it wrote to the terminal.
        let text: String
        /// What it wrote to the other of the two, which is none.
        let error: String
    }

    /// Runs the tool to its end.
    ///
    /// - Parameters:
    ///   - arguments: The words after the tool's name.
    ///   - input: The bytes at standard input.
    ///   - columns: The terminal's width.
    ///   - variable: The value of the variable `COLUMNS`.
    ///   - showsErrors: Whether the terminal is standard error, and not standard output.
    ///   - folder: The directory it runs in.
    /// - Returns: The output, without a NUL character.
    /// - Throws: An error of the file system.
    static func run(
        _ arguments: [String],
        input: Data = Data(),
        columns: Int = 80,
        variable: String? = nil,
        showsErrors: Bool = false,
        in folder: TemporaryDirectory? = nil
    ) throws -> Output {
        var size = winsize()
        size.ws_row = 25
        size.ws_col = UInt16(columns)
        var own: Int32 = -1
        var other: Int32 = -1
        try #require(openpty(&own, &other, nil, nil, &size) == 0)
        let terminal = FileHandle(fileDescriptor: own, closeOnDealloc: true)
        let spool = try TemporaryDirectory()
        try spool.write(input, as: "input")
        try spool.write("", as: "error")
        let process = try Tool.process(arguments, in: folder)
        process.standardInput = try FileHandle(forReadingFrom: URL(fileURLWithPath: spool.path(of: "input")))
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: spool.path(of: "error")))
        let screen = FileHandle(fileDescriptor: other, closeOnDealloc: true)
        process.standardOutput = showsErrors ? file : screen
        process.standardError = showsErrors ? screen : file
        var environment = ProcessInfo.processInfo.environment
        environment["COLUMNS"] = variable
        process.environment = environment
        // A mark of our own after the tool's output, which may arrive in pieces.
        try Tool.start(process) { try? screen.write(contentsOf: Data([0])) }
        var bytes = Data()
        while bytes.last != 0 { bytes += terminal.availableData }
        process.waitUntilExit()
        let text = String(decoding: bytes.dropLast(), as: UTF8.self).replacing("\r\n", with: "\n")
        return Output(
            exitCode: process.terminationStatus,
            text: text,
            error: try spool.text("error")
        )
    }
}
