import MultipartForm
import TestSupport
import Testing

@Suite struct DelimiterSearchTests {
    private func expectAgreement(
        _ search: DelimiterSearch,
        _ bytes: [UInt8],
        from start: Int,
        _ context: Comment
    ) throws {
        let expected = search.naiveSearch(bytes, from: start)
        let bytes = ContiguousArray(bytes)
        try #require(search.vectorSearch(bytes.span, from: start) == expected, context)
        try #require(search.scalarSearch(bytes.span, from: start) == expected, context)
        try #require(search.search(bytes.span, from: start) == expected, context)
        try expectCopy(search, bytes, context)
    }

    private func expectCopy(_ search: DelimiterSearch, _ bytes: ContiguousArray<UInt8>, _ context: Comment) throws {
        let expected = search.naiveSearch(Array(bytes), from: 0)
        for room in [0, 1, 70] {
            for isVector in [false, true] {
                var copied = [UInt8](repeating: 0xEE, count: bytes.count + room)
                let result = copied.withUnsafeMutableBytes {
                    isVector
                        ? search.vectorSearch(bytes.span, copyingTo: $0) : search.search(bytes.span, copyingTo: $0)
                }
                try #require(result == expected, context)
                try #require(copied.suffix(room) == [UInt8](repeating: 0xEE, count: room)[...], context)
                if expected == nil { try #require(copied.dropLast(room).elementsEqual(bytes), context) }
            }
        }
    }

    /// A needle, and bytes with many of its prefixes.
    private func sample(_ round: Int, using generator: inout SeededGenerator) -> (needle: [UInt8], bytes: [UInt8]) {
        let length = Int.random(in: 2...(round % 3 == 0 ? 90 : 5), using: &generator)
        let alphabet: [UInt8] = round % 2 == 0 ? [45, 65, 66] : Array(33...126)
        var needle: [UInt8] = []
        while needle.count < length { needle.append(alphabet.randomElement(using: &generator) ?? 45) }
        if round % 5 < 2 { needle[0] = 13 }
        var bytes: [UInt8] = []
        while bytes.count < Int.random(in: 0...600, using: &generator) {
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: bytes.append(13)
            case 1: bytes.append(needle[0])
            case 2: bytes += needle.prefix(Int.random(in: 0...needle.count, using: &generator))
            case 3: bytes.append(needle[needle.count - 1])
            default: bytes.append(alphabet.randomElement(using: &generator) ?? 45)
            }
        }
        return (needle, bytes)
    }

    @Test(arguments: 0..<20)
    func `both searches agree with the naive one on random bytes`(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        for round in 0..<300 {
            let (needle, bytes) = sample(round, using: &generator)
            let start = Int.random(in: 0...bytes.count, using: &generator)
            try expectAgreement(DelimiterSearch(needle: needle), bytes, from: start, "seed \(seed), round \(round)")
        }
    }

    @Test(arguments: [2, 3, 5, 16, 17, 44, 62, 63, 64, 65, 130, 260])
    func `a needle is found at every place of a buffer`(length: Int) throws {
        for first: UInt8 in [13, 45] {
            let needle = [first] + [UInt8](repeating: 45, count: length - 2) + [90]
            let search = DelimiterSearch(needle: needle)
            for size in [length, length + 1, length + 15, length + 64, length + 200] {
                for place in 0...(size - length) {
                    var bytes = [UInt8](repeating: 45, count: size)
                    bytes.replaceSubrange(place..<place + length, with: needle)
                    try expectAgreement(search, bytes, from: 0, "length \(length), size \(size), place \(place)")
                    try expectAgreement(search, bytes, from: place, "from its start")
                    if place < size { try expectAgreement(search, bytes, from: place + 1, "from its second byte") }
                }
            }
        }
    }

    @Test func `a needle of one repeated byte is found`() throws {
        let search = DelimiterSearch(needle: [UInt8](repeating: 45, count: 20))
        for count in 0..<100 {
            let bytes = [UInt8](repeating: 45, count: count)
            try expectAgreement(search, bytes, from: count / 3, "\(count) bytes")
        }
    }

    @Test(arguments: 0..<16)
    func `a copy is whole at every alignment`(alignment: Int) throws {
        let search = DelimiterSearch(needle: Array("--boundary".utf8))
        for count in 0...200 {
            let bytes = ContiguousArray((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 64) })
            var memory = [UInt8](repeating: 0xEE, count: 16 + count + 16)
            let result = memory.withUnsafeMutableBytes {
                search.vectorSearch(
                    bytes.span,
                    copyingTo: UnsafeMutableRawBufferPointer(rebasing: $0[alignment..<alignment + count])
                )
            }
            #expect(result == nil)
            let before = [UInt8](repeating: 0xEE, count: alignment)
            #expect(memory == before + bytes + [UInt8](repeating: 0xEE, count: 32 - alignment))
        }
    }

    @Test func `a copy into a destination that is too short is refused`() async {
        await #expect(processExitsWith: .failure) {
            let destination = UnsafeMutableRawBufferPointer.allocate(byteCount: 99, alignment: 1)
            let bytes = ContiguousArray<UInt8>(repeating: 65, count: 100)
            _ = DelimiterSearch(needle: [13, 45]).vectorSearch(bytes.span, copyingTo: destination)
        }
    }

    @Test func `a needle of one byte is refused`() async {
        await #expect(processExitsWith: .failure) { _ = DelimiterSearch(needle: [13]) }
    }
}
