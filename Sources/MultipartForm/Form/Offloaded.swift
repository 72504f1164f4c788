/// A value that one asynchronous function uses, in part on threads that may block.
final class Offloaded<Value>: @unchecked Sendable {
    // SAFETY: the object stays in the function that made it, which awaits each `perform`; that returns when its operation
    // has ended, even if the task is cancelled. So the function and the operation never use the value at the same time.
    var value: Value

    init(_ value: Value) {
        self.value = value
    }

    /// Runs an operation on a thread for files.
    func perform(_ operation: @escaping @Sendable (inout Value) throws -> Void) async throws {
        try await BlockingPool.files.run { [self] in try operation(&value) }
    }

    /// Runs an operation on a thread for files; if the task is cancelled, sets `abandonment`, so that it may end sooner.
    func perform(
        cancelling abandonment: Abandonment,
        _ operation: @escaping @Sendable (inout Value) throws -> Void
    ) async throws {
        try await BlockingPool.files.run(cancelling: abandonment) { [self] in try operation(&value) }
    }
}
