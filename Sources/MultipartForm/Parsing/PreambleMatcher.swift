/// Finds the first dash-boundary of a message, byte by byte.
///
/// - Input: the message's first bytes, one after another.
/// - Output: whether two hyphens and the boundary have just been completed.
/// - Invariant: `matched` is the length of the longest prefix of the dash-boundary that the input ends with.
/// - Cost: linear (Knuth, Morris and Pratt): each byte adds at most one to `matched`, and each fallback takes from it.
struct PreambleMatcher: Sendable {
    private let word: [UInt8]
    /// For each matched length, the next shorter prefix the matched bytes end with.
    private let fallback: [Int]
    private(set) var matched = 0
    /// How long the current line is so far.
    private var lineLength = 0

    init(dashBoundary word: [UInt8]) {
        self.word = word
        var fallback = [0, 0]
        var length = 0
        for index in 1..<word.count {
            while length > 0, word[index] != word[length] { length = fallback[length] }
            if word[index] == word[length] { length += 1 }
            fallback.append(length)
        }
        self.fallback = fallback
    }

    /// Whether the matched bytes begin a line.
    var isAtLineStart: Bool { matched == lineLength }

    /// Takes a byte; true when it completes the dash-boundary.
    mutating func consume(_ byte: UInt8) -> Bool {
        lineLength = byte == ASCII.lineFeed ? 0 : lineLength + 1
        while matched > 0, byte != word[matched] { matched = fallback[matched] }
        if byte == word[matched] { matched += 1 }
        return matched == word.count
    }
}
