import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// Too many parts, endless headers, unbounded content.
extension Advisory {
    /// Expects that parts up to the limit are delivered, and no more.
    private static func expectPartLimit(header: String, body: String = "x") throws {
        let parts = [(String, String)](repeating: (header, body), count: 1001)
        try expect(message(parts), .error(.limitParts, afterParts: 1000))
        let bodies = [Data](repeating: Data(body.utf8), count: 1000)
        try expect(message(parts.dropLast()), .bodies(bodies))
    }

    static let sizes: [Advisory] = [
        Advisory(
            id: "CVE-2022-41725",
            project: "Go mime/multipart",
            fault: "names and headers took memory beyond the parser's own limit, and each file part a temporary file",
            answer: "`limit-parts` at part 1001; the parser keeps one header section and makes no files"
        ) {
            try expectPartLimit(header: disposition("; filename=\"f\""))
        },
        Advisory(
            id: "CVE-2023-24536",
            project: "Go mime/multipart",
            fault: "many parts and headers took more CPU time and memory than was counted",
            answer: "`limit-parts` and `limit-header-count`, checked as lines arrive"
        ) {
            try expectPartLimit(header: disposition())
            let lines = disposition() + (1...32).map { "\r\nX-\($0): y" }.joined()
            try expect(message([(lines, "x")]), .error(ErrorCode.limitHeaderCount))
        },
        Advisory(
            id: "CVE-2023-45290",
            project: "Go net/http",
            fault: "a single long line was kept whole, whatever the limit",
            answer: "`limit-header-bytes` within 16 KiB of the section's start"
        ) {
            let line = String(repeating: "a", count: 1024)
            try expectEndOf("--BND\r\nX-Y: ", thenForEver: line, code: ErrorCode.limitHeaderBytes, by: 16 * 1024 + 7)
        },
        Advisory(
            id: "CVE-2023-25577",
            project: "Werkzeug",
            fault: "no limit on parts, each of which took CPU time, memory and file handles",
            answer: "`limit-parts`"
        ) {
            try expectPartLimit(header: "Content-Disposition: form-data; name=a")
        },
        Advisory(
            id: "CVE-2023-24998",
            project: "Commons FileUpload",
            fault: "no limit on the number of parts",
            answer: "`limit-parts`"
        ) {
            try expectPartLimit(header: disposition("; filename=\"\"\r\nContent-Type: a/b"), body: "")
        },
        Advisory(
            id: "CVE-2023-0662",
            project: "PHP",
            fault: "no limit on parts, and a log warning for each excess one",
            answer: "`limit-parts`, a single error that ends the message"
        ) {
            try expectPartLimit(header: disposition("; filename=\"f\""))
            var parser = MultipartParser(boundary: usualBoundary, options: MultipartParser.Options(maxParts: 0))
            parser.append(message([(disposition(), "x"), (disposition(), "y")]))
            let expected = MultipartError(.limitParts, offset: 7, partIndex: 0, limit: 0)
            for _ in 0..<3 {
                #expect(throws: expected) { try parser.next() }
            }
        },
        Advisory(
            id: "CVE-2023-27530",
            project: "Rack",
            fault: "file parts were limited, other parts were not",
            answer: "`limit-parts` counts every part"
        ) {
            let fields = [(String, String)](repeating: (disposition(), ""), count: 600)
            let files = [(String, String)](repeating: (disposition("; filename=\"f\""), ""), count: 600)
            try expect(message(fields + files), .error(.limitParts, afterParts: 1000))
        },
        Advisory(
            id: "CVE-2025-48976",
            project: "Commons FileUpload",
            fault: "10 KiB of headers for each of any number of parts, all kept",
            answer: "at most 16 KiB for each of 1000 parts, kept until the next part's replaces it"
        ) {
            let line = "\r\nX-Y: " + String(repeating: "y", count: 1024)
            let header = disposition() + String(repeating: line, count: 10)
            let parts = [(String, String)](repeating: (header, ""), count: 100)
            try expect(
                message(parts),
                .error(.limitParts, afterParts: 99),
                strict: .error(.ambiguousHeader),
                options: MultipartParser.Options(maxParts: 99),
                chunks: [4096]
            )
            try expect(
                message(parts),
                .error(ErrorCode.limitHeaderBytes),
                options: MultipartParser.Options(maxHeaderBytes: 512),
                chunks: [4096]
            )
        },
        Advisory(
            id: "CVE-2025-61770",
            project: "Rack",
            fault: "bytes before the first boundary were buffered without limit",
            answer: "none are kept: `limit-preamble-bytes` after 64 KiB, and `preamble-not-allowed` at once in "
                + "strict mode"
        ) {
            let text = String(repeating: "x\r\n", count: 400)
            try expectEndOf("", thenForEver: text, code: ErrorCode.limitPreambleBytes, by: 64 * 1024)
            let long = Data(repeating: 120, count: 64 * 1024 + 1)
            try expect(long, .error(ErrorCode.limitPreambleBytes), strict: .error(.preambleNotAllowed), chunks: [1024])
        },
        Advisory(
            id: "CVE-2025-61771",
            project: "Rack",
            fault: "fields without a file name were kept in memory, however long",
            answer: "`maxPartBytes` limits every part; a streamed body is not kept at all"
        ) {
            let field = message([(disposition(), String(repeating: "x", count: 100_000))])
            try expect(
                field,
                .error(.limitPartBytes),
                options: MultipartParser.Options(maxPartBytes: 99_999),
                chunks: [1000]
            )
            let most = WaitingBytes.most(field, boundary: usualBoundary, options: .strict, chunksOf: 100)
            #expect(most < 20)
        },
        Advisory(
            id: "CVE-2025-61772",
            project: "Rack",
            fault: "a header section without a blank line was buffered without end",
            answer: "`limit-header-bytes` within 16 KiB, or `limit-header-count`"
        ) {
            try expectEndOf("--BND\r\n", thenForEver: "X-Y: z\r\n", code: ErrorCode.limitHeaderCount, by: 33 * 8)
            try expectEndOf(
                "--BND\r\n",
                thenForEver: "X-Y: z\r\n",
                code: ErrorCode.limitHeaderBytes,
                by: 16 * 1024,
                options: MultipartParser.Options(maxHeaderCount: .max)
            )
        },
        Advisory(
            id: "CVE-2026-42561",
            project: "python-multipart",
            fault: "no limit on the number or the length of a part's headers",
            answer: "`limit-header-count` at line 33, `limit-header-bytes` after 16 KiB"
        ) {
            try expectEndOf("--BND\r\n", thenForEver: "A:b\r\n", code: ErrorCode.limitHeaderCount, by: 33 * 5)
            let wide = disposition() + "\r\nX: " + String(repeating: "y", count: 16 * 1024)
            try expect(message([(wide, "")]), .error(ErrorCode.limitHeaderBytes), chunks: [1000])
        },
        Advisory(
            id: "CVE-2024-49767",
            project: "Werkzeug",
            fault: "a form took 3 to 8 times its size in memory, and no limit prevented it",
            answer: "content parsed from memory is slices of it; `maxPartBytes` and `maxTotalBytes` apply as bytes "
                + "arrive"
        ) {
            let field = message([(disposition(), String(repeating: "x", count: 50_000))])
            try expect(
                field,
                .error(.limitTotalBytes),
                options: MultipartParser.Options(maxTotalBytes: 40_000),
                chunks: [1000]
            )
            let form = try MultipartFormData(parsing: field, contentType: usualBoundary.contentType)
            let body = try #require(form.first).data()
            let isSlice = field.withUnsafeBytes { whole in
                body.withUnsafeBytes { slice in
                    guard let first = whole.baseAddress, let start = slice.baseAddress else { return false }
                    return (0..<whole.count).contains(start - first)
                }
            }
            #expect(isSlice && body.count == 50_000)
        },
        Advisory(
            id: "CVE-2025-69228",
            project: "aiohttp",
            fault: "the size limit started again with each field",
            answer: "`maxTotalBytes` counts the message from its first byte to its last"
        ) {
            let parts = [(String, String)](repeating: (disposition(), String(repeating: "x", count: 1000)), count: 20)
            let limits = MultipartParser.Options(maxPartBytes: 1000, maxTotalBytes: 10_000)
            try expect(message(parts), .error(.limitTotalBytes, afterParts: 9), options: limits)
        },
        Advisory(
            id: "CVE-2026-34516",
            project: "aiohttp",
            fault: "a part's header lines had no limit of their own, neither in number nor in length",
            answer: "`limit-header-count` and `limit-header-bytes`, in nested messages too"
        ) {
            let many = disposition() + (1...128).map { "\r\nX-\($0): y" }.joined()
            let wide = disposition() + "\r\nX-Y: " + String(repeating: "y", count: 16 * 1024)
            for (header, code) in [(many, ErrorCode.limitHeaderCount), (wide, ErrorCode.limitHeaderBytes)] {
                try await expectOfAll(message([(header, "x")]), .error(code))
                let outer: HeaderFields = ["Content-Type": "multipart/mixed; boundary=BND"]
                var nested = try MultipartParser(nestedIn: outer)
                nested.append(message([(header, "x")]))
                let error = #expect(throws: MultipartError.self) { try nested.next() }
                #expect(error?.code == code)
            }
        },
        Advisory(
            id: "GHSA-qjxf-f2mg-c6mc, CVE-2026-31958",
            project: "Tornado",
            fault: "the parts were limited only by the message's 100 MB, and parsing them blocked everything else",
            answer: "`limit-parts`; `multipartParts` and collecting await each chunk, so other tasks run"
        ) {
            let parts = [(String, String)](repeating: (disposition(), "x"), count: 1001)
            let bodies = [Data](repeating: Data("x".utf8), count: 1000)
            try await expectOfAll(message(parts), .error(.limitParts, afterParts: 1000), chunks: [4096])
            try await expectOfAll(message(parts.dropLast()), .bodies(bodies), chunks: [4096])
            // With the parts' own limit out of the way, the message's still holds.
            let limits = MultipartParser.Options(maxParts: .max, maxTotalBytes: 10_000)
            try await expectOfAll(message(parts), .error(.limitTotalBytes), options: limits, chunks: [4096])
        },
        Advisory(
            id: "CVE-2025-47287",
            project: "Tornado",
            fault: "each malformed part logged a warning, and parsing went on",
            answer: "one error ends the message and repeats on further calls; nothing is logged"
        ) {
            let faults: [(header: String, lenient: Outcome?, strict: MultipartError.Code)] = [
                ("no colon", .error(.malformedHeader), .malformedHeader),
                (disposition("; filename=\"f"), .error(.malformedContentDisposition), .malformedContentDisposition),
                ("Content-Disposition: attachment; name=a", nil, .ambiguousHeader),
                ("Content-Disposition: form-data; x=y", nil, .ambiguousHeader),
            ]
            for fault in faults {
                let parts = [(String, String)](repeating: (fault.header, "x"), count: 500)
                let bodies = [Data](repeating: Data("x".utf8), count: 500)
                let lenient = fault.lenient ?? .bodies(bodies)
                try await expectOfAll(message(parts), lenient, strict: .error(fault.strict), chunks: [4096])
                var parser = MultipartParser(boundary: usualBoundary, options: .strict)
                parser.append(message(parts))
                let first = #expect(throws: MultipartError.self) { try parser.next() }
                let error = try #require(first)
                for _ in 0..<3 { #expect(throws: error) { try parser.next() } }
            }
        },
    ]
}
