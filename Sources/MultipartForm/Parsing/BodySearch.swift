/// Finds where a part's body may end: at a line that begins with the dash-boundary.
///
/// - Input: the body's bytes, in chunks of any size.
/// - Output: the offset of a delimiter; in strict mode also of a look-alike: a dash-boundary anywhere but after CR LF,
///   where some parsers split a body and others do not.
/// - Invariant: a candidate is open while the bytes read end with a proper prefix of a delimiter, or in strict mode of a
///   look-alike: the longest one.
/// - Cost: linear: each byte is searched once, and at most a dash-boundary's at the start of a chunk twice.
struct BodySearch: Sendable {
    enum Outcome {
        /// A line break and the dash-boundary.
        case delimiter
        /// A dash-boundary that is not at the start of a line.
        case lookalike
        /// The bytes read may begin one of them: a candidate is open.
        case candidate
        case content
    }

    let dashBoundary: [UInt8]
    let delimiter: [UInt8]
    private let refusesLookalikes: Bool
    private var search: DelimiterSearch
    /// Matches what the search finds: the delimiter; in strict mode the dash-boundary.
    private var matcher: PrefixMatcher
    /// Strict mode: how many bytes of CR LF precede what is matched.
    private var lineBreakLength = 0

    init(dashBoundary: [UInt8], lineBreak: DelimiterLineClassifier.LineBreak, mode: ParsingMode) {
        self.dashBoundary = dashBoundary
        delimiter = (lineBreak == .crlf ? [ASCII.carriageReturn, ASCII.lineFeed] : [ASCII.lineFeed]) + dashBoundary
        refusesLookalikes = mode == .strict
        search = DelimiterSearch(needle: refusesLookalikes ? dashBoundary : delimiter)
        matcher = PrefixMatcher(word: search.needle)
    }

    /// Opens a candidate that begins with the line break of the blank line before the body; not in strict mode, since some
    /// parsers take it for no delimiter's.
    mutating func beginAfterLineBreak() {
        lineBreakLength = 0
        matcher.matched = refusesLookalikes ? 0 : delimiter.count - dashBoundary.count
    }

    /// Searches `bytes[start...]`, while no candidate is open; returns where content ends, and what follows it.
    mutating func search(_ bytes: Span<UInt8>, from start: Int) -> (contentEnd: Int, outcome: Outcome) {
        if let match = search.search(bytes, from: start) {
            guard refusesLookalikes else { return (match, .delimiter) }
            let isAfterLineBreak = match - start >= 2 && ASCII.isLineBreak(bytes, at: match - 2)
            return isAfterLineBreak ? (match - 2, .delimiter) : (match, .lookalike)
        }
        matcher.matchEnd(of: bytes, from: start)
        var candidate = bytes.count - matcher.matched
        if refusesLookalikes {
            lineBreakLength = lengthOfLineBreak(before: candidate, in: bytes, from: start)
            candidate -= lineBreakLength
        }
        return (candidate, candidate < bytes.count ? .candidate : .content)
    }

    /// Continues the open candidate with the next byte. After `.content`, search again from this byte: it may continue
    /// the shorter candidate of the last ``matched`` bytes, or begin another one.
    mutating func consume(_ byte: UInt8) -> Outcome {
        if refusesLookalikes, lineBreakLength == 1 {
            lineBreakLength = byte == ASCII.lineFeed ? 2 : 0
            return byte == ASCII.lineFeed ? .candidate : .content
        }
        guard byte == matcher.word[matcher.matched] else {
            lineBreakLength = 0
            matcher.fallBack()
            return .content
        }
        matcher.matched += 1
        guard matcher.matched == matcher.word.count else { return .candidate }
        return lineBreakLength == 0 && refusesLookalikes ? .lookalike : .delimiter
    }

    /// How many bytes at the end of those read may begin a look-alike.
    var matched: Int { matcher.matched }

    /// The length of CR LF before `end`, or at the end of the bytes of the CR that may begin one.
    private func lengthOfLineBreak(before end: Int, in bytes: Span<UInt8>, from start: Int) -> Int {
        if end - start >= 2, ASCII.isLineBreak(bytes, at: end - 2) { return 2 }
        let endsInCarriageReturn = end == bytes.count && end > start && bytes[end - 1] == ASCII.carriageReturn
        return endsInCarriageReturn ? 1 : 0
    }
}
