import Foundation
import MultipartFormCodec

/// Encodes a file into a new file, compared with reading and writing through a buffer of 1 MiB.
struct EncodeFileCase: BenchmarkCase {
    var name: String { "encode-file" }

    func run(_ settings: Settings) throws -> [BenchmarkResult] {
        let source = try settings.directory.write(EncodeForms.content(settings.scale.largeContent), to: "content.bin")
        let output = settings.directory.file("encoded.body")
        let remove = { _ = unlink(output.path) }
        defer {
            remove()
            unlink(source.path)
        }
        let form = try EncodeForms.form(ofFile: source)
        guard let length = form.encodedLength else { throw BenchmarkError("a file's length is known") }
        let files = FileReferences(source: source, output: output)
        let encode = Operation(name: "file", prepare: remove) { try form.writeEncodedData(to: output) }
        let copy = Operation(name: "read-write", prepare: remove) { try files.copy() }
        let comparison = try Comparison(encode, against: [copy], runs: settings.runs)
        return [
            BenchmarkResult(
                name,
                entry: "file",
                chunk: FileReferences.bufferSize,
                bytes: Int(length),
                parts: 1,
                comparison
            )
        ]
    }
}
