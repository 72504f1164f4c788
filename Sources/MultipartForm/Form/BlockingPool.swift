internal import Foundation

/// Runs what may block on a few threads, so that it holds up neither the threads of Swift's tasks nor, however many
/// block, all those that Dispatch has for the process.
///
/// - Invariant: at most so many operations run at a time as there are queues; the others wait in order. A caller that
///   abandons its operation when its task is cancelled continues at once: what has not begun never does, and what has is
///   left to itself.
final class BlockingPool: @unchecked Sendable {
    // SAFETY: everything that changes is touched under the lock only.

    /// For files, which take turns soon.
    static let files = BlockingPool(label: "multipart-form.files", size: 8)
    /// For streams, which may block for ever.
    static let streams = BlockingPool(label: "multipart-form.streams", size: 32)

    private let label: String
    private let size: Int
    private let lock = NSLock()
    /// The serial queues that have nothing to do, the last one used at the end.
    private var idle: [DispatchQueue] = []
    private var queueCount = 0
    /// What waits for a queue, by number.
    private var waiting: [UInt64: Job] = [:]
    /// The lowest number that may wait, and the next to be given.
    private var numbers: Range<UInt64> = 0..<0

    private init(label: String, size: Int) {
        self.label = label
        self.size = size
    }

    /// Runs an operation on one of the threads and waits for it.
    ///
    /// - Parameter operation: What to run, to its end, even if the task is cancelled. It owns nothing that has to be freed
    ///   before the caller continues.
    /// - Throws: What the operation throws.
    func run(_ operation: @escaping @Sendable () throws -> Void) async throws {
        let job = Job(operation)
        try await run(job)
    }

    /// Runs an operation that may block for ever on one of the threads and waits for it, unless the task is cancelled.
    ///
    /// - Parameters:
    ///   - abandonment: Set when the task is cancelled.
    ///   - operation: What to run. It owns nothing that has to be freed before the caller continues.
    /// - Throws: What the operation throws, or `CancellationError`.
    func run(abandoning abandonment: Abandonment, _ operation: @escaping @Sendable () throws -> Void) async throws {
        let job = Job(operation)
        try await withTaskCancellationHandler {
            try await run(job)
        } onCancel: {
            // Reply first, so that a late result is ignored.
            job.finish(.failure(CancellationError()))
            abandonment.set()
            withdraw(job)
        }
    }

    private func run(_ job: Job) async throws {
        try await withCheckedThrowingContinuation { continuation in
            job.wait(continuation)
            start(job)
        }
        // The caller sees what the operation did without this lock; Thread Sanitizer does not know that.
        _ = job.isFinished
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
            let result = job.run()
            // The queue is free before the caller goes on, whose next operation then needs no other thread.
            self.release(queue)
            job.finish(result)
        }
    }

    /// Hands a queue to the next job, or puts it by.
    private func release(_ queue: DispatchQueue) {
        let next: Job? = lock.withLock {
            guard let job = dequeue() else {
                idle.append(queue)
                return nil
            }
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

    /// The job that has waited longest. Each number is passed once.
    private func dequeue() -> Job? {
        guard !waiting.isEmpty else {
            numbers = numbers.upperBound..<numbers.upperBound
            return nil
        }
        for number in numbers {
            guard let job = waiting.removeValue(forKey: number) else { continue }
            numbers = number + 1..<numbers.upperBound
            return job
        }
        return nil
    }

    private func withdraw(_ job: Job) {
        lock.withLock { if let number = job.number { waiting[number] = nil } }
    }
}

/// An operation, and whoever waits for it; the first answer counts.
private final class Job: @unchecked Sendable {
    // SAFETY: the state is touched under the lock only, and the number under the pool's.

    private enum State {
        case made
        case awaited(CheckedContinuation<Void, any Error>)
        case answered(Result<Void, any Error>)
        case over
    }

    /// The job's place among those that wait.
    var number: UInt64?
    private let operation: @Sendable () throws -> Void
    private var state = State.made
    private let lock = NSLock()

    init(_ operation: @escaping @Sendable () throws -> Void) {
        self.operation = operation
    }

    var isFinished: Bool {
        lock.withLock {
            switch state {
            case .made, .awaited: false
            case .answered, .over: true
            }
        }
    }

    /// Runs the operation, unless nobody waits for it any more.
    func run() -> Result<Void, any Error> {
        isFinished ? .failure(CancellationError()) : Result { try operation() }
    }

    func wait(_ continuation: CheckedContinuation<Void, any Error>) {
        let answer: Result<Void, any Error>? = lock.withLock {
            if case .answered(let result) = state {
                state = .over
                return result
            }
            state = .awaited(continuation)
            return nil
        }
        if let answer { continuation.resume(with: answer) }
    }

    func finish(_ result: Result<Void, any Error>) {
        let continuation: CheckedContinuation<Void, any Error>? = lock.withLock {
            switch state {
            case .made:
                state = .answered(result)
                return nil
            case .awaited(let continuation):
                state = .over
                return continuation
            case .answered, .over:
                return nil
            }
        }
        continuation?.resume(with: result)
    }
}
