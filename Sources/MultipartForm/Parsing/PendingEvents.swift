/// The events that a chunk completes, at most those of one part.
///
/// Each kind occurs at most once, and the kinds are reported in the order of the cases.
struct PendingEvents: Sendable, Equatable {
    enum Kind: UInt8, Sendable {
        /// A part begins, with the fields ``ParserMachine/Part/fields``.
        case part
        /// The bytes ``ParserMachine/heldBody`` of earlier chunks are body.
        case heldBody
        /// The chunk's bytes ``body`` are body.
        case body
        case endOfPart
        case end
    }

    /// One bit for each kind; the lowest bit is that of the first kind.
    private var kinds: UInt8 = 0

    private(set) var body = 0..<0

    var isEmpty: Bool { kinds == 0 }

    func contains(_ kind: Kind) -> Bool { kinds & 1 << kind.rawValue != 0 }

    /// Appends a kind. Precondition: it follows those present.
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
