internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

extension URLSession {
    /// Sends a request; on Linux with a session like this one whose connections have not been used.
    ///
    /// - Parameters:
    ///   - isCancellable: Whether cancelling ends the request; else it is completed.
    ///   - send: Sends one request with the session that it gets.
    /// - Returns: What `send` returns.
    /// - Throws: What `send` throws; `CancellationError` if the task is cancelled before.
    func withUnusedSession<Value: Sendable>(
        isCancellable: Bool = true,
        _ send: @escaping @Sendable (URLSession) async throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        #if canImport(Darwin)
            if isCancellable { return try await send(self) }
            return try await Task { try await send(self) }.value
        #else
            let configuration = (configuration.copy() as? URLSessionConfiguration) ?? .default
            configuration.urlCache = nil  // which a request may ask just when it is cancelled
            let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
            defer { session.finishTasksAndInvalidate() }
            // A task that is not cancelled, since it could block for ever.
            let sending = Task { try await send(session) }
            return try await withTaskCancellationHandler {
                try await sending.value
            } onCancel: {
                guard isCancellable else { return }
                Task {
                    let cancelling = Task {
                        while !Task.isCancelled {
                            // The session may have no task yet.
                            session.getAllTasks { for task in $0 { task.cancel() } }
                            try await Task.sleep(nanoseconds: 10_000_000)
                        }
                    }
                    _ = await sending.result
                    cancelling.cancel()
                }
            }
        #endif
    }
}
