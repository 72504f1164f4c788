/// Parses one shape of message, through both entries and in large and small chunks.
struct ParseCase: BenchmarkCase {
    /// The chunk sizes, in bytes.
    static let chunkSizes = [64 * 1024, 4 * 1024]

    /// The shape.
    let shape: ParseShape

    var name: String { shape.rawValue }
    var isCounted: Bool { true }

    func run(_ settings: Settings) throws -> [BenchmarkResult] {
        let input = shape.makeInput(settings.scale)
        let memory = MemoryReferences(input.bytes)
        var results: [BenchmarkResult] = []
        for chunk in Self.chunkSizes {
            for entry in ParseEntry.allCases {
                let parse = entry.prepare(input, chunk: chunk)
                let operation = Operation(name: name) {
                    try parse(true).check(parts: input.parts, messages: input.messageCount)
                }
                let references = settings.references(memory.copy, memory.sum, memory.findCarriageReturns)
                let comparison = try Comparison(operation, against: references, runs: settings.runs)
                var result = BenchmarkResult(
                    name,
                    entry: entry.rawValue,
                    chunk: chunk,
                    bytes: input.bytes.count,
                    parts: input.parts,
                    comparison
                )
                if shape == .headers {
                    result.nsPerHeaderField = result.medianNs.map { $0 / Double(input.headerFields) }
                }
                try countAllocations(parse, &result)
                results.append(result)
            }
        }
        return results
    }

    /// Counts a run's allocations, in separate runs.
    private func countAllocations(
        _ parse: (Bool) throws -> ParseTally,
        _ result: inout BenchmarkResult
    ) throws {
        let unread = try AllocationTotal { _ = try parse(false) }
        let read = try AllocationTotal { _ = try parse(true) }
        let parts = Double(result.parts)
        result.allocationsPerPartUnread = unread.map { Double($0.calls) / parts }
        result.allocationsPerPart = read.map { Double($0.calls) / parts }
        result.bytesHeld = read?.peakBytes
    }
}
