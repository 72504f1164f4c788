internal import Dispatch

/// Runs blocking operations on a few threads, so that they block neither the threads of Swift's tasks nor all of the
/// threads that Dispatch has for the process.
///
/// - Invariant: at most `size` operations run at a time; the others wait in order. A cancelled caller that abandons its
///   operation continues at once; the operation runs to its end if it has begun, and otherwise never begins.
package final class BlockingPool: @unchecked Sendable {
    // SAFETY: the mutable state is accessed only under the lock.

    /// The pool for files, whose operations end soon.
    package static let files = BlockingPool(label: "multipart-form.files", size: 8)
    /// The pool for streams, which may block forever.
    static let streams = BlockingPool(label: "multipart-form.streams", size: 32)

    private let label: String
    private let size: Int
    private let lock = Lock()
    /// The idle serial queues, the most recently used last.
    private var idle: [DispatchQueue] = []
    private var queueCount = 0
    /// The jobs that wait for a queue, by number.
    private var waiting: [UInt64: Job] = [:]
    /// The numbers of jobs that may be waiting; the upper bound is the next number to assign.
    private var numbers: Range<UInt64> = 0..<0

    package init(label: String, size: Int) {
        self.label = label
        self.size = size
    }

    /// Runs an operation to its end, even if the task is cancelled.
    package func run(_ operation: @escaping @Sendable () throws -> Void) async throws {
        try await wait(for: Job(operation)).get()
    }

    /// Runs an operation to its end; if the task is cancelled, cancels the operation, which may then end sooner.
    package func run(
        cancelling cancellation: Cancellation,
        _ operation: @escaping @Sendable () throws -> Void
    ) async throws {
        let job = Job(operation)
        let outcome = await withTaskCancellationHandler {
            await wait(for: job)
        } onCancel: {
            cancellation.cancel()
        }
        if case .failure = outcome, cancellation.isCancelled { throw CancellationError() }
        try outcome.get()
    }

    /// Runs an operation that may block forever. If the task is cancelled, cancels the operation and throws at once;
    /// but waits for an operation that has begun its last step.
    package func run(
        abandoning cancellation: Cancellation,
        _ operation: @escaping @Sendable () throws -> Void
    ) async throws {
        let job = Job(operation)
        let outcome = await withTaskCancellationHandler {
            await wait(for: job)
        } onCancel: {
            guard cancellation.cancel() else { return }
            job.finish(.failure(CancellationError()))
            lock.withLock { if let number = job.number { waiting[number] = nil } }
        }
        // A task that is cancelled throws `CancellationError`, even if the outcome of its operation here is a success.
        // The operation may have ended just before the reply.
        if cancellation.isCancelled { throw CancellationError() }
        try outcome.get()
    }

    /// Starts an operation that nobody waits for, and returns at once.
    package func begin(_ operation: @escaping @Sendable () -> Void) {
        start(Job(operation))
    }

    /// Starts a job and waits for its outcome. Returns the job's error instead of throwing it, so that the caller
    /// throws it on the caller's own executor.
    private func wait(for job: Job) async -> Job.Outcome {
        // Not a continuation that throws, because that would resume on another executor; see
        // ``resumeOnCallerExecutor()``.
        let outcome = await withCheckedContinuation { continuation in
            job.wait(continuation)
            start(job)
        }
        // Reading `isFinished` takes the job's lock. The continuation synchronizes with the operation already, but
        // Thread Sanitizer sees that through the lock only.
        _ = job.isFinished
        return outcome
    }

    private func start(_ job: Job) {
        let queue: DispatchQueue? = lock.withLock {
            if let queue = idle.popLast() { return queue }
            guard queueCount < size else {
                enqueue(job)
                return nil
            }
            queueCount += 1
            return DispatchQueue(label: label, autoreleaseFrequency: .workItem)
        }
        if let queue { start(job, on: queue) }
    }

    private func start(_ job: Job, on queue: DispatchQueue) {
        queue.async {
            let outcome = job.run()
            // Free the queue first, so that the caller's next operation needs no other thread.
            self.release(queue)
            job.finish(outcome)
        }
    }

    /// Starts the next job on a queue, or makes the queue idle.
    private func release(_ queue: DispatchQueue) {
        let next: Job? = lock.withLock {
            let job = dequeue()
            if job == nil { idle.append(queue) }
            return job
        }
        if let next { start(next, on: queue) }
    }

    private func enqueue(_ job: Job) {
        guard !job.isFinished else { return }
        job.number = numbers.upperBound
        waiting[numbers.upperBound] = job
        numbers = numbers.lowerBound..<numbers.upperBound + 1
    }

    /// Removes and returns the job that has waited longest; nil if no job waits. All calls together visit each number
    /// once.
    private func dequeue() -> Job? {
        while let number = numbers.popFirst() {
            if let job = waiting.removeValue(forKey: number) { return job }
        }
        return nil
    }
}

/// An operation and the caller that waits for it; only the first outcome counts.
private final class Job: @unchecked Sendable {
    // SAFETY: the state is accessed only under the lock, and the number only under the pool's lock.

    typealias Outcome = Result<Void, any Error>

    var number: UInt64?
    /// The operation; released when it has run, before the caller continues, because it may hold the last reference to
    /// a file.
    private var operation: (@Sendable () throws -> Void)?
    private var outcome: Outcome?
    private var continuation: CheckedContinuation<Outcome, Never>?
    private let lock = Lock()

    init(_ operation: @escaping @Sendable () throws -> Void) {
        self.operation = operation
    }

    var isFinished: Bool { lock.withLock { outcome != nil } }

    /// Runs the operation; if that has been abandoned, returns `CancellationError` instead.
    func run() -> Outcome {
        let operation = lock.withLock {
            defer { self.operation = nil }
            return outcome == nil ? self.operation : nil
        }
        guard let operation else { return .failure(CancellationError()) }
        return Result { try operation() }
    }

    func wait(_ continuation: CheckedContinuation<Outcome, Never>) {
        let outcome = lock.withLock {
            if self.outcome == nil { self.continuation = continuation }
            return self.outcome
        }
        if let outcome { continuation.resume(returning: outcome) }
    }

    func finish(_ outcome: Outcome) {
        let continuation: CheckedContinuation<Outcome, Never>? = lock.withLock {
            guard self.outcome == nil else { return nil }
            self.outcome = outcome
            return self.continuation
        }
        continuation?.resume(returning: outcome)
    }
}

/// A value that one asynchronous function uses, partly on threads that may block.
final class OffloadedState<Value>: @unchecked Sendable {
    // SAFETY: only the function that made the object uses it. It awaits each call of `perform`, which returns when the
    // operation has ended, even if the task is cancelled. So the function and the operation never use the value at the
    // same time.
    var value: Value

    init(_ value: Value) {
        self.value = value
    }

    /// Runs an operation on a thread for files.
    func perform(_ operation: @escaping @Sendable (inout Value) throws -> Void) async throws {
        try await BlockingPool.files.run { [self] in try operation(&value) }
    }

    /// Runs an operation on a thread for files; if the task is cancelled, cancels the operation, which may then end
    /// sooner.
    func perform(
        cancelling cancellation: Cancellation,
        _ operation: @escaping @Sendable (inout Value) throws -> Void
    ) async throws {
        try await BlockingPool.files.run(cancelling: cancellation) { [self] in try operation(&value) }
    }
}
