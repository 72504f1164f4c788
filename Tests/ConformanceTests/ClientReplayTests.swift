import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// The bodies that clients sent, recorded by `Tests/Interop/Capture`.
@Suite struct ClientReplayTests {
    @Test(arguments: [ParsingMode.lenient, .strict])
    func `a recorded body is read as it was sent, however it is cut`(mode: ParsingMode) {
        for recording in Recording.all {
            #expect(throws: Never.self, "\(recording)") { try expectOutcome(of: recording, mode) }
        }
    }

    private func expectOutcome(of recording: Recording, _ mode: ParsingMode) throws {
        let boundary = try Boundary(contentType: recording.contentType, mode: mode)
        let parser = MultipartParser(boundary: boundary, options: MultipartParser.Options(mode: mode))
        let whole = ParsedMessage([recording.body], by: parser)
        // Recordings leave headers out: they are the client's choice.
        let outcome = ParseCase.Outcome(parts: whole.outcome.parts?.map(\.withoutHeaders), error: whole.outcome.error)
        #expect(outcome == recording.outcome(mode), "\(recording)")
        // Both modes read the same parts: each two-way split is tested in one of them.
        let ways = ChunkSplitter.everyWay(recording.body).enumerated().filter { index, chunks in
            chunks.count != 2 || index.isMultiple(of: 2) == (mode == .strict)
        }
        for (_, chunks) in ways {
            let cut = ParsedMessage(chunks, by: parser)
            try #require(cut == whole, "cut in \(chunks.count), the first of \(chunks.first?.count ?? 0)")
        }
    }
}
