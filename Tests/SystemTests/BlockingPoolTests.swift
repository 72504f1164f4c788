import Foundation
import MultipartForm
import TestSupport
import Testing

/// The threads for streams, on which a form's chunks read them.
@Suite(.timeLimit(.minutes(10))) struct BlockingPoolTests {
    // A process of its own, since other tests also use its threads.
    @Test func `a blocked stream more than there are threads waits for another one to end`() async {
        await #expect(processExitsWith: .success) {
            let (threadCount, count) = (32, 80)
            let gate = DispatchSemaphore(value: 0)
            let begun = Counter()
            let part = BodyPart(
                reading: {
                    begun.increment()
                    gate.wait()
                    return { nil }
                },
                length: nil,
                name: "a"
            )
            let chunks = MultipartFormData([part]).chunks()
            try await withThrowingTaskGroup { group in
                for _ in 0..<count {
                    group.addTask { for try await _ in chunks {} }
                }
                for number in threadCount..<count {
                    await begun.wait(for: number)
                    #expect(begun.value == number)
                    gate.signal()
                }
                for _ in 0..<threadCount { gate.signal() }
                try await group.waitForAll()
            }
            #expect(begun.value == count)
        }
    }
}
