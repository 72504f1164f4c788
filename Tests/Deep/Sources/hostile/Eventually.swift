/// Polls a condition until it holds, where nothing else tells when it does: a server, a file system.
///
/// - Parameters:
///   - limit: The time to wait at most.
///   - interval: The time between two checks.
///   - condition: The condition.
/// - Returns: Whether the condition held within the limit.
func eventually(
    within limit: Duration = .seconds(60),
    every interval: Duration = .milliseconds(1),
    _ condition: () throws -> Bool
) async rethrows -> Bool {
    let deadline = ContinuousClock.now + limit
    while try !condition() {
        guard ContinuousClock.now < deadline else { return false }
        try? await Task.sleep(for: interval)
    }
    return true
}
