import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// What strict mode refuses because deployed parsers read it differently: the code and the offset, however it is cut.
@Suite struct StrictModeTests {
    /// A message, the code of its refusal and the text at whose first byte it is refused.
    struct Refusal: Sendable, CustomTestStringConvertible {
        let code: MultipartError.Code
        let message: String
        let place: String
        var limit: Int?

        init(_ code: MultipartError.Code, _ message: String, at place: String, limit: Int? = nil) {
            self.code = code
            self.message = message
            self.place = place
            self.limit = limit
        }

        var testDescription: String { "\(code): \(message.debugDescription)" }
    }

    private static func part(_ fields: String, _ body: String = "1") -> String {
        "--b\r\n\(fields)\r\n\r\n\(body)\r\n--b--\r\n"
    }

    private static func field(_ parameters: String, _ body: String = "1") -> String {
        part("Content-Disposition: form-data; \(parameters)", body)
    }

    private static func fields(_ more: String, _ body: String = "1") -> String {
        part("Content-Disposition: form-data; name=\"x\"\r\n\(more)", body)
    }

    static let refusals: [Refusal] = [
        Refusal(.missingFilename, field("name=\"a\"; filename=\"\"", "content"), at: "content"),
        Refusal(.contentLengthMismatch, fields("Content-Length: 3", "abcd"), at: "d\r"),
        Refusal(.contentLengthMismatch, fields("Content-Length: 5", "abcd"), at: "\r\n--b--"),
        Refusal(.contentLengthMismatch, fields("Content-Length: 1", ""), at: "\r\n--b--"),
        Refusal(.malformedDelimiter, "--b\r\nContent-Disposition: form-data; name=\"x\"\r\n\r\n--b--\r\n", at: "--b--"),
        Refusal(.epilogueNotAllowed, field("name=\"a\"") + "\r\nv", at: "v"),
        Refusal(.malformedDelimiter, fields("Content-Type: a/b", "v --b"), at: "--b\r\n--b--"),
        Refusal(.malformedDelimiter, fields("Content-Type: a/b", "v\r--bc"), at: "--bc"),
        Refusal(.malformedDelimiter, fields("Content-Type: a/b", "v\n--b--"), at: "--b--\r\n--b--"),
        Refusal(.malformedDelimiter, fields("Content-Type: a/b", "v\r\n-----b"), at: "--b\r\n--b--"),
        Refusal(.malformedDelimiter, fields("Content-Type: a/b", "v\r\n--bc"), at: "c\r\n--b--"),
        Refusal(.malformedDelimiter, fields("Content-Type: a/b", "v\r\n--b--b"), at: "--b--b"),
        Refusal(.malformedDelimiter, fields("Content-Type: a/b", "v\r\n--b-- "), at: "--b-- "),
        Refusal(.malformedDelimiter, fields("Content-Type: a/b", "v\r\n--b--\rx"), at: "--b--\rx"),
    ]

    /// Two things are wrong with one byte, or one after the other: the first to be certain is reported.
    static let ties: [Refusal] = [
        Refusal(
            .contentLengthMismatch,
            part("Content-Disposition: form-data; name=\"a\"; filename=\"\"\r\nContent-Length: 0"),
            at: "1"
        ),
        Refusal(.contentLengthMismatch, fields("Content-Length: 2", "abc"), at: "c\r", limit: 2),
        Refusal(.limitPartBytes, fields("Content-Length: 3", "abcd"), at: "cd", limit: 2),
        Refusal(.malformedDelimiter, fields("Content-Length: 2", "ab--b"), at: "--b\r\n--b--"),
        Refusal(.contentLengthMismatch, fields("Content-Length: 2", "abc--b"), at: "c--b"),
    ]

