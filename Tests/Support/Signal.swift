/// An event that happens once and can be waited for.
package struct Signal: Sendable {
    private let stream: AsyncStream<Never>
    private let continuation: AsyncStream<Never>.Continuation

    /// Creates a signal that has not been given.
    package init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    /// Gives the signal.
    package func give() {
        continuation.finish()
    }

    /// Waits until the signal has been given, or the task is cancelled.
    package func wait() async {
        for await _ in stream {}
    }
}
