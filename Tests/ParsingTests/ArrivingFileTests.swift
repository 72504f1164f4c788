import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// Files that are written on another thread while the next bytes arrive. Results and errors are as if each chunk were
/// written before the next one is requested.
@Suite(.timeLimit(.minutes(10))) struct ArrivingFileTests {
    /// How much is written at once.
    private static let piece = 128 * 1024
    private static let chunkSizes = [4099, 65_536, piece - 1, piece, piece + 1, 1 << 20]

    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// A form with a field, a file and a field, and its message.
    private static func message(_ length: Int) throws -> (form: MultipartFormData, bytes: Data) {
        var form = MultipartFormData()
        form.append("Ada", withName: "a")
        var generator = SeededGenerator(seed: UInt64(length))
        form.append(generator.bytes(length), withName: "f", fileName: "x")
        form.append("Bob", withName: "b")
        return (form, try form.encode())
    }

    private func push(
        _ chunks: [Data],
        _ form: MultipartFormData,
        _ options: MultipartCollector.Options,
        _ route: @escaping @Sendable (HeaderFields) -> MultipartCollector.Route = { _ in .accept }
    ) throws -> MultipartFormData {
        var collector = MultipartCollector(boundary: form.boundary, options: options, route: route)
        for chunk in chunks { try collector.append(chunk) }
        return try collector.finish()
    }

    /// The error of a call; nil if it does not fail, or fails with another one.
    private func failure(of call: () async throws -> Void) async -> MultipartError? {
        do {
            try await call()
            return nil
        } catch {
            return error as? MultipartError
        }
    }

    /// Saves the parts of a message as they arrive, each under its name.
    private func save(_ chunks: ChunkSource<Data>, _ form: MultipartFormData, upTo limit: Int = .max) async throws {
        for try await part in try chunks.multipartParts(contentType: form.contentType) {
            let name = try #require(part.name)
            try await part.save(to: directory.url.appendingPathComponent(name), upTo: limit)
        }
    }

    /// Chunks that end at the file's first byte, or near it, and then after each `size` bytes: so also where a piece is
    /// full.
    private static func aligned(_ bytes: Data, of form: MultipartFormData, _ distance: Int, size: Int) throws -> [Data]
    {
        let disposition = try #require(bytes.range(of: Data("\"x\"".utf8))).upperBound
        let start = try #require(bytes.range(of: Data("\r\n\r\n".utf8), in: disposition..<bytes.count)).upperBound
        let parts = ChunkSplitter.halves(of: bytes, at: start + distance)
        return [parts[0]] + ChunkSplitter.pieces(of: parts[1], size: size)
    }

    @Test(arguments: [piece - 1, piece, piece + 1, 2 * piece, 2 * piece + 1, 3 * piece + 777])
    func `a file has its content, however the message is cut`(length: Int) async throws {
        let (form, bytes) = try Self.message(length)
        let sent = try form.map { try $0.data() }
        var cuts = Self.chunkSizes.map { ChunkSplitter.pieces(of: bytes, size: $0) }
        for size in [4096, 65_536, Self.piece] {
            for distance in [-1, 0, 1, 4096] {
                cuts.append(try Self.aligned(bytes, of: form, distance, size: size))
            }
        }
        var options = MultipartCollector.Options(temporaryDirectory: directory.url)
        for (index, chunks) in cuts.enumerated() {
            let comment: Comment = "cut \(index), \(chunks.count) chunks"
            options.diskThreshold = [65_536, 0, Self.piece][index % 3]
            var collected = try await [
                MultipartFormData(collecting: ChunkSource(chunks), contentType: form.contentType, options: options),
                push(chunks, form, options),
            ]
            // Other types of chunks are slow to read.
            if index % 6 == 1 {
                let arrays = ChunkSource(chunks.map(Array.init)), foreign = ChunkSource(chunks.map(ForeignBytes.init))
                collected += try await [
                    MultipartFormData(collecting: arrays, contentType: form.contentType, options: options),
                    MultipartFormData(collecting: foreign, contentType: form.contentType, options: options),
                ]
            }
            #expect(directory.contents.count <= collected.count && directory.openFileCount == 0, comment)
            for form in collected { #expect(try form.map { try $0.data() } == sent, comment) }
            try await save(ChunkSource(chunks), form)
            for (name, content) in zip(["a", "f", "b"], sent) { #expect(try directory.read(name) == content, comment) }
            collected = []
            #expect(directory.contents == ["a", "b", "f"], comment)
            try directory.clear()
        }
    }

    @Test func `short files are as long ones, at every split and byte by byte`() async throws {
        var form = MultipartFormData(boundary: "b")
        form.append("Ada", withName: "a")
        form.append(Data("\r\n--Bytes\r".utf8), withName: "f", fileName: "x")
        form.append(Data("0123456789".utf8), withName: "g", fileName: "y")
        let message = try form.encode()
        let sent = try form.map { try $0.data() }
        for threshold in [0, 3] {
            let options = MultipartCollector.Options(diskThreshold: threshold, temporaryDirectory: directory.url)
            for chunks in ChunkSplitter.everyWay(message) {
                let collected = try await MultipartFormData(
                    collecting: ChunkSource(chunks),
                    contentType: form.contentType,
                    options: options
                )
                #expect(try collected.map { try $0.data() } == sent, "\(chunks.map(\.count))")
            }
        }
        #expect(directory.contents.isEmpty && directory.openFileCount == 0)
    }

    @Test func `a long chunk does not overtake the bytes before it`() async throws {
        let (form, bytes) = try Self.message(5 * Self.piece + 777)
        let sent = try form.map { try $0.data() }
        let options = MultipartCollector.Options(diskThreshold: 100, temporaryDirectory: directory.url)
        for first in [2000, 50_000, Self.piece, Self.piece + 50_000] {
            let chunks = ChunkSplitter.halves(of: bytes, at: first)
            for _ in 0..<5 {
                let collected = try await MultipartFormData(
                    collecting: ChunkSource(chunks),
                    contentType: form.contentType,
                    options: options
                )
                #expect(try collected.map { try $0.data() } == sent, "first chunk of \(first)")
            }
        }
    }

    /// It no longer counts as memory of the form, which could fill up again while the disk is slow.
    @Test func `long content that moves to the disk is there before the next bytes are requested`() async throws {
        let threshold = 8 << 20
        let (form, bytes) = try Self.message(2 * threshold)
        let options = MultipartCollector.Options(diskThreshold: threshold, temporaryDirectory: directory.url)
        let sizes = Locked<[Int]>([])
        // The first chunk ends soon after the content has moved.
        let source = ChunkSource(ChunkSplitter.halves(of: bytes, at: threshold + 1000)) { [directory] _ in
            let names = directory.contents
            let size = try names.map { try FileManager.default.attributesOfItem(atPath: directory.path(of: $0)) }
                .reduce(0) { $0 + ($1[.size] as? Int ?? 0) }
            sizes.withLock { $0.append(size) }
        }
        let collected = try await MultipartFormData(collecting: source, contentType: form.contentType, options: options)
        #expect(try collected.map { try $0.data() } == form.map { try $0.data() })
        let moved = sizes.withLock { $0 }
        #expect(moved.count == 3 && moved[0] == 0 && moved[1] > threshold - 2 * Self.piece, "\(moved)")
    }

    @Test func `a message that is too long before a file's first byte creates no file`() async throws {
        let (form, bytes) = try Self.message(2 * Self.piece)
        let start = try #require(bytes.range(of: Data("\r\n\r\n".utf8), in: 200..<bytes.count)).upperBound
        let missing = directory.url.appendingPathComponent("missing")
        var options = MultipartCollector.Options(diskThreshold: 0, temporaryDirectory: missing)
        options.defaults.totalBytes = start
        for size in Self.chunkSizes {
            let chunks = ChunkSplitter.pieces(of: bytes, size: size)
            let collected = await failure {
                _ = try await MultipartFormData(
                    collecting: ChunkSource(chunks),
                    contentType: form.contentType,
                    options: options
                )
            }
            #expect(collected == MultipartError(.limitTotalBytes, offset: UInt64(start)), "chunks of \(size)")
        }
    }

    @Test func `a part that is too long to save fails at its limit, in each chunk`() async throws {
        let (form, bytes) = try Self.message(2 * Self.piece + 1000)
        let start = try #require(bytes.range(of: Data("\r\n\r\n".utf8), in: 200..<bytes.count)).upperBound
        for size in Self.chunkSizes {
            for limit in [3, 70_000, Self.piece - 1, Self.piece, Self.piece + 1, 2 * Self.piece + 999] {
                let source = ChunkSource(ChunkSplitter.pieces(of: bytes, size: size))
                let error = await failure { try await save(source, form, upTo: limit) }
                let expected = MultipartError(.limitPartBytes, offset: UInt64(start + limit), partIndex: 1)
                #expect(error == expected, "chunks of \(size), limit \(limit)")
                #expect(directory.contents == ["a"] && directory.openFileCount == 0)
                try directory.clear()
            }
        }
    }

    @Test func `a full disk is the first error, whatever fails after it, and leaves no file`() async {
        await #expect(processExitsWith: .success) {
            limitTime()
            let tests = try ArrivingFileTests()
            let (form, bytes) = try ArrivingFileTests.message(6 * 128 * 1024)
            // A limit can only be lowered.
            for limit in [786_431, 524_289, 524_288, 300_000, 262_144, 262_143, 100_000, 1] {
                try #require(limitFileSize(to: UInt64(limit)))
                for size in [4099, 65_536, 300_000, 1 << 20] {
                    let chunks = ChunkSplitter.pieces(of: bytes, size: size)
                    let sources = [
                        ChunkSource(chunks),
                        ChunkSource(chunks) { if $0 == chunks.count { throw POSIXError(.ECONNRESET) } },
                        ChunkSource(chunks + [Data("--\(form.boundary)?".utf8)]),
                    ]
                    for source in sources {
                        try await tests.expectFullDisk(source, form)
                    }
                }
            }
        }
    }

    private func expectFullDisk(_ source: ChunkSource<Data>, _ form: MultipartFormData) async throws {
        let options = MultipartCollector.Options(temporaryDirectory: directory.url)
        let collecting = await failure {
            _ = try await MultipartFormData(collecting: source, contentType: form.contentType, options: options)
        }
        try #require(collecting == MultipartError(.outputStreamWriteFailed, partIndex: 1))
        try #require(collecting?.partName == "f")
        try #require((collecting?.underlyingError as? POSIXError)?.code == .EFBIG)
        try #require(directory.contents.isEmpty && directory.openFileCount == 0)

        let saving = await failure {
            for try await part in try source.multipartParts(contentType: form.contentType) where part.name == "f" {
                try await part.save(to: directory.url.appendingPathComponent("f"), upTo: .max)
            }
        }
        try #require(saving == MultipartError(.outputStreamWriteFailed))
        try #require(saving?.path == directory.path(of: "f"))
        try #require((saving?.underlyingError as? POSIXError)?.code == .EFBIG)
        try #require(directory.contents.isEmpty && directory.openFileCount == 0)
    }

    @Test func `a full disk is the first error, even of bytes that were only kept`() async {
        await #expect(processExitsWith: .success) {
            limitTime()
            let tests = try ArrivingFileTests()
            let (form, bytes) = try ArrivingFileTests.message(6 * 128 * 1024)
            try #require(limitFileSize(to: 50_000))
            for (size, place) in [(4000, 20), (70_000, 1), (70_000, 2), (200_000, 1), (200_000, 3)] {
                let source = ChunkSource(ChunkSplitter.pieces(of: bytes, size: size)) {
                    if $0 == place { throw POSIXError(.ECONNRESET) }
                }
                try await tests.expectFullDisk(source, form)
            }
        }
    }

    @Test(arguments: 1...60)
    func `collecting chunks is as pushing them`(seed: Int) async throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        var form = MultipartFormData()
        for index in 0..<Int.random(in: 1...4, using: &generator) {
            let lengths = [0, 512, 65_536, Self.piece, 2 * Self.piece, 3 * Self.piece]
            let near = lengths.randomElement(using: &generator) ?? 0
            let length = max(0, near + Int.random(in: -2...2, using: &generator))
            form.append(
                generator.bytes(length),
                withName: "p\(index)",
                fileName: Bool.random(using: &generator) ? "x" : nil
            )
        }
        let chunks = try Self.randomChunks(of: form, using: &generator)
        let total = try form.encode().count
        let limits = [total, total / 2, Self.piece, 2 * Self.piece, 70_000, 1000]
        let choices: [MultipartCollector.Route] = [
            .accept, .accept, .disk(upTo: total), .disk(upTo: limits.randomElement(using: &generator) ?? 0), .skip,
            .memory(upTo: total),
        ]
        let routes = form.map { _ in choices.randomElement(using: &generator) ?? .accept }
        var options = MultipartCollector.Options(maxFieldBytes: total, temporaryDirectory: directory.url)
        if Bool.random(using: &generator) {
            options.maxDiskBytes = limits.randomElement(using: &generator)
            options.maxMemoryBytes = 4000 + (limits.randomElement(using: &generator) ?? 0)
        }
        let route: @Sendable (HeaderFields) -> MultipartCollector.Route = { headers in
            routes[Int(headers.name?.dropFirst() ?? "") ?? 0]
        }

        let pushed = await outcome { try push(chunks, form, options, route) }
        let contentType = form.contentType
        let collected = await [
            outcome {
                try await MultipartFormData(
                    collecting: ChunkSource(chunks),
                    contentType: contentType,
                    options: options,
                    route: route
                )
            },
            outcome {
                try await MultipartFormData(
                    collecting: ChunkSource(chunks.map(Array.init)),
                    contentType: contentType,
                    options: options,
                    route: route
                )
            },
        ]
        for result in collected { #expect(result == pushed, "seed \(seed)") }
        #expect(directory.contents.isEmpty && directory.openFileCount == 0)
    }

    /// A form's message in random chunks, half of the time also cut at and beside each place where a piece of a file
    /// may be full.
    private static func randomChunks(
        of form: MultipartFormData,
        using generator: inout SeededGenerator
    ) throws -> [Data] {
        let message = try form.encode()
        let longest = [3000, 70_000, 2 * piece, 1 << 22].randomElement(using: &generator) ?? 1
        var cuts: Set<Int> = [0]
        for chunk in ChunkSplitter.random(message, longest: longest, using: &generator) {
            cuts.insert((cuts.max() ?? 0) + chunk.count)
        }
        guard Bool.random(using: &generator) else { return pieces(of: message, at: cuts) }
        var end = 0
        while let start = message.range(of: Data("\r\n\r\n".utf8), in: end..<message.count)?.upperBound {
            let delimiter = Data("\r\n--\(form.boundary)".utf8)
            end = message.range(of: delimiter, in: start..<message.count)?.lowerBound ?? message.count
            for place in stride(from: start, through: end, by: piece) {
                cuts.insert(place + ([0, 0, 0, -1, 1].randomElement(using: &generator) ?? 0))
            }
        }
        return pieces(of: message, at: cuts)
    }

    private static func pieces(of message: Data, at cuts: Set<Int>) -> [Data] {
        let places = cuts.sorted()
        return zip(places, places.dropFirst()).map { Data(message[$0..<$1]) }
    }

    /// The contents of a form's parts, or the error.
    private struct Outcome: Equatable {
        var contents: [Data] = []
        var error: MultipartError?
        var text: String?
    }

    private func outcome(_ form: () async throws -> MultipartFormData) async -> Outcome {
        var outcome = Outcome()
        outcome.error = await failure { outcome.contents = try await form().map { try $0.data() } }
        outcome.text = outcome.error?.description
        return outcome
    }

    @Test func `a chunk whose bytes are contiguous only at first loses nothing`() async throws {
        let (form, bytes) = try Self.message(3 * Self.piece)
        let sent = try form.map { try $0.data() }
        let options = MultipartCollector.Options(temporaryDirectory: directory.url)
        for count in 0...5 {
            let chunks = ChunkSplitter.pieces(of: bytes, size: 300_000).map { FadingBytes($0, contiguousCalls: count) }
            let collected = try await MultipartFormData(
                collecting: ChunkSource(chunks),
                contentType: form.contentType,
                options: options
            )
            #expect(try collected.map { try $0.data() } == sent, "\(count) calls")
        }
    }

    /// Bytes that are contiguous for the first calls only.
    private struct FadingBytes: RandomAccessCollection {
        private let bytes: [UInt8]
        private let contiguousCalls: Int
        private let calls = Counter()

        init(_ bytes: Data, contiguousCalls: Int) {
            self.bytes = Array(bytes)
            self.contiguousCalls = contiguousCalls
        }

        var startIndex: Int { 0 }
        var endIndex: Int { bytes.count }

        subscript(position: Int) -> UInt8 { bytes[position] }

        func withContiguousStorageIfAvailable<Result>(
            _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
        ) rethrows -> Result? {
            guard calls.increment() <= contiguousCalls else { return nil }
            return try bytes.withUnsafeBufferPointer(body)
        }
    }

    @Test(arguments: [true, false])
    func `a client that disconnects, or a task that is cancelled, leaves no file`(isSaved: Bool) async throws {
        let (form, bytes) = try Self.message(3 * Self.piece)
        let chunks = ChunkSplitter.pieces(of: bytes, size: 40_000)
        let options = MultipartCollector.Options(temporaryDirectory: directory.url)
        let receive: @Sendable (ChunkSource<Data>) async throws -> Void = { [directory] source in
            guard isSaved else {
                _ = try await MultipartFormData(collecting: source, contentType: form.contentType, options: options)
                return
            }
            for try await part in try source.multipartParts(contentType: form.contentType) where part.name == "f" {
                try await part.save(to: directory.url.appendingPathComponent("f"), upTo: .max)
            }
        }
        for place in 0..<chunks.count {
            let failing = ChunkSource(chunks) { if $0 == place { throw POSIXError(.ECONNRESET) } }
            let error = await #expect(throws: POSIXError.self) { try await receive(failing) }
            #expect(error?.code == .ECONNRESET)
            #expect(directory.contents.isEmpty && directory.openFileCount == 0)

            let cut = await failure { try await receive(ChunkSource(Array(chunks[..<place]))) }
            #expect(cut?.code == (place == 0 ? .boundaryNotFound : .unexpectedEnd))
            #expect(directory.contents.isEmpty && directory.openFileCount == 0)

            let waiting = Signal()
            let source = ChunkSource(chunks, waitingAt: place, waiting: waiting)
            let task = Task { try await receive(source) }
            await waiting.wait()
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(directory.contents.isEmpty && directory.openFileCount == 0)
        }
    }
}
