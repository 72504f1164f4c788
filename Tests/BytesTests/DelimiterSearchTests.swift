import MultipartFormCodec
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
        for offsetsBeforeSampling in [0, 100] {
            var adaptive = DelimiterSearch(needle: search.needle, offsetsBeforeSampling: offsetsBeforeSampling)
            try #require(adaptive.adaptiveSearch(bytes.span, from: start) == expected, context)
        }
        var search = search
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

    /// Boundaries that clients send, and some that a peer could choose to make samples useless.
    private static let longNeedles: [[UInt8]] =
        [
            "\r\n------WebKitFormBoundaryePkpFF7tjBAqx29L", "\r\n--------------------------d74496d66958873e",
            "\n--0f3b2c5a9d8e47b1a6c4d2e1f0987654",
            "--5d2f1c0a9b8e7d6c5b4a39281706f5e4d3c2b1a0918273645546372819ab",
            "\r\n--aaaaaaaaaaaaaaaaaaaa", "------------------------", "\r\n--abababababababababababab",
            "\r\n--" + String(repeating: "-a", count: 128), "\r\n--" + String(repeating: "a", count: 255) + "b",
        ].map { Array($0.utf8) }

    /// Pieces of the needle among other bytes.
    private func longBody(of needle: [UInt8], atLeast count: Int, using generator: inout SeededGenerator) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let start = Int.random(in: 0..<needle.count, using: &generator)
            switch Int.random(in: 0..<8, using: &generator) {
            case 0: for _ in 0..<100 { bytes += needle.dropLast() }
            case 1: for _ in 0..<500 { bytes.append(needle[start]) }
            case 2: for _ in 0..<100 { bytes += needle[start...].prefix(4) }
            case 3: bytes += needle[start...].prefix(20)
            default: for _ in 0..<100 { withUnsafeBytes(of: generator.next()) { bytes += $0 } }
            }
        }
        return bytes
    }

    @Test(arguments: 0..<9)
    func `a search that goes on from piece to piece agrees with the naive one`(number: Int) throws {
        let needle = Self.longNeedles[number]
        var generator = SeededGenerator(seed: UInt64(number))
        for round in 0..<40 {
            // One search for all pieces, as a parser has it.
            let offsetsBeforeSampling = [0, 1000, 5000].randomElement(using: &generator)
            var search = DelimiterSearch(needle: needle, offsetsBeforeSampling: offsetsBeforeSampling ?? 0)
            for _ in 0..<5 {
                var bytes = longBody(of: needle, atLeast: .random(in: 0...8000, using: &generator), using: &generator)
                if Bool.random(using: &generator) {
                    bytes.insert(contentsOf: needle, at: .random(in: 0...bytes.count, using: &generator))
                }
                let start = Int.random(in: 0...min(bytes.count, 50), using: &generator)
                let expected = search.naiveSearch(bytes, from: start)
                let piece = ContiguousArray(bytes)
                try #require(search.adaptiveSearch(piece.span, from: start) == expected, "round \(round)")
            }
        }
    }

    @Test(arguments: [23, 24, 25, 44, 70, 260])
    func `a needle is found at every place around the end of offsetsBeforeSampling`(length: Int) throws {
        let needle = [13] + (1..<length).map { UInt8(truncatingIfNeeded: 97 &+ $0 % 26) }
        for offsetsBeforeSampling in [0, 1, 300] {
            // More than two blocks of samples.
            let size = offsetsBeforeSampling + length * 14
            for place in 0...(size - length) {
                var bytes = ContiguousArray<UInt8>(repeating: 46, count: size)
                bytes.replaceSubrange(place..<place + length, with: needle)
                var search = DelimiterSearch(needle: needle, offsetsBeforeSampling: offsetsBeforeSampling)
                let context: Comment =
                    "length \(length), offsetsBeforeSampling \(offsetsBeforeSampling), place \(place)"
                try #require(search.adaptiveSearch(bytes.span, from: 0) == place, context)
                try #require(search.adaptiveSearch(bytes.span, from: place) == place, context)
                try #require(search.adaptiveSearch(bytes.span, from: place + 1) == nil, context)
            }
        }
    }

    /// Vectors take over for 256 offsets, then for four times as many each time, up to 16 KiB.
    @Test(arguments: [0, 256, 1280, 5376, 21_760, 38_144])
    func `a needle is found after marked samples of any length`(marked: Int) throws {
        let needle = Self.longNeedles[0]
        let marks = Array(repeatElement(needle.dropLast(), count: marked / 40 + 10).joined())
        for count in stride(from: max(0, marked - 100), to: marked + 100, by: 7) {
            for unmarked in [0, 1, 50, 233, 234, 235, 300, 600] {
                var bytes = ContiguousArray(marks[..<count])
                bytes += repeatElement(46, count: unmarked)
                let place = bytes.count
                bytes += needle
                var search = DelimiterSearch(needle: needle, offsetsBeforeSampling: 0)
                let context: Comment = "\(count) marked bytes, \(unmarked) others"
                try #require(search.adaptiveSearch(bytes.span, from: 0) == place, context)
                bytes.removeLast()
                try #require(search.adaptiveSearch(bytes.span, from: 0) == nil, context)
            }
        }
    }

    @Test(arguments: [2, 5, 24, 70])
    func `a needle that only begins in the bytes is not found`(length: Int) throws {
        let needle = [13] + (1..<length).map { UInt8(truncatingIfNeeded: 97 &+ $0 % 26) }
        let search = DelimiterSearch(needle: needle)
        for place in Array(0...20) + [63, 64, 65, 100, 600] {
            let buffer = ContiguousArray([UInt8](repeating: 46, count: place) + needle)
            for end in [place, place + 1, place + length - 1] {
                // The rest of the needle is there, but must not be read.
                let bytes = buffer.span.extracting(0..<end)
                for start in [0, min(1, place), place] {
                    let context: Comment = "\(place), from \(start) to \(end)"
                    var found = [search.vectorSearch(bytes, from: start), search.scalarSearch(bytes, from: start)]
                    for offsetsBeforeSampling in [0, 10] {
                        var other = DelimiterSearch(needle: needle, offsetsBeforeSampling: offsetsBeforeSampling)
                        found.append(other.adaptiveSearch(bytes, from: start))
                    }
                    try #require(found == [nil, nil, nil, nil], context)
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

    @Test func `a search does not begin before the bytes`() async {
        await #expect(processExitsWith: .failure) {
            let bytes = ContiguousArray<UInt8>(repeating: 65, count: 100)
            _ = DelimiterSearch(needle: [13, 45]).vectorSearch(bytes.span, from: -1)
        }
        await #expect(processExitsWith: .failure) {
            let bytes = ContiguousArray<UInt8>(repeating: 65, count: 100)
            _ = DelimiterSearch(needle: [13, 45]).scalarSearch(bytes.span, from: -1)
        }
    }
}
