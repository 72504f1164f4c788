import Foundation
import MultipartFormCodec
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct CancellationTests {
    @Test func `cancelling ends pauses, later ones included`() async throws {
        let cancellation = Cancellation()
        let begun = Counter()
        // Far longer than the test may take.
        let hours: UInt64 = 100_000_000_000_000
        try await withThrowingTaskGroup { group in
            for _ in 0..<3 {
                group.addTask {
                    try await BackgroundThread.run {
                        begun.increment()
                        cancellation.pause(nanoseconds: hours)
                        #expect(cancellation.isCancelled)
                    }
                }
            }
            await begun.wait(for: 3)
            #expect(!cancellation.isCancelled)
            cancellation.cancel()
            try await group.waitForAll()
        }
        cancellation.pause(nanoseconds: hours)
        #expect(cancellation.isCancelled)
    }

    @Test func `an operation in its last step cannot be cancelled, and a cancelled one does not begin it`() {
        let finishing = Cancellation()
        #expect(finishing.beginLastStep())
        #expect(!finishing.cancel())
        #expect(!finishing.isCancelled)
        let cancelled = Cancellation()
        #expect(cancelled.cancel())
        #expect(!cancelled.beginLastStep())
        #expect(cancelled.cancel())
        #expect(cancelled.isCancelled)
    }

    @Test func `a pause ends by itself`() {
        let cancellation = Cancellation()
        cancellation.pause(nanoseconds: 1_000_000)
        #expect(!cancellation.isCancelled)
    }
}
