/// A value that an asynchronous function uses in blocking operations, which run on threads of ``BlockingPool/files``,
/// one after another.
package final class OffloadedState<Value>: @unchecked Sendable {
    // SAFETY: only the function that created the object uses it. The function accesses the value only while no
    // operation is left: it awaits `perform` or `finish`, which return only when all operations have ended, even if the
    // task is cancelled. So the function and an operation, or two operations, never use the value at the same time.
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

    /// Begins an operation on the value, and returns while it runs. If two operations have not ended, first waits until
    /// one of them ends.
    ///
    /// - Throws: The error of an earlier operation. The operation is then dropped.
    package func begin(_ operation: @escaping @Sendable (inout Value) throws -> Void) async throws {
        try await operations.add { [self] in try operation(&value) }
    }

    /// Waits until all operations have ended. Throws the error of the first one that failed.
    package func finish() async throws {
        try await operations.wait(untilAtMost: 0)
    }
}

/// Operations that run one after another on threads of ``BlockingPool/files``.
///
/// - Invariant: after an operation has failed, no other runs, and each call that waits throws its error.
/// - Invariant: an operation is released before a caller that waits for it continues.
private final class OperationChain: @unchecked Sendable {
    // SAFETY: the mutable properties are accessed only under the lock.
    typealias Operation = @Sendable () throws -> Void

    /// The operations that have not ended, in order. The first one is running.
    private var operations: [Operation] = []
    private var failure: (any Error)?
    private var waiter: (count: Int, continuation: CheckedContinuation<Void, Never>)?
    private let lock = Lock()

    func add(_ operation: @escaping Operation) async throws {
        try await wait(untilAtMost: 1)
        let isFirst = lock.withLock {
            guard failure == nil else { return false }
            operations.append(operation)
            return operations.count == 1
        }
        if isFirst { start() }
    }

    /// Starts the first operation. If another is left when it ends, starts that one as an operation of its own, so that
    /// operations on other values can run in between.
    private func start() {
        BlockingPool.files.begin { [self] in if runNext() { start() } }
    }

    /// Waits until at most `count` operations have not ended. Throws the error of an operation that failed.
    func wait(untilAtMost count: Int) async throws {
        await withCheckedContinuation { continuation in
            let mustWait = lock.withLock {
                guard operations.count > count else { return false }
                waiter = (count, continuation)
                return true
            }
            if !mustWait { continuation.resume() }
        }
        if let failure = lock.withLock({ failure }) { throw failure }
    }

    /// Runs the first operation, and resumes the caller of ``wait(untilAtMost:)`` if few enough are left. Returns
    /// whether any are left.
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

    /// Runs the first operation, and returns its error. This is a separate function, so that it no longer refers to the
    /// operation when ``runNext()`` resumes the caller.
    private func runFirst() -> (any Error)? {
        guard let operation = lock.withLock({ operations.first }) else { return nil }
        do {
            try operation()
            return nil
        } catch {
            return error
        }
    }

    /// Returns the continuation of ``waiter``, and sets ``waiter`` to nil, if few enough operations are left; otherwise
    /// returns nil. Call it under the lock.
    private func takeWaiter() -> CheckedContinuation<Void, Never>? {
        guard let waiter, operations.count <= waiter.count else { return nil }
        self.waiter = nil
        return waiter.continuation
    }
}
