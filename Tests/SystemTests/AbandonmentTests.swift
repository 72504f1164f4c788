import Foundation
import MultipartForm
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct AbandonmentTests {
    @Test func `setting an abandonment ends its pauses, later ones included`() async throws {
        let abandonment = Abandonment()
        let begun = Counter()
        // Far longer than the test may take.
        let hours: UInt64 = 100_000_000_000_000
        try await withThrowingTaskGroup { group in
            for _ in 0..<3 {
                group.addTask {
                    try await BackgroundThread.run {
                        begun.increment()
                        abandonment.pause(nanoseconds: hours)
                        #expect(abandonment.isSet)
                    }
                }
            }
            await begun.wait(for: 3)
            #expect(!abandonment.isSet)
            abandonment.set()
            try await group.waitForAll()
        }
        abandonment.pause(nanoseconds: hours)
        #expect(abandonment.isSet)
    }

    @Test func `an operation in its last step cannot be abandoned, and an abandoned one does not begin it`() {
        let finishing = Abandonment()
        #expect(finishing.beginLastStep())
        #expect(!finishing.set())
        #expect(!finishing.isSet)
        let abandoned = Abandonment()
        #expect(abandoned.set())
        #expect(!abandoned.beginLastStep())
        #expect(abandoned.set())
        #expect(abandoned.isSet)
    }

    @Test func `a pause ends by itself`() {
        let abandonment = Abandonment()
        abandonment.pause(nanoseconds: 1_000_000)
        #expect(!abandonment.isSet)
    }
}
