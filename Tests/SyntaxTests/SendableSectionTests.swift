import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// Which header sections of received parts may be sent on.
@Suite struct SendableSectionTests {
    private func error(_ lines: some Sequence<UInt8>) throws -> MultipartError? {
        let form = try MultipartFormData(receiving: lines)
        // In another form, the part has its error from the start.
        let appended = MultipartFormData(form)
        do {
            _ = try form.encode()
            #expect(appended.firstError == nil)
            return nil
        } catch let error as MultipartError {
            #expect(error.partIndex == 0 && appended.firstError == error)
            return error
        }
    }

    /// Expects an error of sending on a part with such a Content-Disposition, or none.
    private func expect(_ code: MultipartError.Code?, _ dispositions: [String]) throws {
        for disposition in dispositions {
            let lines = "X: 1\r\nContent-Disposition: \(disposition)\r\nY: 2"
            #expect(try error(lines.utf8)?.code == code, "\(disposition.debugDescription)")
        }
    }

    @Test func `a part needs a name`() throws {
        try expect(
            .missingName,
            ["form-data", "form-data; filename=\"a\"", "form-data; name", "form-data; name*=utf-8''a"]
        )
        #expect(try error("X: 1".utf8)?.code == .missingName)
        try expect(nil, ["form-data; name=\"\"", "form-data; name="])
    }

    @Test func `a disposition is sent whatever else it says`() throws {
        try expect(
            nil,
            [
                "attachment; name=a", "form-data; name=a; size=3; x", "form-data; name=a;; y=z;", "form-data; name=a b",
                "form-data; name=a; filename*=utf-8''b", "form-data; name=a; names*=b; filenames*=c; xname*=d; x*=y",
                "form-data; name=a; filename=b; FILENAME*=utf-8''c", "form-data; name=\"a\\\"b\\\\\"",
                "form-data; name=\"C:\\\"", "form-data; name=\"=?a?=\"", "form-data; name=\"a\tb\"; x=\"\t\"",
            ]
        )
    }

    @Test func `a second name that receivers may read is refused, the first of them`() throws {
        let rows: [(String, String)] = [
            ("name=a; name*=utf-8''b", "name*"), ("name=a; NAME*0=b; name*1=c", "name*0"),
            ("name=a; filename*=b", "filename*"),
            ("name=a; filename*0=b; filename*=utf-8''c", "filename*0"), ("name=a; filename*0*=utf-8''b", "filename*0*"),
            ("filename*=utf-8''b; filename*1=c; name=a", "filename*1"), ("name=a; filename*=utf-8''b; name*", "name*"),
            ("name=a; Filename*; filename*=utf-8''b", "filename*"), ("name=\"C:\\\"; name*=b", "name*"),
            ("name=a; name*\(String(repeating: "0", count: 80))=b", "name*\(String(repeating: "0", count: 59))"),
        ]
        for (parameters, name) in rows {
            let error = try error("Content-Disposition: form-data; \(parameters)\r\nX: 1".utf8)
            #expect(error?.code == .lossyDisposition, "\(parameters)")
            let text = "Content-Disposition has the parameter \"\(name)\", which a form's part cannot have"
            #expect(error?.description.hasSuffix(": \(text)") == true, "\(error?.description ?? "none")")
        }
    }

    @Test func `a control character in a name is refused as one to send is`() throws {
        try expect(
            .invalidCharacter,
            [
                "form-data; name=\"a\u{1}\"", "form-data; name=\"\u{7F}\"; filename=b",
                "form-data; name=a; filename=\"\u{1B}\"",
                "form-data; name=\"a\u{1F}\"; x=\"\u{1}\"",
            ]
        )
    }

    @Test func `a control character elsewhere is refused`() throws {
        try expect(
            .lossyDisposition,
            [
                "form-data; name=a; x=\"\u{7F}\"", "form-data; name=a; filename=b; x=\"\u{1}\"",
                "form-data; name=a; filename*=\"x\u{8}\"",
            ]
        )
        let disposition = "Content-Disposition: form-data; name=a"
        for line in ["X-Id: \u{1B}[0m", "Content-Type: a/b\u{8}", "X-Id: \u{7F}"] {
            let error = try error("\(disposition)\r\n\(line)".utf8)
            let name = line.prefix { $0 != ":" }
            #expect(error?.code == .invalidHeaderValue, "\(line.debugDescription)")
            let text = "value of header field \"\(name)\" has a control character"
            #expect(error?.description == "part 0 \"a\": \(text)", "\(line.debugDescription)")
        }
        let long = String(repeating: "x", count: 70)
        let error = try error("\(disposition)\r\n\(long): \u{1}".utf8)
        #expect(error?.description.contains("\"\(long.prefix(64))\" has") == true)
        #expect(try self.error("\(disposition)\r\nX: a\tb".utf8) == nil)
    }

    @Test func `a content that is encoded is refused`() throws {
        let disposition = "Content-Disposition: form-data; name=\"a\""
        for encoding in ["base64", "Quoted-Printable", ""] {
            for lines in ["\(disposition)\r\nX: 1", "\(disposition)\r\nX:\r\n 1"] {
                let error = try error("\(lines)\r\nContent-Transfer-Encoding: \(encoding)".utf8)
                #expect(error?.code == .forbiddenHeader, "\(encoding)")
                #expect(try self.error("\(lines)\r\nContent-Transfer-Encoding: 7BIT".utf8) == nil)
            }
        }
    }

    @Test func `a line that begins with the boundary of another form is refused`() throws {
        let message = "--b\r\nContent-Disposition: form-data; name=\"x\"\r\n--evil: y\r\n\r\nhello\r\n--b--\r\n"
        let received = try MultipartFormData(
            parsing: Data(message.utf8),
            contentType: "multipart/form-data; boundary=b"
        )
        let form = MultipartFormData(received, boundary: "evil")
        let error = #expect(throws: MultipartError.self) { try form.encode() }
        #expect(error?.partIndex == 0)
        #expect(form.firstError == nil || form.firstError == error)
        #expect(try MultipartFormData(received, boundary: "good").encode().count == Data(message.utf8).count + 6)
    }

    @Test(arguments: [ParsingMode.lenient, .strict])
    func `a nested part without a name cannot be sent in a form`(mode: ParsingMode) throws {
        let nested = "--n\r\nContent-Disposition: attachment; filename=\"a.txt\"\r\n\r\nhello\r\n--n--\r\n"
        let part = BodyPart(Data(nested.utf8), name: "files", contentType: "multipart/mixed; boundary=n")
        let form = try MultipartFormData(nestedIn: part, options: MultipartParser.Options(mode: mode))
        #expect(form.first?.filename == "a.txt")
        #expect(#expect(throws: MultipartError.self) { try form.encode() }?.code == .missingName)
        #expect(MultipartFormData(form).firstError?.code == .missingName)
    }

    @Test func `bytes that are not UTF-8 are sent as they came`() throws {
        for (start, end) in [
            ("form-data; name=\"a", "\""), ("form-data; name=a; x=", ""), ("form-data; name=a\r\nX: ", ""),
        ] {
            let lines = Array("Content-Disposition: \(start)".utf8) + [0xFF, 0xC3] + Array(end.utf8)
            let form = try MultipartFormData(receiving: lines)
            let message = Data("--B\r\n".utf8) + Data(lines) + Data("\r\n\r\nx\r\n--B--\r\n".utf8)
            #expect(try form.encode() == message, "\(start)")
        }
    }
}
