import MultipartForm
import TestSupport
import Testing

@Suite struct PrefixMatcherTests {
    /// Words that overlap themselves in many ways, and some that do not.
    private static let words = [
        "--b", "----", "--a--a--b", "--aabaa", "\r\n--b", "--abcabcabd", "--b---c", "--------x",
        "aab",
    ]

    @Test(arguments: words)
    func `the match is the longest prefix at the end, after every byte`(word: String) throws {
        let word = Array(word.utf8)
        var generator = SeededGenerator(seed: 7)
        for round in 0..<100 {
            var matcher = PrefixMatcher(word: word)
            var text: [UInt8] = []
            for _ in 0..<20 {
                let isPrefix = Bool.random(using: &generator)
                let piece =
                    isPrefix
                    ? Array(word.prefix(Int.random(in: 1...word.count, using: &generator)))
                    : [word.randomElement(using: &generator) ?? 45]
                for byte in piece {
                    text.append(byte)
                    let isWhole = text.suffix(word.count) == word[...]
                    try #require(matcher.consume(byte) == isWhole, "round \(round): \(text)")
                    guard !isWhole else {
                        text = []
                        matcher.matched = 0
                        continue
                    }
                    try #require(matcher.matched == matcher.naiveMatch(atEndOf: text), "round \(round): \(text)")
                }
            }
        }
    }

    @Test func `a mismatch deep in the word keeps the longest shorter match`() {
        var matcher = PrefixMatcher(word: Array("--b---c".utf8))
        var matched: [Int] = []
        var isWhole: [Bool] = []
        for byte in "--b---b---c".utf8 {
            isWhole.append(matcher.consume(byte))
            matched.append(matcher.matched)
        }
        #expect(matched == [1, 2, 3, 4, 5, 6, 3, 4, 5, 6, 7])
        #expect(isWhole == Array(repeating: false, count: 10) + [true])
    }

    @Test(arguments: words)
    func `the end of a piece is matched alone`(word: String) throws {
        let word = Array(word.utf8)
        var matcher = PrefixMatcher(word: word)
        for length in 0..<word.count {
            for padding in [0, 1, 70] {
                let bytes = ContiguousArray(repeating: 120, count: padding) + word.prefix(length)
                for start in [0, padding, bytes.count] {
                    matcher.matchEnd(of: bytes.span, from: start)
                    #expect(matcher.matched == matcher.naiveMatch(atEndOf: Array(bytes[start...])))
                }
            }
        }
    }

    @Test(arguments: words)
    func `the end of any piece is matched as the naive matcher does`(word: String) throws {
        let word = Array(word.utf8)
        var generator = SeededGenerator(seed: 8)
        var matcher = PrefixMatcher(word: word)
        var found = 0
        for round in 0..<500 {
            var bytes: ContiguousArray<UInt8> = []
            for _ in 0..<Int.random(in: 0...6, using: &generator) {
                bytes += word.prefix(Int.random(in: 0..<word.count, using: &generator))
                if Bool.random(using: &generator) { bytes.append(word.randomElement(using: &generator) ?? 45) }
            }
            let start = Int.random(in: 0...bytes.count, using: &generator)
            matcher.matchEnd(of: bytes.span, from: start)
            let rest = Array(bytes[start...])
            // A whole word is found before the end is matched.
            guard !rest.indices.contains(where: { rest[$0...].starts(with: word) }) else { continue }
            try #require(matcher.matched == matcher.naiveMatch(atEndOf: rest), "round \(round): \(rest)")
            found += matcher.matched > 0 ? 1 : 0
        }
        #expect(found > 50)
    }
}
