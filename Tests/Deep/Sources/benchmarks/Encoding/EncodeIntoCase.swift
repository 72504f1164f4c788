import Foundation
import MultipartFormCodec

/// Encodes `Data` into a reused buffer, compared with a copy into warm memory.
///
/// Without the cost of new pages, the cost of the collision scan shows.
struct EncodeIntoCase: BenchmarkCase {
    var name: String { "encode-into" }

    func run(_ settings: Settings) throws -> [BenchmarkResult] {
        let buffer = ReusedBuffer()
        return try scanResults(settings, against: { ($0.copy, $0.freshCopy) }, encode: buffer.encode)
    }
}
