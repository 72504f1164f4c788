import Foundation
import MultipartFormCodec
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct LockTests {
    /// State that only the lock protects.
    private final class State: @unchecked Sendable {
        var isInUse = false
        var count = 0
        var overlaps = 0
    }

    @Test func `one thread at a time holds a lock`() async throws {
        let lock = Lock()
        let state = State()
        try await withThrowingTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    try await BackgroundThread.run {
                        for _ in 0..<500 {
                            lock.withLock {
                                if state.isInUse { state.overlaps += 1 }
                                state.isInUse = true
                                state.count += 1
                                // Another thread may run now.
                                sched_yield()
                                state.isInUse = false
                            }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(state.count == 2000)
        #expect(state.overlaps == 0)
    }

    @Test func `a body that throws leaves the lock`() {
        let lock = Lock()
        #expect(throws: POSIXError(.EIO)) { try lock.withLock { throw POSIXError(.EIO) } }
        #expect(lock.withLock { 1 } == 1)
    }
}
