import AllocationCounter

/// What an operation allocated.
struct AllocationTotal {
    /// How many allocations it made.
    let calls: Int
    /// The most bytes it held at once.
    let peakBytes: Int

    /// Counts while an operation runs; nil where the system's allocations cannot be counted.
    init?(_ operation: () throws -> Void) rethrows {
        guard allocation_counter_is_available() else { return nil }
        allocation_counter_start()
        defer { _ = allocation_counter_stop() }
        try operation()
        let count = allocation_counter_stop()
        calls = Int(count.calls)
        peakBytes = Int(count.peak_bytes)
    }
}
