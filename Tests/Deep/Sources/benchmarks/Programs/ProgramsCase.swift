import Foundation
import MultipartFormCodec

/// Reads and writes 100,000 small fields in the ways that programs do, compared with the parser beneath them.
struct ProgramsCase: BenchmarkCase {
    private static let count = 100_000

    var name: String { "programs" }
    var isCounted: Bool { true }

    func run(_ settings: Settings) throws -> [BenchmarkResult] {
        let input = ParseShape.fields(Self.count)
        let message = Data(input.bytes)
        let fields = EncodeForms.fields(Self.count)
        let parsed = try Programs.parse(message)
        let chunks = Programs.chunks(of: input)
        let push = ParseEntry.data.prepare(input, chunk: Programs.chunkSize)
        let borrowed = ParseEntry.borrowed.prepare(input, chunk: Programs.chunkSize)
        let buffer = ReusedBuffer()
        let parser = Operation(name: "parser") { try push(true).check(parts: Self.count, messages: 1) }
        let operations = [
            Operation(name: "borrowed") { try borrowed(true).check(parts: Self.count, messages: 1) },
            Operation(name: "parts") {
                try Awaited.run { try await Programs.readParts(chunks, Self.count) }
            },
            Operation(name: "collected") {
                try Awaited.run { try await Programs.collect(chunks, Self.count) }
            },
            Operation(name: "whole-message") { try Programs.check(Programs.parse(message).count, Self.count) },
            Operation(name: "read") { try Programs.read(parsed) },
            Operation(name: "encode-again") { try Programs.check(parsed.encode().count, message.count) },
            Operation(name: "append") { try Programs.check(EncodeForms.form(of: fields).encode().isEmpty ? 0 : 1, 1) },
            Operation(name: "append-into") {
                try Programs.check(buffer.encode(EncodeForms.form(of: fields)) > 0 ? 1 : 0, 1)
            },
        ]
        let held = try [
            "whole-message": heldBytes { try Programs.parse(message) },
            "append": heldBytes { EncodeForms.form(of: fields) },
        ]
        return try operations.map { operation in
            let comparison = try Comparison(operation, against: [parser], runs: settings.runs)
            var result = BenchmarkResult(
                name,
                entry: operation.name,
                chunk: nil,
                bytes: input.bytes.count,
                parts: Self.count,
                comparison
            )
            result.allocationsPerPart = try AllocationTotal(operation.run).map { Double($0.calls) / Double(Self.count) }
            result.bytesHeld = held[operation.name].flatMap(\.self)
            return result
        }
    }

    /// The bytes that a form holds, those of its names and values included.
    private func heldBytes(_ make: () throws -> MultipartFormData) throws -> Int? {
        var form = MultipartFormData()
        let total = try AllocationTotal { form = try make() }
        return withExtendedLifetime(form) { total?.heldBytes }
    }
}
