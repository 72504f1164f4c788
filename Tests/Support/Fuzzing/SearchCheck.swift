internal import MultipartFormCodec

/// Checks the searches: in one piece, and over the ends of chunks. The input is the needle after its length, the offset
/// to start from, at which the chunks are divided, too, and the bytes to search.
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
        for offsetsBeforeSampling in [0, start] {
            var search = DelimiterSearch(needle: needle, offsetsBeforeSampling: offsetsBeforeSampling)
            let adaptive = search.adaptiveSearch(bytes.span, from: start)
            try require(adaptive == expected, "samples find \(show(adaptive)), the naive search \(show(expected))")
        }
        // No boundary has a line break.
        if !needle.contains(10), !needle.contains(13) { try checkBoundary(needle, text, cut: start) }
    }

    /// The search over chunks finds the places that the naive one finds in the whole text.
    private static func checkBoundary(_ dashBoundary: [UInt8], _ text: [UInt8], cut: Int) throws {
        let naive = NaiveBoundarySearch(dashBoundary: dashBoundary)
        for ends in [[cut, text.count], Array(0...text.count)] {
            let found = naive.places(in: text, endingChunksAt: ends)
            let expected = naive.places(in: text[...])
            try require(found.joined().filter(\.isWhole) == expected.dropLast(), "other places in chunks to \(ends)")
            try require(found.last?.last == expected.last, "another end in chunks to \(ends)")
            try require(found.first?.last == naive.places(in: text[..<ends[0]]).last, "another end at \(ends[0])")
        }
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
