import Foundation
import MultipartForm
import TestSupport
import Testing

@Suite struct HeaderFieldsTests {
    private let fields: HeaderFields = ["X-A": "1", "Content-Type": "text/plain", "x-a": "2"]

    @Test func `names are compared without case, and repeated ones are kept`() {
        #expect(fields["X-A"] == "2")
        #expect(fields["content-TYPE"] == "text/plain")
        #expect(fields["X"] == nil)
        #expect(fields.values(named: "x-A") == ["1", "2"])
        #expect(fields.map(\.name) == ["X-A", "Content-Type", "x-a"])
    }

    @Test func `setting a field leaves one, in the place of the first`() {
        var fields = fields
        fields["x-a"] = "3"
        #expect(fields.map { "\($0.name)=\($0.value)" } == ["x-a=3", "Content-Type=text/plain"])
        fields["New"] = "4"
        #expect(fields.map(\.name) == ["x-a", "Content-Type", "New"])
        fields["X-A"] = nil
        #expect(fields.map(\.name) == ["Content-Type", "New"])
        fields.removeAll(named: "content-type")
        fields.removeAll(named: "none")
        #expect(fields == ["New": "4"])
    }

    @Test func `copies are independent, and invalid UTF-8 stays when fields are removed`() throws {
        let message = [UInt8]("--b\r\nX: 1\r\nY: a".utf8) + [0xFF] + [UInt8]("\r\n\r\n\r\n--b--".utf8)
        var parser = MultipartParser(boundary: "b")
        parser.append(Data(message))
        guard case .part(let headers) = try parser.next() else { return }
        var changed = headers
        changed["X"] = nil
        changed.append(HeaderField(name: "Content-Disposition", value: "form-data; name=z"))
        #expect(headers.map(\.name) == ["X", "Y"] && headers.name == nil)
        #expect(changed.map(\.name) == ["Y", "Content-Disposition"] && changed.name == "z")
        #expect(changed.bytes(named: "y") == [97, 0xFF])
    }

    @Test func `thousands of fields are appended, each as it is`() {
        var fields = HeaderFields()
        var copies: [HeaderFields] = []
        for index in 0..<2000 {
            if index.isMultiple(of: 500) { copies.append(fields) }
            fields.append(HeaderField(name: "X-\(index)", value: String(repeating: "v", count: index % 50)))
        }
        #expect(fields.count == 2000)
        for (index, field) in fields.enumerated() {
            guard field == HeaderField(name: "X-\(index)", value: String(repeating: "v", count: index % 50)) else {
                Issue.record("field \(index)")
                break
            }
        }
        #expect(copies.map(\.count) == [0, 500, 1000, 1500])
    }

    @Test func `fields are equal by their bytes in order`() {
        #expect(fields == HeaderFields(Array(fields)))
        #expect(fields.hashValue == HeaderFields(Array(fields)).hashValue)
        #expect(fields != HeaderFields(fields.reversed()))
        #expect(
            HeaderFields([HeaderField(name: "a", value: "bc")]) != HeaderFields([HeaderField(name: "ab", value: "c")])
        )
    }

    @Test func `invalid UTF-8 stays available`() throws {
        let boundary = Boundary("b")
        let message = Data("--b\r\nX-A: a".utf8) + [0xFF] + Data("\r\n\r\n\r\n--b--".utf8)
        var headers: HeaderFields?
        var parser = MultipartParser(boundary: boundary)
        try parser.parse(message.span) { event, _ in
            if case .part(let fields) = event { headers = fields }
        }
        #expect(headers?["x-a"] == "a\u{FFFD}")
        #expect(headers?.bytes(named: "X-A") == [97, 0xFF])
    }

    @Test func `fields made by hand have a name and a file name`() {
        let headers: HeaderFields = ["Content-Disposition": "form-data; name=\"a\\\"b\"; filename*=utf-8''%C3%A9"]
        #expect(headers.name == "a\"b")
        #expect(headers.filename == "\u{E9}")
        #expect(headers.contentType == nil)
        #expect(HeaderFields().contentDisposition == nil)
    }
}
