/// Waits until the task is cancelled.
///
/// A long `Task.sleep` would leave its timer behind, which Address Sanitizer reports as a leak.
package func waitForCancellation() async throws {
    for await _ in AsyncStream(Never.self, { _ in }) {}
    try Task.checkCancellation()
}
