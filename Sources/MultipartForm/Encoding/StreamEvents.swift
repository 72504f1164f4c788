internal import Foundation

/// Delivers a stream's events to its delegate on the run loops where the stream is scheduled.
///
/// - Invariant: an event is delivered once, by whichever of the run loops turns first; events come in order. What
///   happens before there is a run loop or a delegate waits for them.
final class StreamEvents: @unchecked Sendable {
    private struct Schedule {
        let runLoop: RunLoop
        let mode: RunLoop.Mode
        /// What delivers the events there, as long as any are pending.
        var timer: Timer?
    }

    // SAFETY: the lists are touched under the lock only. The stream is passed on to its delegate on the threads of the
    // run loops where its owner scheduled it.
    private let lock = NSLock()
    private var schedules: [Schedule] = []
    private var pending: [Stream.Event] = []
    private weak var stream: Stream?

    init() {}

    deinit {
        for schedule in schedules { schedule.timer?.invalidate() }
    }

    /// Names the stream whose events these are.
    func attach(_ stream: Stream) {
        self.stream = stream
    }

    /// Adds a run loop to deliver events on.
    func schedule(in runLoop: RunLoop, forMode mode: RunLoop.Mode) {
        lock.withLock { schedules.append(Schedule(runLoop: runLoop, mode: mode)) }
        wake()
    }

    /// Ends the delivery on a run loop in a mode.
    func remove(from runLoop: RunLoop, forMode mode: RunLoop.Mode) {
        lock.withLock {
            for schedule in schedules where schedule.runLoop === runLoop && schedule.mode == mode {
                schedule.timer?.invalidate()
            }
            schedules.removeAll { $0.runLoop === runLoop && $0.mode == mode }
        }
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

    /// Has the run loops deliver what is pending.
    ///
    /// A timer goes on until nothing is pending, and then ends: a run loop with nothing else to wait for returns to its
    /// caller, as it does behind the event of any other stream.
    func wake() {
        lock.withLock {
            guard !pending.isEmpty else { return }
            for index in schedules.indices where schedules[index].timer == nil {
                let timer = Timer(fire: Date(), interval: 0.001, repeats: true) { [weak self] timer in
                    self?.deliver(by: timer)
                }
                schedules[index].timer = timer
                schedules[index].runLoop.add(timer, forMode: schedules[index].mode)
            }
        }
    }

    private func deliver(by timer: Timer) {
        if let stream, let delegate = stream.delegate,
            let event = lock.withLock({ pending.isEmpty ? nil : pending.removeFirst() })
        {
            #if canImport(Darwin)
                delegate.stream?(stream, handle: event)
            #else
                delegate.stream(stream, handle: event)
            #endif
        }
        lock.withLock {
            if !pending.isEmpty, stream?.delegate != nil {
                timer.fireDate = Date()
                return
            }
            timer.invalidate()
            for index in schedules.indices where schedules[index].timer === timer { schedules[index].timer = nil }
        }
    }
}
