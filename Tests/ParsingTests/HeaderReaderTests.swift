import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// A section within one chunk takes a fast path; one that arrives byte by byte does not.
@Suite struct HeaderReaderTests {
    private let boundary: Boundary = "BND"

    /// All properties of a part's header fields.
    private struct Reading: Equatable {
        let fields: [HeaderField]
        let name: String?
        let filename: String?
        let contentType: String?
        let parameters: [String]?

        init(_ headers: HeaderFields) {
            fields = Array(headers)
            name = headers.name
            filename = headers.filename
            contentType = headers.contentType
            parameters = headers.contentDisposition?.parameters.flatMap { [$0.name, $0.value] }
        }
    }

    /// Parses chunks without keeping any part's fields; returns the parts, and the error after them.
    private func read(
        _ chunks: [Data],
        _ options: MultipartParser.Options
    ) -> (parts: [Reading], error: MultipartError?) {
        var parser = MultipartParser(boundary: boundary, options: options)
        var parts: [Reading] = []
        do {
            for chunk in chunks {
                parser.append(chunk)
                while let event = try parser.next() {
                    if case .part(let headers) = event { parts.append(Reading(headers)) }
                }
            }
            parser.finish()
            while try parser.next() != nil {}
            return (parts, nil)
        } catch {
            return (parts, error as? MultipartError)
        }
    }

    private static let fragments = [
        "Content-Disposition: ", "form-data; name=\"", "a", "field name", "\"", "; filename=\"", "\"\r\n", "\r\n",
        "\r\n",
        "content-disposition: form-data", "Content-Type: text/plain\r\n", "Content-Type:", "X-Y: \t z \r\n", "X", ":",
        " ",
        "\t", "\\", "\\\"", ";", "=", "é", "\u{7F}", "\u{1}", "\0", "\r", "\n", "Content-Transfer-Encoding: binary\r\n",
        "Content-Transfer-Encoding: base64\r\n", " folded\r\n", "filename*=UTF-8''x", "name=", "%22",
    ]

    /// Some header lines, most of them as clients write them.
    private func section(using generator: inout SeededGenerator) -> String {
        var section = ""
        if Int.random(in: 0..<4, using: &generator) > 0 {
            section += "Content-Disposition: form-data; name=\"field\""
            if Bool.random(using: &generator) { section += "; filename=\"a file.txt\"" }
            section += "\r\n"
        }
        for _ in 0..<Int.random(in: 0...3, using: &generator) {
            section += Self.fragments.randomElement(using: &generator) ?? ""
        }
        return section + (section.isEmpty || section.hasSuffix("\r\n") ? "\r\n" : "\r\n\r\n")
    }

    @Test(arguments: [ParsingMode.lenient, .strict])
    func `a section reads the same whole and byte by byte`(mode: ParsingMode) throws {
        var generator = SeededGenerator(seed: 3)
        var accepted = 0
        var refused = 0
        for round in 0..<1000 {
            let sections = (0..<2).map { _ in section(using: &generator) }
            let message = Data(("--BND\r\n" + sections.joined(separator: "\r\n--BND\r\n") + "\r\n--BND--\r\n").utf8)
            let options = MultipartParser.Options(
                mode: mode,
                maxHeaderCount: Int.random(in: 1...4, using: &generator),
                maxHeaderBytes: Int.random(in: 50...120, using: &generator)
            )
            let whole = read([message], options)
            let bytes = read(ChunkSplitter.pieces(of: message, size: 1), options)
            try #require(whole.parts == bytes.parts, "round \(round): \(sections)")
            try #require(whole.error == bytes.error, "round \(round): \(sections)")
            if whole.error == nil { accepted += 1 } else { refused += 1 }
        }
        #expect(accepted > 30)
        #expect(refused > 100)
    }

    @Test(arguments: [1, 2, 31, 32, 33, 34, 100])
    func `a section reads the same with any number of fields`(count: Int) {
        let lines = (1..<count).map { "X-\($0): \($0)\r\n" }.joined()
        let section = "Content-Disposition: form-data; name=\"a\"\r\n\(lines)\r\n"
        let message = Data("--BND\r\n\(section)x\r\n--BND\r\n\(section)y\r\n--BND--\r\n".utf8)
        for limit in [count - 1, count, count + 1, .max] {
            let options = MultipartParser.Options(maxHeaderCount: limit)
            let whole = read([message], options)
            let bytes = read(ChunkSplitter.pieces(of: message, size: 1), options)
            #expect(whole.parts == bytes.parts && whole.error == bytes.error, "limit \(limit)")
            #expect(whole.parts.map(\.fields.count) == (limit < count ? [] : [count, count]), "limit \(limit)")
            #expect(whole.error?.code == (limit < count ? ErrorCode.limitHeaderCount : nil), "limit \(limit)")
        }
    }

    @Test func `fields that are kept do not change with the next part`() throws {
        var message = ""
        for index in 0..<20 {
            message += "--BND\r\nContent-Disposition: form-data; name=\"field \(index)\"\r\nX-\(index): y\r\n\r\n\r\n"
        }
        var parser = MultipartParser(boundary: boundary)
        parser.append(Data("\(message)--BND--".utf8))
        parser.finish()
        var kept: [HeaderFields] = []
        var copies: [MultipartParser] = []
        var index = 0
        while let event = try parser.next() {
            guard case .part(let headers) = event else { continue }
            #expect(headers.name == "field \(index)")
            // Every second part's fields are dropped, and their memory is used again.
            if index.isMultiple(of: 2) { kept.append(headers) }
            if index == 7 { copies.append(parser) }
            index += 1
        }
        #expect(kept.map(\.name) == (0..<10).map { "field \($0 * 2)" })
        #expect(kept.map { $0.last?.name } == (0..<10).map { "X-\($0 * 2)" })

        var names: [String?] = []
        while let event = try copies[0].next() {
            if case .part(let headers) = event { names.append(headers.name) }
        }
        #expect(names == (8..<20).map { "field \($0)" })
    }

    /// The fault is marked, and its lines are joined before it is found.
    @Test(arguments: [
        (
            "Content-Disposition: form-data;\r\n name=a\r\n^Content-Disposition: form-data; name=b\r\n",
            MultipartError.Code.duplicateHeader
        ),
        ("X:\r\n a\r\n\tb\r\nContent-Disposition: form-data; name=a;\r\n  ^name=b\r\n", .duplicateParameter),
        ("Content-Disposition:\r\n form-data;\r\n \t name=a\r\n ; ^name=b\r\nX: y\r\n", .duplicateParameter),
        ("Content-Disposition: form-data; name=a; ^name=b;\r\n c=d\r\n", .duplicateParameter),
        ("X: a\r\n \r\n ^\0\r\n", .invalidHeaderCharacter),
        ("Content-Disposition:\r\n ^\r\nX: y\r\n", .malformedContentDisposition),
    ])
    func `an error in a section with folded lines has its offset in the message`(
        section: String,
        code: MultipartError.Code
    ) throws {
        let start = "--BND\r\n".utf8.count
        let fault = try #require(section.utf8.firstIndex(of: UInt8(ascii: "^")))
        let offset = start + section.utf8.distance(from: section.startIndex, to: fault)
        let text = section.replacingOccurrences(of: "^", with: "")
        let message = Data("--BND\r\n\(text)\r\n\r\n--BND--".utf8)
        let expected = MultipartError(code, offset: UInt64(offset), partIndex: 0)
        for size in [1, 7, message.count] {
            #expect(read(ChunkSplitter.pieces(of: message, size: size), .init()).error == expected, "chunks of \(size)")
        }
    }
}
