import Foundation
import MultipartFormCodec
import TestSupport
import Testing

@Suite struct RoundTripTests {
    @Test(arguments: 0..<50)
    func `every parser reads back what every encoder writes, in any chunks`(seed: Int) async throws {
        var generator = SeededGenerator(seed: UInt64(seed) &* 7919)
        let directory = try TemporaryDirectory()
        for round in 0..<15 {
            let random = try RandomForm(using: &generator, directory: directory)
            let context: Comment = "seed \(seed), round \(round)"
            let encoded = try random.form.encode()
            // Files are slow: their entry points get one form of each seed, the others all.
            let entryPoints =
                round == 0
                ? try await EncodingEntryPoints.all(random.form) : try await EncodingEntryPoints.inMemory(random.form)
            for (entryPoint, bytes) in entryPoints {
                try #require(bytes == encoded, "\(context), \(entryPoint)")
            }
            let size = Int.random(in: 1...300, using: &generator)
            try #require(try EncodingEntryPoints.pieces(random.form, size: size) == encoded, context)
            if let length = random.form.encodedLength { try #require(length == UInt64(encoded.count), context) }
            let chunks = ChunkSplitter.random(encoded, longest: 60, using: &generator)
            for mode in [ParsingMode.lenient, .strict] {
                let message = ParsedMessage(
                    chunks,
                    boundary: random.form.boundary,
                    options: MultipartParser.Options(mode: mode)
                )
                try #require(message.error?.code == (mode == .strict ? random.strictError : nil), context)
                guard message.error == nil else { continue }
                try #require(message.isComplete, context)
                try #require(message.outcome.parts?.map(\.withoutHeaders) == random.expected, context)
                guard round == 0 else { continue }
                let read = try await ParsingEntryPoints.all(
                    chunks,
                    boundary: random.form.boundary,
                    options: MultipartParser.Options(mode: mode),
                    directory: directory
                )
                for (entryPoint, message) in read {
                    let context: Comment = "\(context), \(entryPoint)"
                    try #require(message.error == nil && message.isComplete, context)
                    try #require(message.outcome.parts?.map(\.withoutHeaders) == random.expected, context)
                }
            }
        }
    }

    @Test(arguments: 0..<10)
    func `a received form is encoded to the same bytes, wherever its content is kept`(seed: Int) async throws {
        var generator = SeededGenerator(seed: UInt64(seed) &+ 1000)
        let directory = try TemporaryDirectory()
        for round in 0..<10 {
            let random = try RandomForm(using: &generator, directory: directory)
            let encoded = try random.form.encode()
            let mode: ParsingMode = random.strictError == nil ? .strict : .lenient
            for (place, form) in try received(encoded, random.form.boundary, mode, directory) {
                let context: Comment = "seed \(seed), round \(round), \(place)"
                try #require(try form.encode() == encoded, context)
                // All entry points are slow: one form for each seed.
                guard round == 0 else { continue }
                for (entryPoint, bytes) in try await EncodingEntryPoints.all(form) {
                    try #require(bytes == encoded, "\(context), \(entryPoint)")
                }
            }
            let context: Comment = "seed \(seed), round \(round)"
            let passedOn = try passedOn(random, using: &generator)
            try #require(
                try await EncodingEntryPoints.chunks(passedOn, size: Int.random(in: 1...99, using: &generator))
                    == encoded,
                context
            )
        }
    }

    /// A message's form, with its content in memory, in ranges of a file, and in temporary files.
    private func received(
        _ message: Data,
        _ boundary: Boundary,
        _ mode: ParsingMode,
        _ directory: TemporaryDirectory
    ) throws -> [(place: String, form: MultipartFormData)] {
        let file = try directory.write(message, as: "message")
        let options = MultipartParser.Options(mode: mode)
        var result = [
            ("memory", try MultipartFormData(parsing: message, contentType: boundary.contentType, options: options))
        ]
        for threshold in [0, 20] {
            let form = try MultipartFormData(
                parsingFileAt: file,
                contentType: boundary.contentType,
                inMemoryUpTo: threshold,
                options: options
            )
            result.append(("file above \(threshold)", form))
        }
        var collector = MultipartCollector(
            boundary: boundary,
            options: MultipartCollector.Options(parser: options, temporaryDirectory: directory.url)
        ) { _ in .disk(upTo: .max) }
        try collector.append(message)
        result.append(("temporary files", try collector.finish()))
        return result
    }

    /// The same form from content that can be read once: sequences and streams.
    private func passedOn(
        _ random: RandomForm,
        using generator: inout SeededGenerator
    ) throws -> MultipartFormData {
        var form = MultipartFormData(boundary: random.form.boundary)
        for part in random.expected {
            let name = try #require(part.name)
            if Bool.random(using: &generator) {
                let chunks = ChunkSource(ChunkSplitter.random(part.body, longest: 60, using: &generator))
                let length = Bool.random(using: &generator) ? UInt64(part.body.count) : nil
                form.append(
                    BodyPart(chunks, length: length, name: name, filename: part.filename, contentType: part.contentType)
                )
            } else {
                form.append(
                    InputStream(data: part.body),
                    withLength: UInt64(part.body.count),
                    name: name,
                    fileName: part.filename,
                    mimeType: part.contentType
                )
            }
        }
        return form
    }
}
