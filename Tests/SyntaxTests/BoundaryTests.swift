import MultipartForm
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
        private var draws = 0

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

    @Test(arguments: ["0", "a b", "'()+_-./:=?", String(repeating: "x", count: 70)])
    func `a boundary that may be sent round-trips through its text and its Content-Type`(text: String) throws {
        let boundary = try Boundary(parsing: text, mode: .strict)
        #expect(boundary.description == text)
        for mode in [ParsingMode.lenient, .strict] {
            #expect(try Boundary(contentType: boundary.contentType, mode: mode) == boundary)
        }
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
    func `the error of a boundary says what is wrong with it`(text: String, fact: String) {
        #expect { try Boundary(parsing: text) } throws: { "\($0)" == "\(fact) (at offset 0)" }
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
    func `the error of another media type says which one it is`(contentType: String?, fact: String) {
        #expect { try Boundary(contentType: contentType) } throws: { "\($0)" == "\(fact) (at offset 0)" }
    }
}
