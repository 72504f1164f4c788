/// A value that an asynchronous function uses in blocking operations, which run on threads of ``BlockingPool/files``,
/// one after another.
package final class OffloadedState<Value>: @unchecked Sendable {
    // SAFETY: only the owner of the object, a function or another object, uses it. Operations that were added by
    // `begin` run one after another. Before the owner accesses the value, or calls `perform(cancelling:_:)`, it waits
    // for all operations: `finish` and both `perform` methods return only when all have ended, even if the task is
    // cancelled. So no two accesses of the value overlap.
    package var value: Value
    private let operations = OperationChain()

    package init(_ value: Value) {
        self.value = value
    }

    /// Runs an operation on the value, and waits until it ends.
    package func perform(_ operation: @escaping @Sendable (inout Value) throws -> Void) async throws {
        try await begin(operation)
        try await finish()
    }

    /// Runs an operation on the value, and waits until it ends. If the task is cancelled, cancels `cancellation`, so
    /// that the operation can end early.
    func perform(
        cancelling cancellation: Cancellation,
        _ operation: @escaping @Sendable (inout Value) throws -> Void
    ) async throws {
        try await BlockingPool.files.run(cancelling: cancellation) { [self] in try operation(&value) }
    }

    /// Adds an operation on the value, and returns without waiting for its end. If two operations have not ended yet,
    /// first waits until one of them ends.
    ///
    /// - Throws: The error of an earlier operation that failed. The new operation then never runs.
    package func begin(_ operation: @escaping @Sendable (inout Value) throws -> Void) async throws {
        try await operations.add { [self] in try operation(&value) }
    }

    /// Waits until all operations have ended. Throws the error if one of them failed.
    package func finish() async throws {
        try await operations.waitForAll()
    }
}

/// Operations that run one after another on threads of ``BlockingPool/files``.
///
/// - Invariant: after an operation has failed, no other operation runs, and each later call throws the error.
/// - Invariant: when a call returns, the operations that have ended have been released.
private final class OperationChain: @unchecked Sendable {
    // SAFETY: the mutable properties are accessed only under the lock.
    typealias Operation = @Sendable () throws -> Void

    /// The operations that have not ended, in order. The first one is running.
    private var operations: [Operation] = []
    private var failure: (any Error)?
    private var waiter: (count: Int, continuation: CheckedContinuation<Void, Never>)?
    private let lock = Lock()

    func add(_ operation: @escaping Operation) async throws {
        await wait(untilAtMost: 1)
        let isFirst = try lock.withLock {
            if let failure { throw failure }
            operations.append(operation)
            return operations.count == 1
        }
        if isFirst { start() }
    }

    /// Starts the first operation. When it ends, and another operation is left, calls the pool again for that one, so
    /// that the pool can run operations on other values in between.
    private func start() {
        BlockingPool.files.begin { [self] in if runNext() { start() } }
    }

    /// Waits until all operations have ended. Throws the error if one of them failed.
    func waitForAll() async throws {
        await wait(untilAtMost: 0)
        if let failure = lock.withLock({ failure }) { throw failure }
    }

    /// Waits until at most `count` operations are left that have not ended.
    private func wait(untilAtMost count: Int) async {
        await withCheckedContinuation { continuation in
            let mustWait = lock.withLock {
                guard operations.count > count else { return false }
                waiter = (count, continuation)
                return true
            }
            if !mustWait { continuation.resume() }
        }
    }

    /// Runs the first operation, and removes it. Resumes the caller of ``wait(untilAtMost:)`` if few enough operations
    /// are left. Returns whether any operation is left.
    private func runNext() -> Bool {
        let failure = runFirst()
        let (hasMore, continuation) = lock.withLock {
            self.failure = failure
            if failure == nil { operations.removeFirst() } else { operations = [] }
            return (!operations.isEmpty, takeWaiter())
        }
        continuation?.resume()
        return hasMore
    }

    /// Runs the first operation, and returns its error. This is a separate function, so that its reference to the
    /// operation is gone when ``runNext()`` resumes the caller.
    private func runFirst() -> (any Error)? {
        guard let operation = lock.withLock({ operations.first }) else { return nil }
        do {
            try operation()
            return nil
        } catch {
            return error
        }
    }

    /// If few enough operations are left for ``waiter``, sets ``waiter`` to nil, and returns its continuation.
    /// Otherwise returns nil. Call it under the lock.
    private func takeWaiter() -> CheckedContinuation<Void, Never>? {
        guard let waiter, operations.count <= waiter.count else { return nil }
        self.waiter = nil
        return waiter.continuation
    }
}
