/// Parsed events of at most one part, which the caller has not yet received.
///
/// Each event occurs at most once. The events are in the order of the cases of ``Event``.
struct PendingEvents: Sendable, Equatable {
    enum Event: UInt8, Sendable {
        /// A part begins. Its header fields are in ``ParserMachine/Part/fields``.
        case part
        /// Body bytes from earlier chunks. They are in ``ParserMachine/heldBody``.
        case heldBody
        /// Body bytes in the current chunk. ``PendingEvents/body`` is their range.
        case body
        case endOfPart
        case end
    }

    /// One bit for each event. The lowest bit is for the first case of ``Event``.
    private var bits: UInt8 = 0

    private(set) var body = 0..<0

    var isEmpty: Bool { bits == 0 }

    func contains(_ event: Event) -> Bool { bits & 1 << event.rawValue != 0 }

    /// Appends an event. Precondition: there is no later event.
    mutating func append(_ event: Event) {
        bits |= 1 << event.rawValue
    }

    mutating func append(body range: Range<Int>) {
        let lower = body.isEmpty ? range.lowerBound : body.lowerBound
        body = lower..<range.upperBound
        append(.body)
    }

    mutating func popFirst(_ event: Event) -> Bool {
        guard bits.trailingZeroBitCount == event.rawValue else { return false }
        bits &= bits &- 1
        return true
    }

    mutating func popFirst() -> Event? {
        let first = Event(rawValue: UInt8(truncatingIfNeeded: bits.trailingZeroBitCount))
        bits &= bits &- 1
        return first
    }
}
