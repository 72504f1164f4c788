import Foundation
import MultipartFormCodec
import TestSupport
import Testing

@Suite struct StreamConformanceTests {
    @Test(arguments: [ParsingMode.lenient, .strict])
    func `a case holds for every entry point`(mode: ParsingMode) async throws {
        let directory = try TemporaryDirectory()
        for name in ParseConformanceTests.names {
            await #expect(throws: Never.self, "\(name)") {
                try await expectOutcome(ofCase: name, mode, directory)
            }
        }
    }

    private func expectOutcome(ofCase name: String, _ mode: ParsingMode, _ directory: TemporaryDirectory) async throws {
        let expected = try Fixtures.json(ParseCase.self, "conformance/parse/\(name).json")
        let body = try Fixtures.data("conformance/parse/\(name).body")
        guard let boundary = try? Boundary(contentType: expected.contentType, mode: mode) else { return }
        let options = expected.options(mode)
        let whole = ParsedMessage([body], boundary: boundary, options: options)
        // Both modes use the same entry points: each small size is tested in one of them.
        for size in [mode == .strict ? 3 : 1, 65536] {
            let chunks = ChunkSplitter.pieces(of: body, size: size)
            let entryPoints =
                size < 65536
                ? try await ParsingEntryPoints.all(chunks, boundary: boundary, options: options, directory: directory)
                : try await ParsingEntryPoints.ofChunks(
                    chunks,
                    boundary: boundary,
                    options: options,
                    directory: directory
                )
            for (entryPoint, message) in entryPoints {
                try #require(message.error == whole.error, "\(entryPoint), pieces of \(size)")
                if message.error == nil { try #require(message == whole, "\(entryPoint), pieces of \(size)") }
            }
            for (entryPoint, message) in entryPoints where entryPoint.hasPrefix("parts") {
                // Parts before an error are delivered.
                try #require(message.parts == whole.parts, "\(entryPoint), pieces of \(size)")
            }
            try #require(directory.contents.isEmpty)
        }
    }

    @Test(arguments: 0..<20)
    func `every entry point parses an encoded form back`(seed: Int) async throws {
        var generator = SeededGenerator(seed: UInt64(seed) &* 104_729)
        let files = try TemporaryDirectory()
        let directory = try TemporaryDirectory()
        for round in 0..<10 {
            let random = try RandomForm(using: &generator, directory: files)
            let encoded = try random.form.encode()
            let chunks = ChunkSplitter.random(encoded, longest: 60, using: &generator)
            for mode in [ParsingMode.lenient, .strict] {
                let entryPoints = try await ParsingEntryPoints.all(
                    chunks,
                    boundary: random.form.boundary,
                    options: MultipartParser.Options(mode: mode),
                    directory: directory
                )
                for (entryPoint, message) in entryPoints {
                    let context: Comment = "seed \(seed), round \(round), \(entryPoint)"
                    try #require(message.error?.code == (mode == .strict ? random.strictError : nil), context)
                    guard message.error == nil else { continue }
                    try #require(message.outcome.parts?.map(\.withoutHeaders) == random.expected, context)
                }
            }
            try #require(directory.contents.isEmpty)
        }
    }
}
