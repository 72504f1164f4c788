import MultipartFormCodec

/// Parses one shape of message in strict mode, in turn with lenient mode, for the cost of the stricter rules.
struct StrictCase: BenchmarkCase {
    /// The shape.
    let shape: ParseShape

    var name: String { "strict-\(shape.rawValue)" }

    func run(_ settings: Settings) throws -> [BenchmarkResult] {
        let input = shape.makeInput(settings.scale)
        return try ParseCase.chunkSizes.flatMap { chunk in
            try ParseEntry.allCases.map { entry in
                let lenient = entry.prepare(input, chunk: chunk)
                let strict = entry.prepare(input, chunk: chunk, mode: .strict)
                let comparison = try Comparison(
                    Operation(name: "strict") {
                        try strict(true).check(parts: input.parts, messages: input.messageCount)
                    },
                    against: [
                        Operation(name: "lenient") {
                            try lenient(true).check(parts: input.parts, messages: input.messageCount)
                        }
                    ],
                    runs: settings.runs
                )
                return BenchmarkResult(
                    name,
                    entry: entry.rawValue,
                    chunk: chunk,
                    bytes: input.bytes.count,
                    parts: input.parts,
                    comparison
                )
            }
        }
    }
}
