import Foundation
import MultipartFormCodec

/// Reads an encoded file from `makeReader` and from `chunks`, compared with reading the file through a buffer of 1 MiB.
struct EncodeReaderCase: BenchmarkCase {
    var name: String { "encode-reader" }

    func run(_ settings: Settings) throws -> [BenchmarkResult] {
        let source = try settings.directory.write(EncodeForms.content(settings.scale.largeContent), to: "content.bin")
        defer { unlink(source.path) }
        let form = try EncodeForms.form(ofFile: source)
        guard let length = form.encodedLength else { throw BenchmarkError("a file's length is known") }
        let files = FileReferences(source: source, output: source)
        let encode = Operation(name: "reader") {
            guard try Self.drain(form) == Int(length) else { throw BenchmarkError("the reader lost bytes") }
        }
        let read = Operation(name: "read") { try files.read() }
        let sizes = [64 * 1024, FileReferences.bufferSize]
        let chunks = sizes.map { size in
            Operation(name: "chunks") {
                try Awaited.run {
                    guard try await Self.drain(form.chunks(ofSize: size)) == Int(length) else {
                        throw BenchmarkError("the chunks lost bytes")
                    }
                }
            }
        }
        return try zip([encode] + chunks, [FileReferences.bufferSize] + sizes).map { operation, size in
            let comparison = try Comparison(operation, against: [read], runs: settings.runs)
            return BenchmarkResult(
                name,
                entry: operation.name,
                chunk: size,
                bytes: Int(length),
                parts: 1,
                comparison
            )
        }
    }

    private static func drain(_ chunks: EncodedFormChunks) async throws -> Int {
        var total = 0
        for try await chunk in chunks { total += chunk.count }
        return total
    }

    private static func drain(_ form: MultipartFormData) throws -> Int {
        let buffer = UnsafeMutableRawBufferPointer.allocate(
            byteCount: FileReferences.bufferSize,
            alignment: FileReferences.alignment
        )
        defer { buffer.deallocate() }
        var reader = try form.makeReader()
        var total = 0
        while true {
            // SAFETY: the buffer is freed after the last read.
            var bytes = buffer.mutableBytes
            let count = try reader.read(into: &bytes)
            guard count > 0 else { return total }
            total += count
        }
    }
}
