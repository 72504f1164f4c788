internal import Foundation
internal import MultipartFormCodec

/// Checks the collector. The input is a byte each for the parser's limits, the mode and which limits are defaults, six
/// limits of the collector and the message, and the file that cannot be created; then routes after their count, a
/// boundary after its length, four sizes of pieces, and the message.
enum CollectorCheck {
    static func run(_ bytes: [UInt8]) throws {
        var input = FuzzInput(bytes)
        let trial = Trial(&input)
        guard let trial else { return }
        try trial.run()
    }

    static func seeds() throws -> [[UInt8]] {
        let choices: [[UInt8]] = [
            // All in memory; all on disk; as routed; then limits that are close together.
            [0, 0, 255, 255, 255, 255, 255, 255, 0, 0], [0, 1, 255, 255, 255, 0, 255, 255, 0, 0],
            [0, 0, 255, 255, 255, 2, 255, 255, 0, 5, 0, 1, 2, 3, 4], [0, 0, 3, 40, 255, 255, 4, 255, 0, 0],
            [0, 0, 255, 38, 3, 5, 255, 255, 0, 0], [0, 0, 255, 255, 255, 1, 255, 255, 2, 1, 2],
            // A route's limit beside that of the disk, or of memory, and a threshold after them.
            [0, 0, 255, 255, 5, 30, 255, 255, 0, 1, 6], [0, 0, 255, 40, 255, 30, 255, 255, 0, 1, 6],
            // Defaults of the parts, the message and the disk, with and without limits of routes.
            [0, 14, 255, 255, 5, 0, 6, 40, 0, 0], [0, 15, 255, 255, 5, 0, 6, 30, 0, 3, 0, 2, 3],
            [0, 14, 255, 255, 255, 255, 255, 20, 0, 2, 2, 6],
        ]
        return try Fixtures.names(in: "conformance/parse").enumerated().compactMap { index, name in
            let expected = try Fixtures.json(ParseCase.self, "conformance/parse/\(name).json")
            let body = try Fixtures.data("conformance/parse/\(name).body")
            guard let boundary = try? Boundary(contentType: expected.contentType, mode: .lenient), body.count < 4000
            else { return nil }
            return choices[index % choices.count] + FuzzInput.run(boundary.bytes) + [1, 7, 64, 3] + body
        }
    }

    /// The directory that all runs in this process share; it is empty between them.
    private static let directory: TemporaryDirectory? = {
        atexit { CollectorCheck.directory?.remove() }
        return try? TemporaryDirectory()
    }()
    /// Serializes the runs: tests run them at once.
    private static let turn = Locked(())

    /// An error that a route throws.
    private struct Refusal: Error, CustomStringConvertible {
        let description = "refused"
    }

    private struct Trial {
        let boundary: Boundary
        let options: MultipartCollector.Options
        let failingFile: Int
        let routes: [UInt8]
        let sizes: [Int]
        let message: Data
        let directory: TemporaryDirectory

        /// Reads a trial; nil if the boundary is not valid.
        init?(_ input: inout FuzzInput) {
            guard let directory = CollectorCheck.directory else { return nil }
            self.directory = directory
            var parser = ParserCheck.limits(input.byte())
            let choices = input.byte()
            parser.mode = choices & 1 == 0 ? .lenient : .strict
            var options = MultipartCollector.Options(
                maxFieldBytes: Self.limit(input.byte()) ?? .max,
                // A part counts for more than 512 bytes.
                maxMemoryBytes: Self.limit(input.byte()).map { $0 * 16 } ?? .max,
                maxDiskBytes: Self.limit(input.byte()) ?? .max,
                diskThreshold: Self.limit(input.byte()) ?? .max,
                temporaryDirectory: directory.url
            )
            parser.maxPartBytes = Self.limit(input.byte()) ?? parser.maxPartBytes
            parser.maxTotalBytes = Self.limit(input.byte()).map { $0 * 4 } ?? parser.maxTotalBytes
            options.parser = parser
            Self.moveToDefaults(&options, choices)
            self.options = options
            #if TestHooks
                failingFile = Int(input.byte() % 8)
            #else
                failingFile = Int(input.byte() & 0)
            #endif
            routes = input.run()
            guard let boundary = try? Boundary(parsing: input.text(), mode: parser.mode) else { return nil }
            self.boundary = boundary
            sizes = input.bytes(4).map(Int.init)
            message = Data(input.rest)
        }

