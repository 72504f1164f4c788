import MultipartFormCodec
import TestSupport
import Testing

/// The parameters of a field (RFC 9110 §5.6.6), of a Content-Disposition unless a test says otherwise.
@Suite struct ParametersTests {
    /// The parameters after `form-data`, such as `name=a`, or the code of the error.
    private func parameters(_ text: String) -> [String] {
        do {
            let disposition = try ContentDisposition(parsing: "form-data\(text)")
            return disposition.parameters.map { "\($0.name)=\($0.value)" }
        } catch {
            return ["\((error as? MultipartError)?.code.description ?? "another error")"]
        }
    }

    /// Expects an error of the parameters after `form-data`, at the end of the first piece of each row.
    private func expectMalformed(_ rows: [(start: String, rest: String)]) {
        for (start, rest) in rows {
            let error = MultipartError(.malformedContentDisposition, offset: UInt64("form-data\(start)".utf8.count))
            #expect(throws: error, "\(start)\(rest)") {
                try ContentDisposition(parsing: "form-data\(start)\(rest)")
            }
        }
    }

    @Test func `a value is a token or a quoted string`() {
        #expect(parameters("; name=a; x=\"b c\"; y=!#$%&*+-.^_`|~0") == ["name=a", "x=b c", "y=!#$%&*+-.^_`|~0"])
        #expect(parameters("; name=\"\"; x=\";\"; y=\"a=b; c\"") == ["name=", "x=;", "y=a=b; c"])
        #expect(parameters("; name=a'b; x='c'") == ["name=a'b", "x='c'"])
    }

    @Test func `white space may be around semicolons and before the end`() {
        for text in [";name=a;x=b", " ; name=a ; x=b", "\t;\t name=a\t; \tx=b ", ";  name=\"a\"  ;  x=\"b\" \t"] {
            #expect(parameters(text) == ["name=a", "x=b"], "\(text.debugDescription)")
        }
    }

    @Test func `white space may be around an equals sign`() {
        for text in ["; name =a", "; name= a", "; name\t=\ta", "; name =\"a\"", "; name= \"a\""] {
            #expect(parameters(text) == ["name=a"], "\(text.debugDescription)")
        }
    }

    @Test func `empty parameters are ignored`() throws {
        for text in [";;name=a", "; name=a;", "; name=a; ;", ";;; name=a;;"] {
            #expect(parameters(text) == ["name=a"], "\(text)")
        }
        for text in [";;boundary=a", ";boundary=a;", "; ; boundary=a ; ; "] {
            let boundary = try Boundary(contentType: "multipart/form-data\(text)")
            #expect(boundary.description == "a", "\(text)")
        }
    }

    @Test func `a parameter may have no value`() {
        #expect(parameters("; x; name=a; y ; z") == ["x=", "name=a", "y=", "z="])
    }

    @Test func `a value may be empty`() {
        #expect(parameters("; name=; x= ; y=\"\"") == ["name=", "x=", "y="])
    }

    @Test func `a parameter begins with a token`() {
        expectMalformed(
            [
                ("; ", "=a"), ("; ", "\"a\"=b"), ("; ", "(a)=b"), ("; name=a; ", "=b"), ("; ", "\u{E9}=a"),
                ("; ", "/"), ("; name=a;", "?b"),
            ]
        )
    }

    @Test func `a name is followed by an equals sign or a semicolon`() {
        expectMalformed([("; x", "\"a\""), ("; na", "/me=a"), ("; x ", "y=a"), ("; x", "\u{E9}=a")])
        expectMalformed([("; x \t", "y; name=a")])
    }

    @Test func `parameters are separated by semicolons`() {
        expectMalformed(
            [
                (" ", "name=a"), (" ", "x"), ("; name=\"a\"", "b"), ("; name=\"a\" ", "x=b"), ("; name=\"a\"", "\"b\""),
                ("; name=\"a\" ", "(comment)"), ("; name=\"a\"", "=b"), ("; name=\"a\"", ", x=b"),
            ]
        )
    }

    @Test func `a quoted string ends with a quote`() {
        expectMalformed(
            [("; name=", "\"a"), ("; name=", "\""), ("; name=a; x=", "\"b; y=c"), ("; x=", "\"a'")]
        )
        // A backslash at the end escapes nothing.
        expectMalformed([("; name=", "\"a\\"), ("; name= ", "\"\\\\")])
    }

    @Test func `a backslash escapes a quote or a backslash`() {
        let rows: [(String, String)] = [
            ("\"a\\\"b\"", "a\"b"), ("\"a\\\\b\"", "a\\b"), ("\"\\\"\"", "\""), ("\"\\\\\"", "\\"),
            ("\"a\\b\"", "a\\b"),
            ("\"C:\\dir\\f\"", "C:\\dir\\f"), ("\"\\\\\\\"\"", "\\\""), ("\"\\\u{E9}\"", "\\\u{E9}"),
            ("\"\\\\\\\\\"", "\\\\"), ("\"a\\\";b=c\"", "a\";b=c"),
        ]
        for (value, text) in rows {
            #expect(parameters("; name=\(value); x=\(value)") == ["name=\(text)", "x=\(text)"], "\(value)")
        }
    }

    @Test func `a value without quotes ends at the semicolon`() {
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
            [
                ("; name=a", "\"b\""), ("; name=a b", "\""), ("; name=a ", "x=b"), ("; name=a ", "filename =b"),
                ("; name=a b ", "x=y; z=w"), ("; name=a\t", "x=\"b\""), ("; name=a/b ", "x\t=c"),
                ("; name=a (b) ", "x=1"),
            ]
        )
    }

    @Test func `a name may have an asterisk`() {
        #expect(parameters("; name=a; x*=b; *=c; y*0=d") == ["name=a", "x*=b", "*=c", "y*0=d"])
    }

    @Test func `a Content-Type has its own code for what is malformed`() {
        for (start, rest) in [
            ("; boundary=b; ", "=a"), ("; boundary=", "\"b"), ("; boundary=a", "\"b\""), (" ", "boundary=b"),
            ("; x ", "y; boundary=b"), ("; boundary=\"b\"", "c"),
        ] {
            let value = "multipart/form-data\(start)"
            for mode in [ParsingMode.lenient, .strict] {
                let error = MultipartError(.malformedContentType, offset: UInt64(value.utf8.count))
                #expect(throws: error, "\(start)\(rest) \(mode)") {
                    try Boundary(contentType: "\(value)\(rest)", mode: mode)
                }
            }
        }
    }
}
