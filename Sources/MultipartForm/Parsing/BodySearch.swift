/// Finds where a part's body may end: at a line that begins with the dash-boundary.
///
/// - Input: the body's bytes, in chunks of any size.
/// - Output: the place of a delimiter; in strict mode also of a look-alike: a dash-boundary after a lone CR or LF,
///   where some parsers split a body and others do not.
/// - Invariant: while a candidate is open, the bytes so far end with the first ``matched`` bytes of a delimiter or of a
///   look-alike. No byte of one that fails can begin another, so the search continues after it.
/// - Cost: linear: each byte is searched once. No allocation.
struct BodySearch: Sendable {
    /// What stands in a chunk.
    enum Result {
        /// A line break and the dash-boundary.
        case delimiter(Range<Int>)
        /// A lone CR or LF, and the dash-boundary; the offset of the former.
        case lookalike(Int)
        /// The bytes from here to the end of the chunk begin one or the other: a candidate is open.
        case candidate(Int)
        /// Content alone.
        case content
    }

    /// What a byte makes of the open candidate.
    enum Progress {
        /// Another byte is needed.
        case more
        /// It is a delimiter.
        case delimiter
        /// It is a look-alike.
        case lookalike
        /// It is content; the byte may begin another candidate.
        case content
    }

    /// The line break and the dash-boundary.
    let delimiter: [UInt8]
    private let refusesLookalikes: Bool
    private let search: DelimiterSearch

    /// How many bytes the open candidate has.
    private(set) var matched = 0
    /// Whether the open candidate can only become a look-alike.
    private var isLookalike = false

    init(dashBoundary: [UInt8], lineBreak: DelimiterTail.LineBreak, mode: ParsingMode) {
        delimiter = (lineBreak == .crlf ? [ASCII.carriageReturn, ASCII.lineFeed] : [ASCII.lineFeed]) + dashBoundary
        refusesLookalikes = mode == .strict
        search =
            refusesLookalikes
            ? DelimiterSearch(needle: [ASCII.carriageReturn] + dashBoundary, alternative: ASCII.lineFeed)
            : DelimiterSearch(needle: delimiter)
    }

    /// Opens a candidate whose line break has been read: that of the blank line before the body.
    mutating func beginAfterLineBreak() {
        matched = delimiter.count - dashBoundaryLength
        isLookalike = false
    }

    /// Searches `bytes[start...]`, which follow content that ends in no candidate.
    mutating func search(_ bytes: Span<UInt8>, from start: Int) -> Result {
        switch search.search(bytes, from: start) {
        case .found(let place):
            let end = place + search.needle.count
            guard refusesLookalikes else { return .delimiter(place..<end) }
            return isLineFeedOfPair(place, bytes, from: start) ? .delimiter(place - 1..<end) : .lookalike(place)
        case .partial(let place):
            let isPair = refusesLookalikes && isLineFeedOfPair(place, bytes, from: start)
            let candidate = isPair ? place - 1 : place
            matched = bytes.count - candidate
            // A CR alone may become either.
            isLookalike = refusesLookalikes && !isPair && (matched > 1 || bytes[place] == ASCII.lineFeed)
            return .candidate(candidate)
        case .none:
            return .content
        }
    }

    /// Continues the open candidate with the next byte.
    mutating func consume(_ byte: UInt8) -> Progress {
        if refusesLookalikes, matched == 1, byte == ASCII.hyphen { isLookalike = true }
        // A look-alike lacks one byte of the line break.
        let missing = isLookalike ? 1 : 0
        guard byte == delimiter[matched + missing] else { return .content }
        matched += 1
        guard matched + missing == delimiter.count else { return .more }
        return isLookalike ? .lookalike : .delimiter
    }

    /// The length of two hyphens and the boundary, in bytes.
    var dashBoundaryLength: Int { delimiter.count - (delimiter[0] == ASCII.carriageReturn ? 2 : 1) }

    private func isLineFeedOfPair(_ place: Int, _ bytes: Span<UInt8>, from start: Int) -> Bool {
        bytes[place] == ASCII.lineFeed && place > start && bytes[place - 1] == ASCII.carriageReturn
    }
}