        /// Makes limits of the program, which bits choose, those that hold where a program sets none.
        private static func moveToDefaults(_ options: inout MultipartCollector.Options, _ choices: UInt8) {
            #if TestHooks
                if choices & 2 != 0, let limit = options.parser.maxPartBytes {
                    options.defaults.partBytes = limit
                    options.parser.maxPartBytes = nil
                }
                if choices & 4 != 0, let limit = options.parser.maxTotalBytes {
                    options.defaults.totalBytes = limit
                    options.parser.maxTotalBytes = nil
                }
                if choices & 8 != 0, let limit = options.maxDiskBytes, limit < .max {
                    options.defaults.diskBytes = limit
                    options.maxDiskBytes = nil
                }
            #endif
        }

        private static func limit(_ byte: UInt8) -> Int? {
            byte == 255 ? nil : Int(byte)
        }

        func run() throws {
            try CollectorCheck.turn.withLock { _ in
                let whole = try collect([message])
                let cut = try collect(ParserCheck.pieces(message, sizes))
                try require(cut == whole, "the pieces give \(cut), the whole message \(whole)")
                var model = NaiveCollector(
                    boundary: boundary,
                    options: options,
                    failingFile: failingFile,
                    policy: route
                )
                let expected = model.collect(message)
                try require(whole == expected, "the naive collector gives \(expected), not \(whole)")
                guard case .parts(let parts) = whole else { return }
                let memory = NaiveCollector.memoryBytes(of: parts)
                try require(memory <= options.maxMemoryBytes, "\(memory) bytes are in memory")
                let disk = NaiveCollector.diskBytes(of: parts)
                try require(options.maxDiskBytes.map { disk <= $0 } ?? true, "\(disk) bytes are on disk")
            }
        }

        /// The route of a part, by the length of its header section's text.
        private func route(_ headers: HeaderFields) throws -> MultipartCollector.Route {
            guard !routes.isEmpty else { return .accept }
            let place = headers.reduce(0) { $0 &+ $1.name.utf8.count &+ $1.value.utf8.count }
            switch routes[place % routes.count] % 7 {
            case 1: return .memory(upTo: place % 40)
            case 2: return .disk(upTo: place % 40)
            case 3: return .skip
            case 4: return .reject
            case 5: throw Refusal()
            default: return .accept
            }
        }

        private func collect(_ chunks: [Data]) throws -> NaiveCollector.Outcome {
            let outcome = try outcome(chunks)
            try require(directory.contents.isEmpty, "a file was not removed")
            return outcome
        }

        private func outcome(_ chunks: [Data]) throws -> NaiveCollector.Outcome {
            let form: MultipartFormData
            do {
                form = try withFailingFile {
                    var collector = MultipartCollector(boundary: boundary, options: options, route: route)
                    for chunk in chunks { try collector.append(chunk) }
                    return try collector.finish()
                }
            } catch {
                return .error(NaiveCollector.description(of: error))
            }
            let parts = try NaiveCollector.parts(of: form)
            let files = parts.count(where: \.isOnDisk)
            let count = directory.contents.count
            try require(count == files, "there are \(files) parts on disk, but \(count) files")
            return .parts(parts)
        }

        /// Calls `body` while one file cannot be created.
        private func withFailingFile<Result>(_ body: () throws -> Result) rethrows -> Result {
            #if TestHooks
                let count = Counter()
                return try SystemCalls.intercepting { [failingFile] call, _ in
                    call == .create && count.increment() == failingFile ? POSIXError(.ENOSPC) : nil
                } during: {
                    try body()
                }
            #else
                return try body()
            #endif
        }
    }
}
