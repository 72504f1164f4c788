import Foundation
import MultipartFormCodec

/// Prints the resident memory of each parser, collector or task that is within a long file, after a chunk of 64 KiB or
/// 2 MiB.
@main
enum Parsers {
    private final class Collector {
        var collector: MultipartCollector

        init(_ collector: consuming MultipartCollector) { self.collector = collector }
    }

    static func main() async throws {
        let fields = "Content-Disposition: form-data; name=\"f\"; filename=\"f.png\"\r\nContent-Type: image/png"
        var chunk = Data("--x\r\n\(fields)\r\n\r\n".utf8)
        chunk.append(Data(repeating: 7, count: 65536 - chunk.count))
        let contentType = "multipart/form-data; boundary=x"

        var parsers: [MultipartParser] = []
        try report("a parser", 10_000) {
            var parser = try MultipartParser(contentType: contentType)
            // A chunk of its own, as a connection has it.
            try parser.append(Data(Array(chunk)))
            while try parser.next() != nil {}
            parsers.append(parser)
        }
        let name = String(repeating: "n", count: 16_000)
        var section = Data("--x\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n".utf8)
        section.append(Data(repeating: 7, count: 2 * 4096))
        try report("a parser after a header section of 16 KiB in chunks of 4 KiB", 2000) {
            var parser = try MultipartParser(contentType: contentType)
            for start in stride(from: 0, to: section.count, by: 4096) {
                parser.append(Data(Array(section[start..<min(start + 4096, section.count)])))
                while try parser.next() != nil {}
            }
            parsers.append(parser)
        }
        var collectors: [Collector] = []
        try report("a collector with a file on disk", 500) {
            let one = Collector(try MultipartCollector(contentType: contentType) { _ in .disk(upTo: 1 << 30) })
            try one.collector.append(chunk)
            collectors.append(one)
        }
        print(parsers.count + collectors.count, "in all")
        try await reportTasks("a task that collects a file to disk", chunk) { source in
            let form = try await MultipartFormData(collecting: source, contentType: contentType)
            print(form.count)
        }
        let folder = FileManager.default.temporaryDirectory
        try await reportTasks("a task that saves a file", chunk) { source in
            for try await part in try source.multipartParts(contentType: contentType) {
                try await part.save(to: folder.appendingPathComponent(UUID().uuidString), upTo: .max)
            }
        }
    }

    /// The beginning of an upload: a chunk with the part's header section, more of its content, and then nothing.
    private struct Stalled: AsyncSequence, AsyncIteratorProtocol {
        static let count = 32
        let chunk: Data
        private var place = 0

        init(_ chunk: Data) { self.chunk = chunk }

        func makeAsyncIterator() -> Self { self }

        mutating func next() async throws -> Data? {
            // Each has memory of its own, as from a connection.
            defer { place += 1 }
            guard place > 0 else { return Data(Array(chunk)) }
            guard place == Self.count else { return Data(count: chunk.count) }
            try await Task.sleep(nanoseconds: .max / 4)
            return nil
        }
    }

    /// Lets tasks receive the beginnings of uploads, prints how much each has added to the resident memory, and cancels
    /// them.
    private static func reportTasks(
        _ name: String,
        _ chunk: Data,
        _ receive: @escaping @Sendable (Stalled) async throws -> Void
    ) async throws {
        func start(_ count: Int) async throws -> [Task<Void, any Error>] {
            let tasks = (0..<count).map { _ in Task { try await receive(Stalled(chunk)) } }
            // Until they have received and written all of it.
            try await Task.sleep(nanoseconds: 5_000_000_000)
            return tasks
        }
        let count = 200
        var tasks = try await start(20)
        let before = try resident()
        tasks += try await start(count)
        print("\(name), with itself: \((try resident() - before) / count) bytes")
        for task in tasks {
            task.cancel()
            _ = await task.result
        }
    }

    /// Makes some, and prints how much each has added to the resident memory.
    private static func report(_ name: String, _ count: Int, _ make: () throws -> Void) throws {
        // The first ones also load code and start the heap.
        for _ in 0..<100 { try make() }
        let before = try resident()
        for _ in 0..<count { try make() }
        print("\(name): \((try resident() - before) / count) bytes")
    }

    private static func resident() throws -> Int {
        let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")[1]
        return (Int(pages) ?? 0) * Int(getpagesize())
    }
}
