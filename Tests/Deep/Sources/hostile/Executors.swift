internal import Callers
internal import PlainCallers

/// Performs every asynchronous entry from actors, in optimized code, and checks that they stay where they run.
enum Executors {
    static func run(turns: Int, _ names: [String]) async throws {
        let (count, findings) = try await Callers.ExecutorCheck.run(turns: turns, names)
        let (plainCount, plainFindings) = try await PlainCallers.ExecutorCheck.run(turns: turns, names)
        for finding in findings { print(finding) }
        for finding in plainFindings { print("without NonisolatedNonsendingByDefault: \(finding)") }
        print("\(count + plainCount) entries performed from actors")
        guard findings.isEmpty, plainFindings.isEmpty else { Hostile.fail("a caller does not run on its actor") }
    }
}
