import Foundation
import TestSupport
import Testing

/// What `inspect` notes of content that cannot be what its part says.
struct ContentNoteTests {
    private static let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13])
    private static let jpeg = Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 16])

    private func note(_ fields: String, _ content: Data) throws -> String? {
        let notes = try Findings.notes(fields, content)
        #expect(notes.count <= 1)
        return notes.first?.replacing("note: part 0 \"f\": ", with: "")
    }

    @Test(arguments: [
        ("a.png", png, nil), ("a.jpg", jpeg, nil), ("a.png", jpeg, "content is JPEG, not PNG"),
        ("a.JPG", Data("\0\0\0\u{18}ftypheic".utf8), "content is HEIC, not JPEG"),
        ("a.pdf", Data([0x50, 0x4B, 3, 4]), "content is ZIP, not PDF"), ("a.pdf", Data("hello".utf8), nil),
        ("a.png", Data("RIFF\u{4}\u{1}\0\0WEBPVP8L".utf8), "content is WebP, not PNG"),
        ("a.png", Data("GIF89a".utf8), "content is GIF, not PNG"),
        ("a.png", Data("%PDF-1.7".utf8), "content is PDF, not PNG"),
        ("a.png", Data([0x1F, 0x8B, 8]), "content is gzip, not PNG"),
        ("a", png, nil), ("a.txt", png, nil), ("a.png", Data(), nil),
        ("a.png", png.base64EncodedData(), "content is PNG in base64"),
        ("a.jpg", jpeg.base64EncodedData(), "content is JPEG in base64"), ("a.txt", png.base64EncodedData(), nil),
        ("a.gif", Data("data:image/gif;base64,R0lGODlh".utf8), "content is a data URL, not GIF"),
        ("a.png", Data("\u{89}PNG\r\n\u{1A}\n".utf8), "content is PNG decoded as Latin-1, then encoded as UTF-8"),
        ("a.jpg", Data("\u{FF}\u{D8}\u{FF}".utf8), "content is JPEG decoded as Latin-1, then encoded as UTF-8"),
        (
            "a.png", Data([0x89, 0x50, 0x4E, 0x47, 0x0A, 0x1A, 0x0A]),
            "content is PNG damaged: each CR LF became LF, as in text mode"
        ),
        (
            "a.png", Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0D, 0x0A, 0x1A, 0x0D, 0x0A]),
            "content is PNG damaged: each LF became CR LF, as in text mode"
        ),
    ])
    func `content that is recognized as something else than its file name says is noted`(
        filename: String,
        content: Data,
        expected: String?
    ) throws {
        for type in ["", "\r\nContent-Type: application/octet-stream"] {
            #expect(try note("name=\"f\"; filename=\"\(filename)\"\(type)", content) == expected)
        }
    }

    @Test func `the type of a part comes before its file name`() throws {
        let fields = "name=\"f\"; filename=\"a.png\"\r\nContent-Type: Image/JPEG; q=1"
        #expect(try note(fields, Self.png) == "content is PNG, not JPEG")
        #expect(try note(fields, Self.jpeg) == nil)
    }

    @Test(arguments: [
        ("image/png", "\u{FFFD}PNG\u{FFFD}", " 2 times"), ("Image/PNG", "\u{FFFD}", ""), ("video/mp4", "a\u{FFFD}", ""),
        ("application/pdf", "%PDF-\0\u{FFFD}", ""), ("application/pdf", "%PDF-\u{FFFD}", nil),
        ("image/svg+xml", "<svg>\u{FFFD}</svg>", nil), ("text/plain", "\0\u{FFFD}", nil), ("image/png", "PNG", nil),
    ])
    func `replacement characters in binary content are noted`(type: String, text: String, times: String?) throws {
        let fields = "name=\"f\"; filename=\"a\"\r\nContent-Type: \(type)"
        let note = times.map {
            "content has EF BF BD\($0), the replacement character: its bytes were decoded as UTF-8"
        }
        #expect(try self.note(fields, Data(text.utf8)) == note)
        #expect(try self.note(fields, Data(text.utf8) + [0xFF]) == nil)
    }

    @Test func `only the beginning of long content is looked at, which may end in a part of a character`() throws {
        let fields = "name=\"f\"; filename=\"a.png\""
        for (length, count) in [(0, 341), (1, 341), (2, 340), (3, 340)] {
            let text = String(repeating: "x", count: length) + String(repeating: "\u{FFFD}", count: 2000)
            let found = try note(fields, Data(text.utf8))
            #expect(found?.hasPrefix("content has EF BF BD \(count) times in its first 1024 bytes, ") == true)
        }
        // A byte that is not UTF-8 is not taken for the beginning of a character four bytes before the cut.
        let filler = String(repeating: "x", count: 1017)
        let ends: [(bytes: [UInt8], isNoted: Bool)] = [
            ([0xFF, 0x78, 0x78, 0x78, 0x78], false), ([0x78, 0xF0, 0x9F, 0x98, 0x80], true),
        ]
        for (bytes, isNoted) in ends {
            let found = try note(fields, Data("\u{FFFD}\(filler)".utf8) + bytes)
            #expect((found?.hasPrefix("content has EF BF BD in its first 1024 bytes, ") ?? false) == isNoted)
        }
        let late = String(repeating: "x", count: 1024) + "\u{FFFD}"
        #expect(try note(fields, Data(late.utf8)) == nil)
    }

    @Test(arguments: [
        ("[object FormData]", "JavaScript"), ("undefined", "JavaScript"), ("System.Byte[]", ".NET"),
        ("System.Net.Http.MultipartFormDataContent", ".NET"),
        ("System.Collections.Generic.List`1[System.Byte]", ".NET"),
        ("[B@6d06d69c", "Java"), ("[Ljava.lang.String;@1b2c", "Java"), ("okhttp3.MultipartBody@1b2c3d", "Java"),
        ("b'hello'", "Python"), ("<_io.BufferedReader name='a.png'>", "Python"),
        ("<aiohttp.FormData object at 0x7f6a2c>", "Python"), ("#<File:0x00007f6a>", "Ruby"),
        ("Optional(\"Ada\")", "Swift"), ("Optional", nil), ("System", nil), ("System.", nil), ("System.a b", nil),
        ("ada.lovelace@cafe", nil), ("a@b", nil), ("[B@xyz", nil), ("<b>", nil), ("b'", nil), ("object", nil),
        ("My.Class", nil), ("", nil), ("[B@12345678", "Java"), ("[B@123456789", nil), ("[B@", nil), ("[B@1@2", nil),
        ("java.io.Reader@", nil), ("java.io.reader@1", nil), ("Reader@1", nil), ("java..Reader@1", nil),
        ("Microsoft.A_$+1", ".NET"), ("System.1", nil), ("System.Byte[", nil), ("System.List`1", nil),
        ("[B@1", "Java"), ("[B@1@", nil),
        ("undefined ", nil), ("<upload at 7f6a>", nil), ("<upload>0x", nil), ("Optional(1", nil), ("b'hello", nil),
    ])
    func `what a program made of an object is noted, in a field and in a file`(text: String, language: String?) throws {
        for fields in ["name=\"f\"", "name=\"f\"; filename=\"a.txt\""] {
            let note = language.map { "content is \"\(text)\", which \($0) makes of an object: append" }
            let found = try self.note(fields, Data(text.utf8))
            #expect(found?.hasPrefix(note ?? "none") ?? (note == nil), "\(found ?? "")")
        }
    }

    @Test(arguments: [
        ("--y\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--y--\r\n", true),
        ("--y\ncontent-disposition: form-data; name=a\n\n1\n--y--\n", true), ("--y\r\nX: y\r\n\r\n", false),
        ("--y\nContent-Disposition: form-data", true), ("--y", false),
        ("Content-Disposition: form-data", false),
    ])
    func `a field that is a form is noted`(content: String, isNoted: Bool) throws {
        let note = isNoted ? "content is a form, whose parts are not those of this one" : nil
        #expect(try self.note("name=\"f\"", Data(content.utf8)) == note)
        #expect(try self.note("name=\"f\"; filename=\"capture\"", Data(content.utf8)) == nil)
    }

    @Test func `nested parts are noted once`() throws {
        let fields = "name=\"f\"\r\nContent-Type: multipart/mixed; boundary=y"
        let content = Data("--y\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--y--\r\n".utf8)
        let note = "has type multipart/mixed; boundary=y: a form of its own, which most receivers keep as one field"
        #expect(try self.note(fields, content) == note)
    }

    @Test(arguments: [
        ("name='f'", "apostrophes"), ("name=“f”", "typographic quotes"), ("name=„f“", "typographic quotes"),
        ("name=f; filename='a b.png'", "apostrophes"), ("name=''", "apostrophes"), ("name=\"it's\"", nil),
        ("name='", nil), ("name=“f", nil), ("name=f”", nil), ("name=\"'a'b\"", nil),
    ])
    func `quotes that are a part of a name are noted`(fields: String, quotes: String?) throws {
        let notes = try Findings.notes(fields, Data("1".utf8))
        #expect(notes.count == (quotes == nil ? 0 : 1))
        let expected = ": \(quotes ?? "") are a part of the name: quote it as in name=\"a\""
        #expect(notes.first?.hasSuffix(expected) ?? true, "\(notes)")
    }
}
