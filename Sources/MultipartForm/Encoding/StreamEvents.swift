internal import Foundation

/// Delivers a stream's events to its delegate on the run loops where the stream is scheduled.
///
/// - Invariant: an event is delivered once, by whichever of the run loops turns first; events come in order. What
///   happens before there is a run loop or a delegate waits for them.
final class StreamEvents: @unchecked Sendable {
    /// What keeps a run loop's mode alive, and runs there when it is fired.
    private struct Schedule {
        let runLoop: RunLoop
        let mode: RunLoop.Mode
        let timer: Timer
    }

    // SAFETY: the lists are touched under the lock only. The stream is passed on to its delegate on the threads of the
    // run loops where its owner scheduled it.
    private let lock = NSLock()
    private var schedules: [Schedule] = []
    private var pending: [Stream.Event] = []
    private weak var stream: Stream?

    init() {}

    deinit {
        for schedule in schedules { schedule.timer.invalidate() }
    }

    /// Names the stream whose events these are.
    func attach(_ stream: Stream) {
        self.stream = stream
    }

    /// Adds a run loop to deliver events on.
    func schedule(in runLoop: RunLoop, forMode mode: RunLoop.Mode) {
        // A timer keeps the run loop going, and wakes it from any thread; it fires only when it is told to.
        let never = Date.distantFuture
        let timer = Timer(fire: never, interval: never.timeIntervalSinceNow, repeats: true) { [weak self] _ in
            self?.deliver()
        }
        lock.withLock { schedules.append(Schedule(runLoop: runLoop, mode: mode, timer: timer)) }
        runLoop.add(timer, forMode: mode)
        wake()
    }

    /// Ends the delivery on a run loop in a mode.
    func remove(from runLoop: RunLoop, forMode mode: RunLoop.Mode) {
        let removed = lock.withLock {
            let isRemoved = { (schedule: Schedule) in schedule.runLoop === runLoop && schedule.mode == mode }
            defer { schedules.removeAll(where: isRemoved) }
            return schedules.filter(isRemoved).map(\.timer)
        }
        for timer in removed { timer.invalidate() }
    }

    /// Delivers an event as soon as a run loop turns, unless it waits already. Behind the last one no bytes are
    /// available.
    func post(_ event: Stream.Event, isLast: Bool = false) {
        lock.withLock {
            if isLast { pending.removeAll { $0 == .hasBytesAvailable } }
            if !pending.contains(event) { pending.append(event) }
        }
        wake()
    }

    /// Forgets what has not been delivered.
    func clear() {
        lock.withLock { pending.removeAll() }
    }

    /// Fires on all run loops if there is something to deliver.
    func wake() {
        let timers = lock.withLock { pending.isEmpty ? [] : schedules.map(\.timer) }
        for timer in timers { timer.fireDate = Date() }
    }

    private func deliver() {
        guard let stream, let delegate = stream.delegate else { return }
        let event = lock.withLock { pending.isEmpty ? nil : pending.removeFirst() }
        guard let event else { return }
        #if canImport(Darwin)
            delegate.stream?(stream, handle: event)
        #else
            delegate.stream(stream, handle: event)
        #endif
        wake()
    }
}
