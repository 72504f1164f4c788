import Foundation
import MultipartFormCodec

/// Ways to read a message.
enum Programs {
    static let chunkSize = 64 * 1024

    /// The Content-Type of all inputs.
    static let contentType = "multipart/form-data; boundary=\(ParseInput.boundaryText)"

    private static let options = MultipartParser.Options(maxParts: .max)

    /// The chunks of an input, as from a connection.
    static func chunks(of input: ParseInput, size: Int = chunkSize) -> ChunkSequence {
        ChunkSequence(chunks: input.chunks(ofMessage: 0, size: size).map { Data(input.bytes[$0]) })
    }

    static func parse(_ message: Data) throws -> MultipartFormData {
        try MultipartFormData(parsing: message, contentType: contentType, options: options)
    }

    static func collect(_ chunks: ChunkSequence, _ expected: Int) async throws {
        let options = MultipartCollector.Options(parser: options, maxMemoryBytes: .max)
        let form = try await MultipartFormData(collecting: chunks, contentType: contentType, options: options)
        try check(form.count, expected)
    }

    /// Reads all parts and bodies; reads the names as the parser's cases do.
    static func readParts(_ chunks: ChunkSequence, _ expected: Int) async throws {
        var count = 0
        var length = 0
        for try await part in try chunks.multipartParts(contentType: contentType, options: options) {
            length += part.name?.utf8.count ?? 0
            length += part.filename?.utf8.count ?? 0
            length += part.contentType?.utf8.count ?? 0
            for try await piece in part.body { length += piece.count }
            count += 1
        }
        try check(count, expected)
        guard length > 0 else { throw BenchmarkError("no bytes") }
    }

    /// Reads the name, the file name, the type and the text of each part of a form that was parsed.
    static func read(_ form: MultipartFormData) throws {
        var length = 0
        for part in form {
            length += part.name?.utf8.count ?? 0
            length += part.filename?.utf8.count ?? 0
            length += part.contentType?.utf8.count ?? 0
            length += try part.text().utf8.count
        }
        guard length > 0 else { throw BenchmarkError("no bytes") }
    }

    static func check(_ count: Int, _ expected: Int) throws {
        guard count == expected else { throw BenchmarkError("\(count) instead of \(expected)") }
    }
}

/// Chunks that have arrived, as an asynchronous sequence.
struct ChunkSequence: AsyncSequence, Sendable {
    let chunks: [Data]

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: chunks[...]) }

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var rest: ArraySlice<Data>

        mutating func next(isolation actor: isolated (any Actor)?) async throws -> Data? { rest.popFirst() }
    }
}
