import Foundation
import MultipartForm
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
            answer: "one pass over the bytes, `malformed-content-type` at the open quote"
        ) {
            let slashes = String(repeating: "\\", count: 100_000)
            try expectContentType("multipart/form-data; !=\"\(slashes)!", .malformedContentType)
            try expectContentType("multipart/form-data; !=\"\(slashes)\"; boundary=a; boundary=b", .duplicateParameter)
        },
        Advisory(
            id: "CVE-2022-44571",
            project: "Rack",
            fault: "a regular expression for Content-Disposition took long over crafted parameters",
            answer: "one pass over the bytes, within 16 KiB"
        ) {
            let parameters = String(repeating: ";a=b", count: 3000)
            try expectManyTimes(parameters, empty, strict: .error(.duplicateParameter))
            let quotes = String(repeating: ";a=\"", count: 2999)
            try expectManyTimes(quotes, .error(.malformedContentDisposition))
        },
        Advisory(
            id: "CVE-2022-44572",
            project: "Rack",
            fault: "attributes with control characters took long to parse",
            answer: "a control character is no part of a parameter's name: `malformed-content-disposition`"
        ) {
            let controls = String(repeating: "\t\u{1}", count: 7000)
            let malformed = Outcome.error(.malformedContentDisposition)
            try expectManyTimes("; \(controls)=x", malformed, strict: .error(.invalidHeaderCharacter))
            try expectManyTimes("; x\(String(repeating: "\t", count: 14_000))!", malformed)
            try expectContentType("multipart/form-data; boundary=\"\(controls)\"", .malformedContentType)
        },
        Advisory(
            id: "CVE-2026-34827",
            project: "Rack",
            fault: "quoted values full of escapes were cut off at the front once for each escape",
            answer: "one pass over the bytes; a value's escapes are undone once, when it is asked for"
        ) {
            let escapes = String(repeating: "a\\\\", count: 5000)
            try expectManyTimes("; filename=\"\(escapes)\"", empty)
            let expected = String(repeating: "a\\", count: 5000)
            #expect(try disposition(of: "; filename=\"\(escapes)\"", .strict).filename == expected)
        },
        Advisory(
            id: "CVE-2026-28356",
            project: "defnull multipart",
            fault: "a regular expression with two readings of a backslash backtracked forever",
            answer: "at most two passes, one with and one without escapes; `malformed-content-disposition`"
        ) {
            let escapes = String(repeating: "\\a", count: 7000)
            try expectManyTimes("; filename=\"\(escapes)", .error(.malformedContentDisposition))
        },
        Advisory(
            id: "CVE-2026-8159",
            project: "multiparty",
            fault: "a regular expression for file names backtracked over a header of 8 KiB",
            answer: "one pass over the bytes"
        ) {
            let name = String(repeating: "\\\"; filename=\"", count: 1000)
            try expectManyTimes("; filename=\"\(name)", .error(.malformedContentDisposition))
        },
        Advisory(
            id: "CVE-2015-4024",
            project: "PHP",
            fault: "a line without a colon was appended to the one before, copying it each time",
            answer: "such a line is `malformed-header`; at most 32 lines"
        ) {
            let lines = disposition() + String(repeating: "\r\na", count: 20)
            try expect(message([(lines, "")]), .error(.malformedHeader))
            let folds = disposition() + String(repeating: "\r\n a", count: 40)
            try expect(message([(folds, "")]), .error(.limitHeaderCount), strict: .error(.obsoleteFold))
            let wide = String(repeating: "\r\n \(String(repeating: "a", count: 500))", count: 30)
            let folded = message([(disposition() + "\r\nX: y" + wide, "")])
            try expect(folded, .bodies([Data()]), strict: .error(.obsoleteFold))
        },
        Advisory(
            id: "CVE-2022-24434",
            project: "dicer",
            fault: "a first header line that began with a space crashed the process",
            answer: "lenient mode reads the field, strict mode throws `malformed-header`"
        ) {
            let indented = message([(" \(disposition())", "x")])
            let mended = message([(disposition(), "x")])
            try expect(indented, .bodies([Data("x".utf8)]), strict: .error(.malformedHeader), mended: mended)
            try expect(message([("\t", "x")]), .error(.malformedHeader))
        },
        Advisory(
            id: "CVE-2026-8162",
            project: "multiparty",
            fault: "a broken percent escape in `filename*` crashed the process",
            answer: "the parameter is ignored; strict mode allows none"
        ) {
            for value in ["utf-8''%", "utf-8''%E0%A4%A", "utf-8''%zz", "utf-8''%FF", "x", "'", "''", "utf-8''a%00b"] {
                #expect(try disposition(of: "; filename=\"f\"; filename*=\(value)", .lenient).filename == "f")
                let message = message([(disposition("; filename*=\(value)"), "")])
                let mended = Self.message([(disposition(), "")])
                try expect(message, .bodies([Data()]), strict: .error(.extendedParameterNotAllowed), mended: mended)
            }
        },
        Advisory(
            id: "CVE-2026-29076",
            project: "cpp-httplib",
            fault: "a regular expression for `filename*` took a stack frame for each byte until the stack was full",
            answer: "a loop over the bytes decodes it; no depth grows with the input"
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
            fault: "a field named `__proto__` changed the object that fields were collected in",
            answer: "a name is text, whatever it spells: of a field, a parameter or a header"
        ) {
            let header = "Content-Disposition: form-data; name=\"__proto__\"\r\n__proto__: x"
            try expect(message([(header, "v")]), .bodies([Data("v".utf8)]))
            let form = try MultipartFormData(parsing: message([(header, "v")]), contentType: usualBoundary.contentType)
            #expect(form.first?.name == "__proto__" && form.first?.headers["__proto__"] == "x")
        },
        Advisory(
            id: "CVE-2026-33033",
            project: "Django",
            fault: "a base64 body of white space was read byte by byte, each with a copy of 64 KiB",
            answer: "does not apply: no body is ever decoded. Strict mode refuses the header: "
                + "`unsupported-transfer-encoding`"
        ) {
            let spaces = String(repeating: " \t\r\n", count: 50_000)
            let encoded = disposition("; filename=\"f\"\r\nContent-Transfer-Encoding: base64")
            try expect(
                message([(encoded, spaces)]),
                .bodies([Data(spaces.utf8)]),
                strict: .error(.unsupportedTransferEncoding),
                mended: message([(disposition("; filename=\"f\""), spaces)]),
                chunks: [1, 1460]
            )
        },
        Advisory(
            id: "Framing by a part's Content-Length",
            project: "any parser",
            fault: "a part's own Content-Length is taken for the length of its body, so that peers cut it differently",
            answer: "the field has no meaning here; delimiters alone frame a body. The encoder refuses to send one"
        ) {
            for length in ["0", "1", "99999999999999999999", "-1", "x"] {
                let header = disposition("\r\nContent-Length: \(length)")
                try expect(message([(header, "four")]), .bodies([Data("four".utf8)]), chunks: [1, 64])
            }
        },
        Advisory(
            id: "CVE-2025-48997",
            project: "multer",
            fault: "a file with an empty field name crashed the process",
            answer: "an empty name is a name"
        ) {
            let header = "Content-Disposition: form-data; name=\"\"; filename=\"f\""
            try expect(message([(header, "x")]), .bodies([Data("x".utf8)]))
        },
        Advisory(
            id: "CVE-2026-26961",
            project: "Rack",
            fault: "of two boundary parameters the last was taken, where a filter in front took the first",
            answer: "`duplicate-parameter`"
        ) {
            try expectContentType("multipart/form-data; boundary=safe; boundary=malicious", .duplicateParameter)
            try expectContentType("multipart/form-data; boundary=safe; BOUNDARY=\"safe\"", .duplicateParameter)
            try expectContentType("multipart/form-data; x=\"; boundary=malicious\"", .missingBoundary)
        },
        Advisory(
            id: "CVE-2026-26962",
            project: "Rack",
            fault: "a folded header left its CR LF in the file name, to be sent on in another header",
            answer: "a fold is one space, in strict mode `obs-fold`; no value has a CR, an LF or a NUL"
        ) {
            let folded = "; filename=\"test\r\n foo.txt\""
            #expect(try disposition(of: folded, .lenient).filename == "test foo.txt")
            let unfolded = message([(disposition("; filename=\"test foo.txt\""), "")])
            let refused = Outcome.error(.obsoleteFold)
            try expect(message([(disposition(folded), "")]), .bodies([Data()]), strict: refused, mended: unfolded)
            let breaks: [(String, MultipartError.Code)] = [
                ("\r", .bareCR), ("\n", .bareLF), ("\0", .invalidHeaderCharacter),
            ]
            for (line, code) in breaks {
                for parameter in ["; filename=\"a\(line)b\"", "; x=\"\(line)\"", "; x\(line)y=z"] {
                    let message = message([(disposition(parameter), "")])
                    try expect(message, .error(code), mended: unfolded)
                }
            }
        },
        Advisory(
            id: "GHSA-vffw-93wf-4j4q, CVE-2026-53537",
            project: "python-multipart",
            fault: "`name*`, `filename*` and `filename*0` replaced the plain parameters that a filter in "
                + "front had read",
            answer: "`name*` and continuations mean nothing; strict mode refuses every `*`. "
                + "Lenient mode does prefer a decodable `filename*`: behind such a filter, use strict mode"
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
                    strict: .error(.extendedParameterNotAllowed),
                    mended: message([(disposition(safe), "")])
                )
            }
        },
        Advisory(
            id: "CVE-2026-24486",
            project: "python-multipart",
            fault: "with some settings the peer's file name chose where a file was written",
            answer: "no name of a peer becomes a path here; `safeFilename` is its last component, or nil"
        ) {
            for (name, safe) in [("../../etc/x", "x"), ("/etc/passwd", "passwd"), ("..", nil), ("C:\\a\\b", "b")] {
                let disposition = try disposition(of: "; filename=\"\(name)\"", .lenient)
                #expect(disposition.safeFilename == safe)
            }
        },
    ]
}
