import MultipartForm
import TestSupport
import Testing

@Suite struct HeaderFieldsTests {
    private let fields: HeaderFields = ["X-A": "1", "Content-Type": "text/plain", "x-a": "2"]

    @Test func `names are found without letter case, and repeated ones are kept`() {
        #expect(fields["X-A"] == "1")
        #expect(fields["content-TYPE"] == "text/plain")
        #expect(fields["X"] == nil)
        #expect(fields.values(for: "x-A") == ["1", "2"])
        #expect(fields.map(\.name) == ["X-A", "Content-Type", "x-a"])
    }

    @Test func `fields are equal by their bytes in order`() {
        #expect(fields == HeaderFields(Array(fields)))
        #expect(fields.hashValue == HeaderFields(Array(fields)).hashValue)
        #expect(fields != HeaderFields(fields.reversed()))
        #expect(
            HeaderFields([HeaderField(name: "a", value: "bc")]) != HeaderFields([HeaderField(name: "ab", value: "c")])
        )
    }

    @Test func `bytes that are no UTF-8 stay available`() throws {
        let boundary = try #require(Boundary("b"))
        let message = [UInt8]("--b\r\nX-A: a".utf8) + [0xFF] + [UInt8]("\r\n\r\n\r\n--b--".utf8)
        var headers: HeaderFields?
        var parser = MultipartParser(boundary: boundary)
        try parser.parse(message.span) { event, _ in
            if case .part(let fields) = event { headers = fields }
        }
        #expect(headers?["x-a"] == "a\u{FFFD}")
        #expect(headers?.bytes(for: "X-A") == [97, 0xFF])
    }

    @Test func `fields made by hand tell their name and file name`() {
        let headers: HeaderFields = ["Content-Disposition": "form-data; name=\"a\\\"b\"; filename*=utf-8''%C3%A9"]
        #expect(headers.name == "a\"b")
        #expect(headers.filename == "\u{E9}")
        #expect(headers.contentType == nil)
        #expect(HeaderFields().contentDisposition == nil)
    }
}
