import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// Header sections as they are kept and sent.
@Suite struct HeaderSectionTests {
    @Test func `a received section is sent as it came`() throws {
        for section in [
            "Content-Disposition: form-data; name=\"a\"", "Content-Disposition: form-data; name=\"a\"; filename=\"\"",
            "content-disposition:form-data;name=a\r\nX:\r\nContent-Type:\t b/c ",
            "X-A: 1\r\nContent-Disposition: x; name=\"\"",
            "Content-Disposition: form-data; name=\"a\\\"b\"; filename*=utf-8''c",
            "Content-Disposition: attachment; name=a",
        ] {
            let form = try MultipartFormData(receiving: section)
            #expect(try form.sentSection() == section)
            // Also as the headers of another content, if no byte of the disposition would be lost.
            let part = BodyPart(form[0], headers: form[0].headers)
            guard part.error == nil else { continue }
            #expect(try MultipartFormData([part], boundary: "B").sentSection() == section)
        }
    }

    @Test func `a section in other lines is sent with a line for each field`() throws {
        let rows: [(String, String)] = [
            (
                "Content-Disposition: form-data;\r\n name=\"a\"\r\nX:\t1 \r\nContent-Type:b/c",
                "Content-Disposition: form-data; name=\"a\"\r\nX: 1\r\nContent-Type: b/c"
            ),
            (
                "X : 1\r\nContent-Disposition: form-data; name=\"a\"; filename=\"\\\"f\\\"\"",
                "X: 1\r\nContent-Disposition: form-data; name=\"a\"; filename=\"\\\"f\\\"\""
            ),
            (
                "X:\r\n \r\nContent-Disposition:\r\n\tform-data; name=\"\"; filename=\"\"\r\nContent-Type:",
                "X: \r\nContent-Disposition: form-data; name=\"\"; filename=\"\"\r\nContent-Type: "
            ),
            (
                "Content-Type: text/plain;\r\n charset=a\r\nContent-Disposition: form-data; name=a; filename*=utf-8''%e9%a0%80",
                "Content-Type: text/plain; charset=a\r\n"
                    + "Content-Disposition: form-data; name=a; filename*=utf-8''%e9%a0%80"
            ),
        ]
        for (section, sent) in rows {
            let form = try MultipartFormData(receiving: section)
            #expect(try form.sentSection() == sent)
            let again = try MultipartFormData(receiving: sent)
            for part in [form[0], again[0]] {
                #expect(part.name == again[0].headers.contentDisposition?.name, "\(sent)")
                #expect(part.filename == again[0].headers.contentDisposition?.filename, "\(sent)")
                #expect(part.contentType == again[0].headers["Content-Type"], "\(sent)")
            }
            #expect(form[0].headers == again[0].headers)
        }
    }

    @Test func `empty texts keep their places when a section gets other lines`() throws {
        let section =
            "X:\r\nContent-Disposition: form-data;\r\n filename=\"\"; name=\"\"\r\nY:\r\nContent-Type:\r\nZ: 1"
        let form = try MultipartFormData(receiving: section)
        #expect(form[0].name == "" && form[0].filename == "" && form[0].contentType == "")
        let headers = form[0].headers
        #expect(headers.name == "" && headers.filename == "" && headers.contentType == "")
    }

