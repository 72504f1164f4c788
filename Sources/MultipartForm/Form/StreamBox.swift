internal import Foundation

/// An input stream that can be read only once.
final class StreamBox: @unchecked Sendable {
    // SAFETY: the stream was sent here, so nothing else refers to it. `stream` is accessed only under the lock, and
    // only one caller gets it, since taking it leaves nil.
    private var stream: InputStream?
    private let lock = Lock()

    init(_ stream: sending InputStream) {
        self.stream = stream
    }

    /// The stream the first time, nil afterwards.
    func take() -> sending InputStream? {
        lock.lock()
        defer { lock.unlock() }
        // SAFETY: `stream` is nil from here on; the caller holds the only reference.
        nonisolated(unsafe) let taken = stream
        stream = nil
        return unsafe taken
    }

    var isTaken: Bool { lock.withLock { stream == nil } }
}
