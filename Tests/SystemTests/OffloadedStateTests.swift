import Foundation
import MultipartFormCodec
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct OffloadedStateTests {
    /// Keeps all threads for files busy until the semaphore is given.
    private static func occupyFileThreads() -> LimitedSemaphore {
        let gate = LimitedSemaphore()
        for _ in 0..<8 {
            BlockingPool.files.begin {
                gate.wait()
                gate.signal()
            }
        }
        return gate
    }

    @Test func `operations run one after another, in their order`() async throws {
        let numbers = OffloadedState<[Int]>([])
        for number in 0..<1000 { try await numbers.begin { $0.append(number) } }
        try await numbers.finish()
        #expect(numbers.value == Array(0..<1000))
        try await numbers.perform { $0 = $0.reversed() }
        #expect(numbers.value == (0..<1000).reversed())
        // Nothing is left to wait for.
        try await numbers.finish()
    }

    // A process of its own, since other tests also use the threads.
    @Test func `a third operation waits until one of two has ended, and the last ones are waited for`() async {
        await #expect(processExitsWith: .success) {
            limitTime()
            for count in [1, 3] {
                let gate = Self.occupyFileThreads()
                let sum = OffloadedState(0)
                for _ in 0..<min(count, 2) { try await sum.begin { $0 += 1 } }
                let isFree = Locked(false)
                Thread {
                    usleep(300_000)
                    isFree.withLock { $0 = true }
                    gate.signal()
                }.start()
                if count == 3 {
                    try await sum.begin { $0 += 1 }
                    try #require(isFree.withLock { $0 })
                }
                try await sum.finish()
                try #require(isFree.withLock { $0 })
                try #require(sum.value == count)
            }
        }
    }

    @Test func `an operation that failed is the last one, and each call that waits throws its error`() async throws {
        let sum = OffloadedState(0)
        try await sum.begin { $0 += 1 }
        try await sum.finish()
        try await sum.begin { _ in throw POSIXError(.EIO) }
        await #expect(throws: POSIXError(.EIO)) { try await sum.finish() }
        await #expect(throws: POSIXError(.EIO)) { try await sum.begin { $0 += 1 } }
        await #expect(throws: POSIXError(.EIO)) { try await sum.perform { $0 += 1 } }
        #expect(sum.value == 1)
    }

    @Test func `what an operation holds is released before a caller that waits goes on`() async throws {
        let state = OffloadedState(0)
        for _ in 0..<1000 {
            let held = Held()
            weak let reference = held
            try await state.begin { [held] in $0 += held.number }
            _ = consume held
            try await state.finish()
            #expect(reference == nil)
        }
    }

    private final class Held: Sendable {
        let number = 1
    }
}
