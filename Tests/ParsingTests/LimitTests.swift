import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// Every limit, exactly at it and one over: every entry point throws the same error.
@Suite(.timeLimit(.minutes(10))) struct LimitTests {
    /// A message that is as long as a limit allows, and the error when the limit is one less.
    struct Trial: Sendable, CustomTestStringConvertible {
        let testDescription: String
        private let text: String
        let exact: MultipartParser.Options
        let oneLess: MultipartParser.Options
        let error: MultipartError

        init(
            _ name: String,
            _ message: String,
            _ exact: Int,
            _ code: MultipartError.Code,
            at offset: Int,
            part: Int?,
            _ limits: (Int) -> MultipartParser.Options
        ) {
            testDescription = name
            text = message
            self.exact = limits(exact)
            oneLess = limits(exact - 1)
            error = MultipartError(code, offset: UInt64(offset), partIndex: part, limit: exact - 1)
        }

        var message: Data { Data(text.utf8) }
    }

    /// 42 bytes with its line break.
    private static let disposition = "Content-Disposition: form-data; name=\"a\"\r\n"
    /// 54 bytes, of which the last 5 are the body.
    private static let part = "--b\r\n\(disposition)\r\nvalue"

    static let trials = [
        Trial("maxParts", "\(part)\r\n\(part)\r\n\(part)\r\n--b--\r\n", 3, .limitParts, at: 117, part: 2) {
            MultipartParser.Options(maxParts: $0)
        },
        Trial(
            "maxHeaderCount",
            "--b\r\n\(disposition)A: b\r\nC: d\r\n\r\n\r\n--b--\r\n",
            3,
            ErrorCode.limitHeaderCount,
            at: 53,
            part: 0
        ) {
            MultipartParser.Options(maxHeaderCount: $0)
        },
        Trial("maxHeaderBytes", "\(part)\r\n--b--\r\n", 44, ErrorCode.limitHeaderBytes, at: 48, part: 0) {
            MultipartParser.Options(maxHeaderBytes: $0)
        },
        Trial(
            "maxHeaderBytes, padding",
            "\(part)\r\n--b\(String(repeating: " ", count: 60))\r\n\(part.dropFirst(5))\r\n--b--\r\n",
            60,
            ErrorCode.limitHeaderBytes,
            at: 118,
            part: 0
        ) {
            MultipartParser.Options(maxHeaderBytes: $0)
        },
        Trial(
            "maxPreambleBytes",
            "preamble\r\n\(part)\r\n--b--\r\n",
            10,
            ErrorCode.limitPreambleBytes,
            at: 9,
            part: nil
        ) {
            MultipartParser.Options(maxPreambleBytes: $0)
        },
        Trial("maxPartBytes", "\(part)\r\n--bx\r\n--b--\r\n", 11, .limitPartBytes, at: 59, part: 0) {
            MultipartParser.Options(maxPartBytes: $0)
        },
        Trial("maxTotalBytes", "\(part)\r\n--b--\r\n", 63, .limitTotalBytes, at: 62, part: 0) {
            MultipartParser.Options(maxTotalBytes: $0)
        },
        Trial("maxTotalBytes, epilogue", "\(part)\r\n--b--\r\nepilogue", 71, .limitTotalBytes, at: 70, part: nil) {
            MultipartParser.Options(maxTotalBytes: $0)
        },
    ]

    @Test(arguments: trials)
    func `every entry point accepts exactly the limit and not one byte more`(trial: Trial) async throws {
        let boundary = try Boundary(parsing: "b", mode: .strict)
        let directory = try TemporaryDirectory()
        for size in [1, 2, 3, 7, 65_536] {
            let chunks = ChunkSplitter.pieces(of: trial.message, size: size)
            let entryPoints = { (limits: MultipartParser.Options) in
                try await ParsingEntryPoints.all(chunks, boundary: boundary, options: limits, directory: directory)
            }
            for (way, message) in try await entryPoints(trial.exact) {
                #expect(message.error == nil, "\(way), chunks of \(size)")
                #expect(message.isComplete, "\(way), chunks of \(size)")
            }
            for (way, message) in try await entryPoints(trial.oneLess) {
                #expect(message.error == trial.error, "\(way), chunks of \(size)")
                #expect(message.error?.limit == trial.error.limit, "\(way), chunks of \(size)")
                let option = trial.testDescription.prefix { $0 != "," }
                #expect(message.error?.limitName == String(option), "\(way), chunks of \(size)")
            }
        }
    }

    @Test func `of a body that is too long, the bytes up to the limit are delivered, however it is cut`() throws {
        let head = Data("--b\r\n\(Self.disposition)\r\n".utf8)
        let body = Data("va\r\n--bx\r\r\n-\r\n--lue\r\n".utf8)
        let message = head + body + Data("\r\n--b--\r\n".utf8)
        for limit in 0..<body.count {
            let options = MultipartParser.Options(maxPartBytes: limit)
            let offset = UInt64(head.count + limit)
            let error = MultipartError(.limitPartBytes, offset: offset, partIndex: 0, limit: limit)
            for size in Array(1...body.count) + [message.count] {
                let chunks = ChunkSplitter.pieces(of: message, size: size)
                for parsed in [
                    ParsedMessage(chunks, boundary: "b", options: options),
                    ParsedMessage(borrowing: chunks, boundary: "b", options: options),
                ] {
                    #expect(parsed.parts.first?.body == body.prefix(limit), "limit \(limit), chunks of \(size)")
                    #expect(parsed.error == error, "limit \(limit), chunks of \(size)")
                }
            }
        }
    }

    @Test func `a limit is reported for a part although the part before it had a Content-Length`() async throws {
        let boundary = try Boundary(parsing: "b", mode: .strict)
        let directory = try TemporaryDirectory()
        let first = "--b\r\n\(Self.disposition)Content-Length: 5\r\n\r\nvalue\r\n"
        let message = Data("\(first)\(Self.part)s\r\n--b--\r\n".utf8)
        let options = MultipartParser.Options(mode: .strict, maxPartBytes: 5)
        let error = MultipartError(
            .limitPartBytes,
            offset: UInt64(first.utf8.count + Self.part.utf8.count),
            partIndex: 1,
            limit: 5
        )
        for size in [1, 7, 65_536] {
            let chunks = ChunkSplitter.pieces(of: message, size: size)
            for (way, message) in try await ParsingEntryPoints.all(
                chunks,
                boundary: boundary,
                options: options,
                directory: directory
            ) {
                #expect(message.error == error, "\(way), chunks of \(size)")
                #expect(message.error?.limit == 5, "\(way), chunks of \(size)")
            }
        }
    }

    @Test func `collect(upTo:) accepts exactly its limit and not one byte more`() async throws {
        let boundary = try Boundary(parsing: "b", mode: .strict)
        let message = Data("\(Self.part)\r\n--bx\r\n\(Self.part)\r\n--b--\r\n".utf8)
        for size in [1, 2, 3, 7, 65_536] {
            let source = ChunkSource(ChunkSplitter.pieces(of: message, size: size))
            for limit in [10, 11] {
                var parts = try source.multipartParts(contentType: boundary.contentType).makeAsyncIterator()
                let part = try #require(try await parts.next())
                var error: MultipartError?
                do {
                    #expect(try await part.collect(upTo: limit) == Data("value\r\n--bx".utf8))
                } catch let failure as MultipartError {
                    error = failure
                }
                let expected = MultipartError(.limitPartBytes, offset: 59, partIndex: 0, limit: 10)
                #expect(error == (limit == 10 ? expected : nil))
                #expect(error?.limitName == (limit == 10 ? "collect(upTo:)" : nil))
                // The next part can still be read.
                #expect(try await parts.next()?.collect(upTo: 5) == Data("value".utf8))
                #expect(try await parts.next() == nil)
            }
        }
    }
}
