/// Computes delays that limit the rate at which bytes are sent.
///
/// - Input: the number of bytes to send next, and the time.
/// - Output: how long to wait before these bytes are sent.
/// - Invariant: bytes are due at `time of the first byte + number of earlier bytes / rate`. This time does not depend
///   on when the earlier bytes were sent, so late wake-ups and rounding errors do not add up.
package struct Pacing: Sendable {
    private let bytesPerSecond: Int
    private var sent: UInt64 = 0
    private var start: UInt64?

    package init(bytesPerSecond: Int) {
        precondition(bytesPerSecond > 0, "a rate is at least 1 byte per second")
        self.bytesPerSecond = bytesPerSecond
    }

    /// The maximum number of bytes to send at a time for a steady rate: the bytes of a quarter of a second, at least 1.
    package var smoothCount: Int { max(bytesPerSecond / 4, 1) }

    /// Returns how many nanoseconds to wait before the next `count` bytes are sent. `now` is the time of a monotonic
    /// clock, in nanoseconds.
    package mutating func delay(of count: Int, at now: UInt64) -> UInt64 {
        let start = start ?? now
        self.start = start
        let due = UInt64(min(Double(sent) / Double(bytesPerSecond) * 1e9, 1e18))
        let elapsed = now - start
        sent += UInt64(count)
        return due > elapsed ? due - elapsed : 0
    }
}
