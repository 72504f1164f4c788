import MultipartFormCodec
import TestSupport
import Testing

@Suite struct StringUTF8Tests {
    private static func expectAgreement(_ bytes: [UInt8], _ context: Comment) throws {
        let expected = String(decoding: bytes, as: UTF8.self)
        let repaired = String(repairing: ContiguousArray(bytes).span)
        try #require(Array(repaired.utf8) == Array(expected.utf8), context)
        // What is not UTF-8 has been replaced.
        try #require(String.isUTF8(ContiguousArray(bytes).span) == (Array(expected.utf8) == bytes), context)
    }

    @Test func `every pair of bytes is repaired as the standard library repairs it`() throws {
        for first in UInt8.min...UInt8.max {
            for second in UInt8.min...UInt8.max { try Self.expectAgreement([first, second], "\(first), \(second)") }
        }
    }

    @Test func `every edge of the table is repaired as the standard library repairs it`() throws {
        let edges: [UInt8] = [
            0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF,
            0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
        ]
        for first in edges {
            for second in edges {
                for third in edges {
                    try Self.expectAgreement([first, second, third], "\(first), \(second), \(third)")
                }
            }
        }
    }

    @Test func `the first and the last character of each length and first byte are valid`() throws {
        let numbers: [UInt32] = [
            0x7F, 0x80, 0x7FF, 0x800, 0xFFF, 0x1000, 0xCFFF, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x3FFFF, 0x40000, 0x7FFFF,
            0x80000, 0xBFFFF, 0xC0000, 0xFFFFF, 0x100000, 0x10FFFF,
        ]
        for number in numbers {
            let bytes = Array(String(try #require(Unicode.Scalar(number))).utf8)
            try Self.expectAgreement(bytes, "\(number)")
            try Self.expectAgreement(bytes + [0x80], "\(number)")
            try Self.expectAgreement(Array(bytes.dropLast()) + [0x41], "\(number)")
        }
    }

    @Test(arguments: 0..<10)
    func `random bytes are repaired as the standard library repairs them`(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        for round in 0..<500 {
            let alphabet: [UInt8] = [0x41, 0x80, 0x8F, 0x9F, 0xA0, 0xBF, 0xC3, 0xE0, 0xED, 0xF0, 0xF4, 0xFF]
            let count = Int.random(in: 0...40, using: &generator)
            let bytes = (0..<count).map { _ in alphabet.randomElement(using: &generator) ?? 0 }
            try Self.expectAgreement(bytes, "seed \(seed), round \(round)")
        }
    }

    @Test func `an empty input gives an empty text`() throws {
        try Self.expectAgreement([], "no bytes")
    }
}
