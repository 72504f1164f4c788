import MultipartFormCodec
import Testing

/// Names of received parts that both modes refuse, with whatever error.
@Suite struct ReceivedNameTests {
    @Test(
        arguments: [ParsingMode.lenient, .strict],
        ["name=\"a\\", "name=\"a", "name=\"", "name=\"a\"; filename=\"b\\", "name=\"a\"; filename=\"b"]
    )
    func `a name that its line ends before the closing quote is refused`(mode: ParsingMode, parameters: String) {
        #expect(throws: MultipartError.self) {
            try MultipartFormData(receiving: "Content-Disposition: form-data; \(parameters)", mode: mode)
        }
    }
}