    @Test(arguments: refusals + ties)
    func `strict mode refuses the message at the byte that is to blame`(refusal: Refusal) throws {
        let bytes = Array(refusal.message.utf8)
        let place = try #require(refusal.message.utf8.firstRange(of: refusal.place.utf8)?.lowerBound)
        let offset = UInt64(refusal.message.utf8.distance(from: refusal.message.startIndex, to: place))
        for cut in 0...bytes.count {
            let error = self.error(of: [Array(bytes[..<cut]), Array(bytes[cut...])], limit: refusal.limit)
            try #require(
                error?.code == refusal.code && error?.offset == offset,
                "cut at \(cut): \(String(describing: error))"
            )
        }
        let error = self.error(of: bytes.map { [$0] }, limit: refusal.limit)
        #expect(error?.code == refusal.code && error?.offset == offset, "byte by byte: \(String(describing: error))")
    }

    @Test(arguments: [
        field("name=a; filename=\"\"", ""), field("name=\"a\"; filename=\"\"", ""),
        fields("Content-Length: 4", "abcd"), fields("Content-Length: 0", ""),
        fields("content-length: 0000000000000000001"),
        fields("Content-Type: a/b", "--\r\n--\r\n-b\r\n- --"),
    ])
    func `strict mode reads what resembles these`(message: String) throws {
        let bytes = Array(message.utf8)
        for cut in 0...bytes.count {
            let error = self.error(of: [Array(bytes[..<cut]), Array(bytes[cut...])])
            try #require(error == nil, "cut at \(cut)")
        }
    }

    /// Boundaries whose dash-boundaries overlap themselves.
    @Test(arguments: ["-1", "-----------a", "a--a--", "x", "-x-x-x-y", "aabaa"])
    func `a dash-boundary is found after any beginning of one, in chunks of any size`(boundary: String) throws {
        let dashBoundary = Array("--\(boundary)".utf8)
        let head = Array("--\(boundary)\r\nContent-Disposition: form-data; name=\"x\"\r\n\r\n".utf8)
        var generator = SeededGenerator(seed: 3)
        for round in 0..<200 {
            var body: [UInt8] = [118]
            for _ in 0..<Int.random(in: 0...6, using: &generator) {
                if Bool.random(using: &generator) {
                    body += Array("\r\n".utf8.prefix(Int.random(in: 1...2, using: &generator)))
                }
                body += dashBoundary.prefix(Int.random(in: 1..<dashBoundary.count, using: &generator))
                if Bool.random(using: &generator) { body.append(118) }
            }
            let message = head + body + Array("\r\n--\(boundary)--\r\n".utf8)
            let place = (head.count..<message.count).first { message[$0...].starts(with: dashBoundary) }
            let found = try #require(place)
            let isDelimiter = message[..<found].suffix(2) == [13, 10]
            for size in [1, 2, 3, 7, 64, message.count] {
                let chunks = ChunkSplitter.pieces(of: Data(message), size: size)
                let parsed = ParsedMessage(
                    chunks,
                    boundary: try Boundary(parsing: boundary, mode: .strict),
                    options: .strict
                )
                let error = parsed.error
                let context: Comment = "round \(round), chunks of \(size): \(String(decoding: message, as: UTF8.self))"
                let body = Data(message[head.count..<(isDelimiter ? found - 2 : found)])
                try #require(parsed.parts.first?.body == body, context)
                // A delimiter within the body is followed by something that is no part.
                let isLast = isDelimiter && found + dashBoundary.count + 4 == message.count
                try #require((error == nil) == isLast, context)
                if !isDelimiter {
                    try #require(error?.code == .malformedDelimiter && error?.offset == UInt64(found), context)
                }
            }
        }
    }

    @Test(arguments: [
        ("multipart/form-data; boundary=\"a\\b\"", .ambiguousHeader),
        ("multipart/form-data; boundary=\"a,b\"", MultipartError.Code.invalidBoundary),
        ("multipart/form-data; x=\"\\y\"; boundary=b", .ambiguousHeader),
        ("multipart/form-data; xboundary=a; boundary=b", .ambiguousHeader),
        ("multipart/form-data; boundary=\"boundary=b\"", .ambiguousHeader),
        ("multipart/form-data; boundary*=x; boundary=b", .ambiguousHeader),
        ("multipart/form-data; boundary=b; x=\"boundary\"", .ambiguousHeader),
        ("multipart/form-data; boundary=b ; charset=utf-8", .ambiguousHeader),
        ("multipart/form-data; boundary=b; charset=latin1", .ambiguousHeader),
        ("multipart/form-data; charset=utf-8; boundary=b; charset=utf-8", .ambiguousHeader),
        ("multipart/form-data;; boundary=b", .ambiguousHeader),
        ("multipart/form-data; boundary=b;", .ambiguousHeader),
        ("multipart/form-data;  boundary=b", .ambiguousHeader),
        ("multipart/form-data; boundary='b'", .ambiguousHeader),
        ("multipart/form-data; Boundary=b", .ambiguousHeader),
        ("Multipart/form-data; boundary=b", .ambiguousHeader),
    ])
    func `strict mode refuses a Content-Type in which parsers find different boundaries`(
        contentType: String,
        code: MultipartError.Code
    ) throws {
        let options = MultipartParser.Options(mode: .strict)
        let error = #expect(throws: MultipartError.self) {
            try MultipartParser(contentType: contentType, options: options)
        }
        #expect(error?.code == code)
        _ = try MultipartParser(contentType: contentType)
    }

    @Test(arguments: [
        (" boundary=my-boundary-b", "my-boundary-b"), ("boundary=\"b\"", "b"), (" boundary=\"a b\"", "a b"),
    ])
    func `strict mode reads a Content-Type in which all parsers find the same boundary`(
        parameters: String,
        boundary: String
    ) throws {
        let part = "--\(boundary)\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n"
        let form = try MultipartFormData(
            parsing: Data("\(part)--\(boundary)--\r\n".utf8),
            contentType: "multipart/form-data;\(parameters)",
            options: .strict
        )
        #expect(form.map(\.name) == ["a"])
    }

    /// A field's value is refused before; here the boundary was parsed leniently.
    @Test(arguments: ["a,b", "a~b", "\u{E9}", String(repeating: "a", count: 71)])
    func `a strict parser fails with a boundary that strict mode refuses`(text: String) throws {
        let boundary = try Boundary(parsing: text, mode: .lenient)
        for message in ["--\(boundary)--\r\n", ""] {
            var parser = MultipartParser(boundary: boundary, options: .strict)
            parser.append(message.utf8)
            parser.finish()
            #expect(throws: MultipartError(.invalidBoundary, offset: 0)) { try parser.next() }
            #expect(throws: MultipartError(.invalidBoundary, offset: 0)) {
                var other = MultipartParser(boundary: boundary, options: .strict)
                try other.parse(ContiguousArray(message.utf8).span) { _, _ in }
                try other.finish { _, _ in }
            }
        }
    }

    @Test func `a message with LF alone is told from one that has both`() {
        let message = "--b\nContent-Disposition: form-data; name=\"a\"\n\n1\n--b--\n"
        #expect(error(of: [Array(message.utf8)])?.description == "line ends in LF alone (at offset 3)")
    }

    @Test func `a part with a line that begins with the boundary of a form cannot be sent in it`() throws {
        let form = try MultipartFormData(
            parsing: Data(Self.fields("--other: y").utf8),
            contentType: "multipart/form-data; boundary=b",
            options: .init()
        )
        #expect(throws: MultipartError.self) { try MultipartFormData(form, boundary: "other").encode() }
        #expect(throws: Never.self) { try MultipartFormData(form, boundary: "another").encode() }
    }

    private func error(of chunks: [[UInt8]], limit: Int? = nil) -> MultipartError? {
        let options = MultipartParser.Options(mode: .strict, maxPartBytes: limit)
        return ParsedMessage(chunks.map { Data($0) }, boundary: "b", options: options).error
    }
}
