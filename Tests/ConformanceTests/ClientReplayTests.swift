import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// The bodies that clients sent, recorded by `Tests/Interop/Capture`.
@Suite struct ClientReplayTests {
    @Test(arguments: [ParsingMode.lenient, .strict])
    func `a recorded body is read as it was sent, however it is cut`(mode: ParsingMode) {
        for (number, recording) in Recording.all.enumerated() {
            #expect(throws: Never.self, "\(recording)") { try expectOutcome(of: recording, number, mode) }
        }
    }

    private func expectOutcome(of recording: Recording, _ number: Int, _ mode: ParsingMode) throws {
        let boundary = try Boundary(contentType: recording.contentType, mode: mode)
        let parser = MultipartParser(boundary: boundary, options: MultipartParser.Options(mode: mode))
        let whole = ParsedMessage([recording.body], by: parser)
        // Recordings leave headers out: they are the client's choice.
        let outcome = ParseCase.Outcome(parts: whole.outcome.parts?.map(\.withoutHeaders), error: whole.outcome.error)
        #expect(outcome == recording.outcome(mode), "\(recording)")
        // Bodies with the same form are alike: in each of them, every eighth two-way split is tested.
        let turn = 2 * number + (mode == .strict ? 1 : 0)
        let ways = ChunkSplitter.everyWay(recording.body).enumerated().filter { index, chunks in
            chunks.count != 2 || (index + turn).isMultiple(of: 8)
        }
        for (_, chunks) in ways {
            let cut = ParsedMessage(chunks, by: parser)
            try #require(cut == whole, "cut in \(chunks.count), the first of \(chunks.first?.count ?? 0)")
        }
    }
}
