import Foundation
import MultipartFormCodec
import Testing

/// The names of parts, as they are kept and compared.
@Suite struct TextRangeTests {
    @Test func `a part is found by the text that its name is repaired to`() throws {
        let rows: [(bytes: [UInt8], text: String)] = [
            ([0x61, 0xFF], "a\u{FFFD}"), ([0xFF, 0x61], "\u{FFFD}a"), ([0xE2, 0x82], "\u{FFFD}"),
            ([0x61, 0xEF, 0xBF, 0xBD], "a\u{FFFD}"),
        ]
        for (bytes, text) in rows {
            let lines = Array("Content-Disposition: form-data; name=\"".utf8) + bytes + [0x22]
            let form = try MultipartFormData(receiving: lines)
            #expect(form[0].name == text, "\(bytes)")
            #expect(form[text] != nil && form.parts(named: text).count == 1, "\(bytes)")
            #expect(form["a"] == nil && form["\(text)\u{FFFD}"] == nil, "\(bytes)")
        }
    }

    /// The form of a part with such a name, as its parameter is written; the second is kept in other lines than it
    /// came.
    private func forms(_ parameter: String) throws -> [MultipartFormData] {
        try ["form-data; name=", "form-data;\r\n x=y; name="].map {
            try MultipartFormData(receiving: "X: 1\r\nContent-Disposition: \($0)\(parameter)")
        }
    }

    @Test func `a part is found by its decoded name, byte for byte`() throws {
        let rows: [(parameter: String, name: String, others: [String])] = [
            ("\"ab\"", "ab", ["a", "abc", "AB", "ac", "", "bb"]), ("ab", "ab", ["\"ab\""]),
            ("\"\"", "", ["a", "\u{FFFD}"]),
            ("\"a\\\"b\"", "a\"b", ["a\\\"b", "a\"", "a"]), ("\"a\\\\\"", "a\\", ["a\\\\", "a"]),
            ("\"a\\b\"", "a\\b", ["ab"]), ("\"\u{E9}\"", "\u{E9}", ["e\u{301}", "\u{C9}", "\u{FFFD}"]),
            ("\"a%22\"", "a%22", ["a\""]),
        ]
        for (parameter, name, others) in rows {
            for form in try forms(parameter) {
                #expect(form[0].name == name && form[name] != nil, "\(parameter)")
                for other in others { #expect(form[other] == nil, "\(parameter) \(other)") }
            }
        }
    }

    @Test func `a part without a name is found by none`() throws {
        for lines in ["X: 1", "Content-Disposition: form-data; filename=\"\"", "Content-Disposition: form-data; name"] {
            let form = try MultipartFormData(receiving: lines)
            #expect(form[0].name == nil && form[""] == nil && form.parts(named: "\u{FFFD}").isEmpty, "\(lines)")
        }
    }

    @Test func `texts are decoded where their section was moved to other lines`() throws {
        let values = "name=\"a\\\"\"; filename=\"b\\\\\""
        for (lines, filename) in [
            (values, "b\\"), ("\(values); filename*=utf-8''%E2%82%AC", "\u{20AC}"),
            ("\(values); filename*=\"utf-8''\\\"c\"", "\"c"), ("\(values); filename*=x", "b\\"),
        ] {
            for section in [
                "Content-Disposition: form-data; \(lines)", "X:\r\n 1\r\nContent-Disposition: form-data;\r\n \(lines)",
            ] {
                let form = try MultipartFormData(receiving: section)
                #expect(form[0].name == "a\"" && form[0].filename == filename, "\(section)")
                #expect(form[0].headers.name == "a\"" && form[0].headers.filename == filename, "\(section)")
            }
        }
    }

    @Test func `a form's names are those of its parts where they are decoded to values`() throws {
        let rows: [(String, [String: String])] = [
            ("name=\"a b\"", ["a b": "x"]), ("name=\"a\\\"\"", ["a\"": "x"]), ("name=\u{E9}", ["\u{E9}": "x"]),
            ("name=\"\"", ["": "x"]), ("filename=a", [:]),
        ]
        for (parameter, values) in rows {
            let form = try MultipartFormData(receiving: "Content-Disposition: form-data; \(parameter)")
            #expect(try FormDataDecoder().decode([String: String].self, from: form) == values, "\(parameter)")
        }
        let lines = Array("Content-Disposition: form-data; name=\"a".utf8) + [0xFF, 0x22]
        let form = try MultipartFormData(receiving: lines)
        #expect(try FormDataDecoder().decode([String: String].self, from: form) == ["a\u{FFFD}": "x"])
    }
}
