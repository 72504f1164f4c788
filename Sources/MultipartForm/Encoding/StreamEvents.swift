internal import Foundation

/// Delivers a stream's events to its delegate on the run loops where the stream is scheduled.
///
/// - Invariant: an event is delivered once, by whichever of the run loops turns first. Events come in order and one at a
///   time, even if a delegate turns a run loop while it is told. What happens before there is a run loop or a delegate
///   waits for them.
final class StreamEvents: @unchecked Sendable {
    // SAFETY: everything that changes is touched under the lock only, but the reference to the stream, which is set
    // before the stream is anybody's. The stream is passed on to its delegate on the threads of the run loops where its
    // owner scheduled it, on one at a time.

    private struct Schedule {
        let runLoop: RunLoop
        let mode: RunLoop.Mode
        /// What delivers the events there, as long as any are pending.
        var timer: Timer?
    }

    /// What is delivered, or only kept alive until the lock is free: the last release of a delegate or a stream may call
    /// back.
    private struct Delivery {
        let stream: Stream?
        let delegate: (any StreamDelegate)?
        var event: Stream.Event?
    }

    private let lock = NSLock()
    private var schedules: [Schedule] = []
    private var pending: [Stream.Event] = []
    private var isDelivering = false
    private weak var receiver: (any StreamDelegate)?
    private weak var stream: Stream?

    init() {}

    deinit {
        for schedule in schedules { schedule.timer?.invalidate() }
    }

    /// Names the stream whose events these are.
    func attach(_ stream: Stream) {
        self.stream = stream
    }

    /// Who is told of the events.
    var delegate: (any StreamDelegate)? {
        get { lock.withLock { receiver } }
        set {
            lock.withLock { receiver = newValue }
            wake()
        }
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

    /// Delivers an event as soon as a run loop turns, in place of those that are true no longer.
    func post(_ event: Stream.Event, replacing others: Stream.Event = []) {
        lock.withLock {
            pending.removeAll { $0 == event || others.contains($0) }
            pending.append(event)
        }
        wake()
    }

    /// Forgets what has not been delivered.
    func clear() {
        lock.withLock { pending.removeAll() }
    }

    /// Has the run loops deliver what is pending, if there is a delegate.
    ///
    /// A timer goes on until nothing is pending, and then ends: a run loop with nothing else to wait for returns to its
    /// caller, as it does behind the event of any other stream.
    private func wake() {
        _ = lock.withLock {
            let delivery = Delivery(stream: nil, delegate: receiver)
            guard delivery.delegate != nil, !pending.isEmpty else { return delivery }
            for index in schedules.indices where schedules[index].timer == nil {
                let timer = Timer(fire: Date(), interval: 0.001, repeats: true) { [weak self] timer in
                    self?.deliver(by: timer)
                }
                schedules[index].timer = timer
                schedules[index].runLoop.add(timer, forMode: schedules[index].mode)
            }
            return delivery
        }
    }

    private func deliver(by timer: Timer) {
        let delivery = lock.withLock { begin(by: timer) }
        guard let stream = delivery.stream, let delegate = delivery.delegate, let event = delivery.event else { return }
        #if canImport(Darwin)
            delegate.stream?(stream, handle: event)
        #else
            delegate.stream(stream, handle: event)
        #endif
        _ = lock.withLock {
            isDelivering = false
            return settle()
        }
    }

    /// What a timer is to deliver. While another run loop delivers, it waits for that to end.
    private func begin(by timer: Timer) -> Delivery {
        var delivery = Delivery(stream: nil, delegate: nil)
        guard schedules.contains(where: { $0.timer === timer }) else { return delivery }
        guard !isDelivering else {
            timer.fireDate = .distantFuture
            return delivery
        }
        delivery = settle()
        guard timer.isValid else { return delivery }
        isDelivering = true
        delivery.event = pending.removeFirst()
        return delivery
    }

    /// Has all timers fire, or ends them if there is nothing to deliver.
    private func settle() -> Delivery {
        let delivery = Delivery(stream: stream, delegate: receiver)
        let hasMore = delivery.stream != nil && delivery.delegate != nil && !pending.isEmpty
        for index in schedules.indices {
            guard let timer = schedules[index].timer else { continue }
            if hasMore {
                timer.fireDate = Date()
            } else {
                timer.invalidate()
                schedules[index].timer = nil
            }
        }
        return delivery
    }
}
