import Foundation
import MultipartFormCodec

/// Reads messages from a file and parses them.
struct FileRun {
    /// The size of a read, in bytes.
    static let chunk = 64 * 1024

    /// The file.
    var path: String
    /// The length of each message, in bytes.
    var messageLength = 0
    /// The parser's entry.
    var entry = ParseEntry.data
    /// How strictly to parse.
    var mode = ParsingMode.lenient
    /// How often the messages are parsed.
    var runs = 5

    /// The report of a fresh process.
    struct Report: Codable {
        /// The time of the first run, in nanoseconds.
        let first: Double
        /// The median time of the runs after it.
        let warm: Double
        /// The peak resident memory after the first run, in bytes.
        let peakResidentBytes: Int
        /// The parts of one run.
        let parts: Int
    }

    /// Reads and parses once, records the memory, and repeats that for the warm time.
    func freshReport() throws -> Report {
        var first = Samples()
        var tally = ParseTally(readsNames: true)
        try first.time { tally = try readAndParse() }
        let peak = ResidentMemory.peakBytes
        var warm = Samples()
        for _ in 0..<runs {
            try warm.time { tally = try readAndParse() }
        }
        return Report(first: first.median, warm: warm.median, peakResidentBytes: peak, parts: tally.parts)
    }

    private func readAndParse() throws -> ParseTally {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw BenchmarkError("cannot open the input") }
        defer { close(descriptor) }
        var tally = ParseTally(readsNames: true)
        switch entry {
        case .data: while try readOwned(descriptor, &tally) {}
        case .borrowed: try readBorrowed(descriptor, &tally)
        }
        return tally
    }

    /// Reads one message into chunks that the parser owns; false at the end of the file.
    private func readOwned(_ descriptor: Int32, _ tally: inout ParseTally) throws -> Bool {
        var parser = try ParseEntry.makeParser()
        var rest = messageLength
        while rest > 0 {
            let size = min(rest, Self.chunk)
            guard let memory = malloc(size) else { throw BenchmarkError("no memory for a chunk") }
            let count = read(descriptor, memory, size)
            // SAFETY: the read has filled count bytes of memory, which the data owns from here on.
            let chunk = Data(bytesNoCopy: memory, count: max(count, 0), deallocator: .free)
            if count <= 0, rest == messageLength { return false }
            guard count > 0 else { throw BenchmarkError("the input ends within a message") }
            rest -= count
            parser.append(chunk)
            while let event = try parser.next() { tally.take(event) }
        }
        parser.finish()
        while let event = try parser.next() { tally.take(event) }
        return true
    }

    /// Reads all messages through one buffer.
    private func readBorrowed(_ descriptor: Int32, _ tally: inout ParseTally) throws {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunk, alignment: 64)
        defer { buffer.deallocate() }
        var parser = try ParseEntry.makeParser()
        var rest = messageLength
        while true {
            let count = read(descriptor, buffer.baseAddress, min(rest, buffer.count))
            guard count > 0 else { return }
            // SAFETY: the read has filled count bytes, and the span ends before the next read.
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count]).bindMemory(to: UInt8.self)
            try parser.parse(bytes.span) { tally.take($0, $1) }
            rest -= count
            guard rest == 0 else { continue }
            try parser.finish { tally.take($0, $1) }
            parser = try ParseEntry.makeParser()
            rest = messageLength
        }
    }
}
