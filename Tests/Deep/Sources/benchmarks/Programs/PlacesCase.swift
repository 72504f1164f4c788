import Foundation
import MultipartFormCodec

/// Reads parts from tasks that run in different places, and files of 4 KiB, compared with the parser beneath.
struct PlacesCase: BenchmarkCase {
    var name: String { "parts" }

    func run(_ settings: Settings) throws -> [BenchmarkResult] {
        let large = ParseShape.random.makeInput(settings.scale)
        let files = ParseShape.files.makeInput(settings.scale)
        return try Awaited.Place.allCases.map {
            try measure(large, chunk: Programs.chunkSize, $0.rawValue, $0, settings)
        } + [
            measure(large, chunk: 4096, "pool", .pool, settings),
            measure(files, chunk: Programs.chunkSize, "files-4k", .pool, settings),
        ]
    }

    private func measure(
        _ input: ParseInput,
        chunk: Int,
        _ entry: String,
        _ place: Awaited.Place,
        _ settings: Settings
    ) throws -> BenchmarkResult {
        let chunks = Programs.chunks(of: input, size: chunk)
        let push = ParseEntry.data.prepare(input, chunk: chunk)
        let parts = input.parts
        let parser = Operation(name: "parser") { try push(true).check(parts: parts, messages: 1) }
        let operation = Operation(name: entry) {
            try Awaited.run(place) { try await Programs.readParts(chunks, parts) }
        }
        let comparison = try Comparison(operation, against: [parser], runs: settings.runs)
        return BenchmarkResult(
            name,
            entry: entry,
            chunk: chunk,
            bytes: input.bytes.count,
            parts: parts,
            comparison
        )
    }
}
