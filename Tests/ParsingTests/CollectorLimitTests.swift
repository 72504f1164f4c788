import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// How a collected form is counted, and which of several limits is reported.
@Suite(.timeLimit(.minutes(10))) struct CollectorLimitTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private static let boundary = Boundary("b")

    /// The ways to collect a message.
    enum Way: CaseIterable {
        case pushed, asynchronousSequence
        #if FullFoundation
            case stream
        #endif
    }

    private func collect(
        _ message: Data,
        by way: Way,
        chunksOf size: Int,
        _ options: MultipartCollector.Options,
        _ route: @escaping @Sendable (HeaderFields) throws -> MultipartCollector.Route
    ) async throws -> MultipartFormData {
        let boundary = Self.boundary
        let chunks = ChunkSplitter.pieces(of: message, size: size)
        var options = options
        options.temporaryDirectory = directory.url
        switch way {
        case .pushed:
            var collector = MultipartCollector(boundary: boundary, options: options, route: route)
            for chunk in chunks { try collector.append(chunk) }
            return try collector.finish()
        case .asynchronousSequence:
            return try await MultipartFormData(
                collecting: ChunkSource(chunks),
                contentType: boundary.contentType,
                options: options,
                route: route
            )
        #if FullFoundation
            case .stream:
                return try MultipartFormData(
                    collecting: InputStream(data: message),
                    contentType: boundary.contentType,
                    options: options,
                    route: route
                )
        #endif
        }
    }

    /// A field and a file of ten bytes each, in sections of 44 and 58 bytes.
    private static var message: Data {
        Data(
            """
            --b\r\nContent-Disposition: form-data; name="a"\r\n\r\n0123456789\r\n\
            --b\r\nContent-Disposition: form-data; name="f"; filename="x"\r\n\r\n0123456789\r\n\
            --b--\r\n
            """.utf8
        )
    }

    /// The memory that both count for, without their content: the sections, 16 bytes for each field, and 512.
    private static let overhead: Int = 44 + 58 + 2 * (16 + 512)
    private static let fieldOverhead: Int = 44 + 16 + 512

    /// A limit of the collector that the message just keeps, and the error when it is one less.
    struct Trial: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let options: @Sendable (Int) -> MultipartCollector.Options
        let exact: Int
        let error: String
        var route: @Sendable (HeaderFields) throws -> MultipartCollector.Route = { _ in .accept }
    }

    static let trials = [
        Trial(
            testDescription: "maxFieldBytes",
            options: { MultipartCollector.Options(maxFieldBytes: $0) },
            exact: 10,
            error: "limit-part-bytes 58 0 a 9"
        ),
        Trial(
            testDescription: "maxMemoryBytes, of content",
            options: { MultipartCollector.Options(maxMemoryBytes: $0) },
            exact: overhead + 20,
            error: "limit-memory-bytes 133 1 f \(overhead + 19)",
            route: { _ in .memory(upTo: .max) }
        ),
        Trial(
            testDescription: "maxMemoryBytes, of a header section",
            options: { MultipartCollector.Options(maxMemoryBytes: $0) },
            exact: fieldOverhead + 10,
            error: "limit-memory-bytes 58 0 a 581",
            route: { $0.name == "a" ? .memory(upTo: .max) : .skip }
        ),
        Trial(
            testDescription: "maxMemoryBytes, of files on disk",
            options: { MultipartCollector.Options(maxMemoryBytes: $0, diskThreshold: 0) },
            exact: overhead + 512 + 10,
            error: "limit-memory-bytes 124 1 f \(overhead + 512 + 9)"
        ),
        Trial(
            testDescription: "maxDiskBytes",
            options: { MultipartCollector.Options(maxDiskBytes: $0, diskThreshold: 3) },
            exact: 10,
            error: "limit-disk-bytes 133 1 f 9"
        ),
    ]

    @Test(arguments: trials, Way.allCases)
    func `the collector accepts exactly its limit and not one byte more`(trial: Trial, way: Way) async throws {
        for size in [1, 2, 3, 7, 65_536] {
            let message = Self.message
            let exact = trial.options(trial.exact)
            _ = try await collect(message, by: way, chunksOf: size, exact, trial.route)
            #expect(directory.contents.isEmpty)
            do {
                _ = try await collect(message, by: way, chunksOf: size, trial.options(trial.exact - 1), trial.route)
                Issue.record("collected in chunks of \(size)")
            } catch {
                #expect(NaiveCollector.description(of: error) == trial.error, "chunks of \(size)")
            }
            #expect(directory.contents.isEmpty)
        }
    }

    /// Limits that are reached at the same byte, or near it, in any combination.
    @Test(arguments: 0..<6)
    func `of several limits the first is the error, as the naive collector has it, in any chunks`(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        for round in 0..<250 {
            let file = Bool.random(using: &generator) ? "; filename=\"x\"" : ""
            let head = "Content-Disposition: form-data; name=\"f\"\(file)\r\n\r\n"
            let message = Data("--b\r\n\(head)\(String(repeating: "x", count: 40))\r\n--b--\r\n".utf8)
            let overhead = head.utf8.count + 16 + 512
            func room() -> Int? { [nil, nil, nil, nil, 0, 10, 19, 20, 30].randomElement(using: &generator) ?? nil }
            let routes: [MultipartCollector.Route] = [.accept, .memory(upTo: .max), .disk(upTo: .max)]
            var route = routes.randomElement(using: &generator) ?? .accept
            route.limit = room()
            // Without the second part of a file's overhead, with it, and with all of the content.
            let memories = [nil, nil, overhead, overhead + 15, overhead + 25, overhead + 512, overhead + 527]
            let options = MultipartCollector.Options(
                parser: .init(maxPartBytes: room(), maxTotalBytes: room().map { 5 + head.utf8.count + $0 }),
                maxFieldBytes: room() ?? .max,
                maxMemoryBytes: (memories.randomElement(using: &generator) ?? nil) ?? .max,
                maxDiskBytes: room() ?? .max,
                diskThreshold: room() ?? .max,
                temporaryDirectory: directory.url
            )
            var naive = NaiveCollector(boundary: Self.boundary, options: options) { [route] _ in route }
            let expected = naive.collect(message)
            for size in [1, 50, 1000] {
                let outcome = outcome(ChunkSplitter.pieces(of: message, size: size), options) { [route] _ in route }
                try #require(outcome == expected, "round \(round), chunks of \(size): \(route), \(options)")
            }
        }
    }

    private func outcome(
        _ chunks: [Data],
        _ options: MultipartCollector.Options,
        _ route: @escaping @Sendable (HeaderFields) throws -> MultipartCollector.Route
    ) -> NaiveCollector.Outcome {
        do {
            var collector = MultipartCollector(boundary: Self.boundary, options: options, route: route)
            for chunk in chunks { try collector.append(chunk) }
            return .parts(try NaiveCollector.parts(of: collector.finish()))
        } catch {
            return .error(NaiveCollector.description(of: error))
        }
    }

    // Limits that the program does not set.

    /// A message with a file of a length.
    private static func message(fileOf length: Int) -> Data {
        let disposition = "Content-Disposition: form-data; name=\"f\"; filename=\"x\""
        return Data("--b\r\n\(disposition)\r\n\r\n\(String(repeating: "x", count: length))\r\n--b--\r\n".utf8)
    }

    private static let defaults: MultipartCollector.Options = {
        var options = MultipartCollector.Options(diskThreshold: 3)
        options.defaults.partBytes = 20
        options.defaults.totalBytes = 120
        options.defaults.diskBytes = 20
        return options
    }()

    @Test(arguments: Way.allCases, [MultipartCollector.Route.disk(upTo: 500), .memory(upTo: 500)])
    func `a part may be as long as its route allows`(way: Way, route: MultipartCollector.Route) async throws {
        for size in [1, 7, 65_536] {
            let message = Self.message(fileOf: 500)
            let form = try await collect(message, by: way, chunksOf: size, Self.defaults) { _ in route }
            #expect(form[0].length == 500)
            await #expect(throws: MultipartError(.limitPartBytes, offset: 563, partIndex: 0)) {
                try await collect(Self.message(fileOf: 501), by: way, chunksOf: size, Self.defaults) { _ in route }
            }
        }
    }

    @Test(arguments: Way.allCases)
    func `a part whose route has no limit keeps to the defaults`(way: Way) async throws {
        for route in [MultipartCollector.Route.accept, .skip] {
            for size in [1, 7, 65_536] {
                _ = try await collect(Self.message(fileOf: 20), by: way, chunksOf: size, Self.defaults) { _ in route }
                await #expect(throws: MultipartError(.limitPartBytes, offset: 83, partIndex: 0)) {
                    try await collect(Self.message(fileOf: 21), by: way, chunksOf: size, Self.defaults) { _ in route }
                }
            }
        }
    }

    @Test(arguments: Way.allCases)
    func `what the program sets is a limit for all parts`(way: Way) async throws {
        let limits: [(MultipartError.Code, @Sendable (inout MultipartCollector.Options) -> Void)] = [
            (.limitPartBytes, { $0.parser.maxPartBytes = 99 }), (.limitTotalBytes, { $0.parser.maxTotalBytes = 160 }),
            (.limitDiskBytes, { $0.maxDiskBytes = 99 }),
        ]
        for (code, limit) in limits {
            var options = Self.defaults
            limit(&options)
            for size in [1, 7, 65_536] {
                do {
                    let message = Self.message(fileOf: 100)
                    _ = try await collect(message, by: way, chunksOf: size, options) { _ in .disk(upTo: 500) }
                    Issue.record("collected")
                } catch {
                    #expect((error as? MultipartError)?.code == code)
                }
            }
        }
    }

    @Test func `the default limit of a message does not depend on the chunks`() async throws {
        let skipped = "--b\r\nContent-Disposition: form-data; name=\"s\"\r\n\r\n012\r\n--c\r\n"
        let tail = "--b\r\nX\r\n\r\n"
        let first = Data(skipped.utf8) + Self.message
        let messages = [first, first + Data("epilogue".utf8), first.dropLast(6), first.dropLast(6) + Data(tail.utf8)]
        for message in messages {
            for total in 0...message.count + 1 {
                var options = MultipartCollector.Options(temporaryDirectory: directory.url)
                options.defaults.totalBytes = total
                for limit in [0, 12, 40] {
                    let route: @Sendable (HeaderFields) throws -> MultipartCollector.Route = { headers in
                        headers.name == "s" ? .skip : headers.name == "f" ? .disk(upTo: limit) : .accept
                    }
                    var naive = NaiveCollector(boundary: Self.boundary, options: options, policy: route)
                    let expected = naive.collect(message)
                    for size in [1, 50] {
                        let chunks = ChunkSplitter.pieces(of: message, size: size)
                        let outcome = outcome(chunks, options, route)
                        try #require(outcome == expected, "\(total) bytes, \(limit) in a file, chunks of \(size)")
                    }
                }
            }
        }
    }

    @Test func `a negative disk threshold is 0 where a file on disk does not fit in memory`() throws {
        let disposition = "Content-Disposition: form-data; name=\"f\"; filename=\"x\"\r\n\r\n"
        let message = Data("--b\r\n\(disposition)0123456789\r\n--b--\r\n".utf8)
        let expected = MultipartError(.limitMemoryBytes, offset: UInt64(5 + disposition.utf8.count), partIndex: 0)
        for threshold in [0, -1, -1000] {
            let options = MultipartCollector.Options(
                maxMemoryBytes: 750,
                diskThreshold: threshold,
                temporaryDirectory: directory.url
            )
            #expect(throws: expected, "\(threshold)") {
                try MultipartFormData(pushing: [message], contentType: Self.boundary.contentType, options: options)
            }
        }
    }

    @Test func `header sections count for the memory that they take`() throws {
        let boundary = Self.boundary
        let value = String(repeating: "x", count: 16_000)
        let section = "Content-Disposition: form-data; name=\"a\"\r\nX: \(value)\r\n\r\n"
        let options = MultipartCollector.Options(parser: MultipartParser.Options(maxParts: .max))
        var collector = MultipartCollector(boundary: boundary, options: options)
        var count = 0
        let error = #expect(throws: MultipartError.self) {
            for _ in 0..<10_000 {
                try collector.append(Data("--b\r\n\(section)\r\n".utf8))
                count += 1
            }
        }
        #expect(error?.code == .limitMemoryBytes)
        // The first part that does not fit in 16 MiB.
        #expect(error?.partIndex == (16 << 20) / (section.utf8.count + 2 * 16 + 512))
        #expect(error?.partIndex == count)
    }

    @Test func `a file name is not decoded again for each chunk`() throws {
        let boundary = Self.boundary
        let name = String(repeating: "%F0%9F%98%80", count: 1330)
        let head = "--b\r\nContent-Disposition: form-data; name=a; filename*=utf-8''\(name)\r\n\r\n"
        let body = Data(repeating: 120, count: 64 << 10)
        for threshold: Int in [0, .max] {
            let options = MultipartCollector.Options(diskThreshold: threshold, temporaryDirectory: directory.url)
            var collector = MultipartCollector(boundary: boundary, options: options)
            try collector.append(Data(head.utf8))
            // Decoding the name for each chunk would take minutes.
            for byte in body { try collector.append(CollectionOfOne(byte)) }
            try collector.append(Data("\r\n--b--\r\n".utf8))
            let form = try collector.finish()
            #expect(try form.first?.data() == body)
            #expect(form.first?.filename?.count == 1330)
        }
    }

    @Test(arguments: [[1000, 0], [1000, 20, 0], [20, 1000], [0, 1000, 20]])
    func `a chunk's bytes are read once, so they may change`(counts: [Int]) async throws {
        let boundary = Self.boundary
        let seen = Self.message.prefix(counts[0])
        let expected = ParsedMessage([seen], boundary: boundary)

        var collector = MultipartCollector(boundary: boundary)
        try collector.append(ChangingBytes(Self.message, counts: counts))
        #expect((try? collector.finish().count) == (expected.isComplete ? 2 : nil))

        let chunks = AsyncStream<ChangingBytes> { continuation in
            continuation.yield(ChangingBytes(Self.message, counts: counts))
            continuation.finish()
        }
        var bodies: [Data] = []
        do {
            for try await part in try chunks.multipartParts(contentType: boundary.contentType) {
                for try await bytes in part.body { bodies.append(bytes) }
            }
        } catch let error as MultipartError {
            #expect(error == expected.error)
        }
        #expect(bodies == expected.parts.map(\.body).filter { !$0.isEmpty })

        let form = try? MultipartFormData(
            pushing: [ChangingBytes(Self.message, counts: counts)],
            contentType: boundary.contentType
        )
        #expect(form?.count == (expected.isComplete ? 2 : nil))
    }

    @Test(arguments: trials, [-1, Int.min])
    func `a negative limit is a limit of 0`(trial: Trial, limit: Int) async throws {
        for way in Way.allCases {
            var errors: [String?] = []
            for limit in [0, limit] {
                do {
                    _ = try await collect(Self.message, by: way, chunksOf: 7, trial.options(limit), trial.route)
                } catch {
                    errors.append(NaiveCollector.description(of: error))
                }
            }
            #expect(errors.count == 2 && errors.first == errors.last)
        }
    }

    @Test(arguments: [-1, Int.min])
    func `a negative limit of a route is a limit of 0`(limit: Int) async throws {
        for way in Way.allCases {
            let error = await #expect(throws: MultipartError.self) {
                _ = try await collect(Self.message, by: way, chunksOf: 7, MultipartCollector.Options()) { _ in
                    .disk(upTo: limit)
                }
            }
            #expect(error?.code == .limitPartBytes && error?.limit == 0)
        }
    }
}
