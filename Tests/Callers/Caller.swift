internal import Dispatch

/// An actor that performs entries, and a way to see whether the current thread runs it.
struct Caller: Sendable {
    let name: String
    let actor: any Actor
    /// Ends the process if an actor of Swift's own is not current: it cannot be asked.
    let isCurrent: @Sendable () -> Bool

    /// An actor with an executor of its own, one without, and the main actor.
    static func all() -> [Caller] {
        var callers = [
            Caller(name: "an actor", checking: UsualActor()),
            Caller(name: "the main actor", checking: MainActor.shared),
        ]
        if #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *) {
            let actor = QueueActor()
            callers.append(Caller(name: "an actor with its own executor", actor: actor) { actor.executor.isCurrent })
        }
        return callers
    }

    private init(name: String, actor: any Actor, isCurrent: @escaping @Sendable () -> Bool) {
        self.name = name
        self.actor = actor
        self.isCurrent = isCurrent
    }

    private init(name: String, checking actor: any Actor) {
        self.init(name: name, actor: actor) {
            actor.preconditionIsolated()
            return true
        }
    }
}

private actor UsualActor {}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
private actor QueueActor {
    nonisolated let executor = QueueExecutor()

    nonisolated var unownedExecutor: UnownedSerialExecutor { UnownedSerialExecutor(ordinary: executor) }
}

/// An executor that can tell whether the current thread runs one of its jobs.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
private final class QueueExecutor: SerialExecutor {
    private static let key = DispatchSpecificKey<ObjectIdentifier>()
    private let queue = DispatchQueue(label: "actor")

    init() {
        queue.setSpecific(key: Self.key, value: ObjectIdentifier(self))
    }

    var isCurrent: Bool { DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(self) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: UnownedSerialExecutor(ordinary: self)) }
    }
}
