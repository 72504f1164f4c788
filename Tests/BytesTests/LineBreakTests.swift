import Foundation
import MultipartFormCodec
import TestSupport
import Testing

@Suite struct LineBreakTests {
    @Test(
        arguments: [
            ("", ""), ("a", "a"), ("\n", "\r\n"), ("\r", "\r\n"), ("\r\n", "\r\n"), ("\n\r", "\r\n\r\n"),
            ("\r\r\n", "\r\n\r\n"), ("\r\n\n", "\r\n\r\n"), ("a\nb\r\nc\rd", "a\r\nb\r\nc\r\nd"),
            ("\r\n\r\n", "\r\n\r\n"),
        ]
    )
    func `each line break becomes a CR LF`(text: String, normalized: String) throws {
        var form = MultipartFormData()
        form.append(text, withName: "a", normalizingNewlines: true)
        #expect(try form["a"]?.data() == Data(normalized.utf8))
    }
}
