import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// A form as many programs write it by hand.
private enum HandWritten {
    static func body(name: String, fileURL: URL, mimeType: String, boundary: String) throws -> Data {
        var body = Data()
        let start = "--\(boundary)\r\nContent-Disposition: form-data; name="
        body.append(Data("\(start)\"name\"\r\n\r\n\(name)\r\n".utf8))

        let filename = fileURL.lastPathComponent
        body.append(Data("\(start)\"file\"; filename=\"\(filename)\"\r\n".utf8))
        body.append(Data("Content-Type: \(mimeType)\r\n\r\n".utf8))
        body.append(try Data(contentsOf: fileURL))
        body.append(Data("\r\n--\(boundary)--\r\n".utf8))
        return body
    }
}

/// What `MigratingOtherCode.md` shows and says about forms that are written by hand.
@Suite struct HandWrittenGuideTests {
    private static let contentType = "multipart/form-data; boundary=b"

    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func form(name: String, fileURL: URL) -> MultipartFormData {
        var form = MultipartFormData()
        form.append(name, withName: "name")
        form.append(fileURL, withName: "file")
        return form
    }

    private func parse(_ text: String, mode: ParsingMode = .lenient) throws -> MultipartFormData {
        let options = MultipartParser.Options(mode: mode)
        return try MultipartFormData(parsing: Data(text.utf8), contentType: Self.contentType, options: options)
    }

    /// A message with one part, from its header lines to what precedes the close delimiter.
    private func message(_ part: String, close: String = "--b--\r\n") -> String {
        "--b\r\nContent-Disposition: form-data; name=\"f\"\r\n\(part)\(close)"
    }

    @Test func `the same form is written by hand and by the library`() throws {
        let fileURL = try directory.write(Data("<a>".utf8), as: "a.html")
        let hand = try HandWritten.body(name: "Ada", fileURL: fileURL, mimeType: "text/html", boundary: "b")
        var form = form(name: "Ada", fileURL: fileURL)
        form.boundary = "b"
        #expect(try form.encode() == hand)
    }

    @Test func `a charset that is not that of the bytes, or an encoding that changes them, is an error`() {
        var form = MultipartFormData()
        form.append("né", withName: "a", mimeType: "text/plain; charset=iso-8859-1")
        #expect(form.firstError != nil)
        let part = BodyPart("QQ==", name: "a", additionalHeaders: ["Content-Transfer-Encoding": "base64"])
        #expect(part.error?.code == .forbiddenHeader)
        let binary = BodyPart("A", name: "a", additionalHeaders: ["Content-Transfer-Encoding": "binary"])
        #expect(binary.error == nil)
    }

    @Test func `a quote in a file name`() throws {
        let fileURL = try directory.write(Data("x".utf8), as: "a\"; filename=\"b.sh")
        let hand = try HandWritten.body(name: "Ada", fileURL: fileURL, mimeType: "text/plain", boundary: "b")
        #expect(throws: MultipartError.self) { try MultipartFormData(parsing: hand, contentType: Self.contentType) }
        let form = form(name: "Ada", fileURL: fileURL)
        let received = try MultipartFormData(parsing: form.encode(), contentType: form.contentType)
        #expect(received["file"]?.filename == "a%22; filename=%22b.sh")
    }

    @Test func `a line break in a file name`() throws {
        let fileURL = try directory.write(Data("x".utf8), as: "a\r\nX-Id: 1")
        let hand = try HandWritten.body(name: "Ada", fileURL: fileURL, mimeType: "text/plain", boundary: "b")
        #expect(throws: MultipartError.self) { try MultipartFormData(parsing: hand, contentType: Self.contentType) }
        let form = form(name: "Ada", fileURL: fileURL)
        let received = try MultipartFormData(parsing: form.encode(), contentType: form.contentType)
        #expect(received["file"]?.headers.map(\.name) == ["Content-Disposition", "Content-Type"])
    }

