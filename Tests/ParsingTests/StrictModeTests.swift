import Foundation
import MultipartForm
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

    private static let marks = String(repeating: "\u{301}", count: 31)

    static let refusals: [Refusal] = [
        Refusal(.backslashNotAllowed, field("name=\"a\\b\""), at: "\\b"),
        Refusal(.backslashNotAllowed, field("name=\"a\"; x=\"\\\""), at: "\\\""),
        Refusal(.malformedContentDisposition, field("name=o'x"), at: "'x"),
        Refusal(.malformedContentDisposition, field("name=\"a\"; x='y'"), at: "'y"),
        Refusal(.encodedWordNotAllowed, field("name=\"a=?x?q?y?=\""), at: "a=?"),
        Refusal(.encodedWordNotAllowed, field("name=\"a\"; filename=\"=??=\""), at: "=??="),
        Refusal(.tooManyCombiningMarks, field("name=\"a\(marks)\""), at: "a\(marks)"),
        Refusal(.tooManyCombiningMarks, field("name=\"a\"; filename=\"b\(marks)\""), at: "b\(marks)"),
        Refusal(.missingName, part("Content-Disposition: form-data"), at: "form-data"),
        Refusal(.missingName, field("filename=\"x\""), at: "form-data"),
        Refusal(.missingName, field("filename=x"), at: "form-data"),
        Refusal(.missingFilename, field("name=\"a\"; filename=\"\"", "content"), at: "content"),
        Refusal(.nestedMultipartNotAllowed, fields("Content-Type: MultiPart/x"), at: "MultiPart"),
        Refusal(.contentLengthMismatch, fields("Content-Length: 3", "abcd"), at: "d\r"),
        Refusal(.duplicateHeader, fields("Content-Length: 2\r\ncontent-length: 2"), at: "content-length"),
        Refusal(.duplicateHeader, fields("Content-Type: a/b\r\nContent-Type: c/d"), at: "Content-Type: c"),
        // The first of several faults.
        Refusal(
            .duplicateHeader,
            fields("Content-Type: a\r\nContent-Type: b\r\nContent-Type: c"),
            at: "Content-Type: b"
        ),
        Refusal(
            .duplicateHeader,
            fields("Content-Transfer-Encoding: 7bit\r\nContent-Transfer-Encoding: 8bit"),
            at: "Content-Transfer-Encoding: 8"
        ),
        Refusal(.contentLengthMismatch, fields("Content-Length: 5", "abcd"), at: "\r\n--b--"),
        Refusal(.contentLengthMismatch, fields("Content-Length: 1", ""), at: "\r\n--b--"),
        Refusal(.contentLengthMismatch, fields("Content-Length: +1"), at: "+1"),
        Refusal(.contentLengthMismatch, fields("Content-Length: 00000000000000000001"), at: "0000"),
        Refusal(.malformedDelimiter, "--b\r\nContent-Disposition: form-data; name=\"x\"\r\n\r\n--b--\r\n", at: "--b--"),
        Refusal(.epilogueNotAllowed, field("name=\"a\"") + "\r\nv", at: "v"),
        Refusal(.malformedHeader, part("--bx: y\r\nContent-Disposition: form-data; name=\"x\""), at: "--bx"),
        Refusal(.malformedDelimiter, fields("X: y", "v --b"), at: "--b\r\n--b--"),
        Refusal(.malformedDelimiter, fields("X: y", "v\r--bc"), at: "--bc"),
        Refusal(.malformedDelimiter, fields("X: y", "v\n--b--"), at: "--b--\r\n--b--"),
        Refusal(.malformedDelimiter, fields("X: y", "v\r\n-----b"), at: "--b\r\n--b--"),
        Refusal(.malformedDelimiter, fields("X: y", "v\r\n--bc"), at: "c\r\n--b--"),
    ]

    private static let unusual = String(repeating: "a", count: 1500 - "X: ".utf8.count)

    /// What no older rule refuses.
    static let ambiguities: [Refusal] = [
        // The disposition.
        ("content-Disposition: form-data; name=\"a\"", "content-D"),
        ("CONTENT-DISPOSITION: form-data; name=\"a\"", "CONTENT"),
        ("Content-Disposition:form-data; name=\"a\"", "Content-D"),
        ("Content-Disposition:  form-data; name=\"a\"", "Content-D"),
        ("Content-Disposition: Form-Data; name=\"a\"", "Content-D"),
        ("Content-Disposition: form-data;name=\"a\"", "Content-D"),
        ("Content-Disposition: form-data;  name=\"a\"", "Content-D"),
        ("Content-Disposition: form-data ; name=\"a\"", "Content-D"),
        ("Content-Disposition: form-data; name=\"a\" ", "Content-D"),
        ("Content-Disposition: form-data;\tname=\"a\"", "Content-D"),
        ("Content-Disposition: form-data; NAME=\"a\"", "Content-D"),
        ("Content-Disposition: form-data; name=\"a\"; FileName=\"a\"", "Content-D"),
        ("Content-Disposition: form-data; name=\"a\"; x=y", "Content-D"),
        // Names.
        ("Content-Disposition: form-data; name=\"\"", "Content-D"),
        ("Content-Disposition: form-data; name=\" a\"", "Content-D"),
        ("Content-Disposition: form-data; name=\"a \"", "Content-D"),
        ("Content-Disposition: form-data; name=\"\u{FEFF}a\"", "Content-D"),
        ("Content-Disposition: form-data; name=\"a;b\"", "Content-D"),
        ("Content-Disposition: form-data; name=\"a\"; filename=\" a\"", "Content-D"),
        ("Content-Disposition: form-data; name=\"a\"; filename=\"a \"", "Content-D"),
        ("Content-Disposition: form-data; name=\"a\"; filename=\"\u{FEFF}a\"", "Content-D"),
        ("Content-Disposition: form-data; name=\"a\"; filename=\"a/\"", "Content-D"),
        ("Content-Disposition: form-data; name=\"a\"; filename=\".\"", "Content-D"),
        ("Content-Disposition: form-data; name=\"a\"; filename=..", "Content-D"),
        ("Content-Disposition: form-data; name=\"a\"; filename=\"a/..\"", "Content-D"),
        // What is looked for at other places.
        ("Content-Disposition: form-data; name=\"xname=y\"", "Content-D"),
        ("Content-Disposition: form-data; name=\"a\"; filename=\"FILENAME=\"", "Content-D"),
        ("Content-Disposition: form-data; name=\"content-disposition\"", "Content-D"),
        ("Content-Disposition: form-data; name=content-disposition", "Content-D"),
        ("Content-Disposition: form-data; name=\"a\"; filename=\"x Content-DISPOSITION: y\"", "Content-D"),
        ("Content-Disposition: form-data; name=\"x--b\"", "Content-D"),
        ("Content-Disposition: form-data; name=x--b", "Content-D"),
        ("Content-Disposition: form-data; name=\"\u{E9}name=\u{E9}--\"", "Content-D"),
        ("X: name=\r\nContent-Disposition: form-data; name=\"a\"", "X: n"),
        ("X--b: y\r\nContent-Disposition: form-data; name=\"a\"", "X--b"),
        ("X: ---b\r\nContent-Disposition: form-data; name=\"a\"", "X: -"),
        ("X-Content-Disposition: y\r\nContent-Disposition: form-data; name=\"a\"", "X-C"),
        // Other lines.
        ("X:\r\nContent-Disposition: form-data; name=\"a\"", "X:"),
        ("X: \r\nContent-Disposition: form-data; name=\"a\"", "X:"),
        ("X:  y\r\nContent-Disposition: form-data; name=\"a\"", "X:"),
        ("X: y \r\nContent-Disposition: form-data; name=\"a\"", "X:"),
        ("X:\ty\r\nContent-Disposition: form-data; name=\"a\"", "X:"),
        ("X: y\tz\r\nContent-Disposition: form-data; name=\"a\"", "X:"),
        ("X_Y: z\r\nContent-Disposition: form-data; name=\"a\"", "X_Y"),
        ("X: \(unusual)a\r\nContent-Disposition: form-data; name=\"a\"", "X:"),
        ("Content-Id: x\r\nContent-Disposition: form-data; name=\"a\"", "Content-I"),
        ("content-: x\r\nContent-Disposition: form-data; name=\"a\"", "content-:"),
        ("Content-type: a/b\r\nContent-Disposition: form-data; name=\"a\"", "Content-t"),
        ("Content-Type: a\r\nContent-Disposition: form-data; name=\"a\"", "Content-T"),
        ("Content-Type: a/\r\nContent-Disposition: form-data; name=\"a\"", "Content-T"),
        ("Content-Type: a/b;\r\nContent-Disposition: form-data; name=\"a\"", "Content-T"),
        ("Content-Type: a/b;  c=d\r\nContent-Disposition: form-data; name=\"a\"", "Content-T"),
        ("Content-Type: a/b; c\r\nContent-Disposition: form-data; name=\"a\"", "Content-T"),
        ("Content-Type: a/b; c=\r\nContent-Disposition: form-data; name=\"a\"", "Content-T"),
        ("Content-Type: a/b; c=\"d\"e\r\nContent-Disposition: form-data; name=\"a\"", "Content-T"),
        ("Content-Type: a/b; c'=d\r\nContent-Disposition: form-data; name=\"a\"", "Content-T"),
        ("Content-Type: a'/b\r\nContent-Disposition: form-data; name=\"a\"", "Content-T"),
        ("Content-Type: a/b; filename=c\r\nContent-Disposition: form-data; name=\"a\"", "Content-T"),
        ("Content-Type: a/b; c=\"MULTIPART/d\"\r\nContent-Disposition: form-data; name=\"a\"", "Content-T"),
        ("Content-Length:  1\r\nContent-Disposition: form-data; name=\"a\"", "Content-L"),
        ("Content-length: 1\r\nContent-Disposition: form-data; name=\"a\"", "Content-l"),
        ("Content-Transfer-encoding: 8bit\r\nContent-Disposition: form-data; name=\"a\"", "Content-T"),
        // Of several lines, the first counts.
        ("X:\r\nY:\r\nContent-Disposition: form-data; name=\"\"", "X:"),
        ("Content-Disposition: form-data; name=\"a\"\r\nY:\r\nX:", "Y:"),
    ].map { fields, place in Refusal(.ambiguousHeader, part(fields), at: place) }

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
        Refusal(.backslashNotAllowed, field("name=\"\\\"; x"), at: "\\"),
        Refusal(.malformedContentDisposition, field("x; name=\"\\\""), at: "; name"),
        Refusal(.encodedWordNotAllowed, field("name=\"=??=\"; filename=\"\(marks)\""), at: "=??="),
        Refusal(.nestedMultipartNotAllowed, fields("Content-Length: x\r\nContent-Type: multipart/a"), at: "multipart"),
        Refusal(.missingName, field("filename=\"x\"; y=z"), at: "form-data"),
        Refusal(.encodedWordNotAllowed, part("X:\r\nContent-Disposition: form-data; name=\"=??=\""), at: "=??="),
    ]

    @Test(arguments: refusals + ties + ambiguities)
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
        field("name=\"o'x\"; filename=\"y'z\""), field("name=\"=?a\"; filename=\"?=\""), field("name=\"?==?\""),
        field("name=a"), field("filename=b; name=\"a\""), field("name=a; filename=\"\"", ""), field("name=\"=\""),
        field("name=\"a name b\"; filename=\"../x; y.z\""), field("name=\"nam\u{E9}=\"; filename=\"...\""),
        field("name=\"--\"; filename=\"-d--d-\""), field("name=\"a\u{FEFF}\"; filename=\".a\""),
        part("content-disposition: form-data; name=\"a\"\r\ncontent-type:a/b;c=\"d;/\""),
        fields("X:y\r\n-: \u{E9} \"\\;="), fields("X: \(unusual)"), fields("Contents: x"),
        fields("content-transfer-encoding:BiNaRy\r\nContent-Length:1"),
        field("name=\"a\"; filename=\"\"", ""), field("name=\"a\(String(marks.unicodeScalars.dropFirst()))\""),
        fields("Content-Length: 4", "abcd"), fields("Content-Length: 0", ""),
        fields("content-length: 0000000000000000001"),
        fields("Content-Type: multipartx/y"), fields("--: x"),
        fields("X: y", "--\r\n--\r\n-b\r\n- --"),
    ])
    func `strict mode reads what resembles these`(message: String) throws {
        let bytes = Array(message.utf8)
        for cut in 0...bytes.count {
            let error = self.error(of: [Array(bytes[..<cut]), Array(bytes[cut...])])
            try #require(error == nil, "cut at \(cut)")
        }
    }

    /// Boundaries whose dash-boundaries overlap themselves.
    @Test(arguments: ["-", "-----------a", "a--a--", "x", "-x-x-x-y", "aabaa"])
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
                let chunks = stride(from: 0, to: message.count, by: size).map { start in
                    Array(message[start..<min(start + size, message.count)])
                }
                let (parts, error) = parse(chunks, boundary: boundary)
                let context: Comment = "round \(round), chunks of \(size): \(String(decoding: message, as: UTF8.self))"
                let body = Array(message[head.count..<(isDelimiter ? found - 2 : found)])
                try #require(parts.first == body, context)
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
        ("multipart/form-data; boundary=\"a\\b\"", MultipartError.Code.invalidBoundary),
        ("multipart/form-data; boundary=\"a,b\"", .invalidBoundary),
        ("multipart/form-data; x=\"\\y\"; boundary=b", .invalidBoundary),
        ("multipart/form-data; xboundary=a; boundary=b", .duplicateParameter),
        ("multipart/form-data; x=\"Boundary\"; boundary=b", .duplicateParameter),
        ("multipart/form-data; boundary=b; x=\"boundary =c\"", .duplicateParameter),
        ("multipart/form-data; boundary=\"boundary=b\"", .duplicateParameter),
        ("multipart/form-data; boundary*=x; boundary=b", .extendedParameterNotAllowed),
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
        ("boundary=my-boundary-b", "my-boundary-b"), ("charset=UTF-8;boundary=\"b\"", "b"),
        ("boundary=\"a b\"; charset=\"utf-8\" \t", "a b"),
    ])
    func `strict mode reads a Content-Type in which all parsers find the same boundary`(
        parameters: String,
        boundary: String
    ) throws {
        let part = "--\(boundary)\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n"
        let form = try MultipartFormData(
            parsing: Data("\(part)--\(boundary)--\r\n".utf8),
            contentType: "multipart/form-data; \(parameters)",
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
            options: .strict
        )
        #expect(throws: MultipartError.self) { try MultipartFormData(form, boundary: "other").encode() }
        #expect(throws: Never.self) { try MultipartFormData(form, boundary: "another").encode() }
    }

    private func error(of chunks: [[UInt8]], limit: Int? = nil) -> MultipartError? {
        parse(chunks, boundary: "b", limit: limit).error
    }

    /// The bodies in strict mode, and the error after them.
    private func parse(
        _ chunks: [[UInt8]],
        boundary: String,
        limit: Int? = nil
    ) -> (bodies: [[UInt8]], error: MultipartError?) {
        var bodies: [[UInt8]] = []
        do {
            let options = MultipartParser.Options(mode: .strict, maxPartBytes: limit)
            var parser = MultipartParser(boundary: try Boundary(parsing: boundary, mode: .strict), options: options)
            for chunk in chunks {
                parser.append(Data(chunk))
                try drain(&parser, &bodies)
            }
            parser.finish()
            try drain(&parser, &bodies)
            return (bodies, nil)
        } catch {
            return (bodies, error as? MultipartError)
        }
    }

    private func drain(_ parser: inout MultipartParser, _ bodies: inout [[UInt8]]) throws {
        while let event = try parser.next() {
            switch event {
            case .part: bodies.append([])
            case .body(let bytes): bodies[bodies.count - 1] += bytes
            case .endOfPart, .end: break
            }
        }
    }

    /// A message that strict mode's grammar does not accept, and what the error says is not in it.
    private static let facts: [(message: String, fact: String)] = [
        (field("a=b; name=x"), "a semicolon without a space and name= or filename= after it"),
        (part("Content-Disposition: form-data;name=x"), "a semicolon without a space and name= or filename= after it"),
        (field("Name=x"), "a semicolon without a space and name= or filename= after it"),
        (field("name=\"x\ty\""), "a character in a value, such as a tab"),
        (field("name=\"\""), "an empty name"),
        (field("name=\" x\""), "a space at a name's edge"),
        (field("name=\"a;b\""), "a semicolon in a name"),
        (field("name=x; filename=\"a/..\""), "a file name whose last component is empty, . or .."),
        (fields("X_Y: 1"), "a field name with other characters than letters, digits and hyphens"),
        (fields("X:  1"), "an empty value, or white space around one"),
        (
            fields("CONTENT-TYPE: a/b"),
            "the spelling of a field name that begins with Content-, or a space that is missing"
        ),
        (fields("Content-Type: a"), "a media type that is not type/subtype, with parameters of a name and a value"),
        (fields("X: \(String(repeating: "y", count: 1500))"), "a line of more than 1500 bytes"),
        (fields("X: name=y"), "\"name=\" at another place than a parameter of the Content-Disposition"),
        (fields("X: content-disposition"), "\"Content-Disposition\" at another place than a line's start"),
        (fields("X: --b"), "the boundary after two hyphens"),
    ]

    @Test(arguments: facts)
    func `an error names what is not in the grammar`(_ message: String, _ fact: String) throws {
        let error = try #require(throws: MultipartError.self) {
            try MultipartFormData(
                parsing: Data(message.utf8),
                contentType: "multipart/form-data; boundary=b",
                options: MultipartParser.Options(mode: .strict)
            )
        }
        #expect(error.code == .ambiguousHeader)
        #expect(error.description.contains("parsers may differ on \(fact) (at offset"), "\(error)")
    }
}
