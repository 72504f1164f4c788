import Synchronization

/// A number that one task sets and another watches.
final class Counter: Sendable {
    private let state = Mutex<UInt64>(0)

    var value: UInt64 { state.withLock(\.self) }

    func set(_ value: UInt64) {
        state.withLock { $0 = value }
    }
}
