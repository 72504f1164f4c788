/// Finds where a part's body may end: at a line that begins with the dash-boundary.
///
/// - Input: the body's bytes, in chunks of any size.
/// - Output: the place of a delimiter; in strict mode also of a look-alike: a dash-boundary after a lone CR or LF,
///   where some parsers split a body and others do not.
/// - Invariant: a candidate is open while the bytes read end with the first ``matched`` bytes of a delimiter or
///   look-alike. No byte of a failed candidate can begin another, so the search continues after it.
/// - Cost: linear: each byte is searched once. No allocation.
struct BodySearch: Sendable {
    /// The first thing found in a chunk.
    enum Result {
        /// A line break and the dash-boundary.
        case delimiter(Range<Int>)
        /// A lone CR or LF, whose offset this is, and the dash-boundary.
        case lookalike(Int)
        /// The bytes from this offset to the chunk's end may begin one of them: a candidate is open.
        case candidate(Int)
        case content
    }

    /// What the open candidate is after a byte.
    enum Progress {
        /// Unknown; another byte is needed.
        case more
        case delimiter
        case lookalike
        /// Content. The byte may begin another candidate.
        case content
    }

    let delimiter: [UInt8]
    private let refusesLookalikes: Bool
    private let search: DelimiterSearch

    /// The length of the open candidate in bytes.
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

    /// Opens a candidate that begins with the line break of the blank line before the body.
    mutating func beginAfterLineBreak() {
        matched = delimiter.count - dashBoundaryLength
        isLookalike = false
    }

    /// Searches `bytes[start...]`; no candidate is open.
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
            // A single CR may begin either.
            isLookalike = refusesLookalikes && !isPair && (matched > 1 || bytes[place] == ASCII.lineFeed)
            return .candidate(candidate)
        case .none:
            return .content
        }
    }

    /// Continues the open candidate with the next byte.
    mutating func consume(_ byte: UInt8) -> Progress {
        if refusesLookalikes, matched == 1, byte == ASCII.hyphen { isLookalike = true }
        // A look-alike has one byte of the line break, a delimiter two.
        let missing = isLookalike ? 1 : 0
        guard byte == delimiter[matched + missing] else { return .content }
        matched += 1
        guard matched + missing == delimiter.count else { return .more }
        return isLookalike ? .lookalike : .delimiter
    }

    var dashBoundaryLength: Int { delimiter.count - (delimiter[0] == ASCII.carriageReturn ? 2 : 1) }

    private func isLineFeedOfPair(_ place: Int, _ bytes: Span<UInt8>, from start: Int) -> Bool {
        bytes[place] == ASCII.lineFeed && place > start && bytes[place - 1] == ASCII.carriageReturn
    }
}
