import Foundation
import MultipartForm
import TestSupport
import Testing

@Suite struct ParseConformanceTests {
    static let names = Fixtures.names(in: "conformance/parse")

    @Test func `the parser cases are there`() {
        #expect(Self.names.count >= 221)
    }

    @Test(arguments: names, [ParsingMode.lenient, .strict])
    func `a case holds however the message is cut`(name: String, mode: ParsingMode) throws {
        let expected = try Fixtures.json(ParseCase.self, "conformance/parse/\(name).json")
        let body = try Fixtures.data("conformance/parse/\(name).body")
        let boundary: Boundary
        do {
            boundary = try Boundary(contentType: expected.contentType, mode: mode)
        } catch {
            #expect(ParseCase.Outcome(parts: nil, error: error.code.description) == expected.outcome(mode))
            return
        }
        let options = expected.options(mode)
        let whole = ParsedMessage([body], boundary: boundary, options: options)
        #expect(whole.outcome == expected.outcome(mode))

        // Every split of a long body would take minutes: take those near its ends and every 97th.
        let ways =
            body.count <= 1500
            ? ChunkSplitter.everyWay(body)
            : [1, 2, 3, 7].map { ChunkSplitter.pieces(of: body, size: $0) }
                + (0..<body.count).filter { $0 < 300 || $0 > body.count - 300 || $0 % 97 == 0 }
                .map { ChunkSplitter.halves(of: body, at: $0) }
        for chunks in ways {
            let cut = ParsedMessage(chunks, boundary: boundary, options: options)
            try #require(cut == whole, "cut in \(chunks.count), the first of \(chunks.first?.count ?? 0)")
            let borrowed = ParsedMessage(borrowing: chunks, boundary: boundary, options: options)
            try #require(borrowed == whole, "borrowed, cut in \(chunks.count)")
        }
    }
}
