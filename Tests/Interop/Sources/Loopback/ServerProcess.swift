package import Foundation

/// A server in a process of its own, which prints a line once it accepts connections and ends with its standard input.
package final class ServerProcess: @unchecked Sendable {
    // SAFETY: set before the process starts, and constant from there on; Process locks its own state.
    private let process: Process
    private let input: Pipe

    /// The line that the server has printed.
    package let announcement: String

    /// Starts a server, and waits until it accepts connections.
    ///
    /// - Parameters:
    ///   - program: The program.
    ///   - arguments: Its arguments.
    /// - Throws: ``LoopbackError/noPort`` if it ends before.
    package init(_ program: URL, _ arguments: [String]) async throws {
        process = Process()
        process.executableURL = program
        process.arguments = arguments
        input = Pipe()
        process.standardInput = input
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let reading = output.fileHandleForReading
        announcement = await withCheckedContinuation { continuation in
            // Reading blocks, so not on a thread of Swift's tasks. Later lines stay in the pipe.
            Thread.detachNewThread {
                var line = Data()
                while let byte = try? reading.read(upToCount: 1), byte.first != 10, !byte.isEmpty { line += byte }
                continuation.resume(returning: String(decoding: line, as: UTF8.self))
            }
        }
        guard !announcement.isEmpty else {
            kill()
            throw LoopbackError.noPort
        }
    }

    /// Kills the process by its id, as the system does when memory runs out, and waits for its end.
    package func kill() {
        guard process.isRunning else { return }
        #if canImport(Darwin)
            Darwin.kill(process.processIdentifier, SIGKILL)
        #else
            Glibc.kill(process.processIdentifier, SIGKILL)
        #endif
        process.waitUntilExit()
    }

    /// Closes the server's standard input, and waits for its end.
    package func end() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// A program that was built with this one, beside it or beside its bundle.
    ///
    /// - Parameter name: The program's name.
    /// - Returns: The program; nil if there is none.
    package static func builtProgram(_ name: String) -> URL? {
        let own = [CommandLine.arguments.first, Bundle.main.executablePath].compactMap { $0 }
        let places = own + Bundle.allBundles.map(\.bundlePath)
        return places.lazy.flatMap { place in
            // A bundle on Apple's systems has folders of its own.
            sequence(first: URL(fileURLWithPath: place).deletingLastPathComponent()) {
                $0.deletingLastPathComponent()
            }.prefix(5)
        }
        .map { $0.appendingPathComponent(name) }
        .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }
}
