import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// Files that outlive their request, and limits that some entries forgot.
extension Advisory {
    /// A field and two files.
    static var upload: Data {
        message([
            (disposition(), "value"),
            (disposition("; filename=\"f\""), String(repeating: "x", count: 3000)),
            (disposition("; filename=\"g\""), String(repeating: "y", count: 3000)),
        ])
    }

    /// Options to write the files of ``upload`` to a directory.
    static func collectorOptions(in directory: TemporaryDirectory) -> MultipartCollector.Options {
        MultipartCollector.Options(diskThreshold: 100, temporaryDirectory: directory.url)
    }

    private static func collector(in directory: TemporaryDirectory) throws -> MultipartCollector {
        MultipartCollector(boundary: usualBoundary, options: collectorOptions(in: directory))
    }

    /// A source whose only part has no end within 10 MB: its head, then chunks of 1000 bytes.
    private static func endless(_ header: String) -> ChunkSource<Data> {
        let head = Data("--BND\r\n\(header)\r\n\r\n".utf8)
        let chunk = Data(repeating: 120, count: 1000)
        return ChunkSource([head] + [Data](repeating: chunk, count: 10_000))
    }

    /// Expects that a part without end is refused with the chunk that passes a limit.
    ///
    /// - Parameters:
    ///   - code: The error.
    ///   - count: The most chunks of 1000 bytes that may be requested.
    ///   - header: The part's header lines.
    ///   - sourceLocation: The location to report.
    ///   - receive: What receives the message.
    private static func expectRefusal(
        _ code: MultipartError.Code,
        withinChunks count: Int,
        of header: String,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ receive: (ChunkSource<Data>) async throws -> Void
    ) async {
        let source = endless(header)
        let error = await #expect(throws: MultipartError.self, sourceLocation: sourceLocation) {
            try await receive(source)
        }
        #expect(error?.code == code, sourceLocation: sourceLocation)
        #expect(source.requests <= count + 1, sourceLocation: sourceLocation)
    }

    static let receiving: [Advisory] = [
        Advisory(
            id: "CVE-2026-77037",
            project: "multer",
            fault: "an aborted upload left its file's descriptor open and its disk blocks in use",
            answer: "a collector that fails or is dropped closes its file and removes it"
        ) {
            let directory = try TemporaryDirectory()
            for length in stride(from: 0, to: upload.count - 10, by: 499) {
                do {
                    var dropped = try collector(in: directory)
                    try dropped.append(upload.prefix(length))
                }
                #expect(throws: MultipartError.self) {
                    var finished = try collector(in: directory)
                    try finished.append(upload.prefix(length))
                    _ = try finished.finish()
                }
                #expect(directory.contents.isEmpty)
                #expect(directory.openFileCount == 0)
            }
        },
        Advisory(
            id: "CVE-2026-22740",
            project: "Spring WebFlux",
            fault: "temporary files of parts could remain after the request",
            answer: "a temporary file is removed with the last part that refers to it"
        ) {
            let directory = try TemporaryDirectory()
            var parts: [BodyPart] = []
            do {
                var collector = try collector(in: directory)
                try collector.append(upload)
                parts.append(try #require(try collector.finish().last))
            }
            #expect(directory.contents.count == 1)
            #expect(try parts.first?.data().count == 3000)
            parts.removeAll()
            #expect(directory.contents.isEmpty)
        },
        Advisory(
            id: "CVE-2026-54283",
            project: "Starlette",
            fault: "a form's limits applied to one kind of form and were ignored for another",
            answer: "every entry uses one parser, with the same limits"
        ) {
            let boundary = usualBoundary
            let limits = MultipartParser.Options(maxParts: 2)
            try expect(upload, .error(.limitParts, afterParts: 2), options: limits)
            let expected = ParsedMessage([upload], boundary: boundary, options: limits).error
            let borrowed = ParsedMessage(borrowing: [upload], boundary: boundary, options: limits)
            #expect(borrowed.error == expected)
            let error = try #require(expected)
            #expect(throws: error) {
                try MultipartFormData(parsing: upload, contentType: boundary.contentType, options: limits)
            }
            #expect(throws: error) {
                try MultipartFormData(
                    pushing: [upload],
                    contentType: boundary.contentType,
                    options: MultipartCollector.Options(parser: limits)
                )
            }
        },
        Advisory(
            id: "CVE-2026-34829",
            project: "Rack",
            fault: "a request without a declared length, as with chunked transfer, had no limit: its file filled the "
                + "disk",
            answer: "no declared length is used: `maxDiskBytes`, `maxPartBytes` and `maxTotalBytes` count what arrives"
        ) {
            let directory = try TemporaryDirectory()
            let file = disposition("; filename=\"f\"")
            var options = collectorOptions(in: directory)
            options.maxDiskBytes = 20_000
            await expectRefusal(.limitDiskBytes, withinChunks: 21, of: file) { source in
                _ = try await MultipartFormData(
                    collecting: source,
                    contentType: usualBoundary.contentType,
                    options: options
                )
            }
            options.parser.maxTotalBytes = 10_000
            await expectRefusal(.limitTotalBytes, withinChunks: 11, of: file) { source in
                _ = try await MultipartFormData(
                    collecting: source,
                    contentType: usualBoundary.contentType,
                    options: options
                )
            }
            await expectRefusal(.limitPartBytes, withinChunks: 21, of: file) { source in
                for try await part in try source.multipartParts(contentType: usualBoundary.contentType) {
                    _ = try await part.save(to: directory.url.appendingPathComponent("saved"), upTo: 20_000)
                }
            }
            #expect(directory.contents.isEmpty)
            #expect(MultipartCollector.Options().defaults.diskBytes == 1 << 30)
        },
        Advisory(
            id: "CVE-2026-33034",
            project: "Django",
            fault: "a request whose Content-Length was missing or too small was read into memory beyond the limit",
            answer: "`maxMemoryBytes` counts what is kept, as it arrives"
        ) {
            let directory = try TemporaryDirectory()
            var options = MultipartCollector.Options(maxFieldBytes: .max, temporaryDirectory: directory.url)
            options.maxMemoryBytes = 100_000
            await expectRefusal(.limitMemoryBytes, withinChunks: 101, of: disposition()) { source in
                _ = try await MultipartFormData(
                    collecting: source,
                    contentType: usualBoundary.contentType,
                    options: options
                )
            }
            // A file goes to the disk once memory is used up, unless its route keeps it in memory.
            await expectRefusal(.limitMemoryBytes, withinChunks: 101, of: disposition("; filename=\"f\"")) { source in
                _ = try await MultipartFormData(
                    collecting: source,
                    contentType: usualBoundary.contentType,
                    options: options
                ) { _ in .memory(upTo: .max) }
            }
            #expect(directory.contents.isEmpty)
        },
        Advisory(
            id: "CVE-2026-34517",
            project: "aiohttp",
            fault: "a field was read into memory whole before its length was checked",
            answer: "a limit is checked before bytes are kept: `limit-part-bytes` at the chunk that exceeds it"
        ) {
            await expectRefusal(.limitPartBytes, withinChunks: 6, of: disposition()) { source in
                _ = try await MultipartFormData(
                    collecting: source,
                    contentType: usualBoundary.contentType,
                    options: MultipartCollector.Options(maxFieldBytes: 5000)
                )
            }
            await expectRefusal(.limitPartBytes, withinChunks: 6, of: disposition()) { source in
                for try await part in try source.multipartParts(contentType: usualBoundary.contentType) {
                    _ = try await part.text(upTo: 5000)
                }
            }
            let field = message([(disposition(), String(repeating: "x", count: 20_000))])
            let limits = MultipartParser.Options(maxPartBytes: 5000)
            try await expectOfAll(field, .error(.limitPartBytes), options: limits)
        },
    ]
}
