import Foundation
import MultipartFormCodec
import TestSupport
import Testing

@Suite struct ParseConformanceTests {
    static let names = Fixtures.names(in: "conformance/parse")

    @Test(arguments: [ParsingMode.lenient, .strict])
    func `a case holds for every entry point, however the message is cut`(mode: ParsingMode) async throws {
        let directory = try TemporaryDirectory()
        for name in Self.names {
            await #expect(throws: Never.self, "\(name)") { try await expectOutcome(ofCase: name, mode, directory) }
        }
    }

    private func expectOutcome(ofCase name: String, _ mode: ParsingMode, _ directory: TemporaryDirectory) async throws {
        let expected = try Fixtures.json(ParseCase.self, "conformance/parse/\(name).json")
        let body = try Fixtures.data("conformance/parse/\(name).body")
        let boundary: Boundary
        do {
            boundary = try Boundary(contentType: expected.contentType, mode: mode)
        } catch {
            let outcome = ParseCase.Outcome(parts: nil, error: error.code.description)
            #expect(outcome == expected.outcome(mode), "\(name)")
            return
        }
        let reports = Locked<[MultipartError]>([])
        // A parser reports its boundary when it is created, the rest as it reads.
        var ofBoundary: MultipartError?
        func takeReports() -> [MultipartError] {
            reports.withLock { errors in
                defer { errors = [] }
                return errors
            }
        }
        func takeReport() -> MultipartError? {
            let first = takeReports().first
            return ofBoundary ?? first
        }
        var options = expected.options(mode)
        options.strictErrorHandler = { error in reports.withLock { $0.append(error) } }
        let parser = MultipartParser(boundary: boundary, options: options)
        ofBoundary = takeReport()
        let whole = ParsedMessage([body], by: parser)
        #expect(whole.outcome == expected.outcome(mode), "\(name)")
        // What strict mode refuses is reported in lenient mode, at every cut.
        let reported = mode == .strict ? nil : report(body, boundary, expected.options(.strict), before: whole.error)
        #expect(takeReport() == reported, "\(name)")
        // Both modes use the same entry points: long chunks are tested in one of them, short ones in the other.
        let pieces = ChunkSplitter.pieces(of: body, size: mode == .lenient ? 65_536 : body.count > 1500 ? 97 : 1)
        let entryPoints = try await ParsingEntryPoints.all(
            pieces,
            boundary: boundary,
            options: options,
            directory: directory
        )
        // From a Content-Type, a boundary that strict mode refuses is reported with another offset.
        let allReports = takeReports()
        let expectedReports = reported.map { [MultipartError](repeating: $0, count: entryPoints.count) } ?? []
        try #require(ofBoundary != nil || allReports == expectedReports)
        for (entryPoint, message) in entryPoints {
            try #require(message.error == whole.error, "\(entryPoint)")
            // Parts before an error are delivered.
            let isWhole = message.error == nil || entryPoint.hasPrefix("parts")
            if isWhole { try #require(message.parts == whole.parts && message.error == whole.error, "\(entryPoint)") }
        }
        try #require(directory.contents.isEmpty)

        // Every split of a long body would take minutes: take those near its ends and every 397th.
        let ways =
            body.count <= 1500
            ? ChunkSplitter.everyWay(body)
            : [1, 2, 3, 7].map { ChunkSplitter.pieces(of: body, size: $0) }
                + (0..<body.count).filter { $0 < 50 || $0 > body.count - 50 || $0 % 397 == 0 }
                .map { ChunkSplitter.halves(of: body, at: $0) }
        let silent = MultipartParser(boundary: boundary, options: expected.options(mode))
        for (index, chunks) in ways.enumerated() {
            let context: Comment = "cut in \(chunks.count), the first of \(chunks.first?.count ?? 0)"
            let isHalved = chunks.count == 2
            // Each two-way split is lent to a parser in one mode, and appended to one that reports in the other.
            let isLent = index.isMultiple(of: 2) == (mode == .strict)
            if !isHalved || !isLent {
                try #require(ParsedMessage(chunks, by: parser) == whole, context)
                try #require(takeReport() == reported, context)
            }
            guard !isHalved || isLent else { continue }
            try #require(ParsedMessage(borrowing: chunks, by: isHalved ? silent : parser) == whole, context)
            try #require(isHalved || takeReport() == reported, context)
        }
    }

    /// The error of strict mode; if lenient mode has one, that of the bytes before it.
    private func report(
        _ body: Data,
        _ boundary: Boundary,
        _ options: MultipartParser.Options,
        before lenient: MultipartError?
    ) -> MultipartError? {
        var parser = MultipartParser(boundary: boundary, options: options)
        parser.append(body.prefix(Int(lenient?.offset ?? UInt64(body.count))))
        if lenient == nil { parser.finish() }
        do {
            while try parser.next() != nil {}
            return nil
        } catch {
            return error as? MultipartError == lenient ? nil : error as? MultipartError
        }
    }
}
