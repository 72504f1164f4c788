import Foundation
import TestSupport
import Testing

/// Runs the built tool with a terminal as its standard output.
enum Terminal {
    /// Runs the tool to its end.
    ///
    /// - Parameters:
    ///   - arguments: The words after the tool's name.
    ///   - input: The bytes at standard input.
    ///   - columns: The terminal's width.
    ///   - variable: The value of the variable `COLUMNS`.
    /// - Returns: The output, which must be shorter than the 4 KiB that a terminal buffers.
    /// - Throws: An error of the file system.
    static func run(_ arguments: [String], input: Data, columns: Int, variable: String?) throws -> String {
        var size = winsize()
        size.ws_row = 25
        size.ws_col = UInt16(columns)
        var own: Int32 = -1
        var other: Int32 = -1
        try #require(openpty(&own, &other, nil, nil, &size) == 0)
        let terminal = FileHandle(fileDescriptor: own, closeOnDealloc: true)
        let spool = try TemporaryDirectory()
        try spool.write(input, as: "input")
        let process = try Tool.process(arguments)
        process.standardInput = try FileHandle(forReadingFrom: URL(fileURLWithPath: spool.path(of: "input")))
        process.standardOutput = FileHandle(fileDescriptor: other, closeOnDealloc: true)
        var environment = ProcessInfo.processInfo.environment
        environment["COLUMNS"] = variable
        process.environment = environment
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return String(decoding: terminal.availableData, as: UTF8.self).replacing("\r\n", with: "\n")
    }
}
