import Foundation
import MultipartForm

/// Encodes 64 MiB of `Data` into new `Data`, which takes fresh memory: compared with a copy that does, too.
///
/// A second line is for a boundary chosen by the caller, compared with a random one: what the collision scan costs.
struct EncodeDataCase: BenchmarkCase {
    private static let count = 64 << 20

    var name: String { "encode-data" }

    func run(_ settings: Settings) throws -> [BenchmarkResult] {
        let content = Data(EncodeForms.content(Self.count))
        let plain = try EncodeForms.form(of: content)
        let scanned = try EncodeForms.form(of: content, isScanned: true)
        let memory = MemoryReferences(Array(try plain.encode()))
        let encode = Operation(name: "scan-off") {
            guard try plain.encode().count == memory.bytes.count else { throw BenchmarkError("bytes are lost") }
        }
        let scan = Operation(name: "scan-on") {
            guard try scanned.encode().count == memory.bytes.count else { throw BenchmarkError("bytes are lost") }
        }
        let comparisons = [
            try Comparison(encode, against: settings.references(memory.freshCopy, memory.copy), runs: settings.runs),
            try Comparison(scan, against: settings.references(encode, memory.freshCopy), runs: settings.runs),
        ]
        return zip([encode, scan], comparisons).map { operation, comparison in
            BenchmarkResult(
                name,
                entry: operation.name,
                chunk: nil,
                bytes: memory.bytes.count,
                parts: 1,
                comparison
            )
        }
    }
}
