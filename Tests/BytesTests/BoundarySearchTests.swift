import MultipartFormCodec
import TestSupport
import Testing

@Suite struct BoundarySearchTests {
    /// Dash-boundaries that overlap themselves in many ways, and some that do not.
    private static let words = [
        "--b", "----", "--a--a--b", "---", "--abcabcabd", "--b---c", "--------x", "--longer-than-all-others",
    ]

    /// Texts of pieces of a word, line breaks and other bytes.
    private static func texts(_ word: [UInt8], count: Int, seed: UInt64) -> [[UInt8]] {
        var generator = SeededGenerator(seed: seed)
        return (0..<count).map { _ in
            var text: [UInt8] = []
            for _ in 0..<Int.random(in: 0...6, using: &generator) {
                switch Int.random(in: 0..<6, using: &generator) {
                case 0: text += [13, 10]
                case 1: text.append([13, 10, 45, 120].randomElement(using: &generator) ?? 45)
                case 2: text += word
                case 3: text.append(word.randomElement(using: &generator) ?? 45)
                default: text += word.prefix(Int.random(in: 0..<word.count, using: &generator))
                }
            }
            return text
        }
    }

    @Test(arguments: words)
    func `places and what precedes them do not depend on chunks`(word: String) throws {
        let naive = NaiveBoundarySearch(dashBoundary: Array(word.utf8))
        var count = 0
        for text in Self.texts(naive.dashBoundary, count: 150, seed: 7) {
            let whole = naive.places(in: text[...])
            count += whole.count - 1
            let cuts = (0...text.count).map { [$0, text.count] } + [Array(0...text.count)]
            for ends in cuts {
                let found = naive.places(in: text, endingChunksAt: ends)
                try #require(found.joined().filter(\.isWhole) == whole.dropLast(), "\(text) cut at \(ends)")
                // Where each chunk's end may begin a dash-boundary, by a search of the text up to there.
                for (end, places) in zip(ends, found) {
                    try #require(places.last == naive.places(in: text[..<end]).last, "\(text) cut at \(ends)")
                }
            }
        }
        #expect(count > 30)
    }

    @Test(arguments: words)
    func `a copy is whole, and its search finds the same`(word: String) throws {
        let word = Array(word.utf8)
        for text in Self.texts(word, count: 100, seed: 8) {
            for cut in 0...text.count {
                var search = BoundarySearch(dashBoundary: word)
                var copying = search
                for chunk in [ContiguousArray(text[..<cut]), ContiguousArray(text[cut...])] {
                    var copy = [UInt8](repeating: 0, count: chunk.count + 1)
                    let place = copy.withUnsafeMutableBytes { copying.next(in: chunk.span, copyingTo: $0) }
                    try #require(place == search.next(in: chunk.span, from: 0))
                    try #require(copy == chunk + [0], "\(text) cut at \(cut)")
                    guard !place.isWhole else { break }
                }
            }
        }
    }

    @Test func `a new search knows only what it is told`() {
        var search = BoundarySearch(dashBoundary: Array("--b".utf8))
        _ = search.next(in: ContiguousArray("x\r\n--".utf8).span, from: 0)
        search.begin(after: .other)
        let bytes = ContiguousArray("b--b".utf8)
        let inLine = search.next(in: bytes.span, from: 0)
        #expect(inLine.start == 1 && inLine.predecessor == .other && inLine.isWhole)
        search.begin()
        let atStart = search.next(in: bytes.span, from: 1)
        #expect(atStart.start == 1 && atStart.predecessor == .start && atStart.isWhole)
    }

    @Test func `a copy into a destination that is too short is refused`() async {
        await #expect(processExitsWith: .failure) {
            let destination = UnsafeMutableRawBufferPointer.allocate(byteCount: 99, alignment: 1)
            let bytes = ContiguousArray<UInt8>(repeating: 65, count: 100)
            var search = BoundarySearch(dashBoundary: [45, 45, 98])
            _ = search.next(in: bytes.span, copyingTo: destination)
        }
    }
}
