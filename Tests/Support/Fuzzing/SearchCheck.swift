internal import MultipartForm

/// Checks the search, and the matcher of what begins in one piece and ends in another. The input is the needle after its
/// length, the offset to start from, and the bytes to search.
enum SearchCheck {
    static func run(_ bytes: [UInt8]) throws {
        var input = FuzzInput(bytes)
        let needle = Array(input.run())
        guard needle.count >= 2 else { return }
        let start = Int(input.byte())
        let text = Array(input.rest)
        guard start <= text.count else { return }
        let search = DelimiterSearch(needle: needle)
        let expected = search.naiveSearch(text, from: start)
        // An array has a span on newer systems only.
        let bytes = ContiguousArray(text)
        let vector = search.vectorSearch(bytes.span, from: start)
        try require(vector == expected, "vectors find \(show(vector)), the naive search \(show(expected))")
        let scalar = search.scalarSearch(bytes.span, from: start)
        try require(scalar == expected, "memchr finds \(show(scalar)), the naive search \(show(expected))")
        for patience in [0, start] {
            var search = DelimiterSearch(needle: needle, patience: patience)
            let adaptive = search.adaptiveSearch(bytes.span, from: start)
            try require(adaptive == expected, "samples find \(show(adaptive)), the naive search \(show(expected))")
        }
        try checkMatcher(needle, Array(text[start..<(expected.map { $0 + needle.count } ?? text.count)]))
    }

    /// The matcher completes the word at the end of a text in which it occurs nowhere else, if it occurs there.
    private static func checkMatcher(_ word: [UInt8], _ text: [UInt8]) throws {
        var matcher = PrefixMatcher(word: word)
        let isFound = text.suffix(word.count) == word[...]
        for (index, byte) in text.enumerated() {
            let isComplete = matcher.consume(byte)
            let isEnd = isFound && index == text.count - 1
            try require(isComplete == isEnd, "byte \(index) completes the word: \(isComplete)")
        }
        let incomplete = isFound ? Array(text.dropLast()) : text
        let bytes = ContiguousArray(incomplete)
        matcher.matchEnd(of: bytes.span, from: 0)
        let expected = matcher.naiveMatch(atEndOf: incomplete)
        try require(matcher.matched == expected, "\(matcher.matched) bytes match at the end, not \(expected)")
    }

    private static func show(_ place: Int?) -> String {
        place.map { "\($0)" } ?? "nothing"
    }

    static func seeds() throws -> [[UInt8]] {
        try ParserCheck.seeds().flatMap { seed in
            var input = FuzzInput(seed)
            _ = input.byte()
            let dashBoundary = [45, 45] + input.run()
            let text = input.rest.dropFirst(4)
            return [dashBoundary, [13, 10] + dashBoundary].map { FuzzInput.run($0) + [0] + text }
        }
    }
}
