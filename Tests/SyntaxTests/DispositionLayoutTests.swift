import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// The rules of a Content-Disposition (RFC 2183 §2, RFC 7578 §4.2).
@Suite struct DispositionLayoutTests {
    /// Expects an error of a value, at the end of the first piece of each row.
    private func expectError(_ code: MultipartError.Code, _ rows: [(start: String, rest: String)]) {
        for (start, rest) in rows {
            let error = MultipartError(code, offset: UInt64(start.utf8.count))
            #expect(throws: error, "\(start)\(rest)") { try ContentDisposition(parsing: "\(start)\(rest)") }
        }
    }

    private func expectAccepted(_ values: [String]) {
        for value in values {
            #expect(throws: Never.self, "\(value)") { try ContentDisposition(parsing: value) }
        }
    }

    // Types.

    @Test func `a value begins with a type`() {
        expectError(
            .malformedContentDisposition,
            [
                ("", ""), ("", "; name=a"), (" ", "=; name=a"), ("", "\"x\""), ("", "/b; name=a"), ("a/", "; name=a"),
                ("a/", ""), ("a/", "/b; name=a"), ("a/b", "/c; name=a"), ("a ", "/b; name=a"), ("a/", " b; name=a"),
            ]
        )
    }

    @Test func `the type may be any token or media type`() throws {
        for type in [
            "form-data", "Form-Data", "attachment", "file", "form-datax", "form_data", "multipart/form-data", "a/b",
        ] {
            #expect(try ContentDisposition(parsing: "\(type); name=a").type == type)
        }
    }

    @Test func `a name may be missing`() throws {
        expectAccepted(["form-data", "form-data; filename=a"])
        #expect(try ContentDisposition(parsing: "form-data; x=y").name == nil)
    }

    @Test func `the part of a nested message needs neither the type nor a name`() throws {
        let headers: HeaderFields = ["Content-Type": "multipart/mixed; boundary=B"]
        var parser = try MultipartParser(nestedIn: headers, options: .strict)
        for disposition in ["attachment; filename=a", "file", "form-data"] {
            parser.append(Data("--B\r\nContent-Disposition: \(disposition)\r\n\r\n\r\n".utf8))
            #expect(throws: Never.self, "\(disposition)") { while try parser.next() != nil {} }
        }
    }

    // Names.

    @Test func `names are found in any letter case and any order`() throws {
        for value in [
            "form-data; name=a; filename=b", "form-data; FileName=\"b\"; NAME=\"a\"",
            "form-data; x=y; filename=b; name=a; z=w",
        ] {
            let disposition = try ContentDisposition(parsing: value)
            #expect(disposition.name == "a" && disposition.filename == "b", "\(value)")
        }
    }

    @Test func `a name without a value is not one`() throws {
        let disposition = try ContentDisposition(parsing: "form-data; name; filename; filename*; name=a")
        #expect(disposition.name == "a" && disposition.filename == nil)
    }

    @Test func `a second name or file name is an error`() {
        expectError(
            .duplicateParameter,
            [
                ("form-data; name=a; ", "name=a"), ("form-data; name=a; filename=b; ", "NAME=c"),
                ("form-data; name=a; filename=b; ", "filename=\"\""), ("form-data; name=\"\"; ", "name=b; name=c"),
            ]
        )
        expectError(
            .duplicateParameter,
            [("form-data; name=a; filename*=utf-8''a; ", "FILENAME*=x"), ("attachment; name=a; ", "name=b")]
        )
    }

    @Test func `another parameter may occur twice`() {
        expectAccepted(["form-data; name=a; x=1; x=1", "form-data; x; x=1; X=2"])
    }

    @Test func `the grammar of the value comes before a repetition`() {
        expectError(.malformedContentDisposition, [("form-data; name=a; name=b; ", "=")])
    }

    // Backslashes.

