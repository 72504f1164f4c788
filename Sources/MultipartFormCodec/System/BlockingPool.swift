internal import Dispatch

/// Runs blocking operations on threads of Dispatch. So no operation blocks a thread of Swift's cooperative pool.
///
/// - Invariant: at most `size` operations run at a time, so that Dispatch has threads left for other work. Further
///   operations wait, and begin in the order of arrival.
///
/// If the task of a caller is cancelled, ``run(abandoning:_:)`` can abandon the operation, and the caller continues at
/// once. An abandoned operation that has begun runs to its end. An abandoned operation that waits never begins.
package final class BlockingPool: @unchecked Sendable {
    // SAFETY: the mutable properties are accessed only under the lock.

    /// The pool for operations on files. Each operation blocks only briefly.
    package static let files = BlockingPool(label: "multipart-form.files", size: 8)
    /// The pool for operations on streams. An operation may block forever.
    static let streams = BlockingPool(label: "multipart-form.streams", size: 32)

    private let label: String
    private let size: Int
    private let lock = Lock()
    /// The serial queues that run no job. The last queue in the array was used most recently.
    private var idle: [DispatchQueue] = []
    private var queueCount = 0
    /// The jobs that wait for an idle queue, by job number.
    private var waiting: [UInt64: Job] = [:]
    /// A range that contains the numbers of all waiting jobs. The next job that must wait gets the upper bound as its
    /// number.
    private var numbers: Range<UInt64> = 0..<0

    package init(label: String, size: Int) {
        self.label = label
        self.size = size
    }

    /// Runs an operation and waits until it ends, even if the task is cancelled.
    package func run(_ operation: @escaping @Sendable () throws -> Void) async throws {
        try await wait(for: Job(operation)).get()
    }

    /// Runs an operation and waits until it ends. If the task is cancelled, cancels `cancellation`, so that the
    /// operation can end early.
    ///
    /// - Throws: `CancellationError` if the operation fails and `cancellation` has been cancelled. Otherwise, the
    ///   operation's error.
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

    /// Runs an operation that may block forever. If the task is cancelled, abandons the operation and throws
    /// `CancellationError` at once.
    ///
    /// An operation that has called ``Cancellation/beginLastStep()`` cannot be abandoned: this method waits until the
    /// operation ends.
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
        // Throws even if `outcome` is a success. The operation may have ended after `cancellation.cancel()` and before
        // `job.finish`, which then has no effect.
        if cancellation.isCancelled { throw CancellationError() }
        try outcome.get()
    }

    /// Starts an operation, and returns without waiting for it.
    package func begin(_ operation: @escaping @Sendable () -> Void) {
        start(Job(operation))
    }

    /// Starts a job, waits for its outcome, and returns the outcome. Does not throw the job's error, so that the caller
    /// can throw it on the caller's own executor.
    private func wait(for job: Job) async -> Job.Outcome {
        // A continuation that throws would resume on another executor: see ``resumeOnCallerExecutor()``. So this
        // continuation returns a `Result`.
        let outcome = await withCheckedContinuation { continuation in
            job.wait(continuation)
            start(job)
        }
        // Reads `isFinished` only to take the job's lock. The continuation already synchronizes this task with the
        // operation, but Thread Sanitizer recognizes only the lock.
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
            // Releases the queue before the caller continues, so that the caller's next operation can use the same
            // queue.
            self.release(queue)
            job.finish(outcome)
        }
    }

    /// Starts the next waiting job on a queue. If no job waits, makes the queue idle.
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

    /// Removes and returns the job that has waited longest; returns nil if no job waits.
    ///
    /// - Complexity: O(1), amortized, because all calls together visit each job number once.
    private func dequeue() -> Job? {
        while let number = numbers.popFirst() {
            if let job = waiting.removeValue(forKey: number) { return job }
        }
        return nil
    }
}

/// An operation, its outcome, and the caller that waits for the outcome. Only the first call of ``finish(_:)`` sets the
/// outcome.
private final class Job: @unchecked Sendable {
    // SAFETY: `number` is accessed only under the pool's lock. The other mutable properties are accessed only under
    // `lock`.

    typealias Outcome = Result<Void, any Error>

    var number: UInt64?
    /// The operation; nil once it has begun. So the operation is released as soon as it ends. If it holds the last
    /// reference to a file, the file is closed before the caller continues.
    private var operation: (@Sendable () throws -> Void)?
    private var outcome: Outcome?
    private var continuation: CheckedContinuation<Outcome, Never>?
    private let lock = Lock()

    init(_ operation: @escaping @Sendable () throws -> Void) {
        self.operation = operation
    }

    var isFinished: Bool { lock.withLock { outcome != nil } }

    /// Runs the operation and returns its outcome. If the operation has been abandoned, returns `CancellationError`
    /// instead.
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
