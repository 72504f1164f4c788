/// Computes when bytes may leave, so that they leave no faster than a rate.
///
/// - Input: the number of bytes about to leave, and the time.
/// - Output: how long to wait with them.
/// - Invariant: bytes leave when all before them have had their time. The time counts from the first bytes, so that
///   neither late wakings nor roundings add up.
package struct Pacing: Sendable {
    private let bytesPerSecond: Int
    private var sent: UInt64 = 0
    private var start: UInt64?

    package init(bytesPerSecond: Int) {
        precondition(bytesPerSecond > 0, "a rate is at least 1 byte per second")
        self.bytesPerSecond = bytesPerSecond
    }

    /// How many bytes leave in a quarter of a second; at least 1.
    package var smoothCount: Int { max(bytesPerSecond / 4, 1) }

    /// How many nanoseconds to wait before the next `count` bytes leave, at a time of a clock that never goes back.
    package mutating func delay(of count: Int, at now: UInt64) -> UInt64 {
        let start = start ?? now
        self.start = start
        let due = UInt64(min(Double(sent) / Double(bytesPerSecond) * 1e9, 1e18))
        let elapsed = now - start
        sent += UInt64(count)
        return due > elapsed ? due - elapsed : 0
    }
}
