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
            let part = Self.part(waitingFor: gate, begun)
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

    @Test func `a stream that waits for a thread is freed when its task is cancelled`() async {
        await #expect(processExitsWith: .success) {
            let threadCount = 32
            let gate = DispatchSemaphore(value: 0)
            let begun = Counter()
            let part = Self.part(waitingFor: gate, begun)
            let blocked = (0..<threadCount).map { _ in
                Task { for try await _ in MultipartFormData([part]).chunks() {} }
            }
            await begun.wait(for: threadCount)

            let isWaiting = Signal()
            let waiting = Self.task(holding: Token(), isWaiting)
            await isWaiting.wait()
            try await Task.sleep(nanoseconds: 200_000_000)
            try #require(Token.count.withLock({ $0 }) == 1)
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
            // The task itself may be freed a little later.
            for _ in 0..<500 where Token.count.withLock({ $0 }) > 0 { try await Task.sleep(nanoseconds: 10_000_000) }
            try #require(Token.count.withLock({ $0 }) == 0)

            for _ in 0..<threadCount { gate.signal() }
            for task in blocked { try await task.value }
        }
    }

    /// A part whose stream waits for the gate when it is opened.
    private static func part(waitingFor gate: DispatchSemaphore, _ begun: Counter) -> BodyPart {
        BodyPart(
            reading: {
                begun.increment()
                gate.wait()
                return { nil }
            },
            length: nil,
            name: "a"
        )
    }

    /// Encodes a form whose stream holds a token.
    private static func task(holding token: Token, _ isWaiting: Signal) -> Task<Void, any Error> {
        Task {
            let part = BodyPart(reading: { [token] in { withExtendedLifetime(token) { nil } } }, length: nil, name: "b")
            isWaiting.give()
            for try await _ in MultipartFormData([part]).chunks() {}
        }
    }

    /// Counts its instances.
    private final class Token: Sendable {
        static let count = Locked(0)

        init() { Self.count.withLock { $0 += 1 } }

        deinit { Self.count.withLock { $0 -= 1 } }
    }
}
