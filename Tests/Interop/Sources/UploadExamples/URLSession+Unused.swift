import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension URLSession {
    /// Sends a request; on Linux with a session like this one whose connections have not been used.
    ///
    /// - Parameters:
    ///   - patience: How long the request may go on after the task has been cancelled, in seconds.
    ///   - send: Sends one request with the session that it gets.
    /// - Returns: What `send` returns.
    /// - Throws: What `send` throws; `CancellationError` if the task is cancelled before.
    func withUnusedSession<Value: Sendable>(
        patience: Double = 0,
        _ send: @escaping @Sendable (URLSession) async throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        #if canImport(Darwin)
            let session = self
            let sending = Task { try await send(session) }
        #else
            let configuration = (configuration.copy() as? URLSessionConfiguration) ?? .default
            configuration.urlCache = nil  // which a request may ask just when it is cancelled
            let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
            defer { session.finishTasksAndInvalidate() }
            let sending = Task(executorPreference: StartingExecutor.shared) { try await send(session) }
        #endif
        return try await withTaskCancellationHandler {
            try await sending.value
        } onCancel: {
            Task {
                let cancelling = Task {
                    try await Task.sleep(nanoseconds: UInt64(patience * 1_000_000_000))
                    #if canImport(Darwin)
                        sending.cancel()
                    #else
                        // Cancelling `sending` could block for ever. The session may have no task yet.
                        while true {
                            session.getAllTasks { for task in $0 { task.cancel() } }
                            try await Task.sleep(nanoseconds: 10_000_000)
                        }
                    #endif
                }
                _ = await sending.result
                cancelling.cancel()
            }
        }
    }
}

#if !canImport(Darwin)
    /// Starts uploads on a thread of their own, since a session blocks it for a time.
    nonisolated private final class StartingExecutor: TaskExecutor {
        static let shared = StartingExecutor()
        private let queue = DispatchQueue(label: "starting uploads")

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }
#endif
