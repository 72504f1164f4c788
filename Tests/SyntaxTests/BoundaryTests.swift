import MultipartFormCodec
import TestSupport
import Testing

@Suite struct BoundaryTests {
    @Test func `a random boundary has the promised shape and never repeats`() {
        var seen: Set<Boundary> = []
        for _ in 0..<1000 {
            let boundary = Boundary.random()
            #expect(boundary.description.wholeMatch(of: /-{16}[0-9A-Za-z]{24}/) != nil)
            #expect(boundary.contentType == "multipart/form-data; boundary=\(boundary)")
            seen.insert(boundary)
        }
        #expect(seen.count == 1000)
    }

    @Test func `every letter and digit occurs in random boundaries`() {
        let letters = Set((0..<500).flatMap { _ in Boundary.random().description.utf8.dropFirst(16) })
        #expect(letters.count == 62)
    }

    @Test func `a seeded generator repeats its boundary`() {
        var first = SeededGenerator(seed: 1)
        var second = SeededGenerator(seed: 1)
        #expect(Boundary.random(using: &first) == Boundary.random(using: &second))
        #expect(Boundary.random(using: &first) == Boundary.random(using: &second))
    }

    /// Repeats one number, and fails the test that draws far more of them than a boundary needs.
    private struct ConstantGenerator: RandomNumberGenerator {
        let value: UInt64
        private(set) var draws = 0

        init(_ value: UInt64) {
            self.value = value
        }

        mutating func next() -> UInt64 {
            draws += 1
            guard draws > 10_000 else { return value }
            Issue.record("\(draws) draws of \(value)")
            return 0
        }
    }

    @Test(arguments: [0, 1, .max, .max - 1, 0xFBEF_BEFB_EFBE_FBEF, 62, 63] as [UInt64])
    func `every generator gives a boundary of the promised shape`(value: UInt64) {
        var generator = ConstantGenerator(value)
        let boundary = Boundary.random(using: &generator)
        #expect(boundary.description.wholeMatch(of: /-{16}[0-9A-Za-z]{24}/) != nil)
    }

    /// A number that has one value in each six bits, the first in the lowest; one value alone is in all.
    private static func number(of values: UInt64...) -> UInt64 {
        (0..<10).reduce(0) { $0 | values[$1 % values.count] << UInt64(6 * $1) }
    }

    @Test func `a generator is called at most 67 times, and three times if its numbers are letters`() {
        for (value, draws) in [(0, 3), (61, 3), (62, 67), (63, 67)] as [(UInt64, Int)] {
            var generator = ConstantGenerator(Self.number(of: value))
            _ = Boundary.random(using: &generator)
            #expect(generator.draws == draws, "\(value)")
        }
    }

    @Test func `each six bits of a number are a letter, from the lowest`() {
        let rows: [(UInt64, String)] = [
            (Self.number(of: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9), "012345678901234567890123"),
            (Self.number(of: 10, 35, 36, 61, 9), "AZaz9AZaz9AZaz9AZaz9AZaz"),
            // Two of the 64 values have no letter, until a generator seems to have no other.
            (Self.number(of: 62, 1, 63, 2, 3), "123123123123123123123123"),
            (Self.number(of: 62), "000000000000000000000000"), (Self.number(of: 63), "111111111111111111111111"),
        ]
        for (value, text) in rows {
            var generator = ConstantGenerator(value)
            let boundary = Boundary.random(using: &generator)
            #expect(boundary.description == "----------------\(text)", "\(value)")
        }
    }

    @Test func `content is searched for every boundary but a random one of the system`() throws {
        var generator = SeededGenerator(seed: 3)
        let random = Boundary.random()
        for boundary in [Boundary.random(using: &generator), try Boundary(parsing: random.description), "B"] {
            let form = MultipartFormData([BodyPart("\r\n--\(boundary)", name: "a")], boundary: boundary)
            #expect(throws: MultipartError(.boundaryCollision, partIndex: 0), "\(boundary)") { try form.encode() }
        }
        let form = MultipartFormData([BodyPart("\r\n--\(random)", name: "a")], boundary: random)
        #expect(throws: Never.self) { try form.encode() }
    }

    @Test func `a good generator gives every letter and digit equally often`() {
        var generator = SeededGenerator(seed: 7)
        var counts: [UInt8: Int] = [:]
        for _ in 0..<10_000 {
            for letter in Boundary.random(using: &generator).description.utf8.dropFirst(16) {
                counts[letter, default: 0] += 1
            }
        }
        let mean = 240_000 / 62.0
        // Pearson's test with 61 degrees of freedom: a uniform source exceeds 120 once in 100,000 seeds.
        let deviation = counts.values.reduce(0) { $0 + (Double($1) - mean) * (Double($1) - mean) / mean }
        #expect(counts.count == 62)
        #expect(deviation < 120)
    }

