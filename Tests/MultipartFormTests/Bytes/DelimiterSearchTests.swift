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
        try #require(search.vectorSearch(bytes.span, from: start) == expected, context)
        try #require(search.scalarSearch(bytes.span, from: start) == expected, context)
        try #require(search.search(bytes.span, from: start) == expected, context)
        for room in [0, 1, 70] {
            let isWhole = if case .found = expected { false } else { true }
            for isVector in [false, true] {
                var copied = [UInt8](repeating: 0xEE, count: bytes.count + room)
                let result = copied.withUnsafeMutableBytes {
                    isVector
                        ? search.vectorSearch(bytes.span, from: start, copyingTo: $0)
                        : search.search(bytes.span, from: start, copyingTo: $0)
                }
                try #require(result == expected, context)
                try #require(copied.suffix(room) == [UInt8](repeating: 0xEE, count: room)[...], context)
                if isWhole { try #require(copied.dropLast(room) == bytes[...], context) }
            }
        }
    }

    @Test(arguments: 0..<20)
    func `both searches agree with the naive one on random bytes`(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        for round in 0..<300 {
            let length = Int.random(in: 1...(round % 3 == 0 ? 90 : 4), using: &generator)
            let alphabet: [UInt8] = round % 2 == 0 ? [45, 65, 66] : Array(33...126)
            var needle: [UInt8] = [13]
            for _ in 0..<length { needle.append(alphabet.randomElement(using: &generator) ?? 45) }
            let search = DelimiterSearch(needle: needle, alternative: round % 5 == 0 ? 10 : nil)
            var bytes: [UInt8] = []
            while bytes.count < Int.random(in: 0...600, using: &generator) {
                switch Int.random(in: 0..<6, using: &generator) {
                case 0: bytes.append(13)
                case 1: bytes.append(10)
                case 2: bytes += needle.prefix(Int.random(in: 0...needle.count, using: &generator))
                case 3: bytes.append(needle[needle.count - 1])
                default: bytes.append(alphabet.randomElement(using: &generator) ?? 45)
                }
            }
            let start = Int.random(in: 0...bytes.count, using: &generator)
            try expectAgreement(search, bytes, from: start, "seed \(seed), round \(round)")
        }
    }

    @Test(arguments: [2, 3, 5, 16, 17, 44, 62, 63, 64, 65, 130, 260])
    func `a needle is found at every place of a buffer`(length: Int) throws {
        let needle = [13] + [UInt8](repeating: 45, count: length - 2) + [90]
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

    @Test func `every proper prefix at the end is a partial match`() throws {
        let needle = Array("\r\n--boundary".utf8)
        let search = DelimiterSearch(needle: needle)
        for length in 1..<needle.count {
            for padding in [0, 1, 70] {
                let bytes = [UInt8](repeating: 120, count: padding) + needle.prefix(length)
                #expect(search.search(bytes.span, from: 0) == .partial(padding))
                try expectAgreement(search, bytes, from: 0, "length \(length)")
            }
        }
    }

    @Test func `only line breaks begin a match`() throws {
        let search = DelimiterSearch(needle: Array("\r--b".utf8), alternative: 10)
        #expect(search.search(Array("x\n--b".utf8).span, from: 0) == .found(1))
        #expect(search.search(Array("\r\n--b".utf8).span, from: 0) == .found(1))
        #expect(search.search(Array("x--b".utf8).span, from: 0) == .none)
        #expect(search.search([UInt8]().span, from: 0) == .none)
    }

    @Test(arguments: 0..<16)
    func `a copy is whole at every alignment`(alignment: Int) throws {
        let search = DelimiterSearch(needle: Array("\r--boundary".utf8), alternative: 10)
        for count in 0...200 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 64) }
            var memory = [UInt8](repeating: 0xEE, count: 16 + count + 16)
            let result = memory.withUnsafeMutableBytes {
                search.vectorSearch(
                    bytes.span,
                    from: count / 3,
                    copyingTo: UnsafeMutableRawBufferPointer(rebasing: $0[alignment..<alignment + count])
                )
            }
            #expect(result == search.naiveSearch(bytes, from: count / 3))
            let before = [UInt8](repeating: 0xEE, count: alignment)
            #expect(memory == before + bytes + [UInt8](repeating: 0xEE, count: 32 - alignment))
        }
    }

    @Test func `a copy into a destination that is too short is refused`() async {
        await #expect(processExitsWith: .failure) {
            let destination = UnsafeMutableRawBufferPointer.allocate(byteCount: 99, alignment: 1)
            let bytes = [UInt8](repeating: 65, count: 100)
            _ = DelimiterSearch(needle: [13, 45]).vectorSearch(bytes.span, from: 0, copyingTo: destination)
        }
    }

    @Test func `a needle whose first byte repeats is refused`() async {
        await #expect(processExitsWith: .failure) { _ = DelimiterSearch(needle: [13, 10, 13]) }
        await #expect(processExitsWith: .failure) { _ = DelimiterSearch(needle: [13]) }
    }
}
