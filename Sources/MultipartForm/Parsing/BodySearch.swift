/// Finds where a part's body may end: at a line that begins with the dash-boundary.
///
/// - Input: the body's bytes, in chunks of any size.
/// - Output: the place of a delimiter; in strict mode also of a look-alike: a dash-boundary after a lone CR or LF,
///   where some parsers split a body and others do not.
/// - Invariant: a candidate is open while the bytes read end with the first ``matched`` bytes of a delimiter or
///   look-alike. No byte of a failed candidate can begin another, so the search continues after it.
/// - Cost: linear: each byte is searched once. No allocation.
struct BodySearch: Sendable {
    enum Outcome {
        /// A line break and the dash-boundary.
        case delimiter
        /// A lone CR or LF and the dash-boundary.
        case lookalike
        /// The bytes read may begin one of them: a candidate is open.
        case candidate
        case content
    }

    let dashBoundary: [UInt8]
    let delimiter: [UInt8]
    private let refusesLookalikes: Bool
    private let search: DelimiterSearch

    /// The length of the open candidate in bytes.
    private var matched = 0
    /// Whether the open candidate can only become a look-alike.
    private var isLookalike = false

    init(dashBoundary: [UInt8], lineBreak: DelimiterTail.LineBreak, mode: ParsingMode) {
        self.dashBoundary = dashBoundary
        delimiter = (lineBreak == .crlf ? [ASCII.carriageReturn, ASCII.lineFeed] : [ASCII.lineFeed]) + dashBoundary
        refusesLookalikes = mode == .strict
        let needle = refusesLookalikes ? [ASCII.carriageReturn] + dashBoundary : delimiter
        search = DelimiterSearch(needle: needle, alternative: refusesLookalikes ? ASCII.lineFeed : nil)
    }

    /// Opens a candidate that begins with the line break of the blank line before the body.
    mutating func beginAfterLineBreak() {
        matched = delimiter.count - dashBoundary.count
        isLookalike = false
    }

    /// Searches `bytes[start...]`, while no candidate is open; returns where content ends, and what follows it.
    mutating func search(_ bytes: Span<UInt8>, from start: Int) -> (contentEnd: Int, outcome: Outcome) {
        switch search.search(bytes, from: start) {
        case .found(let place):
            guard refusesLookalikes else { return (place, .delimiter) }
            return isLineFeedOfPair(place, bytes, from: start) ? (place - 1, .delimiter) : (place, .lookalike)
        case .partial(let place):
            let isPair = refusesLookalikes && isLineFeedOfPair(place, bytes, from: start)
            let candidate = isPair ? place - 1 : place
            matched = bytes.count - candidate
            // A single CR may begin either.
            isLookalike = refusesLookalikes && !isPair && (matched > 1 || bytes[place] == ASCII.lineFeed)
            return (candidate, .candidate)
        case .none:
            return (bytes.count, .content)
        }
    }

    /// Continues the open candidate with the next byte, which may begin another one if the outcome is content.
    mutating func consume(_ byte: UInt8) -> Outcome {
        if refusesLookalikes, matched == 1, byte == ASCII.hyphen { isLookalike = true }
        // A look-alike has one byte of the line break, a delimiter two.
        let missing = isLookalike ? 1 : 0
        guard byte == delimiter[matched + missing] else { return .content }
        matched += 1
        guard matched + missing == delimiter.count else { return .candidate }
        return isLookalike ? .lookalike : .delimiter
    }

    private func isLineFeedOfPair(_ place: Int, _ bytes: Span<UInt8>, from start: Int) -> Bool {
        bytes[place] == ASCII.lineFeed && place > start && bytes[place - 1] == ASCII.carriageReturn
    }
}
