import Foundation

/// One line of the report.
struct BenchmarkResult: Encodable {
    /// The case's name.
    let `case`: String
    /// The parser's entry (`data` or `borrowed`), or the name of an encoding operation.
    let entry: String
    /// The length of a chunk or a buffer, in bytes; nil if there is none.
    let chunk: Int?
    /// The bytes read or written.
    let bytes: Int
    /// The parts read or written.
    let parts: Int
    /// The median time in nanoseconds; nil if nothing is timed, as are all times and ratios below.
    let medianNs: Double?
    /// The slowest run minus the fastest, as a fraction of the median.
    let spread: Double?
    /// The name of the first reference.
    var reference: String?
    /// That reference's time divided by the case's: 1 is as fast, more is faster.
    var ratio: Double?
    /// The same for every reference.
    var ratios: [String: Double]?
    /// The time per part, in nanoseconds.
    var nsPerPart: Double?
    /// The time per header field, in nanoseconds; it includes all work on the part.
    var nsPerHeaderField: Double?
    /// The mebibytes per second.
    let mibPerSecond: Double?
    /// The allocations per part, with name, file name and media type read.
    var allocationsPerPart: Double?
    /// The allocations per part, with nothing read.
    var allocationsPerPartUnread: Double?
    /// The most bytes held at once besides the input.
    var bytesHeld: Int?
    /// The peak resident memory of the process, in bytes.
    var peakResidentBytes: Int?

    /// Creates a result from times alone.
    init(_ name: String, entry: String, chunk: Int?, bytes: Int, parts: Int, _ samples: Samples) {
        self.case = name
        self.entry = entry
        self.chunk = chunk
        self.bytes = bytes
        self.parts = parts
        let median = samples.nanoseconds.isEmpty ? nil : samples.median
        medianNs = median
        spread = median.map { _ in samples.spread }
        mibPerSecond = median.map { Double(bytes) / 1_048_576 / ($0 / 1e9) }
        nsPerPart = median.flatMap { parts > 1 ? $0 / Double(parts) : nil }
    }

    /// Creates a result from times and those of its references.
    init(_ name: String, entry: String, chunk: Int?, bytes: Int, parts: Int, _ comparison: Comparison) {
        self.init(name, entry: entry, chunk: chunk, bytes: bytes, parts: parts, comparison.samples)
        ratios = comparison.ratios
        reference = comparison.references.first?.name
        ratio = reference.flatMap { comparison.ratios[$0] }
    }

    /// The figures that a floor may use, by their keys in the JSON.
    var figures: [String: Double] {
        let all: [(String, Double?)] = [
            ("ratio", ratio),
            ("ns_per_part", nsPerPart),
            ("ns_per_header_field", nsPerHeaderField),
            ("mib_per_second", mibPerSecond),
            ("allocations_per_part", allocationsPerPart),
            ("allocations_per_part_unread", allocationsPerPartUnread),
            ("bytes_held", bytesHeld.map(Double.init)),
            ("peak_resident_bytes", peakResidentBytes.map(Double.init)),
        ]
        return Dictionary(uniqueKeysWithValues: all.compactMap { key, value in value.map { (key, $0) } })
    }

    /// The result as one line of JSON.
    func jsonLine() throws -> String {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}
