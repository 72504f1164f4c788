import Foundation
import MultipartFormCodec
import TestSupport
import Testing

@Suite struct ParseConformanceTests {
    static let names = Fixtures.names(in: "conformance/parse")

    @Test(arguments: [ParsingMode.lenient, .strict])
    func `a case holds however the message is cut`(mode: ParsingMode) {
        for name in Self.names {
            #expect(throws: Never.self, "\(name)") { try expectOutcome(ofCase: name, mode) }
        }
    }

    private func expectOutcome(ofCase name: String, _ mode: ParsingMode) throws {
        let expected = try Fixtures.json(ParseCase.self, "conformance/parse/\(name).json")
        let body = try Fixtures.data("conformance/parse/\(name).body")
        let boundary: Boundary
        do {
            boundary = try Boundary(contentType: expected.contentType, mode: mode)
        } catch {
            let outcome = ParseCase.Outcome(parts: nil, error: error.code.description)
            #expect(outcome == expected.outcome(mode), "\(name)")
            return
        }
        let options = expected.options(mode)
        let parser = MultipartParser(boundary: boundary, options: options)
        let whole = ParsedMessage([body], by: parser)
        #expect(whole.outcome == expected.outcome(mode), "\(name)")

        // Every split of a long body would take minutes: take those near its ends and every 397th.
        let ways =
            body.count <= 1500
            ? ChunkSplitter.everyWay(body)
            : [1, 2, 3, 7].map { ChunkSplitter.pieces(of: body, size: $0) }
                + (0..<body.count).filter { $0 < 100 || $0 > body.count - 100 || $0 % 397 == 0 }
                .map { ChunkSplitter.halves(of: body, at: $0) }
        for (index, chunks) in ways.enumerated() {
            let isHalved = chunks.count == 2
            // Each two-way split is lent to the parser in one mode, and appended in the other.
            let isLent = index.isMultiple(of: 2) == (mode == .strict)
            if !isHalved || !isLent {
                let cut = ParsedMessage(chunks, by: parser)
                try #require(cut == whole, "cut in \(chunks.count), the first of \(chunks.first?.count ?? 0)")
            }
            guard !isHalved || isLent else { continue }
            let borrowed = ParsedMessage(borrowing: chunks, by: parser)
            try #require(borrowed == whole, "borrowed, cut in \(chunks.count)")
        }
    }
}
