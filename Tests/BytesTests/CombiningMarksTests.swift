import MultipartFormCodec
import TestSupport
import Testing

@Suite struct CombiningMarksTests {
    /// Whether there are more than 30 marks in a row, character by character.
    private func naive(_ text: String) -> Bool {
        text.unicodeScalars.split { $0.properties.canonicalCombiningClass == .notReordered }.contains { $0.count > 30 }
    }

    private func exceedLimit(_ bytes: [UInt8]) -> Bool {
        CombiningMarks.exceedLimit(ContiguousArray(bytes).span)
    }

    @Test func `every character is a mark or none, as Unicode says`() {
        let marks = ContiguousArray(String(repeating: "\u{301}", count: 30).utf8)
        var text = marks
        for number in 0...UInt32(0x10FFFF) {
            // Of the planes that have no characters but private ones, some.
            let isAssigned = number < 0x40000 || (0xE0000..<0xE1000).contains(number)
            guard isAssigned || number.isMultiple(of: 61), let scalar = Unicode.Scalar(number) else { continue }
            let isMark = scalar.properties.canonicalCombiningClass != .notReordered
            // One character of a run decides whether it has 31 marks.
            text.removeLast(text.count - marks.count)
            for byte in scalar.utf8 { text.append(byte) }
            if CombiningMarks.exceedLimit(text.span) != isMark { Issue.record("\(scalar.escaped(asASCII: true))") }
        }
    }

    @Test(arguments: [
        ("", 31, ""), ("a", 30, "a"), ("a", 31, ""), ("\u{FFFD}", 31, "\u{FFFD}"), ("\u{301}a", 30, "\u{301}"),
        ("\u{301}", 30, "b"), ("\u{D55C}\u{E9}", 30, "\u{1F600}"), ("\u{1F600}", 40, ""),
    ])
    func `more than 30 marks in a row are too many`(before: String, count: Int, after: String) {
        for mark in ["\u{301}", "\u{1DC0}", "\u{1D165}"] {
            let text = before + String(repeating: mark, count: count) + after
            #expect(exceedLimit(Array(text.utf8)) == naive(text), "\(text)")
        }
    }

    @Test func `a run of 31 marks is found at any place`() {
        let marks = [[UInt8]](repeating: Array("\u{301}".utf8), count: 31).flatMap(\.self)
        for count in 0...130 {
            let before = [UInt8](repeating: 0x61, count: count)
            #expect(exceedLimit(before + marks), "\(count)")
            #expect(!exceedLimit(before + marks.dropLast(2) + before), "\(count)")
        }
    }

    @Test func `bytes that are not UTF-8 end a run`() {
        let marks = (0..<31).flatMap { _ in Array("\u{301}".utf8) }
        #expect(exceedLimit(marks))
        for index in marks.indices {
            var broken = marks
            broken[index] = 0xFF
            #expect(!exceedLimit(broken))
            #expect(exceedLimit(broken + marks))
        }
    }

    @Test(arguments: 0..<20)
    func `random text has too many marks where it has them character by character`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for round in 0..<500 {
            let marks = ["\u{301}", "\u{1DC0}", "\u{1D165}"].prefix(1 + round % 3)
            var text = ""
            for _ in 0..<Int.random(in: 0...4, using: &generator) {
                text += String(repeating: "a\u{E9}", count: Int.random(in: 0...40, using: &generator))
                for _ in 0..<Int.random(in: 0...45, using: &generator) {
                    text += marks.randomElement(using: &generator) ?? ""
                }
            }
            try #require(exceedLimit(Array(text.utf8)) == naive(text), "seed \(seed), round \(round)")
        }
    }
}