    @Test func `a part gets other fields, and keeps its content`() throws {
        let part = BodyPart(
            Data("xy".utf8),
            name: "a\"",
            filename: "b",
            contentType: "c/d",
            additionalHeaders: ["X": "1"]
        )
        var headers = part.headers
        headers["X"] = "2"
        headers.append(HeaderField(name: "Y", value: "3"))
        let changed = BodyPart(part, headers: headers)
        #expect(changed.name == "a\"" && changed.filename == "b" && changed.contentType == "c/d")
        let sent = try MultipartFormData([changed], boundary: "B").sentSection()
        #expect(
            sent == "Content-Disposition: form-data; name=\"a%22\"; filename=\"b\"\r\nContent-Type: c/d\r\nX: 2\r\nY: 3"
        )
        #expect(try changed.text() == "xy")
    }

    @Test func `the type that a file is sent with is its own`() throws {
        let part = BodyPart(Data(), name: "a", filename: "b")
        #expect(part.contentType == "application/octet-stream")
        let copy = BodyPart(part, headers: part.headers)
        #expect(copy.error == nil && copy.contentType == "application/octet-stream")
        let section =
            "Content-Disposition: form-data; name=\"a\"; filename=\"b\"\r\nContent-Type: application/octet-stream"
        for part in [part, copy] { #expect(try MultipartFormData([part], boundary: "B").sentSection() == section) }
    }

    @Test func `the fields of a part whose name is escaped are those that are sent`() {
        let part = BodyPart("x", name: "a\nb", contentType: "c/d")
        #expect(part.name == "a\nb" && part.headers.name == "a%0D%0Ab")
        #expect(part.headers.contentType == "c/d")
        let plain = BodyPart("x", name: "a b")
        #expect(plain.headers.name == "a b" && plain.headers.filename == nil && plain.headers.contentType == nil)
    }

    @Test func `a name is kept wherever it is in its section`() throws {
        // The first is where a field that is appended has it.
        for (section, filename, type) in [
            ("Content-Disposition: form-data; name=\"N\"", nil, nil),
            ("Content-Disposition: form-data; name=\"N\"\r\nX: 1", nil, nil),
            ("X: 1\r\nContent-Disposition: form-data; name=\"N\"", nil, nil),
            ("Content-Disposition: form-data; name=\"N\"\r\nContent-Type: a/b", nil, "a/b"),
            ("Content-Disposition: form-data; name=\"N\"; filename=\"f\"", "f", nil),
            ("content-disposition: form-data; name=\"N\"", nil, nil),
            ("Content-Disposition: attachment; name=\"N\"", nil, nil),
            ("Content-Disposition: form-data; x=y; name=N", nil, nil),
        ] as [(String, String?, String?)] {
            for name in ["", "a", "name of a part"] {
                let lines = section.replacing("N", with: name)
                let form = try MultipartFormData(receiving: lines)
                var copy = MultipartFormData([BodyPart("1", name: "first")])
                copy.append(contentsOf: form)
                copy.removeAll(named: "first")
                for part in [form[0], copy[0]] {
                    #expect(part.name == name && part.filename == filename && part.contentType == type, "\(lines)")
                }
                #expect(form[name] != nil && form["\(name)x"] == nil, "\(lines)")
            }
        }
    }

    @Test func `a received part without one of its fields is sent with the others`() throws {
        let lines = [
            "X: 1", "Content-Disposition: form-data; name=\"a\\\"\"; filename=\"b\"", "Content-Type: c/d", "Y:2",
            "Z: 3",
        ]
        let form = try MultipartFormData(receiving: lines.joined(separator: "\r\n"))
        for (removed, type) in [("x", "c/d"), ("Y", "c/d"), ("Content-Type", "application/octet-stream")] {
            var headers = form[0].headers
            headers[removed] = nil
            let part = BodyPart(form[0], headers: headers)
            #expect(part.name == "a\"" && part.filename == "b", "\(removed)")
            #expect(part.contentType == type, "\(removed)")
            let sent = try MultipartFormData(receiving: MultipartFormData([part], boundary: "B").sentSection())
            #expect(sent[0].headers.count == (removed == "Content-Type" ? 5 : 4), "\(removed)")
            #expect(sent[0].headers["Z"] == "3", "\(removed)")
        }
    }

    @Test func `fields of any lines are sent as they were read`() throws {
        let section = "X:  1 2\t\r\nEmpty:\r\nContent-Disposition: form-data; name=\"a\"\r\nY: :b: c"
        let form = try MultipartFormData(receiving: section)
        let part = BodyPart(form[0], headers: form[0].headers)
        #expect(part.headers.map { "\($0.name)=\($0.value)" } == form[0].headers.map { "\($0.name)=\($0.value)" })
        #expect(part.headers["X"] == "1 2" && part.headers["Empty"] == "" && part.headers["Y"] == ":b: c")
    }
}
