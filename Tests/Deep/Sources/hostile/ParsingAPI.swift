import Foundation
import MultipartFormCodec
import TestSupport

/// An API that parses a message, used as a server would: it reads every part's name, file name, type and body.
struct ParsingAPI: Sendable {
    /// A message in the forms that APIs take.
    struct Input: Sendable {
        let chunks: [Data]
        let whole: Data
        /// A file with the message.
        let file: URL
        let boundary: Boundary
        /// The default limits except for the number of parts: with 1000 of them an honest form of 1 MiB is not the
        /// densest.
        let options: MultipartParser.Options
        /// The directory for collected files.
        let directory: URL
    }

    let name: String
    /// The chunk sizes it is measured with, in bytes; `Int.max` if it takes no chunks.
    let chunkSizes: [Int]
    var modes = [ParsingMode.lenient]
    /// Reads a message; returns the number of bytes it has seen.
    let read: @Sendable (Input) async throws -> Int

    static let all = [
        ParsingAPI(name: "parser", chunkSizes: [1 << 20, 64 << 10, 1460, 64, 7, 1], modes: [.lenient, .strict]) {
            try parse($0)
        },
        ParsingAPI(name: "parser, borrowed", chunkSizes: [64 << 10, 1460, 7]) { try borrow($0) },
        ParsingAPI(name: "parts", chunkSizes: [64 << 10, 1460, 64]) { try await parts($0) },
        ParsingAPI(name: "collector, in memory", chunkSizes: [64 << 10, 1460, 64, 1]) { input in
            try weight(of: collect(input, diskThreshold: .max))
        },
        ParsingAPI(name: "collector, to disk", chunkSizes: [64 << 10, 64]) { input in
            try weight(of: collect(input, diskThreshold: 0))
        },
        ParsingAPI(name: "collected, asynchronously", chunkSizes: [64 << 10, 64]) { input in
            weight(
                of: try await MultipartFormData(
                    collecting: ChunkSource(input.chunks),
                    contentType: input.boundary.contentType,
                    options: collectorOptions(input, diskThreshold: .max)
                )
            )
        },
        ParsingAPI(name: "whole", chunkSizes: [.max]) { input in
            weight(
                of: try MultipartFormData(
                    parsing: input.whole,
                    contentType: input.boundary.contentType,
                    options: input.options
                )
            )
        },
        ParsingAPI(name: "file", chunkSizes: [.max]) { input in
            weight(
                of: try MultipartFormData(
                    parsingFileAt: input.file,
                    contentType: input.boundary.contentType,
                    options: input.options
                )
            )
        },
    ]

    private static func parse(_ input: Input) throws -> Int {
        var parser = MultipartParser(boundary: input.boundary, options: input.options)
        var total = 0
        for chunk in input.chunks {
            parser.append(chunk)
            while let event = try parser.next() { total &+= weight(of: event) }
        }
        parser.finish()
        while let event = try parser.next() { total &+= weight(of: event) }
        return total
    }

    private static func borrow(_ input: Input) throws -> Int {
        var parser = MultipartParser(boundary: input.boundary, options: input.options)
        var total = 0
        for chunk in input.chunks {
            try parser.parse(chunk.span) { event, body in
                if case .part(let headers) = event { total &+= weight(of: headers) }
                total &+= body.count
            }
        }
        try parser.finish { _, _ in }
        return total
    }

    private static func parts(_ input: Input) async throws -> Int {
        var total = 0
        let source = ChunkSource(input.chunks)
        let contentType = input.boundary.contentType
        for try await part in try source.multipartParts(contentType: contentType, options: input.options) {
            total &+= weight(of: part.headers)
            for try await bytes in part.body { total &+= bytes.count }
        }
        return total
    }

    /// Options without limits except the parser's.
    private static func collectorOptions(_ input: Input, diskThreshold: Int) -> MultipartCollector.Options {
        MultipartCollector.Options(
            parser: input.options,
            maxFieldBytes: .max,
            maxMemoryBytes: .max,
            maxDiskBytes: .max,
            diskThreshold: diskThreshold,
            temporaryDirectory: input.directory
        )
    }

    private static func collect(_ input: Input, diskThreshold: Int) throws -> MultipartFormData {
        let options = collectorOptions(input, diskThreshold: diskThreshold)
        var collector = MultipartCollector(boundary: input.boundary, options: options)
        for chunk in input.chunks { try collector.append(chunk) }
        return try collector.finish()
    }

    private static func weight(of event: MultipartParser.Event<Data>) -> Int {
        switch event {
        case .part(let headers): weight(of: headers)
        case .body(let data): data.count
        case .endOfPart, .end: 0
        }
    }

    private static func weight(of headers: HeaderFields) -> Int {
        (headers.name?.utf8.count ?? 0) + (headers.filename?.utf8.count ?? 0) + (headers.contentType?.utf8.count ?? 0)
    }

    private static func weight(of form: MultipartFormData) -> Int {
        form.reduce(0) { $0 &+ weight(of: $1.headers) &+ Int($1.length ?? 0) }
    }
}
