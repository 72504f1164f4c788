import MultipartForm
import TestSupport
import Testing

/// The parameters of a field (RFC 9110 §5.6.6), of a Content-Disposition unless a test says otherwise.
@Suite struct ParametersTests {
    private static let modes: [ParsingMode] = [.lenient, .strict]

    /// The parameters after `form-data`, such as `name=a`, or the code of the error.
    private func parameters(_ text: String, _ mode: ParsingMode = .lenient) -> [String] {
        do {
            let disposition = try ContentDisposition(parsing: "form-data\(text)", mode: mode)
            return disposition.parameters.map { "\($0.name)=\($0.value)" }
        } catch {
            return ["\((error as? MultipartError)?.code.description ?? "another error")"]
        }
    }

    /// Expects an error of the parameters after `form-data`, at the end of the first piece of each row.
    private func expectError(
        _ code: MultipartError.Code,
        _ modes: [ParsingMode],
        _ rows: [(start: String, rest: String)]
    ) {
        for (start, rest) in rows {
            let offset = UInt64("form-data\(start)".utf8.count)
            for mode in modes {
                #expect(throws: MultipartError(code, offset: offset), "\(start)\(rest) \(mode)") {
                    try ContentDisposition(parsing: "form-data\(start)\(rest)", mode: mode)
                }
            }
        }
    }

    private func expectMalformed(_ modes: [ParsingMode], _ rows: [(start: String, rest: String)]) {
        expectError(.malformedContentDisposition, modes, rows)
    }

    @Test func `a value is a token or a quoted string`() {
        for mode in Self.modes {
            #expect(
                parameters("; name=a; x=\"b c\"; y=!#$%&*+-.^_`|~0", mode) == ["name=a", "x=b c", "y=!#$%&*+-.^_`|~0"]
            )
            #expect(parameters("; name=\"\"; x=\";\"; y=\"a=b; c\"", mode) == ["name=", "x=;", "y=a=b; c"])
        }
    }

    @Test func `white space may be around semicolons and before the end`() {
        for mode in Self.modes {
            for text in [";name=a;x=b", " ; name=a ; x=b", "\t;\t name=a\t; \tx=b ", ";  name=\"a\"  ;  x=\"b\" \t"] {
                #expect(parameters(text, mode) == ["name=a", "x=b"], "\(text.debugDescription) \(mode)")
            }
        }
    }

    @Test func `white space around an equals sign is an error in strict mode`() {
        for text in ["; name =a", "; name= a", "; name\t=\ta", "; name =\"a\"", "; name= \"a\""] {
            #expect(parameters(text) == ["name=a"], "\(text.debugDescription)")
        }
        expectMalformed(
            [.strict],
            [("; name ", "=a"), ("; name=", " a"), ("; name=", "\t\"a\""), ("; name \t", "= a")]
        )
    }

    @Test func `empty parameters are allowed in a Content-Type, and in lenient mode`() throws {
        for text in [";;name=a", "; name=a;", "; name=a; ;", ";;; name=a;;"] {
            #expect(parameters(text) == ["name=a"], "\(text)")
        }
        expectMalformed([.strict], [(";", ";name=a"), ("; name=a;", ""), ("; name=a; ", ";"), ("; name=a;", ";x=b")])
        for text in [";;boundary=a", ";boundary=a;", "; ; boundary=a ; ; "] {
            let boundary = try Boundary(contentType: "multipart/form-data\(text)")
            #expect(boundary.description == "a", "\(text)")
        }
    }

    @Test func `a parameter without a value is an error in strict mode`() {
        #expect(parameters("; x; name=a; y ; z") == ["x=", "name=a", "y=", "z="])
        expectMalformed([.strict], [("; x", "; name=a"), ("; name=a; x", ""), ("; name=a; x ", "; y=b")])
    }

    @Test func `an empty value is an error in strict mode unless it is quoted`() {
        #expect(parameters("; name=; x= ; y=\"\"") == ["name=", "x=", "y="])
        #expect(parameters("; name=\"\"; x=\"\"", .strict) == ["name=", "x="])
        expectMalformed([.strict], [("; name=", ""), ("; x=", "; name=a"), ("; name=a; x=", ";")])
    }

    @Test func `a parameter begins with a token`() {
        expectMalformed(
            Self.modes,
            [
                ("; ", "=a"), ("; ", "\"a\"=b"), ("; ", "(a)=b"), ("; name=a; ", "=b"), ("; ", "\u{E9}=a"),
                ("; ", "/"), ("; name=a;", "?b"),
            ]
        )
    }

    @Test func `a name is followed by an equals sign or a semicolon`() {
        expectMalformed(Self.modes, [("; x", "\"a\""), ("; na", "/me=a"), ("; x ", "y=a"), ("; x", "\u{E9}=a")])
        expectMalformed([.lenient], [("; x \t", "y; name=a")])
    }

    @Test func `parameters are separated by semicolons`() {
        expectMalformed(
            Self.modes,
            [
                (" ", "name=a"), (" ", "x"), ("; name=\"a\"", "b"), ("; name=\"a\" ", "x=b"), ("; name=\"a\"", "\"b\""),
                ("; name=\"a\" ", "(comment)"), ("; name=\"a\"", "=b"), ("; name=\"a\"", ", x=b"),
            ]
        )
    }

    @Test func `a quoted string ends with a quote`() {
        expectMalformed(
            Self.modes,
            [("; name=", "\"a"), ("; name=", "\""), ("; name=a; x=", "\"b; y=c"), ("; x=", "\"a'")]
        )
        // A backslash at the end escapes nothing.
        expectMalformed([.lenient], [("; name=", "\"a\\"), ("; name= ", "\"\\\\")])
    }

    @Test func `a backslash escapes a quote or a backslash, and is an error in strict mode`() {
        let rows: [(String, String)] = [
            ("\"a\\\"b\"", "a\"b"), ("\"a\\\\b\"", "a\\b"), ("\"\\\"\"", "\""), ("\"\\\\\"", "\\"),
            ("\"a\\b\"", "a\\b"),
            ("\"C:\\dir\\f\"", "C:\\dir\\f"), ("\"\\\\\\\"\"", "\\\""), ("\"\\\u{E9}\"", "\\\u{E9}"),
            ("\"\\\\\\\\\"", "\\\\"), ("\"a\\\";b=c\"", "a\";b=c"),
        ]
        for (value, text) in rows {
            #expect(parameters("; name=\(value); x=\(value)") == ["name=\(text)", "x=\(text)"], "\(value)")
            let start = String(decoding: value.utf8.prefix { $0 != UInt8(ascii: "\\") }, as: UTF8.self)
            expectError(.backslashNotAllowed, [.strict], [("; name=\(start)", String(value.dropFirst(start.count)))])
        }
    }

    @Test func `lenient mode reads a value without quotes up to the semicolon`() {
        let rows: [(String, String)] = [
            ("a b.txt", "a b.txt"), ("a/b", "a/b"), ("C:\\dir\\f", "C:\\dir\\f"), ("\u{E9}", "\u{E9}"), ("a \t", "a"),
            ("a=b", "a=b"), ("=", "="), ("a=b=c", "a=b=c"), ("a (x=1)", "a (x=1)"), ("a b/c=d", "a b/c=d"),
            ("a,b", "a,b"), ("[a] b", "[a] b"), (" b=c", "b=c"), ("'a'", "'a'"), ("a  b", "a  b"), ("?a", "?a"),
        ]
        for (value, text) in rows {
            #expect(parameters("; name=\(value); x=y") == ["name=\(text)", "x=y"], "\(value)")
            #expect(parameters("; name=\(value)") == ["name=\(text)"], "\(value)")
        }
    }

    @Test func `a value without quotes has no quote and no other parameter in it`() {
        expectMalformed(
            [.lenient],
            [
                ("; name=a", "\"b\""), ("; name=a b", "\""), ("; name=a ", "x=b"), ("; name=a ", "filename =b"),
                ("; name=a b ", "x=y; z=w"), ("; name=a\t", "x=\"b\""), ("; name=a/b ", "x\t=c"),
                ("; name=a (b) ", "x=1"),
            ]
        )
    }

    @Test func `a value without quotes is a token in strict mode`() {
        expectMalformed(
            [.strict],
            [
                ("; name=a", "/b"), ("; name=a", " b"), ("; name=", "/a"), ("; name=", "\u{E9}"),
                ("; name=a", "=b; x=c"),
                ("; name=a", " b ; x=c"), ("; name=a", ",b"),
            ]
        )
        #expect(parameters("; name=a ; x=b\t", .strict) == ["name=a", "x=b"])
    }

    @Test func `an apostrophe without quotes is an error in a strict Content-Disposition only`() throws {
        #expect(parameters("; name=a'b; x='c'") == ["name=a'b", "x='c'"])
        #expect(parameters("; name=\"a'b\"", .strict) == ["name=a'b"])
        expectMalformed([.strict], [("; name=a", "'b'c"), ("; name=", "'"), ("; name=a; x=b", "'")])
        let boundary = try Boundary(contentType: "multipart/form-data; boundary=\"'a'\"", mode: .strict)
        #expect(boundary.description == "'a'")
    }

    @Test func `an asterisk in a name is an error in strict mode`() {
        #expect(parameters("; name=a; x*=b; *=c; y*0=d") == ["name=a", "x*=b", "*=c", "y*0=d"])
        let rows = [
            ("; name=a; ", "x*=b"), ("; name=a; ", "*=b"), ("; ", "name*0=a"), ("; name=a; ", "filename*=utf-8''b"),
            ("; name=a; ", "x*y=\"b\""),
        ]
        expectError(.extendedParameterNotAllowed, [.strict], rows)
    }

    @Test func `a Content-Type has its own code for what is malformed`() {
        for (start, rest) in [
            ("; boundary=b; ", "=a"), ("; boundary=", "\"b"), ("; boundary=a", "\"b\""), (" ", "boundary=b"),
            ("; x ", "y; boundary=b"), ("; boundary=\"b\"", "c"),
        ] {
            let value = "multipart/form-data\(start)"
            for mode in Self.modes {
                let error = MultipartError(.malformedContentType, offset: UInt64(value.utf8.count))
                #expect(throws: error, "\(start)\(rest) \(mode)") {
                    try Boundary(contentType: "\(value)\(rest)", mode: mode)
                }
            }
        }
    }
}
