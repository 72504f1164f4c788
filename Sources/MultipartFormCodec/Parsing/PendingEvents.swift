/// Parsed events of at most one part, which the caller has not yet received.
///
/// Each kind occurs at most once. The events are in the order of the cases of ``Kind``.
struct PendingEvents: Sendable, Equatable {
    enum Kind: UInt8, Sendable {
        /// A part begins. Its header fields are in ``ParserMachine/Part/fields``.
        case part
        /// Body bytes from earlier chunks. They are in ``ParserMachine/heldBody``.
        case heldBody
        /// Body bytes in the current chunk. ``PendingEvents/body`` is their range.
        case body
        case endOfPart
        case end
    }

    /// The kinds of the events, one bit for each kind. The lowest bit is for the first case of ``Kind``.
    private var kinds: UInt8 = 0

    private(set) var body = 0..<0

    var isEmpty: Bool { kinds == 0 }

    func contains(_ kind: Kind) -> Bool { kinds & 1 << kind.rawValue != 0 }

    /// Appends an event. Precondition: there is no event of a later kind.
    mutating func append(_ kind: Kind) {
        kinds |= 1 << kind.rawValue
    }

    mutating func append(body range: Range<Int>) {
        let lower = body.isEmpty ? range.lowerBound : body.lowerBound
        body = lower..<range.upperBound
        append(.body)
    }

    mutating func popFirst(_ kind: Kind) -> Bool {
        guard kinds.trailingZeroBitCount == kind.rawValue else { return false }
        kinds &= kinds &- 1
        return true
    }

    mutating func popFirst() -> Kind? {
        let first = Kind(rawValue: UInt8(truncatingIfNeeded: kinds.trailingZeroBitCount))
        kinds &= kinds &- 1
        return first
    }
}
