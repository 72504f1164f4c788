import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// What `StrictMode.md` says about moving to strict mode.
@Suite struct StrictModeGuideTests {
    private static let article = Fixtures.directory.deletingLastPathComponent()
        .appendingPathComponent("Sources/MultipartFormCodec/MultipartFormCodec.docc/StrictMode.md")

    @Test func `strict mode refuses so many of the clients' recordings, and why`() throws {
        var codes: [String: Int] = [:]
        for recording in Recording.all {
            if let code = recording.outcome(.strict).error { codes[code, default: 0] += 1 }
        }
        #expect(Set(codes.keys) == ["ambiguous-header"])
        let refused = try #require(codes["ambiguous-header"])
        let semicolons = Recording.all.count {
            $0.form.hasSuffix("name-semicolon") && !$0.form.hasSuffix("filename-semicolon")
        }
        let text = try String(contentsOf: Self.article, encoding: .utf8)
        #expect(text.contains("Of \(Recording.all.count) bodies that fourteen clients"))
        #expect(text.contains("it refuses \(refused):"))
        let counts = text.matches(of: /\n\| [^|]+ \| ([0-9]+) \|(?=\n)/).map { Int($0.1) }
        #expect(counts == [refused - semicolons - 1, semicolons, 1])
        #expect(Recording.clients.count == 14)
    }

    /// The codes in the first column of the table, and the texts of their rows.
    private static func rows() throws -> [String: String] {
        let text = try String(contentsOf: article, encoding: .utf8)
        var rows: [String: String] = [:]
        for row in text.split(separator: "\n") where row.hasPrefix("| `") {
            let codes = row.split(separator: "|")[0].matches(of: /`([a-z0-9-]+)`/).map { String($0.1) }
            for code in codes { rows[code] = String(row) }
        }
        return rows
    }

    @Test func `the table has the codes of what strict mode alone refuses, and no other`() throws {
        var codes: Set<String> = []
        for name in Fixtures.names(in: "conformance/parse") {
            let expected = try Fixtures.json(ParseCase.self, "conformance/parse/\(name).json")
            guard let code = expected.outcome(.strict).error, expected.outcome(.lenient).error == nil else { continue }
            codes.insert(code)
        }
        #expect(codes.count >= 9)
        #expect(try Set(Self.rows().keys) == codes)
    }

    @Test(arguments: [
        ("ambiguous-header", "form-data; name=\"a\"; filename=\"C:\\a.txt\""),
        ("ambiguous-header", "form-data; name=\"a\"; filename=\"b\"; filename*=utf-8''b"),
        ("ambiguous-header", "form-data; name=\"a\"; filename=\"=?utf-8?B?w7w=?=\""),
        ("ambiguous-header", "form-data; name=my caption"), ("ambiguous-header", "form-data; name = \"a\""),
        ("ambiguous-header", "form-data; name=\"a\";"), ("ambiguous-header", "form-data; name=\"form:field\""),
        ("ambiguous-header", "form-data; name=\"a[b]c\""), ("ambiguous-header", "form-data"),
        ("ambiguous-header", "form-data; name=\"a\"\r\nX: y"), ("ambiguous-header", "form-data;\r\n name=\"a\""),
        ("ambiguous-header", "form-data; name=\"a\"\r\nContent-Type: text/plain\r\nContent-Type: text/css"),
        ("ambiguous-header", "form-data; name=\"f\"\r\nContent-Type: multipart/mixed; boundary=c"),
        ("ambiguous-header", "form-data; name=\"a\"\r\nContent-Transfer-Encoding: base64"),
        ("missing-filename", "form-data; name=\"photo\"; filename=\"\""),
        ("content-length-mismatch", "form-data; name=\"a\"\r\nContent-Length: 2"),
    ])
    func `a row's example is read in lenient mode and refused in strict mode`(code: String, fields: String) throws {
        try expectRefusal("--b\r\nContent-Disposition: \(fields)\r\n\r\n1\r\n--b--\r\n", "b", code)
    }

    @Test(arguments: [
        ("ambiguous-header", "a=b"), ("ambiguous-header", "a:b"), ("ambiguous-header", "b; charset=utf-8"),
        ("ambiguous-header", "b; xboundary=c"), ("invalid-boundary", "a,b"), ("invalid-boundary", "a%b"),
        ("invalid-boundary", String(repeating: "b", count: 71)),
    ])
    func `so is a boundary`(code: String, boundary: String) throws {
        let value = boundary.prefix { $0 != ";" }
        let part = "Content-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n"
        try expectRefusal("--\(value)\r\n\(part)--\(value)--\r\n", boundary, code)
    }

    private func expectRefusal(_ message: String, _ boundary: String, _ code: String) throws {
        #expect(try Self.rows()[code] != nil)
        let body = Data(message.utf8)
        let type = "multipart/form-data; boundary=\(boundary)"
        #expect(try MultipartFormData(parsing: body, contentType: type).count == 1)
        let error = #expect(throws: MultipartError.self) {
            try MultipartFormData(parsing: body, contentType: type, options: .strict)
        }
        #expect(error?.code.description == code)
    }

    @Test(arguments: [true, false])
    func `the mode comes from a configuration`(isStrict: Bool) throws {
        var options = MultipartCollector.Options()
        options.parser.mode = isStrict ? .strict : .lenient
        let body = "\r\n--b\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n--b--\r\n"
        func value() throws -> String? {
            var collector = MultipartCollector(boundary: "b", options: options)
            try collector.append(Data(body.utf8))
            return try collector.finish()["a"]?.text()
        }
        if isStrict {
            #expect(throws: MultipartError(.preambleNotAllowed, offset: 0)) { try value() }
        } else {
            #expect(try value() == "1")
        }
    }
}
