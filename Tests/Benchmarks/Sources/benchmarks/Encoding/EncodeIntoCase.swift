import Foundation
import MultipartForm

/// Encodes 64 MiB of `Data` into a buffer that is used again and again: compared with a copy into warm memory.
///
/// A second line is for a boundary chosen by the caller, compared with a random one: no new page hides here what the
/// collision scan costs.
struct EncodeIntoCase: BenchmarkCase {
    private static let count = 64 << 20

    /// The buffer that both operations use.
    ///
    /// It keeps a head of some bytes, as that of a request would be: Foundation's `Data` gives its memory back when
    /// it is emptied, even by `removeAll(keepingCapacity: true)`.
    private final class Buffer {
        private static let head = 64
        private var data = Data(count: head)

        /// Encodes a form behind the head.
        func encode(_ form: MultipartFormData, count: Int) throws {
            data.removeSubrange(Self.head..<data.count)
            try form.encode(into: &data)
            guard data.count == Self.head + count else { throw BenchmarkError("the encoder lost bytes") }
        }
    }

    var name: String { "encode-into" }

    func run(_ settings: Settings) throws -> [BenchmarkResult] {
        let content = Data(EncodeForms.content(Self.count))
        let plain = try EncodeForms.form(of: content)
        let scanned = try EncodeForms.form(of: content, isScanned: true)
        let memory = MemoryReferences(Array(try plain.encode()))
        let buffer = Buffer()
        let encode = Operation(name: "scan-off") { try buffer.encode(plain, count: memory.bytes.count) }
        let scan = Operation(name: "scan-on") { try buffer.encode(scanned, count: memory.bytes.count) }
        let comparisons = [
            try Comparison(encode, against: settings.references(memory.copy, memory.freshCopy), runs: settings.runs),
            try Comparison(scan, against: settings.references(encode, memory.copy), runs: settings.runs),
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
