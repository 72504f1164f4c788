import Foundation
import MultipartFormCodec
import TestSupport

/// Many requests through one process: memory must not grow and no descriptor may stay open.
enum Soak {
    /// The number of requests that warm the process up.
    static let warmUp = 40_000
    /// The number of equal spans in which the growth after that is measured.
    static let spans = 8
    /// How much resident memory may grow in bytes, in the span that is the third from the least.
    ///
    /// A leak grows in every span. An allocator grows in some: by megabytes for a thread's arena, and by some hundred
    /// KiB as small blocks come to lie between large ones.
    static let bar = 160 << 10

    static func run(count: Int, seed: Int) async throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let directory = try TemporaryDirectory()
        let warmUp = min(Soak.warmUp, count / 2)
        let span = (count - warmUp) / spans
        var descriptors = 0
        var residents: [Int] = []
        var accepted = 0
        for index in 1...count {
            accepted += try await request(using: &generator, directory) ? 1 : 0
            if index == warmUp { descriptors = OpenDescriptors.count }
            if index >= warmUp, (index - warmUp).isMultiple(of: span) {
                residents.append(ProcessStatus.residentBytes)
                print("\(index) requests: \(ProcessStatus.residentBytes >> 10) KiB resident")
            }
        }
        let growths = zip(residents, residents.dropFirst()).map { $1 - $0 }.sorted()
        let growth = growths[growths.count / 4]
        let leaked = OpenDescriptors.count - descriptors
        print("\(count) requests, seed \(seed), \(accepted) accepted")
        print("growth in the lower quartile of \(growths.count) spans of \(span) requests: \(growth >> 10) KiB")
        print("descriptors left open: \(leaked); files left behind: \(directory.contents.count)")
        guard growth <= bar else { Hostile.fail("memory grew") }
        guard leaked == 0 else { Hostile.fail("descriptors leaked") }
        guard directory.contents.isEmpty else { Hostile.fail("files are left") }
        guard accepted > count / 20, accepted < count else { Hostile.fail("the requests are all alike") }
    }

    /// Parses a mangled message or round-trips a form; returns whether it was well-formed.
    private static func request(
        using generator: inout SeededGenerator,
        _ directory: TemporaryDirectory
    ) async throws -> Bool {
        let text = ["b", "BND", "aabaa", "-"].randomElement(using: &generator) ?? "b"
        if Int.random(in: 0..<4, using: &generator) == 0 {
            return try await roundTrip(using: &generator, directory)
        }
        var message = MessageMangler.message(boundary: text, using: &generator)
        if Int.random(in: 0..<50, using: &generator) == 0 {
            message.insert(
                contentsOf: Data(count: Int.random(in: 0..<200_000, using: &generator)),
                at: message.count / 2
            )
        }
        let mode = Bool.random(using: &generator) ? ParsingMode.lenient : .strict
        // Strict mode refuses the boundary of a hyphen before it reads the message.
        guard let boundary = try? Boundary(parsing: text, mode: mode) else { return false }
        let chunks = ChunkSplitter.random(message, longest: message.count > 5000 ? 50_000 : 40, using: &generator)
        return try await read(
            chunks,
            message,
            boundary,
            MultipartParser.Options(mode: mode),
            using: &generator,
            directory
        )
    }

    /// Parses a message with a random API.
    private static func read(
        _ chunks: [Data],
        _ message: Data,
        _ boundary: Boundary,
        _ options: MultipartParser.Options,
        using generator: inout SeededGenerator,
        _ directory: TemporaryDirectory
    ) async throws -> Bool {
        switch Int.random(in: 0..<40, using: &generator) {
        case 0:
            // As parts, and collected in memory and on disk.
            let entryPoints = try await ParsingEntryPoints.all(
                chunks,
                boundary: boundary,
                options: options,
                directory: directory
            )
            return entryPoints.allSatisfy { $0.message.error == nil }
        case 1..<3:
            let file = try directory.write(message, as: "message")
            defer { try? FileManager.default.removeItem(at: file) }
            let form = try? await MultipartFormData(
                parsingFileAt: file,
                contentType: boundary.contentType,
                inMemoryUpTo: 100,
                options: options
            )
            for part in form ?? MultipartFormData() { _ = try part.data() }
            return form != nil
        case 3..<10:
            let contentType = boundary.contentType
            return (try? MultipartFormData(parsing: message, contentType: contentType, options: options)) != nil
        case 10..<24:
            return ParsedMessage(borrowing: chunks, boundary: boundary, options: options).error == nil
        default:
            return ParsedMessage(chunks, boundary: boundary, options: options).error == nil
        }
    }

    /// Encodes a random form with a random API, and parses it.
    private static func roundTrip(
        using generator: inout SeededGenerator,
        _ directory: TemporaryDirectory
    ) async throws -> Bool {
        let made = try RandomForm(using: &generator, directory: directory)
        defer { try? directory.clear() }
        let encoded: Data
        switch Int.random(in: 0..<20, using: &generator) {
        case 0:
            let url = directory.url.appendingPathComponent("output")
            try await made.form.writeEncodedData(to: url)
            encoded = try Data(contentsOf: url)
        case 1:
            encoded = try await EncodingEntryPoints.encoded(made.form, inMemoryUpTo: 0, directory: directory.url)
        case 2:
            let entryPoints = try await EncodingEntryPoints.inMemory(made.form)
            encoded = entryPoints[0].bytes
            guard entryPoints.allSatisfy({ $0.bytes == encoded }) else { Hostile.fail("two entryPoints differ") }
        case 3..<7:
            encoded = try EncodingEntryPoints.pieces(made.form, size: Int.random(in: 1...300, using: &generator))
        default:
            encoded = try made.form.encode()
        }
        let chunks = ChunkSplitter.random(encoded, longest: 300, using: &generator)
        return ParsedMessage(chunks, boundary: made.form.boundary, options: .strict).error == nil
    }
}
