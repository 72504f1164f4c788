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

    @Test(arguments: ["", " ", "a ", "a@b", "b\u{E9}", "a\r\nb", "a\"b", "a;b", String(repeating: "x", count: 71)])
    func `what senders may not use is refused`(text: String) {
        #expect(Boundary(text) == nil)
    }

    @Test(arguments: ["0", "a b", "'()+_,-./:=?", String(repeating: "x", count: 70)])
    func `what senders may use round-trips through its text and its Content-Type`(text: String) throws {
        let boundary = try #require(Boundary(text))
        #expect(boundary.description == text)
        for mode in [ParsingMode.lenient, .strict] {
            #expect(try Boundary(contentType: boundary.contentType, mode: mode) == boundary)
        }
    }

    @Test(arguments: ["a\"b\\c", "b\u{E9}", "a;b"])
    func `what only lenient mode reads round-trips in lenient mode`(text: String) throws {
        let boundary = try Boundary(text, mode: .lenient)
        #expect(try Boundary(contentType: boundary.contentType) == boundary)
        #expect(throws: MultipartParsingError.self) { try Boundary(contentType: boundary.contentType, mode: .strict) }
    }

    @Test(arguments: [
        ("", "malformed-content-type"), ("multipart", "malformed-content-type"), ("/x", "malformed-content-type"),
        ("multipart/", "malformed-content-type"), ("multipart/form-data x", "malformed-content-type"),
        ("multipart/form-data; boundary=a\"b", "malformed-content-type"),
        ("text/plain; x=\"", "unsupported-media-type"),
        ("multipart/form-data; =x; boundary=b", "malformed-content-type"),
    ])
    func `a Content-Type that is none is refused with its code`(value: String, code: String) {
        for mode in [ParsingMode.lenient, .strict] {
            #expect { try Boundary(contentType: value, mode: mode) } throws: {
                ($0 as? MultipartParsingError)?.code.rawValue == code
            }
        }
    }
}
