import Foundation
import MultipartForm
import TestSupport
import Testing

@Suite struct RoundTripTests {
    /// What a message holds, in the form of the cases.
    private func parts(_ message: ParsedMessage) -> [CasePart] {
        message.parts.map { part in
            CasePart(
                name: part.headers.name,
                filename: part.headers.filename,
                contentType: part.headers.contentType,
                headers: [],
                body: part.body
            )
        }
    }

    @Test(arguments: 0..<50)
    func `what is encoded is parsed back, by every way out, any chunks and every way in`(seed: Int) async throws {
        var generator = SeededGenerator(seed: UInt64(seed) &* 7919)
        let directory = try TemporaryDirectory()
        for round in 0..<400 {
            let random = try RandomForm(using: &generator, directory: directory)
            let context: Comment = "seed \(seed), round \(round)"
            let encoded = try random.form.encode()
            // Files are slow: those outlets see a thousand forms, the others all.
            let outlets = round % 20 == 0 ? try await Outlets.all(random.form) : try await Outlets.inMemory(random.form)
            for (outlet, bytes) in outlets {
                try #require(bytes == encoded, "\(context), \(outlet)")
            }
            let size = Int.random(in: 1...300, using: &generator)
            try #require(try Outlets.pieces(random.form, size: size) == encoded, context)
            if let length = random.form.encodedLength { try #require(length == UInt64(encoded.count), context) }
            let chunks = ChunkSplitter.random(encoded, longest: 60, using: &generator)
            for mode in [ParsingMode.lenient, .strict] {
                let message = ParsedMessage(chunks, boundary: random.form.boundary, mode: mode)
                try #require(message.error == nil, context)
                try #require(message.isComplete, context)
                try #require(parts(message) == random.expected, context)
                guard round % 20 == 0 else { continue }
                let read = try await Inlets.all(
                    chunks,
                    boundary: random.form.boundary,
                    mode: mode,
                    directory: directory
                )
                for (inlet, message) in read {
                    try #require(message.error == nil && message.isComplete, "\(context), \(inlet)")
                    try #require(parts(message) == random.expected, "\(context), \(inlet)")
                }
            }
        }
    }

    @Test(arguments: 0..<10)
    func `a parsed form encodes to the same bytes`(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed) &+ 1000)
        let directory = try TemporaryDirectory()
        for round in 0..<40 {
            let random = try RandomForm(using: &generator, directory: directory)
            let encoded = try random.form.encode()
            let parsed = try MultipartFormData(parsing: encoded, contentType: random.form.contentType, mode: .strict)
            try #require(try parsed.encode() == encoded, "seed \(seed), round \(round)")
            let file = try directory.write(encoded, as: "message")
            for threshold: UInt64 in [0, 20, .max] {
                let read = try MultipartFormData(
                    parsingFileAt: file,
                    boundary: random.form.boundary,
                    mode: .strict,
                    inMemoryUpTo: threshold
                )
                try #require(try read.encode() == encoded, "seed \(seed), round \(round), threshold \(threshold)")
            }
        }
    }
}
