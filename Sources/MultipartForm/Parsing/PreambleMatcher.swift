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
    /// How many bytes were consumed, and how many of them are not those of line breaks.
    private var count: UInt64 = 0
    private var textCount: UInt64 = 0
    /// The message's first line that is not empty, cut where it is too long for a delimiter; an error shows it.
    private var firstLine: ContiguousArray<UInt8> = []
    private var isInFirstLine = true

    init(dashBoundary: [UInt8]) {
        matcher = PrefixMatcher(word: dashBoundary)
    }

    /// How many bytes of the dash-boundary the message so far ends with.
    var matched: Int { matcher.matched }

    var isAtLineStart: Bool { matched == lineLength }

    /// How many bytes precede those of the dash-boundary that the message so far ends with.
    var length: UInt64 { count - UInt64(matched) }

    /// Whether any of these are not line breaks.
    var hasText: Bool { textCount > UInt64(matched) }

    /// The length of the dash-boundary, if these bytes begin with it, as most messages do.
    func dashBoundaryLength(atStartOf bytes: Span<UInt8>) -> Int? {
        let count = matcher.word.count
        return matcher.length(ofMatchAt: 0, in: bytes) == count ? count : nil
    }

    /// Consumes a byte; true if it completes the dash-boundary.
    mutating func consume(_ byte: UInt8) -> Bool {
        count += 1
        if byte != ASCII.carriageReturn, byte != ASCII.lineFeed { textCount += 1 }
        lineLength = byte == ASCII.lineFeed ? 0 : lineLength + 1
        if isInFirstLine { keepFirstLine(byte) }
        return matcher.consume(byte)
    }

    private mutating func keepFirstLine(_ byte: UInt8) {
        if byte == ASCII.carriageReturn || byte == ASCII.lineFeed {
            isInFirstLine = firstLine.isEmpty
        } else {
            firstLine.append(byte)
            isInFirstLine = firstLine.count <= Self.longestDelimiter
        }
    }

    /// Two hyphens and a boundary.
    private static let longestDelimiter = 2 + 70

    /// Why there is no delimiter in a message of a length; nil if nothing is known.
    func absence(_ length: UInt64) -> String? {
        if length == 0 { return "message is empty" }
        if matched > 0, isAtLineStart { return "message ends in its first delimiter" }
        return otherBoundary
    }

    /// The boundary of the first line, in words, if that looks like a delimiter.
    var otherBoundary: String? {
        guard firstLine.starts(with: [ASCII.hyphen, ASCII.hyphen]) else { return nil }
        guard let boundary = try? Boundary(validating: firstLine.dropFirst(2), mode: .strict) else { return nil }
        return "message begins with another boundary, \"\(boundary)\""
    }
}
