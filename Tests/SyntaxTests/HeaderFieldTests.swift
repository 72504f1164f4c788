import MultipartFormCodec
import Testing

@Suite struct HeaderFieldTests {
    @Test func `fields are equal by the bytes of their names and values`() {
        let field = HeaderField(name: "X", value: "\u{E9}")
        #expect(field == HeaderField(name: "X", value: "\u{E9}"))
        #expect(field.hashValue == HeaderField(name: "X", value: "\u{E9}").hashValue)
        let others = [
            HeaderField(name: "x", value: "\u{E9}"), HeaderField(name: "X", value: "e\u{301}"),
            HeaderField(name: "Y", value: "\u{E9}"), HeaderField(name: "X\u{E9}", value: ""),
            HeaderField(name: "X", value: ""), HeaderField(name: "X", value: "\u{E9} "),
        ]
        for other in others {
            #expect(field != other, "\(other)")
            #expect(field.hashValue != other.hashValue, "\(other)")
        }
    }

    @Test func `a field can be changed`() {
        var field = HeaderField(name: "X", value: "1")
        field.name = "Y"
        field.value = "2"
        #expect(field == HeaderField(name: "Y", value: "2"))
    }
}
