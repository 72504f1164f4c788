internal import Dispatch
internal import Foundation
internal import TestSupport

/// Proves that a caller is still on its actor after awaiting any asynchronous entry of the library, whether the entry
/// succeeds, fails or is cancelled: performs every entry from actors, and checks where they run afterwards.
///
/// The code is compiled twice, since the upcoming feature `NonisolatedNonsendingByDefault` changes where nonisolated
/// asynchronous functions run: with it as `Callers`, without it as `PlainCallers`, whose folder is a link to this one.
/// `CallersExecutorTests` runs both, and so does `hostile executors` in optimized code, which returns to an actor less
/// often.
package enum ExecutorCheck {
    /// Performs each entry with each of its outcomes from each kind of actor.
    ///
    /// - Parameters:
    ///   - turns: How often to perform each.
    ///   - names: The entries whose names contain one of these; all by default.
    /// - Throws: An error of the file system.
    /// - Returns: How many were performed, and what was wrong: an actor was left, or the outcome was another one.
    package static func run(turns: Int, _ names: [String] = []) async throws -> (count: Int, findings: [String]) {
        let entries = AsynchronousEntry.all.filter { entry in
            names.isEmpty || names.contains { entry.name.contains($0) }
        }
        let callers = Caller.all()
        // Most of the time is spent waiting.
        let findings = try await withThrowingTaskGroup(of: [String].self) { group in
            for caller in callers {
                group.addTask {
                    let directory = try TemporaryDirectory()
                    var findings: [String] = []
                    for entry in entries {
                        let wrong = try await finding(entry, by: caller, turns: turns, directory)
                        if let wrong { findings.append("\(entry.name), on \(caller.name): \(wrong)") }
                    }
                    return findings
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        return (callers.count * entries.count * turns, findings)
    }

    private static func finding(
        _ entry: AsynchronousEntry,
        by caller: Caller,
        turns: Int,
        _ directory: TemporaryDirectory
    ) async throws -> String? {
        for turn in 0..<turns {
            try directory.clear()
            let scene = try Scene(directory, isOnActor: caller.isCurrent)
            let outcome = await outcome(of: entry, by: caller, scene)
            guard outcome == entry.outcome else { return "turn \(turn): \(outcome), not \(entry.outcome)" }
            guard scene.stayed == true else { return "turn \(turn): not on it after \(outcome)" }
        }
        return nil
    }

    private static func outcome(of entry: AsynchronousEntry, by caller: Caller, _ scene: Scene) async -> Outcome {
        let task = Task.detached { try await entry.perform(caller.actor, scene) }
        let canceller = Task.detached {
            await scene.cancellation.wait()
            task.cancel()
        }
        let result = await task.result
        scene.performance.signal()
        scene.cancellation.give()
        await canceller.value
        return Outcome(result)
    }
}
