package import Foundation
package import MultipartFormCodec

/// The entry points: everything that parses a message. All must give the same result.
package enum ParsingEntryPoints {
    /// The result of each entry point, with the entry point's name.
    ///
    /// - Parameters:
    ///   - chunks: The message.
    ///   - boundary: Its boundary.
    ///   - options: The options to parse with.
    ///   - directory: The directory for the collectors' files.
    /// - Returns: The messages; one that could not be collected has no parts.
    /// - Throws: Any error but a `MultipartError`.
    package static func all(
        _ chunks: [Data],
        boundary: Boundary,
        options: MultipartParser.Options = MultipartParser.Options(),
        directory: TemporaryDirectory
    ) async throws -> [(name: String, message: ParsedMessage)] {
        try await ofChunks(chunks, boundary: boundary, options: options, directory: directory)
            + ofWhole(Data(chunks.joined()), boundary: boundary, options: options, directory: directory)
    }

    /// The results of the entry points that get the message in chunks; the parameters are those of `all`.
    package static func ofChunks(
        _ chunks: [Data],
        boundary: Boundary,
        options: MultipartParser.Options,
        directory: TemporaryDirectory
    ) async throws -> [(name: String, message: ParsedMessage)] {
        let contentType = boundary.contentType
        let source = ChunkSource(chunks)
        let foreign = ChunkSource(chunks.map(ForeignBytes.init))
        let collecting = MultipartCollector.Options(parser: options, temporaryDirectory: directory.url)
        var result = [
            ("parser", ParsedMessage(chunks, boundary: boundary, options: options)),
            ("parser, borrowed", ParsedMessage(borrowing: chunks, boundary: boundary, options: options)),
            ("parts", try await parts(of: source, contentType, options)),
            ("parts, foreign", try await parts(of: foreign, contentType, options)),
        ]
        for threshold in [0, .max] {
            var collecting = collecting
            collecting.diskThreshold = threshold
            let pushed = try await collected {
                var collector = MultipartCollector(boundary: boundary, options: collecting)
                for chunk in chunks { try collector.append(chunk) }
                return try collector.finish()
            }
            result.append(("pushed, threshold \(threshold)", pushed))
            let pulled = try await collected {
                try await MultipartFormData(collecting: foreign, contentType: contentType, options: collecting)
            }
            result.append(("collected, threshold \(threshold)", pulled))
        }
        return result
    }

    /// The results of the entry points that cut the message themselves, if at all.
    private static func ofWhole(
        _ message: Data,
        boundary: Boundary,
        options: MultipartParser.Options,
        directory: TemporaryDirectory
    ) async throws -> [(name: String, message: ParsedMessage)] {
        let contentType = boundary.contentType
        let collecting = MultipartCollector.Options(parser: options, temporaryDirectory: directory.url)
        let whole = try await collected {
            try MultipartFormData(parsing: message, contentType: contentType, options: options)
        }
        let url = try directory.write(message, as: "message")
        defer { try? FileManager.default.removeItem(at: url) }
        let parse = {
            try MultipartFormData(parsingFileAt: url, contentType: contentType, inMemoryUpTo: 4, options: options)
        }
        let file = try await collected { try parse() }
        let awaited = try await collected {
            try await MultipartFormData(
                parsingFileAt: url,
                contentType: contentType,
                inMemoryUpTo: 4,
                options: options
            )
        }
        var result = [("whole", whole), ("file", file), ("file, awaited", awaited)]
        #if FullFoundation
            let streamed = try await collected {
                let stream = InputStream(data: message)
                return try MultipartFormData(collecting: stream, contentType: contentType, options: collecting)
            }
            result.append(("collected from a stream", streamed))
        #endif
        return result
    }

    private static func parts(
        of source: ChunkSource<some Collection<UInt8>>,
        _ contentType: String,
        _ options: MultipartParser.Options
    ) async throws -> ParsedMessage {
        var message = ParsedMessage()
        do {
            for try await part in try source.multipartParts(contentType: contentType, options: options) {
                message.take(.part(part.headers))
                for try await bytes in part.body { message.take(.body(bytes)) }
                message.take(.endOfPart)
            }
            message.take(.end)
        } catch let error as MultipartError {
            message.error = error
        }
        return message
    }

    private static func collected(_ form: () async throws -> MultipartFormData) async throws -> ParsedMessage {
        var message = ParsedMessage()
        do {
            message.parts = try await form().map { part in
                ParsedMessage.Part(
                    headers: part.headers,
                    texts: [part.name, part.filename, part.contentType],
                    body: try part.data(),
                    isComplete: true
                )
            }
            message.isComplete = true
        } catch let error as MultipartError {
            message.error = error
        }
        return message
    }
}