    private static let refused = [
        "", " ", "a ", "a@b", "b\u{E9}", "a\r\nb", "a\"b", "a;b", "a,b", String(repeating: "x", count: 71),
    ]

    @Test(arguments: refused)
    func `a boundary that may not be sent is refused`(text: String) {
        #expect(throws: MultipartError(.invalidBoundary, offset: 0)) { try Boundary(parsing: text, mode: .strict) }
    }

    @Test(arguments: ["1", "a b", "a'()+_-./:=?", String(repeating: "x", count: 70)])
    func `a boundary that may be sent round-trips through its text and its Content-Type`(text: String) throws {
        let boundary = try Boundary(parsing: text, mode: .strict)
        #expect(boundary.description == text)
        for mode in [ParsingMode.lenient, .strict] {
            #expect(try Boundary(contentType: boundary.contentType, mode: mode) == boundary)
        }
    }

    /// The 75 `bchars` (RFC 2046 §5.1.1) without the comma.
    private static let allowed = Set(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'()+_-./:=? ".utf8
    )

    @Test func `a boundary to send has the characters of its grammar but the comma, and no others`() throws {
        #expect(Self.allowed.count == 74)
        for byte in UInt8(0)..<128 {
            for start in ["x", "x'", "x'("] {
                let text = "\(start)\(Unicode.Scalar(byte))x"
                let boundary = try? Boundary(parsing: text)
                #expect((boundary != nil) == Self.allowed.contains(byte), "\(byte)")
                #expect(boundary == nil || boundary?.bytes == Array(text.utf8), "\(byte)")
            }
        }
    }

    @Test func `a boundary that a peer sent has any characters but controls`() {
        for byte in UInt8(0)..<128 {
            let boundary = try? Boundary(parsing: "x\(Unicode.Scalar(byte))x", mode: .lenient)
            #expect((boundary != nil) == (byte >= 0x20 && byte != 0x7F), "\(byte)")
        }
        #expect(throws: Never.self) { try Boundary(parsing: "\u{80}\u{E9}\u{1F600}", mode: .lenient) }
    }

