import Callers
import PlainCallers
import TestSupport
import Testing

/// Where a caller runs after an asynchronous entry of the library. `hostile executors` checks it in optimized code.
@Suite(.timeLimit(.minutes(10))) struct CallersExecutorTests {
    @Test func `a caller still runs on its actor after success, every error and cancellation`() async {
        // The process ends if a caller does not.
        await #expect(processExitsWith: .success) {
            limitTime()
            let (count, findings) = try await Callers.ExecutorCheck.run(turns: 2)
            precondition(findings.isEmpty && count > 0, findings.joined(separator: "\n"))
        }
    }

    @Test func `so does a caller that is compiled without NonisolatedNonsendingByDefault`() async {
        await #expect(processExitsWith: .success) {
            limitTime()
            let (count, findings) = try await PlainCallers.ExecutorCheck.run(turns: 2)
            precondition(findings.isEmpty && count > 0, findings.joined(separator: "\n"))
        }
    }
}
