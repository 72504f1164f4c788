import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// Received parts that are sent on: as they came, or with an error, but never with less than they had.
@Suite struct PassedOnPartTests {
    /// The encoded message of a form that was received, or the error, by every way to pass its parts on.
    private func passedOn(_ message: Data) async throws -> [(way: String, result: Result<Data, MultipartError>)] {
        let boundary: Boundary = "B"
        let type = boundary.contentType
        let directory = try TemporaryDirectory()
        let form = try MultipartFormData(parsing: message, contentType: type)
        var collector = MultipartCollector(
            boundary: boundary,
            options: MultipartCollector.Options(temporaryDirectory: directory.url)
        ) { _ in .disk(upTo: .max) }
        try collector.append(message)
        let file = try directory.write(message, as: "message")
        var other = MultipartFormData(boundary: boundary)
        other.append(contentsOf: form)
        var again = MultipartFormData(boundary: boundary)
        again.append(contentsOf: other.filter { _ in true })
        var arriving = EncodedFormChunks(
            encoding: try ChunkSource([message]).multipartParts(contentType: type).map { BodyPart($0) },
            boundary: boundary
        ).makeAsyncIterator()
        let forms = [
            ("parsed", form), ("collected in memory", try .init(pushing: [message], contentType: type)),
            ("collected on disk", try collector.finish()),
            (
                "parsed from a file",
                try await MultipartFormData(parsingFileAt: file, contentType: type, inMemoryUpTo: 0)
            ), ("appended", other), ("appended twice", again),
        ]
        var results = forms.map { way, form in (way, MultipartError.catching { try form.encode() }) }
        do {
            var bytes = Data()
            while let chunk = try await arriving.next() { bytes.append(chunk) }
            results.append(("arriving", .success(bytes)))
        } catch let error as MultipartError {
            results.append(("arriving", .failure(error)))
        }
        return results
    }

    private func message(_ section: some Sequence<UInt8>) -> Data {
        Data("--B\r\n".utf8) + Data(section) + Data("\r\n\r\ncontent\r\n--B--\r\n".utf8)
    }

    @Test(
        arguments: [
            "form-data; name=a", "attachment; name=\"a\"; filename=\"f\"", "file; filename=\"f\"; name=a",
            "FORM-DATA; NAME=\"a\"", "form-data; name=\"a\"; size=3; x=\"y;z\"", "form-data; x; name=\"a\";;",
            "form-data; name=\"a\"; filename=f; filename*=utf-8''%e2%82%ac", "form-data; name=a; names*=utf-8''b",
            "form-data; name=\"a\\\"b\"", "form-data; name=\"a\\\\b\"", "form-data; name=\"C:\\dir\\\"",
            "form-data; name=\"=?utf-8?q?a?=\"", "form-data; name=\"\u{E9}\"", "form-data; name=\"a\tb\"",
            "form-data ; name = a ", "form-data; filename=\"\"; name=\"\"",
        ]
    )
    func `a disposition is sent as it came`(disposition: String) async throws {
        for lines in [
            "Content-Disposition: \(disposition)",
            "content-disposition:\(disposition)\r\nX-Empty:\r\nContent-Length: 7",
            "X-Id:\t 7 \r\nContent-Disposition: \(disposition)\r\nContent-Type: a/b\r\nX-Id: \u{E9}",
            "Content-Disposition: \(disposition)\r\nContent-Type: a/b\r\ncontent-type: c/d; x=\"y\"",
            "Content-Transfer-Encoding: 8bit\r\nContent-Disposition: \(disposition)\r\nContent-Type:",
        ] {
            let message = message(lines.utf8)
            for (way, result) in try await passedOn(message) {
                #expect(try result.get() == message, "\(way): \(lines)")
            }
        }
    }

