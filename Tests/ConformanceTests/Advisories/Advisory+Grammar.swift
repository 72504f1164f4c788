import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// Header grammars: values that take forever, that crash, or that two parsers read differently.
extension Advisory {
    /// Parses many parts with the same long disposition: quadratic parsing would take minutes, exponential forever.
    private static func expectManyTimes(_ rest: String, _ lenient: Outcome, strict: Outcome? = nil) throws {
        let part = (disposition(rest), "")
        try expect(message([(String, String)](repeating: part, count: 100)), lenient, strict: strict, chunks: [4096])
    }

    /// The parsed disposition of a part.
    private static func disposition(of rest: String, _ mode: ParsingMode) throws -> ContentDisposition {
        let form = try MultipartFormData(
            parsing: message([(disposition(rest), "")]),
            contentType: usualBoundary.contentType,
            options: MultipartParser.Options(mode: mode)
        )
        return try #require(form.first?.headers.contentDisposition)
    }

    private static let empty = Outcome.bodies([Data](repeating: Data(), count: 100))

    static let grammar: [Advisory] = [
        Advisory(
            id: "CVE-2024-24762",
            project: "python-multipart",
            fault: "a regular expression for Content-Type options took minutes over backslashes in quotes",
            answer: "one pass over the bytes: `malformed-content-type` at the open quote"
        ) {
            let slashes = String(repeating: "\\", count: 100_000)
            let open = "multipart/form-data; !=\"\(slashes)!"
            try expectContentType(open, .malformedContentType)
            let closed = "multipart/form-data; !=\"\(slashes)\"; boundary=a; boundary=b"
            try expectContentType(closed, .duplicateParameter)
        },
        Advisory(
            id: "CVE-2022-44571",
            project: "Rack",
            fault: "a regular expression for Content-Disposition was slow on crafted parameters",
            answer: "one pass over the bytes, within 16 KiB"
        ) {
            let parameters = String(repeating: ";a=b", count: 3000)
            try expectManyTimes(parameters, empty, strict: .error(.ambiguousHeader))
            let quotes = String(repeating: ";a=\"", count: 2999)
            try expectManyTimes(quotes, .error(.malformedContentDisposition))
        },
        Advisory(
            id: "CVE-2022-44572",
            project: "Rack",
            fault: "attributes with control characters were slow to parse",
            answer: "a parameter's name has no control characters: `malformed-content-disposition`"
        ) {
            let controls = String(repeating: "\t\u{1}", count: 7000)
            let malformed = Outcome.error(.malformedContentDisposition)
            try expectManyTimes("; \(controls)=x", malformed)
            try expectManyTimes("; x\(String(repeating: "\t", count: 14_000))!", malformed)
            try expectContentType("multipart/form-data; boundary=\"\(controls)\"", .malformedContentType)
        },
        Advisory(
            id: "CVE-2026-34827",
            project: "Rack",
            fault: "a quoted value full of escapes was cut at the front once for each escape",
            answer: "one pass over the bytes; escapes are decoded once, when the value is read. Strict mode: "
                + "`ambiguous-header`"
        ) {
            let escapes = String(repeating: "a\\\\", count: 5000)
            try expectManyTimes("; filename=\"\(escapes)\"", empty, strict: .error(.ambiguousHeader))
            let expected = String(repeating: "a\\", count: 5000)
            #expect(try disposition(of: "; filename=\"\(escapes)\"", .lenient).filename == expected)
        },
        Advisory(
            id: "CVE-2026-28356",
            project: "defnull multipart",
            fault: "a regular expression with two readings of a backslash backtracked forever",
            answer: "at most two passes, one with and one without escapes: `malformed-content-disposition`"
        ) {
            let escapes = String(repeating: "\\a", count: 7000)
            let malformed = Outcome.error(.malformedContentDisposition)
            try expectManyTimes("; filename=\"\(escapes)", malformed)
        },
        Advisory(
            id: "CVE-2026-8159",
            project: "multiparty",
            fault: "a regular expression for file names backtracked over a header of 8 KiB",
            answer: "one pass over the bytes"
        ) {
            let name = String(repeating: "\\\"; filename=\"", count: 1000)
            let malformed = Outcome.error(.malformedContentDisposition)
            try expectManyTimes("; filename=\"\(name)", malformed)
        },
        Advisory(
            id: "CVE-2015-4024",
            project: "PHP",
            fault: "a line without a colon was appended to the previous one, which was copied each time",
            answer: "such a line is `malformed-header`; at most 32 lines"
        ) {
            let lines = disposition() + String(repeating: "\r\na", count: 20)
            try expect(message([(lines, "")]), .error(.malformedHeader))
            let folds = disposition() + String(repeating: "\r\n a", count: 40)
            try expect(message([(folds, "")]), .error(ErrorCode.limitHeaderCount))
            let wide = String(repeating: "\r\n \(String(repeating: "a", count: 500))", count: 30)
            let folded = message([(disposition() + "\r\nX: y" + wide, "")])
            try expect(folded, .bodies([Data()]), strict: .error(.ambiguousHeader))
        },
        Advisory(
            id: "CVE-2022-24434",
            project: "dicer",
            fault: "a first header line that began with a space crashed the process",
            answer: "lenient mode reads the field, strict mode throws `ambiguous-header`"
        ) {
            let indented = message([(" \(disposition())", "x")])
            let fixed = message([(disposition(), "x")])
            try expect(indented, .bodies([Data("x".utf8)]), strict: .error(.ambiguousHeader), fixed: fixed)
            try expect(message([("\t", "x")]), .error(.malformedHeader))
        },
        Advisory(
            id: "CVE-2026-8162",
            project: "multiparty",
            fault: "an invalid percent escape in `filename*` crashed the process",
            answer: "the parameter is ignored; strict mode refuses it"
        ) {
            for value in ["utf-8''%", "utf-8''%E0%A4%A", "utf-8''%zz", "utf-8''%FF", "x", "'", "''", "utf-8''a%00b"] {
                #expect(try disposition(of: "; filename=\"f\"; filename*=\(value)", .lenient).filename == "f")
                let message = message([(disposition("; filename*=\(value)"), "")])
                let fixed = Self.message([(disposition(), "")])
                try expect(message, .bodies([Data()]), strict: .error(.ambiguousHeader), fixed: fixed)
            }
        },
        Advisory(
            id: "CVE-2026-29076",
            project: "cpp-httplib",
            fault: "a regular expression for `filename*` used a stack frame for each byte until the stack overflowed",
            answer: "a loop over the bytes decodes it; nothing recurses"
        ) {
            for (text, count) in [("a", 16_000), ("%61", 5000)] {
                let value = String(repeating: text, count: count)
                let disposition = try disposition(of: "; filename*=utf-8''\(value)", .lenient)
                #expect(disposition.filename == String(repeating: "a", count: count))
            }
        },
        Advisory(
            id: "CVE-2020-8136",
            project: "fastify-multipart",
            fault: "a field named `__proto__` changed the object that collected the fields",
            answer: "a name is text, whatever it spells: of a field, a parameter or a header"
        ) {
            let header = "Content-Disposition: form-data; name=\"__proto__\"\r\n__proto__: x"
            try expect(
                message([(header, "v")]),
                .bodies([Data("v".utf8)]),
                strict: .error(.ambiguousHeader),
                fixed: message([("Content-Disposition: form-data; name=\"__proto__\"", "v")])
            )
            let form = try MultipartFormData(parsing: message([(header, "v")]), contentType: usualBoundary.contentType)
            #expect(form.first?.name == "__proto__" && form.first?.headers["__proto__"] == "x")
        },
        Advisory(
            id: "CVE-2026-33033",
            project: "Django",
            fault: "a base64 body of white space was read byte by byte, each with a copy of 64 KiB",
            answer: "no body is ever decoded. Strict mode refuses the header: `ambiguous-header`"
        ) {
            let spaces = String(repeating: " \t\r\n", count: 20_000)
            let encoded = disposition("; filename=\"f\"\r\nContent-Transfer-Encoding: base64")
            try expect(
                message([(encoded, spaces)]),
                .bodies([Data(spaces.utf8)]),
                strict: .error(.ambiguousHeader),
                fixed: message([(disposition("; filename=\"f\""), spaces)]),
                chunks: [1, 1460]
            )
        },
        Advisory(
            id: "CVE-2025-48997",
            project: "multer",
            fault: "a file with an empty field name crashed the process",
            answer: "an empty name is a name, and in strict mode `ambiguous-header`"
        ) {
            let header = "Content-Disposition: form-data; name=\"\"; filename=\"f\""
            try expect(
                message([(header, "x")]),
                .bodies([Data("x".utf8)]),
                strict: .error(.ambiguousHeader),
                fixed: message([(disposition("; filename=\"f\""), "x")])
            )
        },
        Advisory(
            id: "CVE-2026-26961",
            project: "Rack",
            fault: "of two boundary parameters the last counted, while a filter in front used the first",
            answer: "`duplicate-parameter`"
        ) {
            try expectContentType("multipart/form-data; boundary=safe; boundary=malicious", .duplicateParameter)
            try expectContentType("multipart/form-data; boundary=safe; BOUNDARY=\"safe\"", .duplicateParameter)
            try expectContentType("multipart/form-data; x=\"; boundary=malicious\"", .missingBoundary)
        },
        Advisory(
            id: "CVE-2026-26962",
            project: "Rack",
            fault: "a folded header left its CR LF in the file name, which was sent on in another header",
            answer: "a fold is one space, in strict mode `ambiguous-header`; no value has a CR, an LF or a NUL"
        ) {
            let folded = "; filename=\"test\r\n foo.txt\""
            #expect(try disposition(of: folded, .lenient).filename == "test foo.txt")
            let unfolded = message([(disposition("; filename=\"test foo.txt\""), "")])
            let refused = Outcome.error(.ambiguousHeader)
            try expect(message([(disposition(folded), "")]), .bodies([Data()]), strict: refused, fixed: unfolded)
            let breaks: [(String, MultipartError.Code)] = [
                ("\r", .bareCR), ("\n", .bareLF), ("\0", .invalidHeaderCharacter),
            ]
            for (line, code) in breaks {
                for parameter in ["; filename=\"a\(line)b\"", "; x=\"\(line)\"", "; x\(line)y=z"] {
                    let message = message([(disposition(parameter), "")])
                    try expect(message, .error(code), fixed: unfolded)
                }
            }
        },
        Advisory(
            id: "GHSA-vffw-93wf-4j4q, CVE-2026-53537",
            project: "python-multipart",
            fault: "`name*`, `filename*` and `filename*0` replaced the plain parameters that a filter in front had "
                + "read",
            answer: "`name*` and continuations mean nothing; strict mode refuses every `*`. Lenient mode does prefer "
                + "a decodable `filename*`: behind such a filter, use strict mode"
        ) {
            let safe = "; filename=\"safe.txt\""
            // Each alone: one that is refused must not hide one that is not.
            let ignored = [
                "name*=utf-8''role", "name*0=\"role\"", "name*0*=utf-8''role", "filename*0=\"evil\"",
                "filename*1=\".php\"", "FILENAME*0*=utf-8''evil", "x*=y", "*=y", "x*y=z",
            ]
            for parameter in ignored {
                let lenient = try disposition(of: "\(safe); \(parameter)", .lenient)
                #expect(lenient.name == "a" && lenient.filename == "safe.txt")
            }
            let preferred = "filename*=utf-8''evil.php"
            #expect(try disposition(of: "\(safe); \(preferred)", .lenient).filename == "evil.php")
            for parameter in ignored + [preferred] {
                try expect(
                    message([(disposition("\(safe); \(parameter)"), "")]),
                    .bodies([Data()]),
                    strict: .error(.ambiguousHeader),
                    fixed: message([(disposition(safe), "")])
                )
            }
        },
        Advisory(
            id: "CVE-2026-24486",
            project: "python-multipart",
            fault: "with some settings the client's file name chose where a file was written",
            answer: "no received name becomes a path; `safeFilename` is its last component, or nil"
        ) {
            for (name, safe) in [("../../etc/x", "x"), ("/etc/passwd", "passwd"), ("..", nil), ("C:\\a\\b", "b")] {
                let form = try MultipartFormData(
                    parsing: message([(disposition("; filename=\"\(name)\""), "")]),
                    contentType: usualBoundary.contentType
                )
                #expect(form.first?.safeFilename == safe)
            }
        },
        Advisory(
            id: "Crow #1192",
            project: "Crow",
            fault: "a missing name was read from beyond the end of the parameters, which crashed the process",
            answer: "`name` is nil; strict mode: `ambiguous-header`"
        ) {
            for parameters in ["", "; filename=\"f\"", "; names=\"a\""] {
                let nameless = message([("Content-Disposition: form-data\(parameters)", "x")])
                try await expectOfAll(nameless, .bodies([Data("x".utf8)]), strict: .error(.ambiguousHeader))
                let form = try MultipartFormData(parsing: nameless, contentType: usualBoundary.contentType)
                #expect(form.first?.name == nil && form["name"] == nil && form[""] == nil)
            }
            let empty = message([("Content-Disposition: form-data; ", "x")])
            try await expectOfAll(empty, .bodies([Data("x".utf8)]), strict: .error(.ambiguousHeader))
        },
        Advisory(
            id: "CVE-2025-49007",
            project: "Rack",
            fault: "a regular expression for Content-Disposition that matched anywhere in a line was slow on crafted "
                + "ones",
            answer: "a field is identified by the name at the start of its line; one pass over the bytes"
        ) {
            let decoys = String(repeating: "Content-Disposition: form-data; name=evil ", count: 300)
            let refused = Outcome.error(.ambiguousHeader)
            try expectManyTimes("; x=\"\(decoys)\"", empty, strict: refused)
            try expectManyTimes("\r\nX: \(decoys)", empty, strict: refused)
            let spaces = String(repeating: " ", count: 14_000)
            try expectManyTimes("\r\nX: Content-Disposition:\(spaces)!", empty, strict: refused)
            let folds = String(repeating: "\r\n Content-Disposition:\t" + String(repeating: " ", count: 400), count: 30)
            try expectManyTimes("\r\nX: y\(folds)", empty, strict: .error(.ambiguousHeader))
            #expect(try disposition(of: "\r\nX: \(decoys)", .lenient).name == "a")
        },
        Advisory(
            id: "CVE-2026-42507",
            project: "Go net/textproto",
            fault: "an error's text had the malformed line as it came, so a client could forge log entries",
            answer: "an error quotes only field names, media types and other boundaries, printable and cut"
        ) {
            let forged = "\u{1B}[2K\u{202E}level=info msg=\"paid\"\u{2028}"
            let headers = [
                forged, "X-\(forged): y", disposition("; filename=\"\(forged)"), disposition("; \(forged)=x"),
                disposition("\r\nContent-Disposition: \(forged)"),
            ]
            for header in headers {
                for mode in [ParsingMode.lenient, .strict] {
                    let options = MultipartParser.Options(mode: mode)
                    let parsed = ParsedMessage([message([(header, "x")])], boundary: usualBoundary, options: options)
                    expectNoForgery(in: try #require(parsed.error), quotes: false)
                }
            }
            let name = forged.replacing("\"", with: "'")
            let named = message([("Content-Disposition: form-data; name=\"\(name)\"", "x")])
            let limits = MultipartParser.Options(maxPartBytes: 0)
            let error = ParsedMessage([named], boundary: usualBoundary, options: limits).error
            #expect(error?.partName == name)
            expectNoForgery(in: try #require(error), quotes: true)
            let field = #expect(throws: MultipartError.self) {
                try Boundary(contentType: "multipart/form-data; x=\(forged)", mode: .lenient)
            }
            expectNoForgery(in: try #require(field), quotes: false)
        },
    ]

    /// Expects that the texts of an error have nothing that a terminal or a log obeys, and no text of the peer's unless
    /// it quotes a name.
    private static func expectNoForgery(in error: MultipartError, quotes: Bool) {
        for text in [error.description, error.localizedDescription] {
            #expect(text.contains("level=info") == quotes)
            let isPrintable = text.unicodeScalars.allSatisfy { scalar in
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator: false
                default: true
                }
            }
            #expect(isPrintable, "\(text.debugDescription)")
        }
    }
}