    @Test func `a boundary that occurs in a value`() throws {
        let fileURL = try directory.write(Data("x".utf8), as: "a.txt")
        let name = "Ada\r\n--b\r\nContent-Disposition: form-data; name=\"role\"\r\n\r\nadmin"
        let hand = try HandWritten.body(name: name, fileURL: fileURL, mimeType: "text/plain", boundary: "b")
        let forged = try MultipartFormData(parsing: hand, contentType: Self.contentType)
        #expect(try forged["role"]?.text() == "admin")
        var form = form(name: name, fileURL: fileURL)
        #expect(try MultipartFormData(parsing: form.encode(), contentType: form.contentType).count == 2)
        form.boundary = "b"
        #expect(throws: MultipartError(.boundaryCollision, partIndex: 0)) { try form.encode() }
    }

    @Test func `one line break after the header fields`() throws {
        #expect(throws: MultipartError.self) { try parse(message("content\r\n")) }
    }

    @Test func `no line break after the content`() throws {
        let error = #expect(throws: MultipartError.self) { try parse(message("\r\ncontent")) }
        #expect(error?.code == .unexpectedEnd)
    }

    @Test func `two line breaks after the content`() throws {
        #expect(try parse(message("\r\ncontent\r\n\r\n"))["f"]?.text() == "content\r\n")
    }

    @Test func `no close delimiter, or one without its last hyphens`() throws {
        for close in ["", "--b\r\n"] {
            let error = #expect(throws: MultipartError.self) { try parse(message("\r\ncontent\r\n", close: close)) }
            #expect(error?.code == .unexpectedEnd)
        }
    }

    @Test func `line breaks of LF alone are refused in strict mode`() throws {
        let text = message("\r\ncontent\r\n").replacingOccurrences(of: "\r\n", with: "\n")
        #expect(try parse(text)["f"]?.text() == "content")
        #expect(throws: MultipartError.self) { try parse(text, mode: .strict) }
    }

    @Test func `content in base64 stays so, and is refused in strict mode`() throws {
        let text = message("Content-Transfer-Encoding: base64\r\n\r\nQWRh\r\n")
        #expect(try parse(text)["f"]?.text() == "QWRh")
        let error = #expect(throws: MultipartError.self) { try parse(text, mode: .strict) }
        #expect(error?.code == .ambiguousHeader)
    }

    @Test func `a Content-Type without its boundary`() throws {
        let error = #expect(throws: MultipartError.self) {
            try MultipartFormData(parsing: Data(), contentType: "multipart/form-data")
        }
        #expect(error?.code == .missingBoundary)
    }

    @Test func `fields from a dictionary are texts that no server expects`() throws {
        enum Format: String { case verboseJSON = "verbose_json" }

        let fields: [String: Any] = ["nickname": Optional("Ed") as Any, "format": Format.verboseJSON]
        var form = MultipartFormData()
        for (name, value) in fields {
            form.append("\(value)", withName: name)
        }
        #expect(try form["nickname"]?.text() == "Optional(\"Ed\")")
        #expect(try form["format"]?.text() == "verboseJSON")
    }

    @Test func `a part is read instead of split`() throws {
        let body = Data(message("\r\ncontent\r\n").utf8)
        let (contentType, boundary) = (Self.contentType, "b")
        func split() -> String? {
            var value: String?
            let text = String(decoding: body, as: UTF8.self)
            for piece in text.components(separatedBy: "--\(boundary)") {
                let halves = piece.components(separatedBy: "\r\n\r\n")
                guard halves.count == 2, halves[0].contains("name=\"f\"") else { continue }
                value = halves[1].trimmingCharacters(in: .newlines)
            }
            return value
        }
        func read() throws -> String? {
            let form = try MultipartFormData(parsing: body, contentType: contentType)
            let text = try form["f"]?.text()
            return text
        }
        #expect(try read() == split() && split() == "content")
    }
}