    @Test(arguments: [[0xE9], [0xFF, 0xFE], [0xC3], [0x80], [0xED, 0xA0, 0x80]] as [[UInt8]])
    func `bytes that are not UTF-8 are sent as they came`(bytes: [UInt8]) async throws {
        for place in ["name=\"a?\"", "name=\"a\"; filename=\"?.txt\"", "name=a; x=?", "name=a?"] {
            let halves = "Content-Disposition: form-data; \(place)".split(separator: "?", maxSplits: 1)
            let tail = halves.count > 1 ? Array(halves[1].utf8) : []
            let message = message(Array(halves[0].utf8) + bytes + tail)
            for (way, result) in try await passedOn(message) {
                #expect(try result.get() == message, "\(way): \(place)")
            }
        }
    }

    @Test func `line breaks, folds and white space around names are not sent on, and no data is lost`() async throws {
        let expected = message("Content-Disposition: attachment; name=\"a\"; x=y\r\nX-Id: 7\r\nContent-Type: a/b".utf8)
        for lines in [
            "Content-Disposition: attachment;\r\n name=\"a\"; x=y\r\nX-Id: 7\r\nContent-Type: a/b",
            "Content-Disposition : attachment; name=\"a\"; x=y\r\nX-Id: 7\r\nContent-Type:\ta/b",
            " Content-Disposition: attachment; name=\"a\"; x=y\r\nX-Id: 7\r\nContent-Type: a/b",
            "Content-Disposition: attachment; name=\"a\";\r\n\t x=y \r\nX-Id: 7\r\nContent-Type:\r\n a/b",
        ] {
            for (way, result) in try await passedOn(message(lines.utf8)) {
                #expect(try result.get() == expected, "\(way): \(lines)")
            }
        }
        let text = String(decoding: expected, as: UTF8.self).replacing("\r\n", with: "\n")
        for (way, result) in try await passedOn(Data(text.utf8)) {
            #expect(try result.get() == expected, "\(way)")
        }
    }

    /// ``FuzzTarget/parser`` encodes the form, too, and compares its sections with those of the message.
    @Test(arguments: 0..<20)
    func `a mangled message is sent on as it came, or refused for a reason`(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed) &+ 400)
        for round in 0..<50 {
            let message = MessageMangler.message(boundary: "BND", using: &generator)
            let input = [0, 3] + Array("BND".utf8) + [1, 7, 64, 3] + message
            #expect(throws: Never.self, "seed \(seed), round \(round): \(message.base64EncodedString())") {
                try FuzzTarget.parser.check(input)
            }
        }
    }

    @Test(arguments: ["base64", "quoted-printable", "x-unknown"])
    func `a part with a transfer encoding is refused under its own name and under another`(encoding: String) throws {
        struct Original: Codable { var a: FormFile }
        struct Renamed: Codable {
            var b: FormFile
            var c: [FormFile]
        }
        let disposition = "Content-Disposition: form-data; name=\"a\"; filename=\"f\""
        let lines = "\(disposition)\r\nContent-Transfer-Encoding: \(encoding)"
        let received = try MultipartFormData(parsing: message(lines.utf8), contentType: Boundary("B").contentType)
        let file = try FormDataDecoder().decode(Original.self, from: received).a
        func cause(_ value: some Encodable) -> MultipartError.Code? {
            let error = #expect(throws: EncodingError.self) { try FormDataEncoder().encode(value) }
            guard case .invalidValue(_, let context) = error else { return nil }
            return ((context.underlyingError as? MultipartError)?.underlyingError as? MultipartError)?.code
        }
        #expect(cause(Original(a: file)) == .forbiddenHeader)
        #expect(cause(Renamed(b: file, c: [])) == .forbiddenHeader)
        #expect(cause(["x": file]) == .forbiddenHeader)
        var form = MultipartFormData()
        form.append(file.part)
        #expect(form.firstError?.code == .forbiddenHeader)
    }

    @Test func `a part that keeps its bytes keeps that field under another name`() throws {
        let lines = "Content-Disposition: form-data; name=\"a\"; filename=\"f\"\r\nContent-Transfer-Encoding: Binary"
        let received = try MultipartFormData(parsing: message(lines.utf8), contentType: Boundary("B").contentType)
        let form = try FormDataEncoder().encode(["b": FormFile(formPart: received[0])])
        #expect(form["b"]?.headers["Content-Transfer-Encoding"] == "Binary")
    }
}
