import AllocationCounter
import Foundation
import MultipartFormCodec

/// Encodes 100,000 small fields into new `Data`: the encoding alone, and together with building the form.
struct EncodeFieldsCase: BenchmarkCase {
    private static let count = 100_000

    var name: String { "encode-fields" }
    var isCounted: Bool { true }

    func run(_ settings: Settings) throws -> [BenchmarkResult] {
        let fields = EncodeForms.fields(Self.count)
        let form = EncodeForms.form(of: fields)
        let memory = MemoryReferences(Array(try form.encode()))
        let references = settings.references(memory.freshCopy, memory.copy)
        let encode = Operation(name: "encode") {
            try Self.keep(form.encode(), count: memory.bytes.count)
        }
        let build = Operation(name: "build") {
            try Self.keep(EncodeForms.form(of: fields).encode(), count: memory.bytes.count)
        }
        return try [encode, build].map { operation in
            let comparison = try Comparison(operation, against: references, runs: settings.runs)
            var result = BenchmarkResult(
                name,
                entry: operation.name,
                chunk: nil,
                bytes: memory.bytes.count,
                parts: Self.count,
                comparison
            )
            let total = try AllocationTotal(operation.run)
            result.allocationsPerPart = total.map { Double($0.calls) / Double(Self.count) }
            result.bytesHeld = total?.peakBytes
            return result
        }
    }

    private static func keep(_ data: Data, count: Int) throws {
        guard data.count == count else { throw BenchmarkError("the encoder lost bytes") }
    }
}
