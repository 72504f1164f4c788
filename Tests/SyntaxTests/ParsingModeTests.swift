import MultipartFormCodec
import Testing

@Suite struct ParsingModeTests {
    @Test func `lenient is the default for what is received, strict for a boundary to send`() throws {
        #expect(ParsingMode.lenient != .strict && Set([ParsingMode.lenient, .strict, .lenient]).count == 2)
        #expect(MultipartParser.Options().mode == .lenient)
        #expect(throws: MultipartError(.invalidBoundary, offset: 0)) { try Boundary(parsing: "a;b") }
    }
}
