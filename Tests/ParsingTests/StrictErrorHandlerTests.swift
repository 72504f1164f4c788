import Foundation
import MultipartFormCodec
import TestSupport
import Testing

@Suite struct StrictErrorHandlerTests {
    private typealias Way = @Sendable ([Data], String, MultipartParser.Options) async throws -> Void

    private static let directory = try? TemporaryDirectory()

    /// Every way to parse a message.
    private static let ways: [(name: String, parse: Way)] = [
        (
            "parser",
            { chunks, contentType, options in
                var parser = try MultipartParser(contentType: contentType, options: options)
                for chunk in chunks {
                    parser.append(chunk)
                    while try parser.next() != nil {}
                }
                parser.finish()
                while try parser.next() != nil {}
            }
        ),
        (
            "parser, read at the end",
            { chunks, contentType, options in
                var parser = try MultipartParser(contentType: contentType, options: options)
                for chunk in chunks { parser.append(chunk) }
                parser.finish()
                while try parser.next() != nil {}
            }
        ),
        (
            "borrowed",
            { chunks, contentType, options in
                var parser = try MultipartParser(contentType: contentType, options: options)
                for chunk in chunks { try parser.parse(chunk.span) { _, _ in } }
                try parser.finish { _, _ in }
            }
        ),
        (
            "parts",
            { chunks, contentType, options in
                for try await _ in try ChunkSource(chunks).multipartParts(contentType: contentType, options: options) {}
            }
        ),
        (
            "pushed",
            { chunks, contentType, options in
                let options = MultipartCollector.Options(parser: options)
                _ = try MultipartFormData(pushing: chunks, contentType: contentType, options: options)
            }
        ),
        (
            "collected",
            { chunks, contentType, options in
                let options = MultipartCollector.Options(parser: options)
                _ = try await MultipartFormData(
                    collecting: ChunkSource(chunks),
                    contentType: contentType,
                    options: options
                )
            }
        ),
        (
            "stream",
            { chunks, contentType, options in
                let options = MultipartCollector.Options(parser: options)
                #if FullFoundation
                    let stream = InputStream(data: Data(chunks.joined()))
                    _ = try MultipartFormData(collecting: stream, contentType: contentType, options: options)
                #else
                    _ = try MultipartFormData(
                        pushing: [Data(chunks.joined())],
                        contentType: contentType,
                        options: options
                    )
                #endif
            }
        ),
        (
            "whole",
            { chunks, contentType, options in
                _ = try MultipartFormData(parsing: Data(chunks.joined()), contentType: contentType, options: options)
            }
        ),
        (
            "file",
            { chunks, contentType, options in
                let directory = try #require(Self.directory)
                let file = try directory.write(Data(chunks.joined()), as: UUID().uuidString)
                defer { try? FileManager.default.removeItem(at: file) }
                _ = try MultipartFormData(parsingFileAt: file, contentType: contentType, options: options)
            }
        ),
        (
            "decoded",
            { chunks, contentType, options in
                let decoder = FormDataDecoder()
                let message = Data(chunks.joined())
                do {
                    _ = try decoder.decode(
                        [String: String].self,
                        from: message,
                        contentType: contentType,
                        options: options
                    )
                } catch is DecodingError {}
            }
        ),
    ]

    /// What is reported, and the error that is thrown.
    private static func parse(
        _ chunks: [Data],
        _ contentType: String,
        _ options: MultipartParser.Options,
        by way: Way
    ) async throws -> (reported: [MultipartError], thrown: MultipartError?) {
        let reports = Locked<[MultipartError]>([])
        var options = options
        options.strictErrorHandler = { error in reports.withLock { $0.append(error) } }
        do {
            try await way(chunks, contentType, options)
        } catch let error as MultipartError {
            return (reports.withLock { $0 }, error)
        }
        return (reports.withLock { $0 }, nil)
    }

    @Test func `an error has its part and its offset, and each message reports its own`() async throws {
        let fields = ["Content-Disposition: form-data; name=a", "Content-Disposition: attachment; name=b"]
        let message = Data(fields.map { "--B\r\n\($0)\r\n\r\nx\r\n" }.joined().utf8) + Data("--B--".utf8)
        let offset = UInt64(try #require(message.range(of: Data("Content-Disposition: attachment".utf8))).lowerBound)
        for way in Self.ways {
            let type = "multipart/form-data; boundary=B"
            let (reported, thrown) = try await Self.parse([message], type, MultipartParser.Options(), by: way.parse)
            #expect(thrown == nil)
            #expect(reported == [MultipartError(.ambiguousHeader, offset: offset, partIndex: 1)], "\(way.name)")
        }
    }

    @Test func `a Content-Type that strict mode refuses is reported, and then the message's own fault`() async throws {
        let message = Data("x\r\n--B\r\nContent-Disposition: form-data; name=a\r\n\r\n\r\n--B--".utf8)
        for way in Self.ways {
            let type = "multipart/form-data; boundary = B"
            let (reported, thrown) = try await Self.parse([message], type, MultipartParser.Options(), by: way.parse)
            #expect(
                thrown == nil && reported.map(\.code) == [.ambiguousHeader, .preambleNotAllowed],
                "\(way.name)"
            )
        }
    }

