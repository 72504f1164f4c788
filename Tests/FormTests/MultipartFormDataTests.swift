import Foundation
import MultipartFormCodec
import TestSupport
import Testing

@Suite struct MultipartFormDataTests {
    @Test func `parts are found by name and keep their order`() throws {
        var form = MultipartFormData()
        form.append("1", withName: "a")
        form.append("x", withName: "b")
        form.append("2", withName: "a")
        #expect(try form["a"]?.text() == "1")
        #expect(try form.parts(named: "a").map { try $0.text() } == ["1", "2"])
        #expect(form["A"] == nil)
        #expect(form.map(\.name) == ["a", "b", "a"])
    }

    @Test func `parts with one name that follow each other are all found`() throws {
        var form = MultipartFormData()
        for text in ["1", "2", "3"] { form.append(text, withName: "a") }
        #expect(try form.parts(named: "a").map { try $0.text() } == ["1", "2", "3"])
    }

    @Test func `names are compared without Unicode equivalence`() {
        var form = MultipartFormData()
        form.append("1", withName: "e\u{301}")
        #expect(form["\u{E9}"] == nil)
        #expect(form["e\u{301}"] != nil)
    }

    @Test func `headers of a stream are parsed and written again`() throws {
        let headers: HeaderFields = [
            "X-Id": "7", "content-disposition": "Form-Data; filename=\"a\\\"b\"; name=f", "Content-Type": "a/b",
        ]
        var form = MultipartFormData(boundary: Boundary("B"))
        form.append(InputStream(data: Data("xy".utf8)), withLength: 2, headers: headers)
        #expect(
            String(decoding: try form.encode(), as: UTF8.self)
                == "--B\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a%22b\"\r\nContent-Type: a/b\r\n"
                + "X-Id: 7\r\n\r\nxy\r\n--B--\r\n"
        )
    }

    @Test(
        arguments: [
            ("text/plain; charset=iso-8859-1", [0xE9], "\u{E9}"),
            ("text/plain; charset=\"UTF-8\"", [0xC3, 0xA9], "\u{E9}"),
            ("text/plain", [0xFF], nil), ("text/plain; charset=koi8-r", [0xC1], nil), (nil, [0x41], "A"),
            // An unknown character set is taken for one that extends ASCII.
            ("text/plain; charset=koi8-r", [0x41], "A"), ("text/plain; charset=\"\"", [0x41], "A"),
            ("text/plain; x=\"charset=a\"; CharSet=utf-16be", [0x00, 0x41], "A"),
            ("text/plain; charset=utf-16le", [0x61], nil), ("text/plain; charset=utf-32be", [0, 0, 0x61], nil),
            ("text/plain; charset=utf-16", [0xFE, 0xFF, 0x00, 0x41], "A"),
            ("text/plain; charset=\(String(repeating: "x", count: 70))", [0xFF], nil), (nil, [0xFF], nil),
        ] as [(String?, [UInt8], String?)]
    )
    func `text is read in the character set of the part`(type: String?, bytes: [UInt8], text: String?) throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write(Data(bytes), as: "file")
        let long = String(repeating: "x", count: 70)
        let parts = [
            BodyPart(Data(bytes), name: "a", contentType: type),
            try BodyPart(fieldContentsOf: file, name: "a", contentType: type),
            BodyPart(length: nil, name: "a", contentType: type) { InputStream(data: Data(bytes)) },
        ]
        for part in parts {
            // A default is used if the part says nothing.
            if type?.contains("harset") != true, bytes == [0xFF] {
                #expect(try part.text(defaultCharset: "windows-1252") == "\u{FF}")
                let error = #expect(throws: MultipartError.self) { try part.text(defaultCharset: long) }
                #expect(error?.description == "default charset \"\(long.prefix(64))\" is unknown")
            }
            guard let text else {
                let error = #expect(throws: MultipartError(.undecodableText, offset: 0)) { try part.text() }
                let charset = type?.firstMatch(of: /koi8-r|utf-32be|x{70}/).map { $0.output.prefix(64) }
                let reason =
                    charset.map { "character set \"\($0)\" is unknown" } ?? "text is not valid in its character set"
                #expect(error?.httpStatus == 400 && error?.description == "part \"a\": \(reason) (at offset 0)")
                #expect(error?.partName == "a")
                continue
            }
            #expect(try part.text() == text)
        }
    }

    @Test func `a field that is missing is told apart from one that cannot be read`() throws {
        var form = MultipartFormData()
        form.append(Data("Ad\u{E4}".utf8) + [0xFF], withName: "name")
        #expect(try form["none"]?.text() == nil)
        let offset = UInt64("Ad\u{E4}".utf8.count)
        for form in [form, try MultipartFormData(parsing: form.encode(), contentType: form.contentType)] {
            #expect(throws: MultipartError(.undecodableText, offset: offset)) { try form["name"]?.text() }
        }
    }

    @Test func `numbers and other values are text fields, and nil is none`() throws {
        struct Model {
            var caption: String?
            var age: Int? = 36
            var isAdmin = true
            var ratio = 1.5
        }
        let model = Model()
        var form = MultipartFormData()
        form.append(model.caption, withName: "caption")
        form.append(model.age, withName: "age")
        form.append(model.isAdmin, withName: "admin")
        form.append(model.ratio, withName: "ratio", mimeType: "text/plain")
        form.append("a b".dropFirst(2), withName: "substring")
        form.append("\n", withName: "lines", mimeType: "text/csv", normalizingNewlines: true)
        form.append("\n", withName: "line")
        form.append(nil as Int?, withName: "none")
        #expect(form.map(\.name) == ["age", "admin", "ratio", "substring", "lines", "line"])
        #expect(try form.map { try $0.text() } == ["36", "true", "1.5", "b", "\r\n", "\n"])
        #expect(form.map(\.contentType) == [nil, nil, "text/plain", nil, "text/csv", nil])
    }

    @Test func `a form is made of any parts, and they keep their errors`() throws {
        var form = MultipartFormData()
        form.append("1", withName: "a")
        form.append(URL(fileURLWithPath: "/none/none"), withName: "missing")
        let copy = MultipartFormData(form.lazy.filter { $0.error == nil }, boundary: "B")
        #expect(
            try copy.encode() == Data("--B\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--B--\r\n".utf8)
        )
        let whole = MultipartFormData(form)
        #expect(whole.boundary != form.boundary && whole.count == 2)
        #expect(whole.firstError?.code == .bodyPartFileNotReachable)
        #expect(MultipartFormData([BodyPart("x", name: "y")]).map(\.name) == ["y"])
    }

    @Test(
        arguments: [
            ("a.png", nil, nil, "image/png"), ("a.png", "portrait.heic", nil, "image/heic"),
            ("a.png", "x", nil, "application/octet-stream"), ("a.png", "", nil, "application/octet-stream"),
            ("file", "portrait.heic", nil, "image/heic"), ("file", "x", nil, "application/octet-stream"),
            ("a.png", "x", "a/b", "a/b"),
        ] as [(String, String?, String?, String)]
    )
    func `an appended file gets its name and type from its path unless given`(
        path: String,
        fileName: String?,
        mimeType: String?,
        type: String
    ) throws {
        let directory = try TemporaryDirectory()
        var form = MultipartFormData()
        form.append(try directory.write(Data(), as: path), withName: "f", fileName: fileName, mimeType: mimeType)
        #expect(form["f"]?.filename == fileName ?? path)
        #expect(form["f"]?.contentType == type)
    }

    @Test func `all parts with a name are removed, and the others stay as they are`() throws {
        var form = MultipartFormData(boundary: "BND")
        var expected = MultipartFormData(boundary: "BND")
        for index in 0..<10 {
            form.append("\(index)", withName: index.isMultiple(of: 3) ? "gone" : "kept\(index)")
            if !index.isMultiple(of: 3) { expected.append("\(index)", withName: "kept\(index)") }
        }
        form.removeAll(named: "Gone")
        #expect(form.count == 10 && form.parts(named: "gone").count == 4)
        form.removeAll(named: "gone")
        #expect(try form.encode() == expected.encode())
        form.append("x", withName: "nul\u{0}")
        form.removeAll(named: "kept1")
        #expect(form.firstError?.code == .invalidCharacter)
        #expect(form.count == 6 && form["kept1"] == nil)
    }
}

