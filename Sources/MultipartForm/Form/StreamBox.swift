/// A stream that can be opened only once.
final class StreamBox: @unchecked Sendable {
    // SAFETY: what opens the stream was sent here, so nothing else refers to it. `open` is accessed only under the lock,
    // and only one caller gets it, since taking it leaves nil.
    private var open: StreamOpening?
    private let lock = Lock()

    init(_ open: sending @escaping StreamOpening) {
        self.open = open
    }

    /// What opens the stream the first time, nil afterwards.
    func take() -> sending StreamOpening? {
        lock.lock()
        defer { lock.unlock() }
        // SAFETY: `open` is nil from here on; the caller holds the only reference.
        nonisolated(unsafe) let taken = open
        open = nil
        return unsafe taken
    }

    var isTaken: Bool { lock.withLock { open == nil } }
}
