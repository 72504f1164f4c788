import Foundation
import MultipartFormCodec
import Synchronization

/// For each limit, a message that grows memory: the peak resident memory with the limit and without it.
///
/// Each runs in its own process and keeps everything it receives, as a program that collects a form does.
enum MemoryMeasurement {
    /// A message that never ends, and the limit that ends it.
    struct Case {
        let name: String
        let message: String
        var head = ""
        let piece: String
        var limits = MultipartParser.Options()
        var unlimited = MemoryMeasurement.unlimited
        var reader = Reader.parser
        /// The most that is fed, in bytes.
        var fed = 64 << 20
        /// The longest chunk, in bytes.
        var chunk = 64 << 10
        /// The memory a limited process may take beyond an idle one, in bytes.
        var bar = 8 << 20
    }

    /// Reads a message and keeps everything it receives.
    enum Reader {
        case parser
        /// Collects a form, with limits or without.
        case collector(MultipartCollector.Options, unlimited: MultipartCollector.Options)
        /// Collects each part's body up to a length, in bytes.
        case parts(upTo: Int)
    }

    private static let disposition = "Content-Disposition: form-data; name=\"a\""
    /// A disposition with a name that nearly fills a header section.
    private static let longName = "Content-Disposition: form-data; name=\"\(String(repeating: "x", count: 16_000))\""
    private static let unlimited = MultipartParser.Options(
        maxParts: .max,
        maxHeaderCount: .max,
        maxHeaderBytes: .max,
        maxPreambleBytes: .max
    )

    private static func limits(_ change: (inout MultipartParser.Options) -> Void) -> MultipartParser.Options {
        var limits = unlimited
        change(&limits)
        return limits
    }

    /// Options that keep all in memory.
    private static let inMemory = MultipartCollector.Options(
        maxFieldBytes: .max,
        maxMemoryBytes: .max,
        maxDiskBytes: .max,
        diskThreshold: .max
    )

    private static func options(_ change: (inout MultipartCollector.Options) -> Void) -> MultipartCollector.Options {
        var options = inMemory
        change(&options)
        return options
    }

    /// Collects a message that repeats a piece, with a limit on its memory.
    private static func collected(
        _ name: String,
        _ message: String,
        _ piece: String,
        fed: Int,
        chunk: Int = 64 << 10,
        limit: Int = 16 << 20,
        diskThreshold: Int = .max
    ) -> Case {
        let unlimited = options { $0.diskThreshold = diskThreshold }
        var limited = unlimited
        limited.maxMemoryBytes = limit
        return Case(
            name: "maxMemoryBytes (\(name))",
            message: message,
            head: "--BND",
            piece: "\r\n\(piece)--BND",
            limits: self.unlimited,
            reader: .collector(limited, unlimited: unlimited),
            fed: fed,
            chunk: chunk,
            bar: Int(limit) + (2 << 20)
        )
    }

