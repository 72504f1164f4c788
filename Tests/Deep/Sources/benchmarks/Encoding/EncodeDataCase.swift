import MultipartFormCodec

/// Encodes `Data` into new `Data`, compared with a copy into fresh memory.
struct EncodeDataCase: BenchmarkCase {
    var name: String { "encode-data" }

    func run(_ settings: Settings) throws -> [BenchmarkResult] {
        try scanResults(settings, against: { ($0.freshCopy, $0.copy) }) { try $0.encode().count }
    }
}
