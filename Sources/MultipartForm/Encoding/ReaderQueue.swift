internal import Foundation

/// Runs a reader on a queue of its own, so that its blocking reads hold up no thread of Swift's tasks.
///
/// - Invariant: a caller whose task is cancelled waits no longer, even if a stream blocks. The reader has then failed;
///   without an owner, it is closed as soon as the stream lets go.
final class ReaderQueue: @unchecked Sendable {
    // SAFETY: the reader is touched on the serial queue only, and by the deinitializer, when no operation is under way:
    // each holds the object while it runs.
    private var reader: FormDataReader
    private let abandonment = Abandonment()
    private let queue = DispatchQueue(label: "multipart-form.reader")

    init(_ plan: EncodingPlan, progress: Progress?) {
        reader = FormDataReader(plan, progress: progress, abandonment: abandonment)
    }

    /// Runs an operation on the queue and waits for it.
    ///
    /// - Throws: What it throws, or `CancellationError`.
    func run<Value: Sendable>(
        _ operation: @escaping @Sendable (inout FormDataReader) throws -> Value
    ) async throws -> Value {
        let reply = Reply<Value>()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                reply.wait(continuation)
                queue.async { [weak self] in
                    // Before the caller goes on nothing but its own reference is left, so that it can close the reader.
                    let result = self?.result(operation)
                    reply.give(result ?? .failure(CancellationError()))
                }
            }
        } onCancel: {
            // In this order: what the operation, abandoned, says to it comes too late.
            reply.give(.failure(CancellationError()))
            abandonment.set()
        }
    }

    private func result<Value>(
        _ operation: (inout FormDataReader) throws -> Value
    ) -> Result<Value, any Error> {
        Result { try operation(&reader) }
    }
}

/// Tells a reader on another thread that nobody waits for it any more.
final class Abandonment: @unchecked Sendable {
    // SAFETY: the mark is touched under the lock only.
    private var mark = false
    private let lock = NSLock()

    var isSet: Bool { lock.withLock { mark } }

    func set() {
        lock.withLock { mark = true }
    }
}

/// What a caller waits for; the first answer counts.
private final class Reply<Value: Sendable>: @unchecked Sendable {
    // SAFETY: the state is touched under the lock only.

    private enum State {
        case asked
        case waiting(CheckedContinuation<Value, any Error>)
        case answered(Result<Value, any Error>)
        case done
    }

    private var state = State.asked
    private let lock = NSLock()

    func wait(_ continuation: CheckedContinuation<Value, any Error>) {
        let answer: Result<Value, any Error>? = lock.withLock {
            if case .answered(let result) = state {
                state = .done
                return result
            }
            state = .waiting(continuation)
            return nil
        }
        if let answer { continuation.resume(with: answer) }
    }

    func give(_ result: Result<Value, any Error>) {
        let continuation: CheckedContinuation<Value, any Error>? = lock.withLock {
            switch state {
            case .asked:
                state = .answered(result)
                return nil
            case .waiting(let continuation):
                state = .done
                return continuation
            case .answered, .done:
                return nil
            }
        }
        continuation?.resume(with: result)
    }
}
