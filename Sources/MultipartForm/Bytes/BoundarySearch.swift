/// Finds the dash-boundary, two hyphens and the boundary, in a text that arrives in chunks, and says what precedes it.
///
/// - Input: the text's bytes, in chunks of any size. The dash-boundary has neither CR nor LF.
/// - Output: the next ``Place``: a whole dash-boundary or, if the chunk has no more of them, the longest prefix of it
///   at the chunk's end. Chunk sizes change neither the places nor what precedes them.
/// - Invariant: between chunks, the text so far ends with the first ``matched`` bytes of the dash-boundary and with no
///   longer prefix of it; ``predecessor`` says what precedes these bytes.
/// - Cost: linear. Within a chunk, ``DelimiterSearch`` searches. Across chunks, the algorithm of Knuth, Morris and
///   Pratt does: each byte adds at most one to the match, and each fallback shortens it. The first fallback allocates a
///   table.
package struct BoundarySearch: Sendable {
    /// What precedes a place in the text.
    package enum Predecessor: Sendable {
        /// Nothing, since the text begins there.
        case start
        case carriageReturnLineFeed
        /// CR, which LF may follow.
        case carriageReturn
        /// LF without CR before it.
        case lineFeed
        case other

        /// Whether a line begins after this, where LF alone also ends a line.
        var beginsLine: Bool {
            switch self {
            case .start, .carriageReturnLineFeed, .lineFeed: true
            case .carriageReturn, .other: false
            }
        }
    }

    /// A whole dash-boundary, or the longest prefix of it at a chunk's end; the prefix may be empty.
    package struct Place: Sendable, Equatable {
        /// The offset in the chunk of the place's first byte; negative if that byte was in an earlier chunk.
        package let start: Int
        package let predecessor: Predecessor
        package let isWhole: Bool

        var isAtLineStart: Bool { predecessor.beginsLine }
    }

    private var search: DelimiterSearch

    /// The number of hyphens with which the dash-boundary begins.
    private let hyphenCount: Int

    /// The length of the match: the text so far ends with this many first bytes of the dash-boundary.
    package private(set) var matched = 0

    /// What precedes the match.
    package private(set) var predecessor = Predecessor.start

    /// For each length of a match, the next shorter match that ends at the same byte; empty until needed.
    private var fallback: [Int] = []

    package init(dashBoundary: [UInt8]) {
        search = DelimiterSearch(needle: dashBoundary)
        hyphenCount = dashBoundary.firstIndex { $0 != dashBoundary[0] } ?? dashBoundary.count
    }

    package var dashBoundary: [UInt8] { search.needle }

    /// The offset in the chunk after the whole dash-boundary at `place`.
    package func end(of place: Place) -> Int { place.start + dashBoundary.count }

    /// Begins a text, or begins a new search after bytes that were not searched.
    package mutating func begin(after predecessor: Predecessor = .start) {
        matched = 0
        self.predecessor = predecessor
    }

    /// Searches `bytes[start...]`, which continue the text, and returns the next place. If it is a whole dash-boundary,
    /// continue from ``end(of:)``; otherwise all bytes have been searched.
    package mutating func next(in bytes: Span<UInt8>, from start: Int) -> Place {
        if matched > 0 { return nextAfterMatch(in: bytes, from: start) }
        if let match = search.search(bytes, from: start) {
            return whole(at: match, in: bytes, from: start, predecessor)
        }
        return open(atEndOf: bytes, from: start, searched: start, predecessor)
    }

    /// Returns the next place in a chunk and copies the whole chunk, in one pass if possible.
    package mutating func next(in bytes: Span<UInt8>, copyingTo destination: UnsafeMutableRawBufferPointer) -> Place {
        precondition(destination.count >= bytes.count, "a copy has room for the bytes")
        if matched == 0 {
            // SAFETY: the destination has room.
            guard let match = unsafe search.search(bytes, copyingTo: destination) else {
                return open(atEndOf: bytes, from: 0, searched: 0, predecessor)
            }
            // SAFETY: the destination has room.
            unsafe bytes.withUnsafeBytes { unsafe destination.copyMemory(from: $0) }
            return whole(at: match, in: bytes, from: 0, predecessor)
        }
        // SAFETY: the destination has room.
        unsafe bytes.withUnsafeBytes { unsafe destination.copyMemory(from: $0) }
        return nextAfterMatch(in: bytes, from: 0)
    }

    /// Continues a match that began in an earlier chunk, until it is whole, or so short that it begins in these bytes.
    /// Then searches the bytes from there.
    private mutating func nextAfterMatch(in bytes: Span<UInt8>, from start: Int) -> Place {
        let word = dashBoundary
        var position = start
        while matched > position - start {
            position = extendMatch(bytes, from: position, word)
            if matched == word.count {
                let place = Place(start: position - matched, predecessor: predecessor, isWhole: true)
                begin(after: .other)
                return place
            }
            guard position < bytes.count else {
                return Place(start: position - matched, predecessor: predecessor, isWhole: false)
            }
            match(bytes[position], word)
            position += 1
            // The match has become shorter, so a byte of the dash-boundary precedes it.
            predecessor = .other
        }
        // Searches the matched bytes again, at most a dash-boundary's length. Otherwise a body of hyphens would be
        // searched byte by byte.
        position -= matched
        matched = 0
        if let match = search.search(bytes, from: position) {
            return whole(at: match, in: bytes, from: start, .other)
        }
        return open(atEndOf: bytes, from: start, searched: position, .other)
    }

    /// Returns the place of a whole dash-boundary, given its offset in the chunk, and begins a new match.
    private mutating func whole(
        at offset: Int,
        in bytes: Span<UInt8>,
        from start: Int,
        _ predecessor: Predecessor
    ) -> Place {
        begin(after: .other)
        let before = Self.predecessor(of: offset, in: bytes, from: start, predecessor)
        return Place(start: offset, predecessor: before, isWhole: true)
    }

    /// Returns the place of the longest prefix of the dash-boundary at a chunk's end. Precondition:
    /// `bytes[searched...]` contain no whole dash-boundary.
    private mutating func open(
        atEndOf bytes: Span<UInt8>,
        from start: Int,
        searched: Int,
        _ predecessor: Predecessor
    ) -> Place {
        matchEnd(of: bytes, from: searched)
        let offset = bytes.count - matched
        self.predecessor = Self.predecessor(of: offset, in: bytes, from: start, predecessor)
        return Place(start: offset, predecessor: self.predecessor, isWhole: false)
    }

    /// What precedes an offset in `bytes[start...]`; `first` is what precedes `start`.
    private static func predecessor(
        of offset: Int,
        in bytes: Span<UInt8>,
        from start: Int,
        _ first: Predecessor
    ) -> Predecessor {
        guard offset > start else { return first }
        switch bytes[offset - 1] {
        case ASCII.carriageReturn:
            return .carriageReturn
        case ASCII.lineFeed:
            let isAfterCarriageReturn =
                offset - start >= 2 ? bytes[offset - 2] == ASCII.carriageReturn : first == .carriageReturn
            return isAfterCarriageReturn ? .carriageReturnLineFeed : .lineFeed
        default:
            return .other
        }
    }

    /// Finds the longest prefix of the dash-boundary with which `bytes[start...]` end. Precondition: they contain no
    /// whole dash-boundary.
    private mutating func matchEnd(of bytes: Span<UInt8>, from start: Int) {
        let word = dashBoundary
        // A match that began before this offset would be a whole dash-boundary.
        var index = max(start, bytes.count - word.count + 1)
        index = ASCII.firstOffset(of: word[0], in: bytes, from: index)
        guard index < bytes.count else { return }
        if hyphenCount < word.count {
            // `word` begins with `hyphenCount` hyphens. A match either contains the byte after them, or is a prefix of
            // the hyphens at the end of `bytes`. So none begins more than `hyphenCount` bytes before `next`.
            let next = ASCII.firstOffset(of: word[hyphenCount], in: bytes, from: index)
            index = max(index, next - hyphenCount)
        }
        while index < bytes.count {
            index = extendMatch(bytes, from: index, word)
            guard index < bytes.count else { return }
            match(bytes[index], word)
            index += 1
        }
    }

    /// Adds the bytes that continue the match of the dash-boundary, `word`; returns the offset after them.
    // Separate from `match`, so that a chunk's end in a body full of prefixes of the delimiter takes a third fewer
    // instructions.
    @inline(__always)
    private mutating func extendMatch(_ bytes: Span<UInt8>, from start: Int, _ word: [UInt8]) -> Int {
        var position = start
        var length = matched
        while position < bytes.count, length < word.count, bytes[position] == word[length] {
            position += 1
            length += 1
        }
        matched = length
        return position
    }

    /// Extends the match of the dash-boundary, `word`, by `byte`, after shortening it as far as necessary; the match
    /// may become empty. Precondition: it is not whole.
    @inline(__always)
    private mutating func match(_ byte: UInt8, _ word: [UInt8]) {
        while matched > 0, byte != word[matched] { fallBack() }
        if byte == word[matched] { matched += 1 }
    }

    /// Replaces the match by the next shorter one that ends at the same byte.
    private mutating func fallBack() {
        guard matched > 1 else {
            matched = 0
            return
        }
        if fallback.isEmpty { makeFallback() }
        matched = fallback[matched]
    }

    private mutating func makeFallback() {
        let word = dashBoundary
        fallback = Array(repeating: 0, count: word.count)
        var length = 0
        // A whole dash-boundary never falls back, so its entry stays 0.
        for index in 1..<word.count - 1 {
            while length > 0, word[index] != word[length] { length = fallback[length] }
            if word[index] == word[length] { length += 1 }
            fallback[index + 1] = length
        }
    }
}
