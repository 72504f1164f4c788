import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// The bodies that clients sent, recorded by `Tests/Interop/Capture`.
@Suite struct ClientReplayTests {
    @Test(arguments: [ParsingMode.lenient, .strict])
    func `a recorded body is read as it was sent, in chunks of any size`(mode: ParsingMode) {
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
        for size in [1, 2, 3, 7] {
            let cut = ParsedMessage(ChunkSplitter.pieces(of: recording.body, size: size), by: parser)
            try #require(cut == whole, "chunks of \(size)")
        }
    }
}
