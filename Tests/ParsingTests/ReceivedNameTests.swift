import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// Names that strict mode refuses in every entry point, with whatever error.
@Suite struct ReceivedNameTests {
    @Test(arguments: ["name=\"\u{FEFF}\"", "name=\"\u{FEFF}a\"", "name=\"a\"; filename=\"\u{FEFF}\""])
    func `strict mode refuses a byte order mark at the beginning of a name, also if nothing follows it`(
        parameters: String
    ) async throws {
        let message = Data("--b\r\nContent-Disposition: form-data; \(parameters)\r\n\r\nx\r\n--b--\r\n".utf8)
        let directory = try TemporaryDirectory()
        let boundary = try Boundary(parsing: "b", mode: .strict)
        for size in [1, 7, 65_536] {
            let chunks = ChunkSplitter.pieces(of: message, size: size)
            for mode in [ParsingMode.lenient, .strict] {
                let options = MultipartParser.Options(mode: mode)
                for (way, parsed) in try await ParsingEntryPoints.all(
                    chunks,
                    boundary: boundary,
                    options: options,
                    directory: directory
                ) {
                    #expect((parsed.error == nil) == (mode == .lenient), "\(way), \(mode), chunks of \(size)")
                }
            }
        }
    }
}
