import MultipartFormCodec
import TestSupport
import Testing

/// What header fields say of their part.
@Suite struct HeaderFieldsPartTests {
    @Test func `the charset is that of the last Content-Type, read leniently`() {
        let rows: [(String, String?)] = [
            ("text/plain; charset=utf-8", "utf-8"), ("text/plain;CHARSET=\"utf-8\"", "utf-8"),
            ("text/plain; format; charset = iso-8859-1", "iso-8859-1"), ("text/plain; charset; charset=a", "a"),
            ("text/plain;; x=\"charset=b\"; charset=a;", "a"), ("text/plain; charset=a; charset=b", "a"),
            ("text/plain; charset=\"a\\b\\\"\"", "ab\""), ("text/plain; charset=", ""),
            ("text/plain", nil), ("text/plain; charset", nil), ("text/plain; xcharset=a", nil),
            ("text/plain; charset*=utf-8''a", nil), ("text/plain charset=a", nil), ("", nil),
            // What comes before something malformed counts.
            ("text/plain; charset=a; =", "a"), ("text/plain; =; charset=a", nil), ("no type; charset=a", "a"),
        ]
        for (contentType, charset) in rows {
            let headers: HeaderFields = ["Content-Type": contentType]
            #expect(headers.charset == charset, "\(contentType)")
        }
        #expect(HeaderFields().charset == nil)
    }

    @Test func `the last Content-Disposition says the name and the file name`() {
        let headers: HeaderFields = [
            "Content-Disposition": "form-data; name=a; filename=b", "X": "form-data; name=x",
            "CONTENT-DISPOSITION": "form-data; name=\"c d\"; filename=\"../e\"",
        ]
        #expect(headers.name == "c d" && headers.filename == "../e" && headers.safeFilename == "e")
        #expect(headers.contentDisposition?.parameters.map(\.value) == ["c d", "../e"])
    }

    @Test func `a disposition is read leniently, and one that is malformed says nothing`() {
        let rows: [(String, String?)] = [
            ("attachment; name=a b; x", "a b"), (" form-data; name=a;", "a"), ("form-data; name*=utf-8''a", nil),
            ("form-data; name=\"a", nil), ("form-data; name=a; name=b", nil), ("", nil), ("name=a", nil),
        ]
        for (value, name) in rows {
            let headers: HeaderFields = ["Content-Disposition": value]
            #expect(headers.name == name && headers.contentDisposition?.name == name, "\(value)")
        }
        let broken: HeaderFields = [
            "Content-Disposition": "form-data; name=a", "content-disposition": "form-data;name",
        ]
        #expect(broken.name == nil && broken.contentDisposition?.parameters.count == 1)
        #expect(HeaderFields().name == nil && HeaderFields().filename == nil && HeaderFields().safeFilename == nil)
    }

    @Test func `a file name without anything safe in it is still a file name`() {
        let headers: HeaderFields = ["Content-Disposition": "form-data; name=a; filename=\"..\""]
        #expect(headers.filename == ".." && headers.safeFilename == nil)
    }

    @Test func `a Content-Type is given as it was sent`() {
        for name in ["Content-Type", "content-type", "CONTENT-type"] {
            let headers: HeaderFields = ["X": "x/y", name: "Text/Plain; a=\"b\"", "Content-Typ": "c/d"]
            #expect(headers.contentType == "Text/Plain; a=\"b\"", "\(name)")
        }
        #expect((["Content-Typ": "a/b", "Content-Typee": "c/d"] as HeaderFields).contentType == nil)
    }

    @Test func `received fields say the same before and after a change`() throws {
        let form = try MultipartFormData(
            receiving:
                "X: 1\r\nContent-Type: a/b\r\nContent-Disposition: form-data; name=\"a\\\"b\"; filename=\"c\"\r\nY: 2"
        )
        var headers = form[0].headers
        for change in ["none", "X", "y", "append"] {
            if change == "append" { headers.append(HeaderField(name: "Z", value: "3")) } else { headers[change] = nil }
            #expect(headers.name == "a\"b" && headers.filename == "c" && headers.contentType == "a/b", "\(change)")
        }
        #expect(headers.map(\.name) == ["Content-Type", "Content-Disposition", "Z"])
        headers["Content-Type"] = nil
        #expect(headers.name == "a\"b" && headers.contentType == nil)
        headers["content-disposition"] = nil
        #expect(headers.name == nil && headers.filename == nil && headers.map(\.name) == ["Z"])
    }

    @Test func `strict mode refuses content under an empty file name`() throws {
        let disposition = "Content-Disposition: form-data; name=\"a\""
        let empty = "\(disposition); filename=\"\""
        let error = #expect(throws: MultipartError.self) { try MultipartFormData(receiving: empty, mode: .strict) }
        #expect(error?.code == .missingFilename)
        #expect(try MultipartFormData(receiving: empty)[0].filename == "")
        #expect(try MultipartFormData(receiving: disposition, mode: .strict)[0].filename == nil)
        #expect(try MultipartFormData(receiving: "\(disposition); filename=\"x\"", mode: .strict)[0].filename == "x")
    }
}
