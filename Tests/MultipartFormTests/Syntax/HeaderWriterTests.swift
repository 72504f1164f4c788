import Foundation
import MultipartForm
import TestSupport
import Testing

/// A writer that scans each name to the end of the section does not end within the time limit.
@Suite(.timeLimit(.minutes(1))) struct HeaderWriterTests {
    @Test func `many extra headers are written in linear time`() throws {
        let fields = HeaderFields((0..<250_000).map { HeaderField(name: "X-\($0)", value: "value") })
        var form = MultipartFormData()
        form.append(BodyPart(Data(), name: "a", additionalHeaders: fields))
        #expect(form.firstError == nil)
        #expect(try form.encode().count > 250_000 * 12)
    }

    @Test func `a section whose lines were joined is written in linear time`() throws {
        let lines = (0..<250_000).map { "X-\($0): value\r\n" }.joined()
        let section = "Content-Disposition: form-data;\r\n name=\"a\"\r\n\(lines)"
        let limits = Limits(maxHeaderCount: .max, maxHeaderBytes: .max)
        let form = try MultipartFormData(
            parsing: Data("--B\r\n\(section)\r\n\r\n--B--\r\n".utf8),
            boundary: try #require(Boundary("B")),
            limits: limits
        )
        #expect(form[0].name == "a")
        #expect(try form.encode().count > 250_000 * 12)
    }
}
