import Foundation
import MultipartFormCodec

/// Collects and saves a file that arrives in an asynchronous sequence, compared with pushing the same chunks to a
/// collector, which writes them on the thread that pushes.
struct ArrivingFileCase: BenchmarkCase {
    var name: String { "arriving-file" }

    func run(_ settings: Settings) throws -> [BenchmarkResult] {
        let input = ParseShape.random.makeInput(settings.scale)
        return try [16 * 1024, Programs.chunkSize].flatMap { try measure(input, chunk: $0, settings) }
    }

    private func measure(_ input: ParseInput, chunk: Int, _ settings: Settings) throws -> [BenchmarkResult] {
        let chunks = Programs.chunks(of: input, size: chunk)
        let saved = settings.directory.file("saved")
        let remove = { _ = unlink(saved.path) }
        defer { remove() }
        let directory = settings.directory.url
        let push = Operation(name: "pushed") { try Programs.push(chunks, directory) }
        let operations = [
            Operation(name: "collected") { try Awaited.run { try await Programs.collectFile(chunks, directory) } },
            Operation(name: "saved", prepare: remove) { try Awaited.run { try await Programs.save(chunks, saved) } },
        ]
        return try operations.map { operation in
            let comparison = try Comparison(operation, against: [push], runs: settings.runs)
            return BenchmarkResult(
                name,
                entry: operation.name,
                chunk: chunk,
                bytes: input.bytes.count,
                parts: 1,
                comparison
            )
        }
    }
}

extension Programs {
    private static func options(_ directory: URL) -> MultipartCollector.Options {
        MultipartCollector.Options(maxDiskBytes: .max, temporaryDirectory: directory)
    }

    private static let route: @Sendable (HeaderFields) -> MultipartCollector.Route = { _ in .disk(upTo: .max) }

    fileprivate static func push(_ chunks: ChunkSequence, _ directory: URL) throws {
        var collector = try MultipartCollector(contentType: contentType, options: options(directory), route: route)
        for chunk in chunks.chunks { try collector.append(chunk) }
        try check(collector.finish().count, 1)
    }

    fileprivate static func collectFile(_ chunks: ChunkSequence, _ directory: URL) async throws {
        let form = try await MultipartFormData(
            collecting: chunks,
            contentType: contentType,
            options: options(directory),
            route: route
        )
        try check(form.count, 1)
    }

    fileprivate static func save(_ chunks: ChunkSequence, _ file: URL) async throws {
        for try await part in try chunks.multipartParts(contentType: contentType) {
            try await part.save(to: file, upTo: .max)
        }
    }
}
