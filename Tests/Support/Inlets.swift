package import Foundation
package import MultipartForm

/// The ways to read a message, the parser itself included. All must read the same.
package enum Inlets {
    /// What each way makes of a message, by name.
    ///
    /// - Parameters:
    ///   - chunks: The message.
    ///   - boundary: Its boundary.
    ///   - limits: What it may cost.
    ///   - mode: How strictly to read.
    ///   - directory: Where collectors may put files.
    /// - Returns: The messages; of one that was collected in vain, no parts.
    /// - Throws: What is not a parsing error.
    package static func all(
        _ chunks: [Data],
        boundary: Boundary,
        limits: Limits = .default,
        mode: ParsingMode,
        directory: TemporaryDirectory
    ) async throws -> [(name: String, message: ParsedMessage)] {
        let source = ChunkSource(chunks)
        let foreign = ChunkSource(chunks.map(ForeignBytes.init))
        var result = [
            ("parser", ParsedMessage(chunks, boundary: boundary, limits: limits, mode: mode)),
            ("parser, borrowed", ParsedMessage(borrowing: chunks, boundary: boundary, limits: limits, mode: mode)),
            ("events", try await events(of: source, boundary, limits, mode)),
            ("events, foreign", try await events(of: foreign, boundary, limits, mode)),
            ("parts", try await parts(of: source, boundary, limits, mode)),
            ("parts, foreign", try await parts(of: foreign, boundary, limits, mode)),
        ]
        for threshold: UInt64 in [0, .max] {
            let options = CollectionOptions(diskThreshold: threshold, directory: directory.url)
            let pushed = try collected {
                var collector = MultipartCollector(boundary: boundary, limits: limits, mode: mode, options: options)
                for chunk in chunks { try collector.append(chunk) }
                return try collector.finish()
            }
            result.append(("pushed, threshold \(threshold)", pushed))
        }
        let options = CollectionOptions(directory: directory.url)
        let message = Data(chunks.joined())
        result.append(
            (
                "collected from a sequence",
                try collected {
                    try MultipartFormData(
                        collecting: chunks,
                        boundary: boundary,
                        limits: limits,
                        mode: mode,
                        options: options
                    )
                }
            )
        )
        result.append(
            (
                "collected from a stream",
                try collected {
                    try MultipartFormData(
                        collecting: InputStream(data: message),
                        boundary: boundary,
                        limits: limits,
                        mode: mode,
                        options: options
                    )
                }
            )
        )
        result.append(
            (
                "whole",
                try collected {
                    try MultipartFormData(parsing: message, boundary: boundary, limits: limits, mode: mode)
                }
            )
        )
        let file = try directory.write(message, as: "message")
        defer { try? FileManager.default.removeItem(at: file) }
        result.append(
            (
                "file",
                try collected {
                    try MultipartFormData(
                        parsingFileAt: file,
                        boundary: boundary,
                        limits: limits,
                        mode: mode,
                        inMemoryUpTo: 4
                    )
                }
            )
        )
        do {
            let form = try await MultipartFormData(
                collecting: foreign,
                boundary: boundary,
                limits: limits,
                mode: mode,
                options: options
            )
            result.append(("collected", try collected { form }))
        } catch let error as MultipartParsingError {
            result.append(("collected", try collected { throw error }))
        }
        return result
    }

    private static func events(
        of source: ChunkSource<some ContiguousBytes>,
        _ boundary: Boundary,
        _ limits: Limits,
        _ mode: ParsingMode
    ) async throws -> ParsedMessage {
        var message = ParsedMessage()
        do {
            for try await event in source.multipartEvents(boundary: boundary, limits: limits, mode: mode) {
                message.take(event)
            }
        } catch let error as MultipartParsingError {
            message.error = error
        }
        return message
    }

    private static func parts(
        of source: ChunkSource<some ContiguousBytes>,
        _ boundary: Boundary,
        _ limits: Limits,
        _ mode: ParsingMode
    ) async throws -> ParsedMessage {
        var message = ParsedMessage()
        do {
            for try await part in source.multipartParts(boundary: boundary, limits: limits, mode: mode) {
                message.take(.part(part.headers))
                for try await bytes in part.body { message.take(.body(bytes)) }
                message.take(.endOfPart)
            }
            message.take(.end)
        } catch let error as MultipartParsingError {
            message.error = error
        }
        return message
    }

    private static func collected(_ form: () throws -> MultipartFormData) throws -> ParsedMessage {
        var message = ParsedMessage()
        do {
            message.parts = try form().map { part in
                ParsedMessage.Part(headers: part.headers, body: try part.data(), isComplete: true)
            }
            message.isComplete = true
        } catch let error as MultipartParsingError {
            message.error = error
        }
        return message
    }
}