    static let cases = [
        Case(
            name: "maxParts",
            message: "small parts",
            head: "--BND\r\n",
            piece: "\(disposition)\r\n\r\n1\r\n--BND\r\n",
            limits: limits { $0.maxParts = 1000 }
        ),
        Case(
            name: "maxHeaderCount",
            message: "short header lines",
            head: "--BND\r\n",
            piece: "A: b\r\n",
            limits: limits { $0.maxHeaderCount = 32 }
        ),
        Case(
            name: "maxHeaderBytes",
            message: "one long header line",
            head: "--BND\r\n",
            piece: "aaaaaaaaaaaaaaaa",
            limits: limits { $0.maxHeaderBytes = 16 * 1024 }
        ),
        Case(
            name: "maxHeaderBytes (padding)",
            message: "white space after a delimiter",
            head: "--BND\r\n\(disposition)\r\n\r\n1\r\n--BND",
            piece: "                ",
            limits: limits { $0.maxHeaderBytes = 16 * 1024 }
        ),
        Case(
            name: "maxPreambleBytes",
            message: "a preamble",
            piece: "preamble\r\n",
            limits: limits { $0.maxPreambleBytes = 64 * 1024 }
        ),
        Case(
            name: "maxPartBytes",
            message: "one long body",
            head: "--BND\r\n\(disposition)\r\n\r\n",
            piece: "body body body\r\n",
            limits: limits { $0.maxPartBytes = 1 << 20 }
        ),
        Case(
            name: "maxTotalBytes",
            message: "parts of 100 bytes",
            head: "--BND\r\n",
            piece: "\(disposition)\r\n\r\n\(String(repeating: "x", count: 100))\r\n--BND\r\n",
            limits: limits { $0.maxTotalBytes = 1 << 20 }
        ),
        Case(
            name: "maxFieldBytes",
            message: "one long field, collected",
            head: "--BND\r\n\(disposition)\r\n\r\n",
            piece: "body body body\r\n",
            reader: .collector(options { $0.maxFieldBytes = 1 << 20 }, unlimited: inMemory)
        ),
        Case(
            name: "maxMemoryBytes",
            message: "fields of 16 KiB, collected",
            head: "--BND\r\n",
            piece: "\(disposition)\r\n\r\n\(String(repeating: "x", count: 16 << 10))\r\n--BND\r\n",
            limits: unlimited,
            reader: .collector(options { $0.maxMemoryBytes = 1 << 20 }, unlimited: inMemory)
        ),
        collected(
            "headers",
            "header sections of 16 KiB",
            "\(disposition)\r\nX: \(String(repeating: "x", count: 16 << 10))\r\n\r\n\r\n",
            fed: 64 << 20
        ),
        collected("names", "names of 16 KiB", "\(longName)\r\n\r\n", fed: 64 << 20),
        collected(
            "reused",
            "names of 16 KiB, and between them short parts of another kind",
            "\(longName)\r\n\r\n\r\n--BND\r\n\(disposition)\r\nX: y\r\n\r\n",
            fed: 64 << 20
        ),
        collected(
            "doubled",
            "names of 16 KiB, just more than a power of 2 in total",
            "\(longName)\r\n\r\n",
            fed: 64 << 20,
            limit: 18 << 20
        ),
        collected("lines", "32 short header lines", String(repeating: "A:\r\n", count: 32) + "\r\n", fed: 16 << 20),
        collected("empty", "parts without a byte", "\r\n", fed: 4 << 20),
        collected("fields", "fields of 20 bytes", "\(disposition)\r\n\r\nvalue value value valu\r\n", fed: 8 << 20),
        collected(
            "growing",
            "fields of 1600 bytes, in chunks of 1460",
            "\(disposition)\r\n\r\n\(String(repeating: "x", count: 1600))\r\n",
            fed: 64 << 20,
            chunk: 1460
        ),
        collected(
            "files",
            "files of one byte, on disk",
            "\(disposition); filename=\"f\"\r\n\r\n1\r\n",
            fed: 1 << 20,
            limit: 8 << 20,
            diskThreshold: 0
        ),
        Case(
            name: "diskThreshold",
            message: "one long file, collected",
            head: "--BND\r\n\(disposition); filename=\"f\"\r\n\r\n",
            piece: "body body body\r\n",
            reader: .collector(options { $0.diskThreshold = 64 << 10 }, unlimited: inMemory)
        ),
        Case(
            name: "maxDiskBytes",
            message: "the same, to disk",
            head: "--BND\r\n\(disposition); filename=\"f\"\r\n\r\n",
            piece: "body body body\r\n",
            reader: .collector(
                options {
                    $0.diskThreshold = 64 << 10
                    $0.maxDiskBytes = 1 << 20
                },
                unlimited: options { $0.diskThreshold = 64 << 10 }
            )
        ),
        Case(
            name: "collect(upTo:)",
            message: "one long body",
            head: "--BND\r\n\(disposition)\r\n\r\n",
            piece: "body body body\r\n",
            reader: .parts(upTo: 1 << 20)
        ),
    ]

    static func run() throws {
        print("| limit | message | peak with it | peak without it | of MiB fed | read before the error |")
        print("| --- | --- | ---: | ---: | ---: | ---: |")
        let idle = try measure("idle", "with").peak
        var excess = 0
        for item in cases {
            let limited = try measure(item.name, "with")
            let open = try measure(item.name, "without")
            excess = max(excess, limited.peak - idle - item.bar)
            print(
                "| `\(item.name)` | \(item.message) | \(limited.peak >> 10) KiB | \(open.peak >> 10) KiB"
                    + " | \(item.fed >> 20) | \(limited.read >> 10) KiB |"
            )
        }
        print("idle: \(idle >> 10) KiB")
        guard excess <= 0 else { Hostile.fail("a limited message took \(excess >> 10) KiB too much") }
        let kept = (try measure(keptSection, "with").peak - idle) / parserCount
        print("a parser in the body after a header section of 16 KiB: \(kept) bytes")
        guard kept <= 20 << 10 else { Hostile.fail("a parser keeps more than one header section") }
    }