/// Values that `append` takes as they are.
@Suite struct AppendedValueTests {
    private enum Level: String {
        case low, high
    }

    private struct Model: RawRepresentable {
        var rawValue: Int
    }

    /// As the types of some HTTP libraries are.
    private struct Method: RawRepresentable, LosslessStringConvertible {
        var rawValue: String

        init(rawValue: String) { self.rawValue = rawValue }
        init?(_ description: String) { rawValue = description }

        var description: String { "described \(rawValue)" }
    }

    @Test func `raw values are text, and nil is nothing`() throws {
        var form = MultipartFormData()
        let level: Level? = .low, none: Level? = nil
        form.append(Level.high, withName: "a")
        form.append(level, withName: "b", mimeType: "text/plain")
        form.append(none, withName: "c")
        form.append(Model(rawValue: 7), withName: "d")
        form.append(Method(rawValue: "GET"), withName: "e")
        #expect(form.map(\.name) == ["a", "b", "d", "e"])
        #expect(try form.map { try $0.text() } == ["high", "low", "7", "described GET"])
        #expect(form[1].contentType == "text/plain")
    }

    @Test func `text with a charset that it is not in is refused`() throws {
        let cases: [(String, String, Bool)] = [
            ("ä", "iso-8859-1", false), ("ä", "windows-1252", false), ("ä", "us-ascii", false),
            ("ä", "shift_jis", false),
            ("a", "utf-16", false), ("ab", "utf-16le", false),
            ("ä", "UTF-8", true), ("ä", "\"utf8\"", true), ("a", "iso-8859-1", true), ("a", "us-ascii", true),
            ("a", "shift_jis", true), ("", "utf-16", true),
        ]
        for (text, charset, isSent) in cases {
            let type = "text/plain; charset=\(charset)"
            var form = MultipartFormData()
            form.append(text, withName: "a", mimeType: type)
            form.append(BodyPart(text, name: "a", contentType: type))
            form.append("\r\(text)", withName: "a", mimeType: type, normalizingNewlines: true)
            for part in form.dropLast(text.isEmpty ? 1 : 0) {
                #expect((part.error == nil) == isSent, "\(text) in \(charset)")
                #expect(isSent || part.error?.code == .invalidHeaderValue)
            }
            if isSent, charset != "shift_jis" { #expect(try form[0].text() == text) }
        }
        var form = MultipartFormData()
        form.append("ä", withName: "a", mimeType: "text/plain; charset=iso-8859-1")
        let expected = "part 0 \"a\": text is sent in UTF-8, not in \"iso-8859-1\""
        #expect(form.firstError?.description == expected)
        let long = String(repeating: "x", count: 65)
        let refused = BodyPart("ä", name: "a", contentType: "text/plain; charset=\(long)")
        #expect(refused.error?.description == "text is sent in UTF-8, not in \"\(long.dropLast())\"")
        // The program's own bytes are sent under any name.
        form = MultipartFormData()
        form.append(Data([0xE4]), withName: "a", mimeType: "text/plain; charset=iso-8859-1")
        #expect(try form[0].text() == "ä")
    }

    @Test func `a default charset that is unknown is the program's fault`() throws {
        let error = #expect(throws: MultipartError(.undecodableText)) {
            try BodyPart("a", name: "a").text(defaultCharset: "utf8x")
        }
        #expect(error?.description == "default charset \"utf8x\" is unknown")
        #expect(error?.httpStatus == 500)
        let sent = BodyPart(Data([0xE9]), name: "a", contentType: "text/plain; charset=utf8x")
        #expect(throws: MultipartError(.undecodableText, offset: 0)) { try sent.text() }
    }
}
