import Foundation
import MultipartFormCodec
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct BlockingPoolTests {
    // A process of its own, since other tests also use its threads.
    @Test func `a blocked stream more than there are threads waits for another one to end`() async {
        await #expect(processExitsWith: .success) {
            limitTime()
            let (threadCount, count) = (32, 80)
            let gate = LimitedSemaphore()
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
            limitTime()
            let threadCount = 32
            let gate = LimitedSemaphore()
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

    @Test func `at most as many operations run at a time as the pool has threads`() async {
        let pool = BlockingPool(label: "test", size: 2)
        let running = Locked((count: 0, greatest: 0))
        let ended = Counter()
        for _ in 0..<8 {
            pool.begin {
                running.withLock { $0 = ($0.count + 1, max($0.greatest, $0.count + 1)) }
                usleep(10_000)
                running.withLock { $0.count -= 1 }
                ended.increment()
            }
        }
        await ended.wait(for: 8)
        #expect(running.withLock { $0.greatest } <= 2)
    }

    @Test func `operations that wait for a thread begin in their order`() async {
        let pool = BlockingPool(label: "test", size: 1)
        let gate = LimitedSemaphore()
        let order = Locked<[Int]>([])
        let ended = Counter()
        pool.begin { gate.wait() }
        for number in 0..<5 {
            pool.begin {
                order.withLock { $0.append(number) }
                ended.increment()
            }
        }
        gate.signal()
        await ended.wait(for: 5)
        #expect(order.withLock { $0 } == Array(0..<5))
    }

    @Test func `an error of an operation is thrown to its caller`() async {
        let pool = BlockingPool(label: "test", size: 1)
        await #expect(throws: POSIXError(.EIO)) { try await pool.run { throw POSIXError(.EIO) } }
        let cancellation = Cancellation()
        await #expect(throws: POSIXError(.EIO)) {
            try await pool.run(cancelling: cancellation) { throw POSIXError(.EIO) }
        }
        await #expect(throws: POSIXError(.EIO)) {
            try await pool.run(abandoning: cancellation) { throw POSIXError(.EIO) }
        }
    }

    @Test func `an operation whose task was cancelled before its turn never runs`() async throws {
        let pool = BlockingPool(label: "test", size: 1)
        let hasRun = Locked(false)
        let isCancelled = Signal()
        let task = Task {
            await isCancelled.wait()
            try await pool.run(abandoning: Cancellation()) { hasRun.withLock { $0 = true } }
        }
        task.cancel()
        isCancelled.give()
        await #expect(throws: CancellationError.self) { try await task.value }
        // On the same thread, after what came before it.
        try await pool.run {}
        #expect(!hasRun.withLock { $0 })
    }

    @Test func `an operation that is abandoned while it waits for a thread never runs`() async throws {
        let pool = BlockingPool(label: "test", size: 1)
        let gate = LimitedSemaphore()
        pool.begin { gate.wait() }
        let hasRun = Locked(false)
        let cancellation = Cancellation()
        let task = Task { try await pool.run(abandoning: cancellation) { hasRun.withLock { $0 = true } } }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(cancellation.isCancelled)
        gate.signal()
        try await pool.run {}
        #expect(!hasRun.withLock { $0 })
    }

    @Test func `an abandoned operation runs to its end without its caller`() async {
        let pool = BlockingPool(label: "test", size: 1)
        let gate = LimitedSemaphore()
        let (begun, ended) = (Signal(), Signal())
        let task = Task {
            try await pool.run(abandoning: Cancellation()) {
                begun.give()
                gate.wait()
                ended.give()
            }
        }
        await begun.wait()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        gate.signal()
        await ended.wait()
    }

    @Test func `an operation in its last step is not abandoned`() async throws {
        let pool = BlockingPool(label: "test", size: 1)
        let gate = LimitedSemaphore()
        let cancellation = Cancellation()
        let begun = Signal()
        let hasEnded = Locked(false)
        let task = Task {
            try await pool.run(abandoning: cancellation) {
                #expect(cancellation.beginLastStep())
                begun.give()
                gate.wait()
                hasEnded.withLock { $0 = true }
            }
        }
        await begun.wait()
        task.cancel()
        gate.signal()
        try await task.value
        #expect(hasEnded.withLock { $0 })
    }

    @Test func `an operation that ends just as it is abandoned is cancelled`() async {
        let pool = BlockingPool(label: "test", size: 1)
        let cancellation = Cancellation()
        await #expect(throws: CancellationError.self) {
            try await pool.run(abandoning: cancellation) { cancellation.cancel() }
        }
    }

    @Test(arguments: [false, true])
    func `an operation that is cancelled is awaited, and its success counts`(fails: Bool) async throws {
        let pool = BlockingPool(label: "test", size: 1)
        let cancellation = Cancellation()
        let begun = Signal()
        let hasEnded = Locked(false)
        let task = Task {
            try await pool.run(cancelling: cancellation) {
                begun.give()
                // Far longer than the test may take.
                cancellation.pause(nanoseconds: 100_000_000_000_000)
                hasEnded.withLock { $0 = true }
                if fails { throw POSIXError(.EIO) }
            }
        }
        await begun.wait()
        task.cancel()
        let result = await task.result
        #expect(hasEnded.withLock { $0 })
        if fails {
            #expect(throws: CancellationError.self) { try result.get() }
        } else {
            try result.get()
        }
    }

    /// A part whose stream waits for the gate when it is opened.
    private static func part(waitingFor gate: LimitedSemaphore, _ begun: Counter) -> BodyPart {
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
