import Foundation

/// Runs asynchronous work from the thread that measures, and waits for it.
enum Awaited {
    /// Where the work runs.
    enum Place: String, CaseIterable {
        /// On the threads of the pool, as in most servers.
        case pool
        case actor
        case mainActor = "main"
    }

    private actor Worker {
        func run(_ work: @Sendable () async throws -> Void) async throws { try await work() }
    }

    /// The result, which is written before the semaphore is signalled and read after it.
    private final class Outcome: @unchecked Sendable {
        var result: Result<Void, any Error> = .success(())
    }

    /// Runs the work. The main thread must be free for the main actor.
    static func run(_ place: Place = .pool, _ work: @escaping @Sendable () async throws -> Void) throws {
        let outcome = Outcome()
        let done = DispatchSemaphore(value: 0)
        Task.detached {
            do {
                switch place {
                case .pool: try await work()
                case .actor: try await Worker().run(work)
                case .mainActor: try await onMainActor(work)
                }
            } catch {
                outcome.result = .failure(error)
            }
            done.signal()
        }
        done.wait()
        try outcome.result.get()
    }

    @MainActor
    private static func onMainActor(_ work: @Sendable () async throws -> Void) async throws {
        try await work()
    }
}
