import Foundation
import TestSupport
import Testing

/// What the files of tests may use.
@Suite struct TestRuleTests {
    /// The Swift files of the test targets and of what they share, by path.
    private static func files() throws -> [String: String] {
        let tests = Fixtures.directory.deletingLastPathComponent().appendingPathComponent("Tests")
        let folders = try FileManager.default.contentsOfDirectory(atPath: tests.path).filter {
            $0.hasSuffix("Tests") || $0 == "Support" || $0 == "Callers"
        }
        var result: [String: String] = [:]
        for folder in folders {
            let url = tests.appendingPathComponent(folder)
            for path in try FileManager.default.subpathsOfDirectory(atPath: url.path) where path.hasSuffix(".swift") {
                result["\(folder)/\(path)"] = try String(contentsOf: url.appendingPathComponent(path), encoding: .utf8)
            }
        }
        return result
    }

    /// Swift Testing accepts one since 6.3, and the package supports 6.2.
    @Test func `no exit test has a capture list`() throws {
        for (path, text) in try Self.files() {
            #expect(!text.contains(/processExitsWith:[^{\n]*\{\s*\[/), "\(path)")
        }
    }

    /// A test that hangs says nothing. A time limit cancels a test's task, but frees no thread and ends no process.
    @Test func `a test that waits has a limit`() throws {
        for (path, text) in try Self.files() where path.contains("Tests/") {
            if text.contains(/await (?:\w+\.)+wait(?:UntilBlocked)?\(/), !path.contains("Advisory+") {
                #expect(text.contains(".timeLimit("), "\(path)")
                #expect(!text.contains("processExitsWith: .success") || text.contains("limitTime()"), "\(path)")
            }
            // In place of these, `LimitedSemaphore` and `Tool.start`.
            guard path != "FormDataToolTests/Support/Tool.swift" else { continue }
            #expect(!text.contains(/Dispatch(?:Semaphore|Group)|condition\.wait\(\)|try \w+\.run\(\)/), "\(path)")
        }
    }
}
