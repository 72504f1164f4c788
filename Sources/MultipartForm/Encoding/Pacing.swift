/// Tells when bytes may leave, so that they leave no faster than a rate.
///
/// - Input: the number of bytes about to leave, and the time since the first ones asked.
/// - Output: how long to wait with them.
/// - Invariant: bytes leave when all before them have had their time. The time counts from the start, so that neither
///   late wakings nor roundings add up.
package struct Pacing: Sendable {
    private let bytesPerSecond: Int
    private var sent: UInt64 = 0

    /// Creates a pace.
    ///
    /// - Parameter bytesPerSecond: The rate; at least 1.
    package init(bytesPerSecond: Int) {
        precondition(bytesPerSecond > 0, "a rate is at least 1 byte per second")
        self.bytesPerSecond = bytesPerSecond
    }

    /// How many bytes leave in a quarter of a second, at least 1: whoever waits for no more is not held up for long.
    package var smoothCount: Int { max(bytesPerSecond / 4, 1) }

    /// Takes the next bytes.
    ///
    /// - Parameters:
    ///   - count: How many they are.
    ///   - elapsed: The time since the first bytes were taken.
    /// - Returns: How long to wait before they leave; zero or less if they are late already.
    package mutating func delay(of count: Int, at elapsed: Duration) -> Duration {
        let due = Duration.seconds(Double(sent) / Double(bytesPerSecond))
        sent += UInt64(count)
        return due - elapsed
    }
}
