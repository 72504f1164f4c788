import Foundation
import MultipartForm
import TestSupport
import Testing

@Suite struct NaiveParserTests {
    @Test(arguments: ParseConformanceTests.names, [ParsingMode.lenient, .strict])
    func `the naive parser passes the cases without limits`(name: String, mode: ParsingMode) throws {
        let expected = try Fixtures.json(ParseCase.self, "conformance/parse/\(name).json")
        guard expected.limits == nil, !(expected.outcome(mode).error ?? "").hasPrefix("limit-"),
            let boundary = try? Boundary(contentType: expected.contentType, mode: mode)
        else { return }
        let body = try Fixtures.data("conformance/parse/\(name).body")
        let outcome = NaiveParser(body, boundary: boundary.description, mode: mode).parse()
        #expect(outcome == expected.outcome(mode))
    }

    @Test(arguments: 0..<40)
    func `the parser and the naive one agree on mangled messages`(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        for round in 0..<250 {
            let boundary = ["b", "BND", "aabaa", "-", "--x", "b'c"].randomElement(using: &generator) ?? "b"
            let message = MessageMangler.message(boundary: boundary, using: &generator)
            for mode in [ParsingMode.lenient, .strict] {
                let expected = NaiveParser(message, boundary: boundary, mode: mode).parse()
                let chunks = ChunkSplitter.random(message, longest: 40, using: &generator)
                let boundary = try Boundary(parsing: boundary, mode: mode)
                let whole = ParsedMessage([message], boundary: boundary, options: MultipartParser.Options(mode: mode))
                let context: Comment = "seed \(seed), round \(round), \(mode): \(message.base64EncodedString())"
                try #require(whole.outcome == expected, context)
                try #require(
                    ParsedMessage(chunks, boundary: boundary, options: MultipartParser.Options(mode: mode)) == whole,
                    context
                )
            }
        }
    }

    @Test(arguments: ["-", "--", "aabaa", "-a--a", "ab--ab"])
    func `a preamble of pieces of the delimiter hides no part`(_ text: String) throws {
        var generator = SeededGenerator(seed: 12)
        let boundary = try Boundary(parsing: text)
        let pieces = ["-", "--", "\r\n", "\n", "a", "b", "--" + text.dropLast(), "\r\n--" + text.dropLast()]
        var found = 0
        for _ in 0..<400 {
            let preamble = (0..<Int.random(in: 0..<8, using: &generator))
                .compactMap { _ in pieces.randomElement(using: &generator) }.joined()
            let part = "--\(text)\r\nContent-Disposition: form-data; name=n\r\n\r\nx\r\n--\(text)--\r\n"
            let message = Data((preamble + part).utf8)
            let expected = NaiveParser(message, boundary: text, mode: .lenient).parse()
            found += expected.parts?.count ?? 0
            for place in 0...message.count {
                let parsed = ParsedMessage([message.prefix(place), message.dropFirst(place)], boundary: boundary)
                try #require(parsed.outcome == expected, "\(preamble.debugDescription), cut at \(place)")
            }
        }
        #expect(found > 30)
    }

    @Test func `both modes read a message alike if strict mode accepts it`() throws {
        var generator = SeededGenerator(seed: 7)
        let boundary = try Boundary(parsing: "BND", mode: .strict)
        var accepted = 0
        for _ in 0..<4000 {
            let message = MessageMangler.message(boundary: "BND", using: &generator)
            let strict = ParsedMessage([message], boundary: boundary, options: .strict)
            guard strict.error == nil else { continue }
            accepted += 1
            try #require(ParsedMessage([message], boundary: boundary) == strict)
        }
        #expect(accepted > 100)
    }
}