    private static let keptSection = "a header section before a body"
    private static let parserCount = 2000

    /// Makes parsers that have read a header section in chunks of 2 KiB, and some of the body after it.
    private static func makeParsers() throws -> [MultipartParser] {
        let message = Array("--BND\r\n\(longName)\r\n\r\n\(String(repeating: "x", count: 3000))".utf8)
        return try (0..<parserCount).map { _ in
            var parser = MultipartParser(boundary: Boundary("BND"))
            for start in stride(from: 0, to: message.count, by: 2048) {
                try parser.parse(message.span.extracting(start..<min(start + 2048, message.count))) { _, _ in }
            }
            return parser
        }
    }

    /// Feeds a case's message and prints the peak resident memory and the number of bytes fed.
    static func runCase(named name: String, isLimited: Bool) async throws {
        try collectFile()
        if name == keptSection {
            return try withExtendedLifetime(makeParsers()) { _ in print("\(ProcessStatus.peakResidentBytes) 0") }
        }
        guard let item = cases.first(where: { $0.name == name }) else {
            return print("\(ProcessStatus.peakResidentBytes) 0")
        }
        let feed = Feed(item)
        let boundary = Boundary("BND")
        let limits = isLimited ? item.limits : item.unlimited
        do {
            switch item.reader {
            case .parser:
                try parse(feed, MultipartParser(boundary: boundary, options: limits))
            case .collector(let options, let unlimited):
                var options = isLimited ? options : unlimited
                options.parser = limits
                var collector = MultipartCollector(boundary: boundary, options: options)
                while let chunk = feed.next() { try collector.append(chunk) }
            case .parts(let limit):
                let chunks = AsyncStream(unfolding: { feed.next() })
                for try await part in try chunks.multipartParts(contentType: boundary.contentType, options: limits) {
                    _ = try await part.collect(upTo: isLimited ? limit : .max)
                }
            }
        } catch let error as MultipartError {
            precondition(error.limit != nil ? isLimited : feed.isOver, "\(error)")
        }
        print("\(ProcessStatus.peakResidentBytes) \(feed.total)")
    }

    /// Collects a file on disk, so that an idle process has what the first one takes, too.
    private static func collectFile() throws {
        var collector = MultipartCollector(boundary: Boundary("BND")) { _ in .disk(upTo: 1) }
        try collector.append(Data("--BND\r\n\(disposition); filename=\"f\"\r\n\r\n1\r\n--BND--".utf8))
        _ = try collector.finish()
    }

    private static func parse(_ feed: Feed, _ parser: MultipartParser) throws {
        var parser = parser
        var headers: [HeaderFields] = []
        var bodies: [Data] = []
        while let chunk = feed.next() {
            parser.append(chunk)
            while let event = try parser.next() {
                switch event {
                case .part(let fields):
                    headers.append(fields)
                    bodies.append(Data())
                case .body(let data): bodies[bodies.count - 1].append(data)
                case .endOfPart, .end: break
                }
            }
        }
        precondition(headers.count == bodies.count)
    }

    /// The chunks of a case's message, each in its own memory, as from a socket.
    private final class Feed: Sendable {
        private let head: [UInt8]
        /// The bytes that repeat after the head.
        private let body: [UInt8]
        private let item: Case
        private let fedSoFar = Mutex(0)

        init(_ item: Case) {
            self.item = item
            head = Array(item.head.utf8)
            body = Array(String(repeating: item.piece, count: max(1, 64 * 1024 / item.piece.utf8.count)).utf8)
        }

        /// The number of bytes fed so far.
        var total: Int { fedSoFar.withLock(\.self) }
        /// Whether all has been fed.
        var isOver: Bool { total >= item.fed }

        func next() -> Data? {
            guard !isOver else { return nil }
            return fedSoFar.withLock { total in
                let isHead = total == 0 && !head.isEmpty
                let place = (total - head.count) % body.count
                let next = isHead ? head[...] : body[place...].prefix(item.chunk)
                total += next.count
                return Data(next)
            }
        }
    }

    private static func measure(_ name: String, _ limited: String) throws -> (peak: Int, read: Int) {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = ["memory", name, limited]
        process.standardOutput = pipe
        try process.run()
        process.waitUntilExit()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        let numbers = String(decoding: output, as: UTF8.self).split { !$0.isNumber }.compactMap { Int($0) }
        guard process.terminationStatus == 0, numbers.count == 2 else { Hostile.fail("\(name) \(limited)") }
        return (numbers[0], numbers[1])
    }
}
