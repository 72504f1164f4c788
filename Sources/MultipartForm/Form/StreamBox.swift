package import Foundation

/// An input stream that can be read once.
package final class StreamBox: @unchecked Sendable {
    // SAFETY: the stream was sent here, so nobody else has it; `stream` is touched under the lock only, and taking it
    // leaves nil behind, so that one caller at most ever gets it.
    private var stream: InputStream?
    private let lock = NSLock()

    package init(_ stream: sending InputStream) {
        self.stream = stream
    }

    /// The stream, the first time; nil from then on.
    package func take() -> sending InputStream? {
        lock.lock()
        defer { lock.unlock() }
        // SAFETY: it is nobody's behind the next line but the caller's.
        nonisolated(unsafe) let taken = stream
        stream = nil
        return unsafe taken
    }

    /// Whether the stream has been taken.
    package var isTaken: Bool {
        lock.lock()
        defer { lock.unlock() }
        return stream == nil
    }
}
