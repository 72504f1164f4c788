import AllocationCounter

/// The allocations of an operation.
struct AllocationTotal {
    /// The number of allocations.
    let calls: Int
    /// The most bytes it held at once.
    let peakBytes: Int
    /// The bytes that are still in use at its end.
    let heldBytes: Int

    /// Whether allocations can be counted on this system.
    static var isAvailable: Bool { allocation_counter_is_available() }

    /// Counts while an operation runs; nil if allocations cannot be counted on this system.
    init?(_ operation: () throws -> Void) rethrows {
        guard Self.isAvailable else { return nil }
        allocation_counter_start()
        defer { _ = allocation_counter_stop() }
        try operation()
        let count = allocation_counter_stop()
        calls = Int(count.calls)
        peakBytes = Int(count.peak_bytes)
        heldBytes = Int(count.held_bytes)
    }
}
