/// Finds the dash-boundary in a text that arrives in chunks. The dash-boundary is two hyphens and the boundary.
///
/// A chunk may end with only the first bytes of a dash-boundary. The *match* is the longest suffix of the text so far
/// that is a prefix of the dash-boundary. The match may be empty.
///
/// - Input: the text, in chunks of any size. The dash-boundary has neither CR nor LF.
/// - Output: the next ``Place``, which is a whole dash-boundary or, at the end of a chunk, the match. The place's
///   ``Predecessor`` says how the text before the place ends. The sizes of the chunks do not change which whole
///   dash-boundaries are found.
/// - Invariant: between chunks, ``matched`` is the length of the match, and ``predecessor`` says how the text before
///   the match ends.
/// - Cost: linear. Within a chunk, ``DelimiterSearch`` searches. Across chunks, the search uses the algorithm of Knuth,
///   Morris and Pratt. Each byte adds at most one byte to the match. If a byte does not continue the match, the search
///   falls back to a shorter match. The first fallback allocates a table.
package struct BoundarySearch: Sendable {
    /// How the text before a ``Place`` ends. A place is a whole dash-boundary or the beginning of one.
    package enum Predecessor: Sendable {
        /// The place is at the start of the text.
        case start
        case carriageReturnLineFeed
        /// The place follows a CR. If the place is empty at the end of a chunk, the next chunk may begin with the LF of
        /// a CR LF.
        case carriageReturn
        /// The place follows an LF that has no CR before it.
        case lineFeed
        case other

        /// Whether a line begins at the place. LF alone also ends a line.
        var beginsLine: Bool {
            switch self {
            case .start, .carriageReturnLineFeed, .lineFeed: true
            case .carriageReturn, .other: false
            }
        }
    }

    /// A whole dash-boundary or, at the end of a chunk, the beginning of one.
    ///
    /// The beginning is the longest suffix of the text so far that is a prefix of the dash-boundary. The beginning may
    /// be empty.
    package struct Place: Sendable, Equatable {
        /// The place's offset in the chunk. A negative offset means that the place begins in an earlier chunk.
        package let start: Int
        package let predecessor: Predecessor
        package let isWhole: Bool

        var isAtLineStart: Bool { predecessor.beginsLine }
    }

    private var search: DelimiterSearch

    /// The number of hyphens at the start of the dash-boundary.
    private let hyphenCount: Int

    /// The length of the match, in bytes. The match is the longest suffix of the text so far that is a prefix of the
    /// dash-boundary.
    package private(set) var matched = 0

    /// How the text before the match ends.
    package private(set) var predecessor = Predecessor.start

    /// For each length of a match, the length of the next shorter match that ends at the same byte. For instance, in
    /// the dash-boundary `--a--b`, the match `--a--` falls back to the match `--`, so the entry at index 5 is 2.
    ///
    /// The table is empty until the first fallback.
    private var fallback: [Int] = []

    package init(dashBoundary: [UInt8]) {
        search = DelimiterSearch(needle: dashBoundary)
        hyphenCount = dashBoundary.firstIndex { $0 != dashBoundary[0] } ?? dashBoundary.count
    }

    package var dashBoundary: [UInt8] { search.needle }

    /// Returns the offset in the chunk at which the whole dash-boundary at `place` ends.
    package func end(of place: Place) -> Int { place.start + dashBoundary.count }

    /// Starts a new search at the start of a text, or after bytes that were not searched. `predecessor` says how the
    /// text before the first searched byte ends.
    package mutating func begin(after predecessor: Predecessor = .start) {
        matched = 0
        self.predecessor = predecessor
    }

    /// Searches `bytes[start...]`, which continue the text, and returns the next place.
    ///
    /// After a whole dash-boundary, continue at ``end(of:)``. After any other place, all bytes have been searched.
    package mutating func next(in bytes: Span<UInt8>, from start: Int) -> Place {
        if matched > 0 { return nextAfterMatch(in: bytes, from: start) }
        if let match = search.search(bytes, from: start) {
            return whole(at: match, in: bytes, from: start, predecessor)
        }
        return open(atEndOf: bytes, from: start, searched: start, predecessor)
    }

    /// Returns the next place in a chunk, and copies the whole chunk to `destination`. For most chunks, one pass does
    /// both.
    package mutating func next(in bytes: Span<UInt8>, copyingTo destination: UnsafeMutableRawBufferPointer) -> Place {
        precondition(destination.count >= bytes.count, "a copy has room for the bytes")
        if matched == 0 {
            // SAFETY: by the precondition, the destination has room for all bytes.
            guard let match = unsafe search.search(bytes, copyingTo: destination) else {
                return open(atEndOf: bytes, from: 0, searched: 0, predecessor)
            }
            // SAFETY: by the precondition, the destination has room for all bytes.
            unsafe bytes.withUnsafeBytes { unsafe destination.copyMemory(from: $0) }
            return whole(at: match, in: bytes, from: 0, predecessor)
        }
        // SAFETY: by the precondition, the destination has room for all bytes.
        unsafe bytes.withUnsafeBytes { unsafe destination.copyMemory(from: $0) }
        return nextAfterMatch(in: bytes, from: 0)
    }

    /// Continues a match that began in an earlier chunk, until one of these happens:
    ///
    /// - The match becomes a whole dash-boundary.
    /// - The chunk ends.
    /// - The match becomes shorter, so that all of it lies in `bytes`. A new search of `bytes` then starts where the
    ///   match begins.
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
            // `bytes[position]` did not continue the match, so the match became shorter or empty. If the match is not
            // empty, the byte before the match belonged to the longer match. So that byte is in the dash-boundary, and
            // is neither CR nor LF.
            predecessor = .other
        }
        // All of the match now lies in `bytes`, so the fast search can start where the match begins. Continuing byte by
        // byte would be slow in a body of hyphens.
        position -= matched
        matched = 0
        if let match = search.search(bytes, from: position) {
            return whole(at: match, in: bytes, from: start, .other)
        }
        return open(atEndOf: bytes, from: start, searched: position, .other)
    }

    /// Returns the place of the whole dash-boundary at `offset` in the chunk, and empties the match.
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

    /// Finds the match at the end of the chunk, stores it, and returns its place.
    ///
    /// Precondition: `bytes[searched...]` contain no whole dash-boundary.
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

    /// Returns how the text before `offset` ends. `first` is the result if `offset` is `start`.
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

    /// Sets the match to the longest suffix of `bytes[start...]` that is a prefix of the dash-boundary.
    ///
    /// Precondition: `bytes[start...]` contain no whole dash-boundary, and the match is empty.
    private mutating func matchEnd(of bytes: Span<UInt8>, from start: Int) {
        let word = dashBoundary
        // The match is shorter than the dash-boundary, so it begins at `index` or later.
        var index = max(start, bytes.count - word.count + 1)
        index = ASCII.firstOffset(of: word[0], in: bytes, from: index)
        guard index < bytes.count else { return }
        if hyphenCount < word.count {
            // Skips a long run of hyphens. For instance, if the dash-boundary begins with `--a`, `hyphenCount` is 2,
            // and `next` is the offset of the first `a` or, without an `a`, the end. The match is `-` or `--`, or it
            // begins with `--a`. In each case, the match begins at `next - 2` or later.
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

    /// Extends the match by the bytes that continue it, and returns the offset after these bytes. `word` is the
    /// dash-boundary.
    // Separate from `match`, so that the search at the end of a chunk takes a third fewer instructions in a body
    // full of prefixes of the dash-boundary.
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

    /// Extends the match by `byte`, the next byte of the text. If `byte` does not continue the match, first falls back
    /// to shorter matches. The match may become empty.
    ///
    /// `word` is the dash-boundary. Precondition: the match is not a whole dash-boundary.
    @inline(__always)
    private mutating func match(_ byte: UInt8, _ word: [UInt8]) {
        while matched > 0, byte != word[matched] { fallBack() }
        if byte == word[matched] { matched += 1 }
    }

    /// Replaces the match with the next shorter match that ends at the same byte.
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
        // A whole dash-boundary never falls back, so the table has no entry for it.
        for index in 1..<word.count - 1 {
            while length > 0, word[index] != word[length] { length = fallback[length] }
            if word[index] == word[length] { length += 1 }
            fallback[index + 1] = length
        }
    }
}
