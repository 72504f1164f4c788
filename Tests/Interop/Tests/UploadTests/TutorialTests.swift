import Foundation
import Loopback
import Testing

/// The tutorial's programs, commands and pages, the pages in Chromium: `Tutorial/drive.py` goes through all of it.
@Suite struct TutorialTests {
    private static let package = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let folder = package.appendingPathComponent("Tutorial")

    private static func drive(_ arguments: [String]) async throws -> Int32 {
        let driver = folder.appendingPathComponent("drive.py").path
        return try await run("/usr/bin/env", ["python3", "-B", driver] + arguments).status
    }

    private static func run(
        _ program: String,
        _ arguments: [String],
        in folder: URL? = nil
    ) async throws -> (status: Int32, output: Data) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        if let folder { process.currentDirectoryURL = folder }
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        return await withCheckedContinuation { continuation in
            // Reading and waiting block, so not on a thread of Swift's tasks.
            Thread.detachNewThread {
                let data = (try? output.fileHandleForReading.readToEnd()) ?? Data()
                process.waitUntilExit()
                continuation.resume(returning: (process.terminationStatus, data))
            }
        }
    }

    @Test(.enabled("Chromium and curl are installed") { try await drive(["--check"]) == 0 }, .timeLimit(.minutes(5)))
    func `the programs, the commands and the pages do what the tutorial shows`() async throws {
        let server = try #require(ServerProcess.builtProgram("tutorial-server-1"))
        let status = try await Self.drive([server.deletingLastPathComponent().path])
        #expect(status == 0)
    }

    @Test(arguments: ["package-1.swift", "package-2.swift"])
    func `a manifest is that of a package with the tutorial's targets`(_ name: String) async throws {
        try await TemporaryDirectory.with { workspace in
            let manifest = Self.folder.appendingPathComponent(name)
            try workspace.write(try Data(contentsOf: manifest), as: "Package.swift")
            let words = ["swift", "package", "dump-package"]
            let (status, output) = try await Self.run("/usr/bin/env", words, in: workspace.url)
            try #require(status == 0)
            let package = try JSONDecoder().decode(Manifest.self, from: output)
            #expect(package.name == "photos")
            #expect(package.targets.map(\.name) == (name == "package-1.swift" ? ["server"] : ["server", "send"]))
        }
    }

    private struct Manifest: Decodable {
        struct Target: Decodable {
            var name: String
        }

        var name: String
        var targets: [Target]
    }
}