    @Test func `every backslash is literal in a value that escapes would make malformed`() throws {
        let rows: [(String, name: String, filename: String?)] = [
            ("name=\"C:\\dir\\\"", "C:\\dir\\", nil), ("name=\"a\\\"; filename=\"b\"", "a\\", "b"),
            ("name=\"a\\\\\"; filename=\"C:\\\"", "a\\\\", "C:\\"), ("filename=\"\\\"; name=a", "a", "\\"),
        ]
        for (text, name, filename) in rows {
            let disposition = try ContentDisposition(parsing: "form-data; \(text)")
            #expect(disposition.name == name && disposition.filename == filename, "\(text)")
            let values = disposition.parameters.map(\.value)
            #expect(Set(values) == Set([name, filename].compactMap(\.self)), "\(text)")
        }
    }

    @Test func `a value that is malformed however its backslashes are read is an error`() {
        let start = "form-data; name="
        expectError(.malformedContentDisposition, [(start, "\"a\\"), ("\(start)\"a\\\"", "b")])
        // No other error is an occasion to read them in another way.
        expectError(.duplicateParameter, [("form-data; name=\"a\\\"\"; ", "name=b")])
    }

    // Combining marks.

    @Test func `a name or file name has at most 30 combining marks in a row`() {
        let marks = String(repeating: "\u{301}", count: 30)
        for text in ["a\(marks)", "a\(marks)b\(marks)"] {
            expectAccepted(["form-data; name=\"\(text)\"; filename=\"\(text)\""])
            expectAccepted(["form-data; name=a; filename*=utf-8''\(percentEncoded(text))"])
        }
        let long = "a\(marks)\u{301}"
        expectError(
            .tooManyCombiningMarks,
            [
                ("form-data; name=\"", "\(long)\""), ("form-data; name=a; filename=\"", "\(long)\""),
                ("form-data; filename=\"", "\(long)\"; name=a"), ("form-data; x=\"\(long)\"; name=\"", "\(long)\""),
            ]
        )
        expectError(
            .tooManyCombiningMarks,
            [("form-data; filename=b; filename*=", "utf-8''\(percentEncoded(long)); name=a")]
        )
        // What is not read, and what is no name.
        expectAccepted(["form-data; name=a; filename*=koi8-r''\(percentEncoded(long))"])
        expectAccepted(["form-data; name=a; x=\"\(long)\""])
    }

    private func percentEncoded(_ text: String) -> String {
        text.utf8.map { "%\(String($0, radix: 16))" }.joined()
    }

    // Extended file names (RFC 8187 §3.2.1).

    /// The file name of a disposition with this `filename*` after another file name.
    private func filename(_ extended: String) throws -> String? {
        try ContentDisposition(parsing: "form-data; name=a; filename=other; filename*=\(extended)").filename
    }

