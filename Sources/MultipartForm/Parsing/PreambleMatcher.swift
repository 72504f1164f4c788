/// Finds the first dash-boundary of a message, byte by byte.
///
/// - Input: the message's first bytes.
/// - Output: whether the last byte completes the dash-boundary.
/// - Invariant: that of ``PrefixMatcher``.
/// - Cost: linear.
struct PreambleMatcher: Sendable {
    private var matcher: PrefixMatcher
    /// The length of the current line so far, in bytes.
    private var lineLength = 0

    init(dashBoundary: [UInt8]) {
        matcher = PrefixMatcher(word: dashBoundary)
    }

    /// How many bytes of the dash-boundary the message so far ends with.
    var matched: Int { matcher.matched }

    var isAtLineStart: Bool { matched == lineLength }

    /// The length of the dash-boundary, if these bytes begin with it, as most messages do.
    func dashBoundaryLength(atStartOf bytes: Span<UInt8>) -> Int? {
        let word = matcher.word
        guard bytes.count >= word.count else { return nil }
        for index in word.indices where bytes[index] != word[index] { return nil }
        return word.count
    }

    /// Consumes a byte; true if it completes the dash-boundary.
    mutating func consume(_ byte: UInt8) -> Bool {
        lineLength = byte == ASCII.lineFeed ? 0 : lineLength + 1
        return matcher.consume(byte)
    }
}
