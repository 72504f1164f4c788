import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// What a peer's text may cost, and where it may be printed.
@Suite struct ReceivedTextTests {
    private let decoder = FormDataDecoder()

    /// A letter with so many combining marks, in an order that canonical ordering has to undo.
    private static func marked(_ count: Int) -> String {
        let marks: [Unicode.Scalar] = ["\u{345}", "\u{315}", "\u{301}", "\u{327}", "\u{334}"]
        var text = "a".unicodeScalars
        for index in 0..<count { text.append(marks[index % marks.count]) }
        return String(text)
    }

    private static let tooMany = MultipartError.Code("too-many-combining-marks")

    @Test func `a name with more than 30 combining marks in a row is refused`() throws {
        #expect(try decoder.decode([String: Int].self, from: form(Self.marked(30))).count == 1)
        #expect(try decoder.decode([String: Int].self, from: form(Self.marked(30) + Self.marked(30))).count == 1)
        let names = [Self.marked(31), "x" + Self.marked(31) + "y", "d[\(Self.marked(31))]", "d]" + Self.marked(100)]
        for name in names {
            let failure = Failure.of { try decoder.decode(Opt.self, from: form("n", name)) }
            #expect(failure == Failure(.dataCorrupted, [], Self.tooMany) && failure?.code != nil)
            #expect(failure?.cause?.partIndex == 1)
            #expect(failure?.cause?.partName?.utf8.elementsEqual(name.utf8) == true)
        }
        // The brackets between the runs are also characters.
        let split = "d\(Self.marked(30).dropFirst())[\(Self.marked(30))]"
        #expect(throws: Never.self) { try decoder.decode(Opt.self, from: form(split)) }
    }

    private func form(_ names: String...) -> MultipartFormData {
        var form = MultipartFormData()
        for name in names { form.append("1", withName: name) }
        return form
    }

    @Test func `keys with combining marks are changed by their scalars`() throws {
        let styles: [(FormKeyEncoding, String, String)] = [
            (.convertToSnakeCase, "e\u{301}A\u{301}b", "e\u{301}_a\u{301}b"),
            (.convertToSnakeCase, "A\u{301}B\u{301}c", "a\u{301}_b\u{301}c"),
            (.convertToSnakeCase, "AB\u{301}c", "a_b\u{301}c"),
            (.capitalized, "e\u{301}a", "E\u{301}a"), (.uppercased, "e\u{301}a", "E\u{301}A"),
        ]
        for (style, key, name) in styles {
            let coder = options(decoder) { $0.keyEncoding = style }
            struct Keys: Decodable {
                var keys: [String]
                var value: Int
                init(from decoder: any Decoder) throws {
                    let container = try decoder.container(keyedBy: NodeView.Key.self)
                    let text = try #require(decoder.userInfo[.named("key")] as? String)
                    keys = container.allKeys.map(\.stringValue)
                    value = try container.decode(Int.self, forKey: NodeView.Key(stringValue: text))
                }
            }
            let special = options(coder) { $0.userInfo[.named("key")] = key }
            #expect(try special.decode(Keys.self, from: form(name)).value == 1)
        }
    }

    // What is printed.

    private static let escape = "x\u{1B}c\u{9B}"

    /// A form with fields, as it is received: no form that a program makes has such names.
    private func received(_ fields: (name: String, content: String)...) throws -> MultipartFormData {
        let parts = fields.map { name, content in
            "--b\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(content)\r\n"
        }
        let body = Data((parts.joined() + "--b--\r\n").utf8)
        return try MultipartFormData(parsing: body, contentType: "multipart/form-data; boundary=b")
    }

    @Test func `a printed error has no control character of a name`() throws {
        struct Table: Decodable { var d: [String: Int] }
        let dots = options(decoder) { $0.keyPathEncoding = .dots }
        let strict = options(decoder) { $0.unknownNames = .reject }
        let small = options(decoder) { $0.maxDepth = 1 }
        let name = Self.escape
        let errors: [any Error] = [
            try error { try decoder.decode([String: Int].self, from: text(name)) },
            try error { try decoder.decode(Table.self, from: text("d[\(name)]")) },
            try error { try decoder.decode([String: [Int]].self, from: text("\(name)[0]")) },
            try error { try decoder.decode([String: User].self, from: text("\(name)[name]")) },
            try error { try decoder.decode([String: Color].self, from: text("\(name)[0]")) },
            try error { try decoder.decode([String: Color].self, from: text(name)) },
            try error { try dots.decode([String: [String: Bool]].self, from: text("\(name).\(name)")) },
            try error { try strict.decode(Opt.self, from: text("\(name)[\(name)]")) },
            try error { try strict.decode(Opt.self, from: text("\(name)[][\(name)]")) },
            try error { try small.decode(Opt.self, from: text("\(name)[\(name)]")) },
        ]
        for error in errors {
            let texts = ["\(error)", String(reflecting: error), "\(Failure(error).path)", "\(Failure(error))"]
            for text in texts {
                #expect(
                    !text.unicodeScalars.contains { $0.properties.generalCategory == .control },
                    "\(text.debugDescription)"
                )
            }
        }
    }

    @Test func `a key that has a control character is escaped in a path, and in a dictionary it is itself`() throws {
        let failure = Failure.of { try decoder.decode([String: Int].self, from: text("a\u{1B}b'é")) }
        #expect(failure?.path == [#"a\u{1B}b'é"#])
        #expect(failure?.cause?.partName == "a\u{1B}b'é")
        for (name, shown) in [("a\u{9B}", #"a\u{009B}"#), ("\u{7F}a", #"\u{7F}a"#), ("\u{C2}\u{A0}", "\u{C2}\u{A0}")] {
            #expect(Failure.of { try decoder.decode([String: Int].self, from: text(name)) }?.path == [shown])
        }
        #expect(try decoder.decode([String: Int].self, from: received(("a\u{1B}b", "1"))) == ["a\u{1B}b": 1])
        let numbered = Failure.of { try decoder.decode([Int: Int].self, from: text("7")) }
        #expect(numbered?.path == ["7"])
    }

    private func text(_ name: String) throws -> MultipartFormData {
        try received((name, "text"))
    }

    private func error(_ body: () throws -> some Any) throws -> any Error {
        do {
            _ = try body()
        } catch {
            return error
        }
        throw Difference(text: "nothing was thrown")
    }
}
