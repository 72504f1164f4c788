internal import MultipartForm

/// Checks the search. The input is a choice of the first byte and its alternative, the rest of the needle after its
/// length, the offset to start from, and the bytes to search.
enum SearchCheck {
    static func run(_ bytes: [UInt8]) throws {
        var input = FuzzInput(bytes)
        let choice = input.byte()
        let first: UInt8 = choice & 1 == 0 ? 13 : 10
        let alternative: UInt8? = choice & 2 == 0 ? nil : 23 - first
        let needle = [first] + input.run().filter { $0 != first && $0 != alternative }
        guard needle.count >= 2 else { return }
        let start = Int(input.byte())
        let text = Array(input.rest)
        guard start <= text.count else { return }
        let search = DelimiterSearch(needle: needle, alternative: alternative)
        let expected = search.naiveSearch(text, from: start)
        let vector = search.vectorSearch(text.span, from: start)
        try require(vector == expected, "vectors find \(vector), the naive search \(expected)")
        let scalar = search.scalarSearch(text.span, from: start)
        try require(scalar == expected, "memchr finds \(scalar), the naive search \(expected)")
    }

    static func seeds() throws -> [[UInt8]] {
        try ParserCheck.seeds().flatMap { seed in
            var input = FuzzInput(seed)
            _ = input.byte()
            let needle = [10, 45, 45] + input.run()
            let text = input.rest.dropFirst(4)
            return [0, 2].map { [$0] + FuzzInput.run(needle) + [0] + text }
        }
    }
}
