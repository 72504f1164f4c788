import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// Framing: cuts within a delimiter, bytes that only resemble one, and bytes before and after the message.
extension Advisory {
    /// Expects that a body is parsed whole, however the message is cut.
    private static func expectAnyCut(_ body: String) throws {
        let message = message([(disposition("; filename=\"f\""), body)])
        let expected = Outcome.bodies([Data(body.utf8)])
        try expect(message, expected, chunks: [1, 2, 3])
        let boundary = usualBoundary
        let whole = ParsedMessage([message], boundary: boundary)
        for offset in 0...message.count {
            let halves = ChunkSplitter.halves(of: message, at: offset)
            let cut = ParsedMessage(halves, boundary: boundary)
            #expect(cut == whole, "cut at \(offset)")
        }
    }

    static let framing: [Advisory] = [
        Advisory(
            id: "Werkzeug #3065, #3285",
            project: "Werkzeug",
            fault: "a read that ended within the last line break, or one byte after the boundary, added a `\\r`",
            answer: "the body is the same at every cut; only a prefix of the delimiter is held back"
        ) {
            try expectAnyCut("")
            try expectAnyCut("zeros\u{0}\u{0}")
            try expectAnyCut("ends in\r")
            try expectAnyCut("\r\n--BN\r\n--B-\r\n")
        },
        Advisory(
            id: "netty #11668, #12729, #17383",
            project: "netty",
            fault: "a chunk that ended between CR and LF before the delimiter left the CR in the content",
            answer: "the body is the same at every cut"
        ) {
            try expectAnyCut("bar")
            try expectAnyCut("hello world\r\r\n\n")
        },
        Advisory(
            id: "CVE-2023-46136",
            project: "Werkzeug",
            fault: "content that began with a line break and had no other for megabytes was searched again with each "
                + "chunk",
            answer: "each byte is searched once; at most one delimiter is held back"
        ) {
            for start in ["\r", "\n", "\r\n"] {
                let body = start + String(repeating: "a", count: 1 << 16)
                let message = message([(disposition(), body)])
                try expect(message, .bodies([Data(body.utf8)]), chunks: [16])
                let boundary = usualBoundary
                let most = WaitingBytes.most(message, boundary: boundary, options: .strict, chunksOf: 16)
                #expect(most <= 11)
            }
        },
        Advisory(
            id: "CVE-2024-53981",
            project: "python-multipart",
            fault: "line breaks before the first boundary and bytes after the last one each made a log entry",
            answer: "neither makes an event; the first are limited, the others skipped"
        ) {
            let epilogue = Data(String(repeating: "\r\n", count: 100_000).utf8)
            try expect(message([(disposition(), "x")]) + epilogue, .bodies([Data("x".utf8)]), chunks: [1000])
            let breaks = Data(String(repeating: "\r\n", count: 33_000).utf8)
            try expect(
                breaks + message([(disposition(), "x")]),
                .error(ErrorCode.limitPreambleBytes),
                strict: .error(.preambleNotAllowed),
                chunks: [1000]
            )
        },
        Advisory(
            id: "CVE-2026-40347",
            project: "python-multipart",
            fault: "a long preamble or epilogue took disproportionate CPU time",
            answer: "a preamble is searched in one pass (Knuth, Morris, Pratt) up to 64 KiB; an epilogue is not "
                + "read, and in strict mode refused at its first byte"
        ) {
            let nearly = String(repeating: "--BN", count: 16_000) + "\r\n"
            let whole = message([(disposition(), "x")])
            try expect(
                Data(nearly.utf8) + whole,
                .bodies([Data("x".utf8)]),
                strict: .error(.preambleNotAllowed),
                chunks: [16]
            )
            let epilogue = Data(String(repeating: "\r\n--BND\r\n", count: 50_000).utf8)
            try expect(
                whole + epilogue,
                .bodies([Data("x".utf8)]),
                strict: .error(.epilogueNotAllowed, afterParts: 1),
                fixed: whole,
                chunks: [1000]
            )
        },
        Advisory(
            id: "fastify/busboy #228",
            project: "@fastify/busboy",
            fault: "bytes after the close delimiter in a chunk of their own kept the end from being reported",
            answer: "the end is reported with the close delimiter, whatever follows and however it is cut"
        ) {
            for epilogue in ["\r\n", "\r\n\r\n", "\n"] {
                let whole = message([(disposition(), "x")])
                let boundary = usualBoundary
                for mode in [ParsingMode.lenient, .strict] {
                    let chunks = [whole] + epilogue.utf8.map { Data([$0]) }
                    let cut = ParsedMessage(chunks, boundary: boundary, options: MultipartParser.Options(mode: mode))
                    #expect(
                        cut == ParsedMessage([whole], boundary: boundary, options: MultipartParser.Options(mode: mode))
                    )
                    #expect(cut.isComplete && cut.error == nil)
                }
            }
        },
        Advisory(
            id: "cpp-httplib #2557",
            project: "cpp-httplib",
            fault: "a body without the boundary was buffered whole and searched again with each read",
            answer: "one pass, nothing kept; `limit-preamble-bytes` after 64 KiB, `boundary-not-found` at the end"
        ) {
            let lost = Data(String(repeating: "\r\n--BNX\r\n", count: 6000).utf8)
            try expect(lost, .error(.boundaryNotFound), strict: .error(.preambleNotAllowed), chunks: [1, 4096])
            let boundary = usualBoundary
            let most = WaitingBytes.most(lost, boundary: boundary, chunksOf: 16)
            #expect(most == 0)
        },
        Advisory(
            id: "CVE-2014-0050",
            project: "Commons FileUpload",
            fault: "a boundary longer than the read buffer caused an endless loop",
            answer: "`invalid-boundary` above 256 bytes, in strict mode above 70"
        ) {
            for length in [257, 4091, 4092, 8000] {
                try expectContentType(
                    "multipart/form-data; boundary=" + String(repeating: "0", count: length),
                    .invalidBoundary
                )
            }
            let longest = "multipart/form-data; boundary=" + String(repeating: "0", count: 256)
            try expectContentType(longest, nil, strict: .invalidBoundary)
        },
        Advisory(
            id: "GHSA-4phx-fcj6-46r4",
            project: "ESPAsyncWebServer",
            fault: "a boundary of 256 bytes overflowed the counter of its matched bytes: an endless loop",
            answer: "lengths are counted in whole words; boundaries of 250, 255 and 256 bytes are read alike at "
                + "every cut"
        ) {
            for length in [250, 255, 256] {
                let text = String(repeating: "b", count: length)
                let boundary = try Boundary(parsing: text, mode: .lenient)
                let nearly = "\r\n--\(text.dropLast())\r\n--\(text.dropLast())a"
                let message = Data("--\(text)\r\n\(disposition())\r\n\r\n\(nearly)\r\n--\(text)--".utf8)
                let ways = ChunkSplitter.everyWay(message).enumerated()
                for (index, chunks) in ways where length == 256 || index.isMultiple(of: 5) {
                    let parsed =
                        index.isMultiple(of: 2)
                        ? ParsedMessage(chunks, boundary: boundary)
                        : ParsedMessage(borrowing: chunks, boundary: boundary)
                    try #require(parsed.error == nil && parsed.parts.map(\.body) == [Data(nearly.utf8)])
                }
            }
        },
        Advisory(
            id: "CVE-2016-3092",
            project: "Commons FileUpload",
            fault: "a boundary nearly as long as the buffer made each read yield almost nothing",
            answer: "there is no such buffer: cost does not depend on the boundary's length"
        ) {
            let long = String(repeating: "-", count: 255) + "x"
            let boundary = try Boundary(parsing: long, mode: .lenient)
            let body = String(repeating: "\r\n--\(long.dropLast())", count: 1000)
            let head = "--\(long)\r\n\(disposition())\r\n\r\n"
            let message = Data("\(head)\(body)\r\n--\(long)--".utf8)
            let whole = ParsedMessage(
                ChunkSplitter.pieces(of: message, size: 257),
                boundary: boundary
            )
            #expect(whole.error == nil)
            #expect(whole.parts.map(\.body) == [Data(body.utf8)])
        },
        Advisory(
            id: "CVE-2024-8925",
            project: "PHP",
            fault: "content with a long prefix of a boundary beyond 5 KiB lost what followed it",
            answer: "such boundaries are `invalid-boundary`; a prefix of any length is content"
        ) {
            let long = String(repeating: "b", count: 6000)
            try expectContentType("multipart/form-data; boundary=\(long)", .invalidBoundary)
            let body = "before\r\n--BN\r\n--B\r\n--behind"
            try expect(message([(disposition(), body)]), .bodies([Data(body.utf8)]), chunks: [1, 4, 5, 6])
        },
        Advisory(
            id: "framing by a part's Content-Length",
            project: "any parser",
            fault: "a part's own Content-Length is used as the length of its body, so that parsers split it "
                + "differently",
            answer: "only delimiters frame a body; strict mode refuses a wrong length: `content-length-mismatch`. "
                + "The encoder refuses to add one; a received part that is passed on keeps its own"
        ) {
            for (length, strict) in [
                ("0", MultipartError.Code.contentLengthMismatch), ("1", .contentLengthMismatch),
                ("99999999999999999999", .ambiguousHeader), ("-1", .ambiguousHeader), ("x", .ambiguousHeader),
            ] {
                let header = disposition("\r\nContent-Length: \(length)")
                try await expectOfAll(
                    message([(header, "four")]),
                    .bodies([Data("four".utf8)]),
                    strict: .error(strict),
                    chunks: [1, 64]
                )
            }
            let exact = message([(disposition("\r\nContent-Length: 4"), "four")])
            try await expectOfAll(exact, .bodies([Data("four".utf8)]), chunks: [1, 64])
            var form = MultipartFormData(boundary: usualBoundary)
            form.append(BodyPart("four", name: "a", additionalHeaders: ["Content-Length": "4"]))
            #expect(throws: MultipartError(.forbiddenHeader, partIndex: 0)) { try form.encode() }
        },
        Advisory(
            id: "GHSA-8m8p-vhxc-jmjw",
            project: "ESPAsyncWebServer",
            fault: "a boundary within a file, followed by neither a line break nor two hyphens, freed the file's "
                + "buffer; held-back bytes were then written through a null pointer",
            answer: "such a line is content, and in strict mode `malformed-delimiter`; after two hyphens it is "
                + "`malformed-delimiter` in both modes; no state refers to freed memory"
        ) {
            for rest in ["\tjunk", "x", "-", "-x", "-\t", " \r", "\rx", "\t-", "--x", "---", "-- x", "--\rx"] {
                let body = "hello\r\n--BND\(rest)\r\nworld"
                let file = message([(disposition("; filename=\"f\""), body)])
                let isClose = rest.hasPrefix("--")
                let expected = isClose ? Outcome.error(.malformedDelimiter) : .bodies([Data(body.utf8)])
                try await expectOfAll(file, expected, strict: .error(.malformedDelimiter), chunks: [1, 7])
            }
        },
        Advisory(
            id: "civetweb #1404",
            project: "CivetWeb",
            fault: "two lengths in the scan of the preamble wrapped below zero: a copy of some 4 GB overran 8 KB of "
                + "stack",
            answer: "arithmetic that overflows stops a Swift program, and no input causes it: a preamble of any "
                + "length is skipped or refused"
        ) {
            for length in 0...6 {
                let short = Data("--BND-".utf8.prefix(length))
                let code: MultipartError.Code = length < 5 ? .boundaryNotFound : .unexpectedEnd
                try await expectOfAll(short, .error(code), chunks: [1, 7])
            }
            let whole = message([(disposition(), "x")])
            let refused = Outcome.error(.preambleNotAllowed)
            for length in Array(1...20) + Array(1015...1030) + Array(8180...8200) {
                let preamble = Data(repeating: 120, count: length) + Data("\r\n".utf8)
                let sizes = length < 2000 ? [1, 1024] : [1024, 8192]
                try expect(preamble + whole, .bodies([Data("x".utf8)]), strict: refused, chunks: sizes)
                // Without a delimiter, or with part of one.
                try expect(preamble, .error(.boundaryNotFound), strict: refused, chunks: sizes)
                try expect(preamble + whole.prefix(4), .error(.boundaryNotFound), strict: refused, chunks: sizes)
            }
        },
        Advisory(
            id: "CVE-2026-41853",
            project: "Spring",
            fault: "a filter in front could find another message than Spring did; published analyses name an escaped "
                + "quote that ended the value of a Content-Type, and a wildcard type that was read as multipart",
            answer: "an escaped quote ends no value, and strict mode refuses a boundary that has one; a wildcard is "
                + "`unsupported-media-type`"
        ) {
            let decoy = "multipart/form-data; x=\"\\\"; boundary=evil; y=\\\"\"; boundary=BND"
            let body = "1\r\n--evil\r\n\(disposition())\r\n\r\n2\r\n--evil--\r\n"
            let form = try MultipartFormData(parsing: message([(disposition(), body)]), contentType: decoy)
            #expect(try form.map { try $0.data() } == [Data(body.utf8)])
            try expectContentType("multipart/form-data; boundary=\"BND\\\"; x\"", nil, strict: .invalidBoundary)
            #expect(try Boundary(parsing: "BND\"; x", mode: .lenient).contentType.hasSuffix("\"BND\\\"; x\""))
            for wildcard in ["*/*", "multipart/*", "*/form-data", "multipart/form-data*"] {
                try expectContentType("\(wildcard); boundary=BND", .unsupportedMediaType)
            }
        },
    ]

    /// Expects an error for a Content-Type, or none; strict mode's is the same unless given.
    static func expectContentType(
        _ value: String,
        _ code: MultipartError.Code?,
        strict: MultipartError.Code? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(read(value, .lenient) == code, sourceLocation: sourceLocation)
        #expect(read(value, .strict) == strict ?? code, sourceLocation: sourceLocation)
    }

    private static func read(_ value: String, _ mode: ParsingMode) -> MultipartError.Code? {
        do throws(MultipartError) {
            _ = try Boundary(contentType: value, mode: mode)
            return nil
        } catch {
            return error.code
        }
    }
}
