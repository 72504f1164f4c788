import Foundation
import MultipartForm
import TestSupport
import Testing

/// The bodies that clients sent, recorded by `Tests/Interop/Capture`.
@Suite struct ClientReplayTests {
    static let names = Fixtures.folders(in: "clients").flatMap { folder in
        Fixtures.names(in: "clients/\(folder)").map { "\(folder)/\($0)" }
    }

    @Test func `the recordings are there`() {
        #expect(Fixtures.folders(in: "clients").count >= 14)
        #expect(Self.names.count >= 600)
    }

    @Test(arguments: names, [ParsingMode.lenient, .strict])
    func `a recorded body is read as it was sent, however it is cut`(name: String, mode: ParsingMode) throws {
        let expected = try Fixtures.json(ParseCase.self, "clients/\(name).json")
        let body = try Fixtures.data("clients/\(name).body")
        let boundary = try Boundary(contentType: expected.contentType, mode: mode)
        let whole = ParsedMessage([body], boundary: boundary, options: MultipartParser.Options(mode: mode))
        // Recordings leave headers out: they are the client's choice.
        let outcome = ParseCase.Outcome(parts: whole.outcome.parts?.map(\.withoutHeaders), error: whole.outcome.error)
        #expect(outcome == expected.outcome(mode))
        for chunks in ChunkSplitter.everyWay(body) {
            let cut = ParsedMessage(chunks, boundary: boundary, options: MultipartParser.Options(mode: mode))
            try #require(cut == whole, "cut in \(chunks.count), the first of \(chunks.first?.count ?? 0)")
        }
    }
}
