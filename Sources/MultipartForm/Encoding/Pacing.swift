/// Computes delays that keep bytes to a rate.
///
/// - Input: the number of bytes to send next, and the time.
/// - Output: how long to wait before they are sent.
/// - Invariant: bytes may be sent once the rate, counted from the first byte on, leaves time for all earlier bytes. So
///   late wakings and rounding errors do not add up.
package struct Pacing: Sendable {
    private let bytesPerSecond: Int
    private var sent: UInt64 = 0
    private var start: UInt64?

    package init(bytesPerSecond: Int) {
        precondition(bytesPerSecond > 0, "a rate is at least 1 byte per second")
        self.bytesPerSecond = bytesPerSecond
    }

    /// The maximum number of bytes to send at a time, so that the rate is steady: those of a quarter of a second; at
    /// least 1.
    package var smoothCount: Int { max(bytesPerSecond / 4, 1) }

    /// How many nanoseconds to wait before the next `count` bytes are sent; `now` is the time of a monotonic clock.
    package mutating func delay(of count: Int, at now: UInt64) -> UInt64 {
        let start = start ?? now
        self.start = start
        let due = UInt64(min(Double(sent) / Double(bytesPerSecond) * 1e9, 1e18))
        let elapsed = now - start
        sent += UInt64(count)
        return due > elapsed ? due - elapsed : 0
    }
}
