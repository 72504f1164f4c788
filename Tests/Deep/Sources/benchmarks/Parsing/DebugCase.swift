/// Parses in a debug build: 64 MiB of random bytes, and a form of 10,000 fields.
///
/// `debug.sh` builds for it; a release build does not offer it.
struct DebugCase: BenchmarkCase {
    /// The kinds of input.
    enum Content: String, CaseIterable {
        case random
        case fields
    }

    /// The input.
    let content: Content

    var name: String { "debug-\(content.rawValue)" }

    func run(_ settings: Settings) throws -> [BenchmarkResult] {
        let input = content == .random ? ParseShape.random.makeInput(.short) : ParseShape.fields(10_000)
        return try ParseEntry.allCases.map { entry in
            let parse = entry.prepare(input, chunk: ParseCase.chunkSizes[0])
            let operation = Operation(name: name) {
                try parse(true).check(parts: input.parts, messages: input.messageCount)
            }
            return BenchmarkResult(
                name,
                entry: entry.rawValue,
                chunk: ParseCase.chunkSizes[0],
                bytes: input.bytes.count,
                parts: input.parts,
                try Comparison(operation, against: [], runs: settings.runs)
            )
        }
    }
}
