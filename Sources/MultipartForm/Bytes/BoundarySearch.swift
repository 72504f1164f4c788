/// Finds the dash-boundary in a text that arrives in chunks, and what precedes it.
///
/// - Input: the text's bytes, in chunks of any size. The dash-boundary has neither CR nor LF.
/// - Output: the next dash-boundary or, if a chunk has none, the longest beginning of one at the chunk's end. Chunk
///   sizes change neither the places nor what precedes them.
/// - Invariant: between chunks, the text so far ends with the first ``matched`` bytes of the dash-boundary and with no
///   longer beginning of it; ``predecessor`` precedes these.
/// - Cost: linear. Within a chunk, that of ``DelimiterSearch``. Across chunks, that of Knuth, Morris and Pratt: each
///   byte adds at most one to the match, and each fallback shortens it. The first fallback allocates a table.
package struct BoundarySearch: Sendable {
    /// What precedes a place in the text.
    package enum Predecessor: Sendable {
        /// Nothing: the text begins there.
        case start
        case carriageReturnLineFeed
        /// CR, which LF may follow.
        case carriageReturn
        /// LF without CR before it.
        case lineFeed
        case other

        /// Whether a line begins after it, if LF ends lines.
        var beginsLine: Bool {
            switch self {
            case .start, .carriageReturnLineFeed, .lineFeed: true
            case .carriageReturn, .other: false
            }
        }
    }

    /// A whole dash-boundary, or the longest beginning of one at a chunk's end, which may be empty.
    package struct Place: Sendable, Equatable {
        /// The offset of its first byte in the chunk; negative if that is in an earlier chunk.
        package let start: Int
        package let predecessor: Predecessor
        package let isWhole: Bool

        var isAtLineStart: Bool { predecessor.beginsLine }
    }

    private var search: DelimiterSearch

    /// The number of equal bytes at the start of the dash-boundary, its hyphens.
    private let hyphenCount: Int

    /// The length of the match: how many first bytes of the dash-boundary the text so far ends with.
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

    /// The offset in the chunk after a whole dash-boundary.
    package func end(of place: Place) -> Int { place.start + dashBoundary.count }

    /// Begins a text, or a new search after bytes that were not searched.
    package mutating func begin(after predecessor: Predecessor = .start) {
        matched = 0
        self.predecessor = predecessor
    }

    /// Returns the next place in `bytes[start...]`, which continue the text. After a whole dash-boundary, search on
    /// from ``end(of:)``; otherwise all bytes have been searched.
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

    /// Continues the match of earlier chunks until it is whole or begins in these bytes, and then searches the bytes.
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
            // The match is shorter, so a byte of the dash-boundary precedes it.
            predecessor = .other
        }
        // Reads up to a dash-boundary's length again: otherwise a body of hyphens would be searched byte by byte.
        position -= matched
        matched = 0
        if let match = search.search(bytes, from: position) {
            return whole(at: match, in: bytes, from: start, .other)
        }
        return open(atEndOf: bytes, from: start, searched: position, .other)
    }

    /// Returns the whole dash-boundary at an offset in a chunk.
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

    /// Returns the longest beginning of the dash-boundary at a chunk's end; `bytes[searched...]` have no whole one.
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

    /// Matches the end of `bytes[start...]`, which have no whole dash-boundary.
    private mutating func matchEnd(of bytes: Span<UInt8>, from start: Int) {
        let word = dashBoundary
        // A match that began earlier would be whole.
        var index = max(start, bytes.count - word.count + 1)
        index = ASCII.firstOffset(of: word[0], in: bytes, from: index)
        guard index < bytes.count else { return }
        if hyphenCount < word.count {
            // A match longer than the hyphens of the dash-boundary has the byte after them.
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
    // Not part of `match`: at a chunk's end, bodies of delimiter beginnings take a third fewer instructions.
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

    /// Extends the match of the dash-boundary, `word`, by a byte, or shortens it. Precondition: it is not whole.
    @inline(__always)
    private mutating func match(_ byte: UInt8, _ word: [UInt8]) {
        while matched > 0, byte != word[matched] { fallBack() }
        if byte == word[matched] { matched += 1 }
    }

    /// Shortens the match to the next shorter one.
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
        // The whole dash-boundary never falls back.
        for index in 1..<word.count - 1 {
            while length > 0, word[index] != word[length] { length = fallback[length] }
            if word[index] == word[length] { length += 1 }
            fallback[index + 1] = length
        }
    }
}