    @Test func `a boundary has at most 70 bytes to send, and 256 if a peer sent it`() throws {
        for (mode, longest) in [(ParsingMode.strict, 70), (.lenient, 256)] {
            for count in [1, longest] {
                let text = String(repeating: "x", count: count)
                #expect(try Boundary(parsing: text, mode: mode).description == text, "\(mode) \(count)")
            }
            let long = String(repeating: "x", count: longest + 1)
            #expect { try Boundary(parsing: long, mode: mode) } throws: {
                "\($0)" == "boundary has \(longest + 1) bytes, more than \(longest) (at offset 0)"
            }
        }
        // In bytes, not in characters.
        let letters = String(repeating: "\u{E9}", count: 128)
        #expect(throws: Never.self) { try Boundary(parsing: letters, mode: .lenient) }
        #expect(throws: MultipartError(.invalidBoundary, offset: 0)) {
            try Boundary(parsing: "\(letters)x", mode: .lenient)
        }
    }

    @Test func `white space at the end is removed from a boundary that a peer sent`() throws {
        for (text, boundary) in [("a \t \t", "a"), (" a", " a"), ("a b ", "a b")] {
            #expect(try Boundary(parsing: text, mode: .lenient).description == boundary)
        }
        // What is left counts.
        let padded = String(repeating: "x", count: 256) + "  "
        #expect(try Boundary(parsing: padded, mode: .lenient).bytes.count == 256)
        #expect { try Boundary(parsing: " \t", mode: .lenient) } throws: {
            "\($0)" == "boundary is empty (at offset 0)"
        }
    }

    @Test func `the first reason against a boundary is reported`() {
        let long = String(repeating: "@", count: 71)
        let rows: [(String, String)] = [
            (" ", "boundary ends with a space"), ("@ ", "boundary ends with a space"),
            ("\(long) ", "boundary has 72 bytes, more than 70"), (long, "boundary has 71 bytes, more than 70"),
            ("a,@", "boundary has a forbidden character, \",\""),
            ("a\t", "boundary has a forbidden character, 0x09"),
            ("\u{7F}", "boundary has a forbidden character, 0x7F"),
            ("\u{1F}", "boundary has a forbidden character, 0x1F"),
            ("\u{10}", "boundary has a forbidden character, 0x10"),
            ("\u{F}", "boundary has a forbidden character, 0x0F"),
            ("\u{80}", "boundary has a forbidden character, 0xC2"),
            ("~", "boundary has a forbidden character, \"~\""),
        ]
        for (text, reason) in rows {
            #expect { try Boundary(parsing: text) } throws: {
                "\($0)" == "\(reason) (at offset 0)"
            }
        }
    }

    @Test func `boundaries are equal by their bytes, wherever they are from`() throws {
        let random = Boundary.random()
        let copy = try Boundary(parsing: random.description)
        #expect(random == copy && random.hashValue == copy.hashValue)
        #expect("a" as Boundary != "b" && "a" as Boundary != "A")
        #expect(("a" as Boundary).hashValue != ("b" as Boundary).hashValue)
        let composed = try Boundary(parsing: "\u{E9}", mode: .lenient)
        #expect(try composed != Boundary(parsing: "e\u{301}", mode: .lenient))
    }

    @Test func `a delimiter begins with two hyphens`() {
        #expect(("a b" as Boundary).dashBoundary == Array("--a b".utf8))
    }

    @Test(arguments: ["a\"b\\c", "b\u{E9}", "a;b"])
    func `a boundary that only lenient mode accepts round-trips in lenient mode`(text: String) throws {
        let boundary = try Boundary(parsing: text, mode: .lenient)
        #expect(try Boundary(contentType: boundary.contentType) == boundary)
        #expect(throws: MultipartError.self) { try Boundary(contentType: boundary.contentType, mode: .strict) }
    }

    @Test(arguments: [
        ("", "malformed-content-type"), ("multipart", "malformed-content-type"), ("/x", "malformed-content-type"),
        ("multipart/", "malformed-content-type"), ("multipart/form-data x", "malformed-content-type"),
        ("multipart/form-data; boundary=a\"b", "malformed-content-type"),
        ("text/plain; x=\"", "unsupported-media-type"),
        ("multipart/form-data; =x; boundary=b", "malformed-content-type"),
    ])
    func `an invalid Content-Type is refused with its code`(value: String, code: String) {
        for mode in [ParsingMode.lenient, .strict] {
            #expect { try Boundary(contentType: value, mode: mode) } throws: {
                ($0 as? MultipartError)?.code.description == code
            }
        }
    }

    @Test func `a literal is a boundary, and one that may not be sent is a precondition failure`() async {
        let boundary: Boundary = "snapshot"
        #expect(boundary.description == "snapshot")
        #expect(MultipartFormData(boundary: "a b").contentType == "multipart/form-data; boundary=\"a b\"")
        await #expect(processExitsWith: .failure) { _ = "a " as Boundary }
        await #expect(processExitsWith: .failure) { _ = "" as Boundary }
    }

    @Test func `a stored boundary is parsed again`() throws {
        let boundary = Boundary.random()
        #expect(try Boundary(parsing: boundary.description) == boundary)
        #expect(try Boundary(parsing: "a \t", mode: .lenient).description == "a")
        #expect(throws: MultipartError(.invalidBoundary, offset: 0)) { try Boundary(parsing: "a ") }
    }

    @Test(arguments: [
        ("", "boundary is empty"), ("a ", "boundary ends with a space"),
        (String(repeating: "x", count: 71), "boundary has 71 bytes, more than 70"),
        ("a@b", "boundary has a forbidden character, \"@\""), ("a\r\nb", "boundary has a forbidden character, 0x0D"),
    ])
    func `the error of a boundary says what is wrong with it`(text: String, reason: String) {
        #expect { try Boundary(parsing: text) } throws: { "\($0)" == "\(reason) (at offset 0)" }
        let error = #expect(throws: MultipartError.self) {
            try MultipartFormData(boundary: Boundary(parsing: "a@b", mode: .lenient)).encode()
        }
        #expect(error?.description == "boundary has a forbidden character, \"@\"")
    }

    @Test(
        arguments: [
            (nil, "message has no Content-Type field"),
            ("application/json", "media type is \"application/json\", not multipart/form-data"),
            ("multipart/mixed; boundary=b", "media type is \"multipart/mixed\", not multipart/form-data"),
        ] as [(String?, String)]
    )
    func `the error of another media type says which one it is`(contentType: String?, reason: String) {
        #expect { try Boundary(contentType: contentType) } throws: { "\($0)" == "\(reason) (at offset 0)" }
    }
}
