import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// The boundary of a Content-Type field (RFC 2046 §5.1.1, RFC 7578 §4.1).
@Suite struct BoundaryContentTypeTests {
    private func text(_ contentType: String, _ mode: ParsingMode = .lenient) throws -> String {
        try Boundary(contentType: contentType, mode: mode).description
    }

    private func expectError(
        _ code: MultipartError.Code,
        at offset: UInt64,
        _ contentType: String,
        _ modes: ParsingMode...
    ) {
        for mode in modes {
            #expect(throws: MultipartError(code, offset: offset), "\(contentType.debugDescription) \(mode)") {
                try Boundary(contentType: contentType, mode: mode)
            }
        }
    }

    @Test func `a boundary is quoted unless strict mode reads it without quotes`() throws {
        let rows: [(String, String)] = [
            ("aZ09-._", "aZ09-._"), ("a'b", "\"a'b\""), ("a+b", "\"a+b\""), ("a b", "\"a b\""), ("a=b", "\"a=b\""),
            ("a:b", "\"a:b\""), ("(a)", "\"(a)\""),
            ("a\"b", "\"a\\\"b\""), ("a\\b", "\"a\\\\b\""), ("\u{E9}", "\"\u{E9}\""), ("a;b", "\"a;b\""),
        ]
        for (text, value) in rows {
            let boundary = try Boundary(parsing: text, mode: .lenient)
            #expect(boundary.contentType == "multipart/form-data; boundary=\(value)", "\(text)")
        }
    }

    @Test func `a boundary is read from its parameter in any place and any letter case`() throws {
        let values = [
            "multipart/form-data; boundary=b", "multipart/form-data;boundary=b",
            "multipart/form-data; boundary=\"b\"",
        ]
        for value in values {
            for mode in [ParsingMode.lenient, .strict] { #expect(try text(value, mode) == "b", "\(value) \(mode)") }
        }
        let unusual = [
            " \tmultipart/form-data; boundary=b \t", "multipart/form-data; charset=utf-8; boundary=\"b\"",
            "multipart/form-data; boundary=b; charset=utf-8", "multipart/form-data;  boundary=b",
            "Multipart/FORM-Data; BOUNDARY=b", "multipart/form-data ; boundary=b",
            "multipart/form-data; charset=\"\"; boundary=b", "multipart/form-data;; boundary=b;",
            "multipart/form-data; x=\";\"; boundary=b; ", "multipart/form-data; boundary=b; x=boundary",
            "multipart/form-data; boundary=b; x=\"boundary \"", "multipart/form-data; boundary=b; boundaryx=c",
            "multipart/form-data; bound=b; ary=c; boundary=b", "multipart/form-data;\tboundary=b",
        ]
        for value in unusual {
            #expect(try text(value) == "b", "\(value)")
            expectError(.ambiguousHeader, at: 0, value, .strict)
        }
    }

    @Test func `the letter case of a boundary is kept`() throws {
        #expect(try text("multipart/form-data; boundary=aBc") == "aBc")
    }

    @Test func `a value that is no media type is malformed where it ends`() {
        let rows: [(String, UInt64)] = [
            ("", 0), ("/form-data", 0), (" ;", 1), ("multipart", 9), ("multipart form-data", 9), ("multipart/", 10),
            ("multipart/;boundary=b", 10), ("multipart/ form-data; boundary=b", 10),
            ("multipart/form-data boundary=b", 20), ("multipart/form-data, boundary=b", 19),
        ]
        for (value, offset) in rows { expectError(.malformedContentType, at: offset, value, .lenient, .strict) }
    }

    @Test func `a value has no control character but a tab`() {
        let rows: [(String, UInt64)] = [
            ("multipart/form-data; boundary=b\u{1}", 31), ("\u{7F}multipart/form-data; boundary=b", 0),
            ("multipart/form-data; boundary=\"a\r\nb\"\u{0}", 32), ("text/plain\u{0}", 10),
            ("multipart/form-data; x=\"\u{1F}\"; boundary=b", 24),
        ]
        for (value, offset) in rows { expectError(.malformedContentType, at: offset, value, .lenient, .strict) }
        #expect(throws: Never.self) { try text("multipart/form-data;\tboundary=b") }
    }

    @Test func `another media type is refused where it begins`() {
        for (value, offset) in [
            ("image/form-data; boundary=b", 0), (" multipart/mixed; boundary=b", 1), ("multipartx/form-data", 0),
            ("multipar/form-data", 0), ("multipart/form-dat", 0), ("multipart/form-datas; boundary=b", 0),
            ("\t text/plain", 2),
        ] as [(String, UInt64)] {
            expectError(.unsupportedMediaType, at: offset, value, .lenient, .strict)
        }
    }

    @Test func `the error of another media type shows at most 64 characters of it`() {
        let subtype = String(repeating: "x", count: 100)
        #expect { try text(" text/\(subtype); boundary=b") } throws: {
            "\($0)" == "media type is \"text/\(subtype.prefix(59))\", not multipart/form-data (at offset 1)"
        }
    }

    @Test func `a value without a boundary is an error at its end`() {
        for value in [
            "multipart/form-data", "multipart/form-data; ", "multipart/form-data; charset=utf-8",
            "multipart/form-data; xboundary=b", "multipart/form-data; boundar=b",
        ] {
            expectError(.missingBoundary, at: UInt64(value.utf8.count), value, .lenient, .strict)
        }
        expectError(.missingBoundary, at: 29, "multipart/form-data; boundary", .lenient, .strict)
    }

    @Test func `a boundary that is not valid is an error of the boundary`() {
        expectError(.invalidBoundary, at: 31, "multipart/form-data; boundary=\"\"", .lenient, .strict)
        expectError(.invalidBoundary, at: 30, "multipart/form-data; boundary=", .lenient, .strict)
        expectError(.ambiguousHeader, at: 0, "multipart/form-data; boundary=\"a \"", .strict)
        expectError(.invalidBoundary, at: 30, "multipart/form-data; boundary=a~b", .strict)
        let long = "multipart/form-data; boundary=\(String(repeating: "x", count: 71))"
        expectError(.invalidBoundary, at: 30, long, .strict)
        #expect(throws: Never.self) { try text(long) }
    }

    @Test func `a second boundary is an error, the first of all`() {
        let rows: [(String, UInt64)] = [
            ("multipart/form-data; boundary=a; boundary=a", 33), ("multipart/form-data; boundary=a; BOUNDARY=b", 33),
            ("multipart/form-data; boundary=a; boundary=b; boundary=c", 33),
            ("multipart/form-data; boundary=a; x=y; boundary=\"\"", 38),
        ]
        for (value, offset) in rows { expectError(.duplicateParameter, at: offset, value, .lenient, .strict) }
    }

    @Test func `the grammar of all parameters comes before a second boundary`() {
        let value = "multipart/form-data; boundary=a; boundary=b; =c"
        expectError(.malformedContentType, at: 45, value, .lenient, .strict)
    }

    @Test func `an extended parameter is not the boundary`() throws {
        for value in [
            "multipart/form-data; boundary*=utf-8''a; boundary=b", "multipart/form-data; boundary=b; boundary*0=a",
            "multipart/form-data; boundary=b; x*=y",
        ] {
            #expect(try text(value) == "b", "\(value)")
            expectError(.ambiguousHeader, at: 0, value, .strict)
        }
    }

    @Test func `strict mode has no parameter but the boundary`() throws {
        for value in [
            "multipart/form-data; charset=; boundary=b", "multipart/form-data; boundary=b; charset=",
            "multipart/form-data; charset; boundary=b", "multipart/form-data; boundary=b; x= ",
            "multipart/form-data; xboundary=a; boundary=b", "multipart/form-data; x=\"BOUNDARY\"; boundary=b",
            "multipart/form-data; boundary=b; x=\"boundary \t =c\"", "multipart/form-data; boundary=b;",
        ] {
            #expect(try text(value) == "b", "\(value)")
            expectError(.ambiguousHeader, at: 0, value, .strict)
        }
    }

    /// Some parsers look for the letters only.
    @Test func `strict mode refuses what could be taken for a second boundary`() throws {
        for value in ["boundary=", "aBOUNDARY=b", "boundary =", "boundary boundary ="] {
            let contentType = "multipart/form-data; boundary=\"\(value)\""
            #expect(try text(contentType) == value)
            expectError(.ambiguousHeader, at: 0, contentType, .strict)
            #expect(throws: MultipartError(.invalidBoundary, offset: 0)) { try Boundary(parsing: value) }
        }
        for value in ["boundary", "boundary-=b", "bboundar=y"] {
            #expect(try text("multipart/form-data; boundary=\"\(value)\"", .strict) == value)
            #expect(throws: Never.self) { try Boundary(parsing: value) }
        }
    }

    @Test func `strict mode demands a letter or a digit other than 0`() throws {
        for value in ["0", "--", "00-0", "'"] {
            #expect(try text("multipart/form-data; boundary=\"\(value)\"") == value)
            expectError(.invalidBoundary, at: 31, "multipart/form-data; boundary=\"\(value)\"", .strict)
            #expect(throws: MultipartError(.invalidBoundary, offset: 0)) { try Boundary(parsing: value) }
        }
        for value in ["-1", "a", "0Z0"] {
            #expect(try text("multipart/form-data; boundary=\(value)", .strict) == value)
            #expect(throws: Never.self) { try Boundary(parsing: value) }
        }
    }

    @Test func `strict mode reads each boundary that may be sent, and no other`() throws {
        var generator = SeededGenerator(seed: 72)
        let pieces = [
            "0", "-", "'", "(", ")", "+", "_", ",", ".", "/", ":", "=", "?", " ", "a", "Z", "boundary", "\u{E9}", "%",
            String(repeating: "0", count: 68),
        ]
        var sent = 0
        for _ in 0..<3000 {
            let text = (0..<Int.random(in: 1...4, using: &generator))
                .compactMap { _ in pieces.randomElement(using: &generator) }.joined()
            guard let lenient = try? Boundary(parsing: text, mode: .lenient) else { continue }
            let isSent = (try? Boundary(parsing: text)) != nil
            let isRead = (try? Boundary(contentType: "multipart/form-data; boundary=\"\(text)\"", mode: .strict)) != nil
            try #require(isSent == isRead, "\(text)")
            let form = MultipartFormData([BodyPart("v", name: "a")], boundary: lenient)
            // Lenient mode removes white space at the end.
            if lenient.description == text { try #require(isSent == ((try? form.encode()) != nil), "\(text)") }
            guard isSent else { continue }
            sent += 1
            #expect(try Boundary(contentType: form.contentType, mode: .strict).description == text)
        }
        #expect(sent > 300)
    }

    @Test func `strict mode has a token without quotes`() throws {
        for value in ["a+b", "a'b", "(a)", "a?b", "a:b", "a/b", "a b"] {
            let contentType = "multipart/form-data; boundary=\(value)"
            #expect(try text(contentType) == value)
            expectError(.ambiguousHeader, at: 0, contentType, .strict)
            #expect(try text("multipart/form-data; boundary=\"\(value)\"", .strict) == value)
        }
    }

    @Test func `a backslash escapes any character of a quoted boundary`() throws {
        for (value, boundary) in [
            ("\"a\\b\"", "ab"), ("\"a\\\"b\"", "a\"b"), ("\"a\\\\b\"", "a\\b"), ("\"\\a\"", "a"), ("\"a\\ b\"", "a b"),
        ] {
            let contentType = "multipart/form-data; boundary=\(value)"
            #expect(try text(contentType) == boundary, "\(value)")
            #expect(throws: MultipartError.self, "\(value)") { try text(contentType, .strict) }
        }
    }

    @Test(arguments: [
        ("Multipart/form-data; boundary=b", "does not begin with \"multipart/form-data\", in these letters"),
        ("multipart/form-data ; boundary=b", "has other text than a semicolon after the media type"),
        ("multipart/form-data; charset=a; boundary=b", "has another parameter than the boundary"),
        ("multipart/form-data; boundary=+b", "neither a quoted string nor a token"),
        ("multipart/form-data; boundary=b; charset=utf-8", "other text after its boundary, such as a charset"),
        ("multipart/form-data; boundary=0", "no letter"), ("multipart/form-data; boundary=\"b \"", "white space"),
        ("multipart/form-data; boundary=\"boundary=\"", "boundary="),
    ])
    func `the error says what is not in the grammar`(value: String, reason: String) {
        let error = #expect(throws: MultipartError.self) { try text(value, .strict) }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }

    @Test func `a nested message may have any multipart type, but no other`() throws {
        func parser(_ contentType: String?, _ mode: ParsingMode = .lenient) throws -> MultipartParser {
            let headers: HeaderFields = contentType.map { ["Content-Type": $0] } ?? [:]
            return try MultipartParser(nestedIn: headers, options: MultipartParser.Options(mode: mode))
        }
        for type in ["mixed", "form-data", "RELATED"] {
            #expect(throws: Never.self, "\(type)") { try parser("multipart/\(type); boundary=b", .strict) }
            #expect(throws: Never.self, "\(type)") { try parser("Multipart/\(type); boundary=b") }
        }
        #expect { try parser("message/rfc822; boundary=b") } throws: {
            "\($0)" == "media type is \"message/rfc822\", not multipart/\u{2026} (at offset 0)"
        }
        #expect(throws: MultipartError(.missingBoundary, offset: 15)) { try parser("multipart/mixed") }
        #expect(throws: MultipartError(.malformedContentType, offset: 10)) { try parser("multipart/; boundary=b") }
    }
}
