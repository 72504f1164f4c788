/// Finds the first dash-boundary of a message, byte by byte.
///
/// - Input: the message's first bytes.
/// - Output: whether the last byte completes the dash-boundary.
/// - Invariant: `matched` is the length of the longest prefix of the dash-boundary that the input ends with.
/// - Cost: linear (Knuth, Morris and Pratt): each byte adds at most one to `matched`, and each fallback reduces it.
struct PreambleMatcher: Sendable {
    private let word: [UInt8]
    /// For each matched length, that of the next shorter prefix at the end of the matched bytes; empty until needed.
    private var fallback: [Int] = []
    private(set) var matched = 0
    /// The length of the current line so far, in bytes.
    private var lineLength = 0

    init(dashBoundary word: [UInt8]) {
        self.word = word
    }

    var isAtLineStart: Bool { matched == lineLength }

    /// The length of the dash-boundary, if these bytes begin with it, as most messages do.
    func dashBoundaryLength(atStartOf bytes: Span<UInt8>) -> Int? {
        guard bytes.count >= word.count else { return nil }
        for index in word.indices where bytes[index] != word[index] { return nil }
        return word.count
    }

    /// Consumes a byte; true if it completes the dash-boundary.
    mutating func consume(_ byte: UInt8) -> Bool {
        lineLength = byte == ASCII.lineFeed ? 0 : lineLength + 1
        while matched > 0, byte != word[matched] { fallBack() }
        if byte == word[matched] { matched += 1 }
        return matched == word.count
    }

    private mutating func fallBack() {
        if fallback.isEmpty {
            fallback = [0, 0]
            var length = 0
            for index in 1..<word.count {
                while length > 0, word[index] != word[length] { length = fallback[length] }
                if word[index] == word[length] { length += 1 }
                fallback.append(length)
            }
        }
        matched = fallback[matched]
    }
}
