import Foundation
import MultipartForm
import TestSupport
import Testing

/// A writer that scans from each name to the end of the section would exceed the time limit.
@Suite(.timeLimit(.minutes(10))) struct HeaderWriterTests {
    private let count = 30_000
    private let value = String(repeating: "v", count: 50)

    @Test func `many extra headers are written in linear time`() throws {
        let fields = HeaderFields(repeatElement(HeaderField(name: "X", value: value), count: count))
        var form = MultipartFormData()
        form.append(BodyPart(Data(), name: "a", additionalHeaders: fields))
        #expect(form.firstError == nil)
        #expect(try form.encode().count > count * 55)
    }

    @Test func `a section whose lines were joined is written in linear time`() throws {
        let lines = String(repeating: "X: \(value)\r\n", count: count)
        let section = "Content-Disposition: form-data;\r\n name=\"a\"\r\n\(lines)"
        let limits = MultipartParser.Options(maxHeaderCount: .max, maxHeaderBytes: .max)
        let form = try MultipartFormData(
            parsing: Data("--B\r\n\(section)\r\n\r\n--B--\r\n".utf8),
            contentType: Boundary("B").contentType,
            options: limits
        )
        #expect(form[0].name == "a")
        #expect(try form.encode().count > count * 55)
    }
}