    @Test func `an extended file name is decoded, and goes before another`() throws {
        let rows: [(String, String)] = [
            ("utf-8''%e2%82%ac", "\u{20AC}"), ("UTF-8'en'a%20b", "a b"), ("utf-8''a", "a"), ("utf-8''", ""),
            ("utf-8''%4A%4a%4F%4f", "JJOO"), ("utf-8''a'b'c", "a'b'c"), ("utf-8'''", "'"), ("utf-8''%25%27%2f", "%'/"),
            ("utf-8''%F0%9F%98%80", "\u{1F600}"), ("utf-8''%C2%A0%7E", "\u{A0}~"), ("\"utf-8''a b\"", "a b"),
            ("\"utf-8''a\\\"b\"", "a\"b"), ("\"utf-8''a\\b\"", "a\\b"), ("iso-8859-1'en'%A3", "\u{A3}"),
            ("ISO-8859-1''%e9%FF%a0a", "\u{E9}\u{FF}\u{A0}a"),
            ("utf-8''09AFaf%30%39%41%46%61%66", "09AFaf09AFaf"),
        ]
        for (extended, filename) in rows { #expect(try self.filename(extended) == filename, "\(extended)") }
        let first = try ContentDisposition(parsing: "form-data; name=a; filename*=utf-8''b; filename=c")
        #expect(first.filename == "b")
        #expect(try ContentDisposition(parsing: "form-data; FILENAME*=utf-8''b").filename == "b")
    }

    @Test func `an extended file name that cannot be decoded is ignored`() throws {
        let rows = [
            "a", "utf-8'a", "''a", "us-ascii''a", "utf-16''a", "utf8''a", "iso-8859-15''a", "utf-8''%", "utf-8''a%4",
            "utf-8''%4G", "utf-8''%G4", "utf-8''%%41", "utf-8''%:0", "utf-8''%0/", "utf-8''%@0", "utf-8''%0`",
            "utf-8''%g0",
            "utf-8''\u{E9}", "iso-8859-1''\u{E9}", "utf-8''%FF", "utf-8''%C3", "utf-8''%ED%A0%80", "utf-8''%C0%80",
        ]
        for extended in rows { #expect(try filename(extended) == "other", "\(extended)") }
        #expect(try ContentDisposition(parsing: "form-data; filename*=x").filename == nil)
    }

    @Test func `an extended file name with a control character is ignored`() throws {
        for byte in UInt8(0)...0xFF {
            let digits = String(byte, radix: 16)
            let escape = "%\(byte < 0x10 ? "0" : "")\(digits)"
            let isControl = byte < 0x20 || 0x7F...0x9F ~= byte
            #expect(try (filename("iso-8859-1''a\(escape)") == "other") == isControl, "\(escape)")
            if byte < 0x80 { #expect(try (filename("utf-8''\(escape)") == "other") == isControl, "\(escape)") }
        }
        for (text, isControl) in [("%C2%80", true), ("%C2%9F", true), ("%C2%A0", false), ("%E2%80%A8", false)] {
            #expect(try (filename("utf-8''\(text)") == "other") == isControl, "\(text)")
        }
    }

    @Test func `a name has no extended form`() throws {
        let disposition = try ContentDisposition(parsing: "form-data; name=a; name*=utf-8''b; NAME*=c")
        #expect(disposition.name == "a")
        #expect(try ContentDisposition(parsing: "form-data; name*=utf-8''b").name == nil)
    }

    // The usual form is scanned in another way.

    @Test func `a received disposition has the same names in its usual form and in others`() throws {
        let long = String(repeating: "\u{301}", count: 31)
        let names = [
            "", "a", "a b", "\u{E9}", "a;b", "a=b", "=?a?=", "%22", "12345678", "1234567\u{E9}", "a\tb", "a\\b",
            "a\u{1}b",
            "\(long)", "'", "a; filename=",
        ]
        for name in names {
            for mode in [ParsingMode.lenient, .strict] {
                let quoted = "name=\"\(name)\""
                let values = [
                    "form-data; \(quoted)", "form-data; \(quoted); filename=\"f\(name)\"", "form-data; \(quoted); x=y",
                    "Form-data; \(quoted)", "form-data;\(quoted)", "form-data; \(quoted);filename=\"f\(name)\"",
                ]
                for value in values {
                    let expected = try? ContentDisposition(parsing: value)
                    let form = MultipartError.catching {
                        try MultipartFormData(receiving: "Content-Disposition: \(value)", mode: mode)
                    }
                    // Strict mode demands its grammar of a header section.
                    if case .failure(let error) = form, mode == .strict, error.code == .ambiguousHeader {
                        #expect(expected != nil, "\(value.debugDescription)")
                        continue
                    }
                    let part = try? form.get()[0]
                    #expect(part?.name == expected?.name, "\(value.debugDescription) \(mode)")
                    #expect(part?.filename == expected?.filename, "\(value.debugDescription) \(mode)")
                    #expect((part == nil) == (expected == nil), "\(value.debugDescription) \(mode)")
                }
            }
        }
    }
}