    @Test func `a boundary that was parsed elsewhere is reported once if strict mode refuses it`() throws {
        let boundary = try Boundary(parsing: "a[b", mode: .lenient)
        let message = Data("x\r\n--a[b\r\nContent-Disposition: form-data; name=a\r\n\r\n\r\n--a[b--".utf8)
        let reports = Locked<[MultipartError]>([])
        let options = MultipartParser.Options(strictErrorHandler: { error in reports.withLock { $0.append(error) } })
        var parser = MultipartParser(boundary: boundary, options: options)
        try parser.parse(message.span) { _, _ in }
        var collector = MultipartCollector(boundary: boundary, options: MultipartCollector.Options(parser: options))
        try collector.append(message)
        _ = try collector.finish()
        let codes = reports.withLock { $0.map(\.code) }
        #expect(codes == [.invalidBoundary, .preambleNotAllowed, .invalidBoundary, .preambleNotAllowed])
        #expect(reports.withLock { $0.first } == MultipartError(.invalidBoundary, offset: 0))
    }

    @Test func `copies of a parser report for themselves`() throws {
        let reports = Counter()
        let options = MultipartParser.Options(strictErrorHandler: { _ in reports.increment() })
        var parser = MultipartParser(boundary: "B", options: options)
        parser.append(Data("--B\r\nContent-Disposition: form-data; name=a\r\n".utf8))
        #expect(try parser.next() == nil)
        var copy = parser
        parser.append(Data("\r\n\r\n--B--".utf8))
        while try parser.next() != nil {}
        #expect(reports.value == 0)
        copy.append(Data(" folded\r\n\r\n\r\n--B--".utf8))
        while try copy.next() != nil {}
        #expect(reports.value == 1)
    }

    @Test func `a nested message reports as a strict parser of one would`() throws {
        let reports = Locked<[MultipartError]>([])
        let options = MultipartParser.Options(strictErrorHandler: { error in reports.withLock { $0.append(error) } })
        let part = BodyPart(
            Data("--N\r\nContent-Disposition: file; filename=a\r\n\r\n\r\n--N-- \r\n".utf8),
            name: "n",
            contentType: "multipart/mixed; boundary=N"
        )
        _ = try MultipartFormData(nestedIn: part, options: options)
        #expect(reports.withLock { $0.map(\.code) } == [.malformedDelimiter])
    }

    /// Lenient mode has an error, too, at which the strict parser gets no further bytes.
    @Test(arguments: [
        // The fifth byte of the body is one too many; the look-alike before it is not complete.
        ("xx--0123456789yyy\r\n--0123456789--\r\n", nil as MultipartError.Code?),
        ("--0123456789 x", .malformedDelimiter), ("x--0123456789y", nil),
    ])
    func `what is reported beside an error of lenient mode does not depend on the chunks`(
        body: String,
        code: MultipartError.Code?
    ) async throws {
        let head = "--0123456789\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n"
        let message = Data((head + body).utf8)
        let options = MultipartParser.Options(maxPartBytes: code == nil ? 4 : 100)
        for size in 1...message.count {
            let chunks = ChunkSplitter.pieces(of: message, size: size)
            let type = "multipart/form-data; boundary=0123456789"
            let result = try await Self.parse(chunks, type, options, by: Self.ways[0].parse)
            #expect(result.thrown != nil)
            #expect(result.reported.map(\.code) == [code].compactMap(\.self), "chunks of \(size)")
        }
    }

    /// The first line is malformed, which lenient mode finds at the section's end; strict mode refuses the fold before.
    @Test func `a fault after that of lenient mode is not reported`() async throws {
        let section = "Content-Disposition: form-data; name\"a\"\r\nX: y\r\n z\r\n\r\n"
        let message = Data("--b\r\n\(section)1\r\n--b--\r\n".utf8)
        for size in 1...message.count {
            let chunks = ChunkSplitter.pieces(of: message, size: size)
            let type = "multipart/form-data; boundary=b"
            let result = try await Self.parse(chunks, type, MultipartParser.Options(), by: Self.ways[0].parse)
            #expect(result.thrown?.code == .malformedContentDisposition)
            #expect(result.reported.isEmpty, "chunks of \(size)")
        }
    }
}
