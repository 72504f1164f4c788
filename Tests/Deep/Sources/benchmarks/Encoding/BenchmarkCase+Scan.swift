import Foundation
import MultipartFormCodec

extension BenchmarkCase {
    /// Measures an encoder with 64 MiB of `Data`.
    ///
    /// A second result is for a boundary chosen by the caller, compared with a random one: the cost of the collision
    /// scan.
    ///
    /// - Parameters:
    ///   - settings: The run's settings.
    ///   - copies: The references, the closest first.
    ///   - encode: Encodes a form and returns the number of bytes.
    /// - Returns: A result with the scan off, and one with the scan on.
    /// - Throws: ``BenchmarkError`` if bytes are lost, or an error of the library.
    func scanResults(
        _ settings: Settings,
        against copies: (MemoryReferences) -> (first: Operation, second: Operation),
        encode: @escaping (MultipartFormData) throws -> Int
    ) throws -> [BenchmarkResult] {
        let content = Data(EncodeForms.content(64 << 20))
        let plain = EncodeForms.form(of: content)
        let scanned = EncodeForms.form(of: content, searchesForBoundary: true)
        let memory = MemoryReferences(Array(try plain.encode()))
        let count = memory.bytes.count
        let operation = { (name: String, form: MultipartFormData) in
            Operation(name: name) {
                guard try encode(form) == count else { throw BenchmarkError("the encoder lost bytes") }
            }
        }
        let (first, second) = copies(memory)
        let (off, on) = (operation("scan-off", plain), operation("scan-on", scanned))
        let references = [settings.references(first, second), settings.references(off, first)]
        return try zip([off, on], references).map { operation, references in
            let comparison = try Comparison(operation, against: references, runs: settings.runs)
            return BenchmarkResult(name, entry: operation.name, chunk: nil, bytes: count, parts: 1, comparison)
        }
    }
}
