import MultipartForm

/// Encodes `Data` into new `Data`, which takes fresh memory: compared with a copy that does, too.
struct EncodeDataCase: BenchmarkCase {
    var name: String { "encode-data" }

    func run(_ settings: Settings) throws -> [BenchmarkResult] {
        try scanResults(settings, against: { ($0.freshCopy, $0.copy) }) { try $0.encode().count }
    }
}
