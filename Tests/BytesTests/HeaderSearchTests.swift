import MultipartFormCodec
import TestSupport
import Testing

@Suite struct HeaderSearchTests {
    /// Whether a byte ends a run, by its definition.
    private static func isEnd(_ end: HeaderSearch.End, _ bytes: [UInt8], _ offset: Int) -> Bool {
        let character = Character(Unicode.Scalar(bytes[offset]))
        let rest = String(decoding: bytes[offset...].prefix(3), as: UTF8.self).lowercased()
        let isSpecialHyphen = rest.hasPrefix("--") || rest.hasPrefix("-di")
        let isPlain = (0x20...0x7E).contains(bytes[offset])
        return switch end {
        case .word:
            isSpecialHyphen || !(character.isASCII && (character.isLetter || character.isNumber || character == "-"))
        case .quotedText: isSpecialHyphen || !isPlain || "\"\\[],:;<=".contains(character)
        }
    }

    private static let ends: [HeaderSearch.End] = [.word, .quotedText]

    private static func check(_ bytes: [UInt8], from start: Int, _ end: HeaderSearch.End) {
        let expected = (start..<bytes.count).first { isEnd(end, bytes, $0) } ?? bytes.count
        let array = ContiguousArray(bytes)
        let inVectors = HeaderSearch.firstInVectors(end, array.span, from: start)
        let oneByOne = HeaderSearch.firstOneByOne(end, array.span, from: start)
        #expect(inVectors == expected && oneByOne == expected, "\(end) \(bytes) from \(start)")
    }

    @Test(arguments: ends) func `each byte ends a run, or not, at every place of a step`(end: HeaderSearch.End) {
        for byte in UInt8.min...UInt8.max {
            for place in 0..<34 {
                var bytes = [UInt8](repeating: UInt8(ascii: "a"), count: 50)
                bytes[place] = byte
                Self.check(bytes, from: 0, end)
            }
            // After a hyphen, within a step and at the end.
            for rest in [[byte], [0x64, byte], [byte, 0x69]] {
                let bytes = [0x61, 0x2D] + rest
                Self.check(bytes, from: 0, end)
                Self.check(bytes + [UInt8](repeating: 0x61, count: 20), from: 0, end)
            }
        }
        Self.check([0x61, 0x2D], from: 0, end)
    }

    @Test(arguments: ends) func `both searches find the same bytes from any offset`(end: HeaderSearch.End) {
        var generator = SeededGenerator(seed: 37)
        let pieces =
            "aaaaaaaaaaaaaaaaaaZz09iI-dD-=:;\r\n\" \\M\u{E9}[],<>".unicodeScalars.map { String($0) }
            + ["-di", "-DI", "-dI", "-de", "-id", "--"]
        for _ in 0..<100 {
            let bytes = (0..<Int.random(in: 0...60, using: &generator)).flatMap { _ in
                Array((pieces.randomElement(using: &generator) ?? "").utf8)
            }
            for start in 0...bytes.count { Self.check(bytes, from: start, end) }
        }
    }

    @Test func `a search does not begin before the bytes`() async {
        await #expect(processExitsWith: .failure) {
            let bytes = ContiguousArray(repeating: UInt8(ascii: "a"), count: 50)
            _ = HeaderSearch.firstInVectors(.word, bytes.span, from: -1)
        }
    }
}
