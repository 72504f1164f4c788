/// Asks again and again whether a condition holds.
///
/// - Parameters:
///   - limit: How long at most.
///   - interval: How long it waits before it asks again.
///   - condition: What must hold.
/// - Returns: Whether the condition held within the time.
package func eventually(
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
