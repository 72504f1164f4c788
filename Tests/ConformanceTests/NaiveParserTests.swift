import Foundation
import MultipartFormCodec
import TestSupport
import Testing

@Suite struct NaiveParserTests {
    @Test(arguments: [ParsingMode.lenient, .strict])
    func `the naive references alone pass the cases, but for limits`(mode: ParsingMode) throws {
        for name in ParseConformanceTests.names {
            let expected = try Fixtures.json(ParseCase.self, "conformance/parse/\(name).json")
            guard !(expected.outcome(mode).error ?? "").hasPrefix("limit-") else { continue }
            let body = try Fixtures.data("conformance/parse/\(name).body")
            let outcome = naiveOutcome(body, contentType: expected.contentType, mode: mode)
            #expect(outcome == expected.outcome(mode), "\(name)")
        }
    }

    @Test(arguments: [ParsingMode.lenient, .strict])
    func `the naive references alone read what clients sent`(mode: ParsingMode) {
        for sent in Recording.all {
            let outcome = naiveOutcome(sent.body, contentType: sent.contentType, mode: mode)
            let parts = outcome.parts?.map(\.withoutHeaders)
            #expect(ParseCase.Outcome(parts: parts, error: outcome.error) == sent.outcome(mode), "\(sent)")
        }
    }

    @Test func `the naive references alone read encoded forms as they were made`() throws {
        var generator = SeededGenerator(seed: 23)
        let directory = try TemporaryDirectory()
        var refused = 0
        for round in 0..<400 {
            let random = try RandomForm(using: &generator, directory: directory)
            let message = try random.form.encode()
            for mode in [ParsingMode.lenient, .strict] {
                let outcome = naiveOutcome(message, contentType: random.form.contentType, mode: mode)
                let error = mode == .strict ? random.strictError?.description : nil
                try #require(outcome.error == error, "round \(round)")
                if error == nil { try #require(outcome.parts?.map(\.withoutHeaders) == random.expected) }
                refused += error == nil ? 0 : 1
            }
        }
        #expect(refused > 40)
    }

    @Test func `the naive parser reads what it accepts alike in both modes`() throws {
        var generator = SeededGenerator(seed: 99)
        var accepted = 0
        for round in 0..<4000 {
            let message = MessageMangler.message(boundary: "BND", using: &generator)
            let strict = NaiveParser(message, boundary: "BND", mode: .strict).parse()
            guard strict.error == nil else { continue }
            accepted += 1
            try #require(NaiveParser(message, boundary: "BND", mode: .lenient).parse() == strict, "round \(round)")
        }
        #expect(accepted > 100)
    }

    /// The outcome by the naive references, from the Content-Type field on.
    private func naiveOutcome(_ body: Data, contentType: String, mode: ParsingMode) -> ParseCase.Outcome {
        switch NaiveContentType(contentType, mode: mode).boundary() {
        case .success(let boundary):
            NaiveParser(body, boundary: String(decoding: boundary, as: UTF8.self), mode: mode).parse()
        case .failure(let failure): ParseCase.Outcome(parts: nil, error: failure.code)
        }
    }

    @Test(arguments: 0..<40)
    func `the parser and the naive one agree on mangled messages`(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        for round in 0..<100 {
            let boundary = ["b", "BND", "aabaa", "-", "--x", "b'c"].randomElement(using: &generator) ?? "b"
            let message = MessageMangler.message(boundary: boundary, using: &generator)
            for mode in [ParsingMode.lenient, .strict] {
                let expected = NaiveParser(message, boundary: boundary, mode: mode).parse()
                let chunks = ChunkSplitter.random(message, longest: 40, using: &generator)
                // Strict mode refuses the boundary of a hyphen before it reads the message.
                guard let boundary = try? Boundary(parsing: boundary, mode: mode) else { continue }
                let whole = ParsedMessage([message], boundary: boundary, options: MultipartParser.Options(mode: mode))
                let cut = ParsedMessage(chunks, boundary: boundary, options: MultipartParser.Options(mode: mode))
                try #require(
                    whole.outcome == expected && cut == whole,
                    "seed \(seed), round \(round), \(mode): \(message.base64EncodedString())"
                )
            }
        }
    }

    @Test(arguments: ["-", "--", "aabaa", "-a--a", "ab--ab"])
    func `a preamble of pieces of the delimiter hides no part`(_ text: String) throws {
        var generator = SeededGenerator(seed: 12)
        let boundary = try Boundary(parsing: text, mode: .lenient)
        let pieces = ["-", "--", "\r\n", "\n", "a", "b", "--" + text.dropLast(), "\r\n--" + text.dropLast()]
        var found = 0
        for _ in 0..<150 {
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
