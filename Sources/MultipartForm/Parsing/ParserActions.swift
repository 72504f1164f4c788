/// What the parser's caller has to do: as much of one part as a chunk holds.
///
/// The kinds are in the order in which they are to be done; each occurs once at most.
struct ParserActions: Sendable, Equatable {
    enum Kind: UInt8, Sendable {
        /// A part begins; ``ParserMachine/fields`` are its header fields.
        case part
        /// Bytes of earlier chunks are body; ``ParserMachine/heldBody`` are they.
        case heldBody
        /// Bytes of the chunk are body; see ``body``.
        case body
        /// The part is complete.
        case endOfPart
        /// The message is complete; the rest is epilogue.
        case end
    }

    /// One bit for each kind, the first in the lowest.
    private var kinds: UInt8 = 0

    /// The chunk's bytes that are body.
    private(set) var body = 0..<0

    /// Whether there is nothing to do.
    var isEmpty: Bool { kinds == 0 }

    /// Adds a kind, which must not come before those that are there.
    mutating func append(_ kind: Kind) {
        kinds |= 1 << kind.rawValue
    }

    /// Adds bytes of the chunk to the body; they follow those that are there.
    mutating func append(body range: Range<Int>) {
        let lower = body.isEmpty ? range.lowerBound : body.lowerBound
        body = lower..<range.upperBound
        append(.body)
    }

    /// Takes out the first kind.
    mutating func popFirst() -> Kind? {
        let first = Kind(rawValue: UInt8(truncatingIfNeeded: kinds.trailingZeroBitCount))
        kinds &= kinds &- 1
        return first
    }
}
