import Foundation
import MultipartForm
import TestSupport
import Testing

/// What `MovingToStrictMode.md` says.
@Suite struct StrictModeGuideTests {
    private static let article = Fixtures.directory.deletingLastPathComponent()
        .appendingPathComponent("Sources/MultipartForm/MultipartForm.docc/MovingToStrictMode.md")

    @Test func `strict mode refuses so many of the clients' recordings, all for a backslash`() throws {
        var codes: [String: Int] = [:]
        for name in Fixtures.recordings {
            let expected = try Fixtures.json(ParseCase.self, "clients/\(name).json").outcome(.strict)
            if let code = expected.error { codes[code, default: 0] += 1 }
        }
        let count = try #require(codes["backslash-not-allowed"])
        #expect(codes.count == 1)
        let sentence =
            "Of \(Fixtures.recordings.count) bodies that fourteen clients sent to the tests, strict mode refuses"
        let text = try String(contentsOf: Self.article, encoding: .utf8)
        #expect(text.contains("\(sentence) \(count), all for the same reason"))
        #expect(Fixtures.folders(in: "clients").count == 14)
    }

    @Test func `each code of the table exists`() throws {
        let text = try String(contentsOf: Self.article, encoding: .utf8)
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("| `") }
        let codes = rows.flatMap { $0.split(separator: "|")[0].matches(of: /`([a-z0-9-]+)`/).map { String($0.1) } }
        #expect(codes.count >= 18)
        for code in codes { #expect(MultipartError.Code(code) != nil, "\(code)") }
    }

    @Test(arguments: [true, false])
    func `the mode comes from a configuration`(isStrict: Bool) throws {
        var options = MultipartCollector.Options()
        options.parser.mode = isStrict ? .strict : .lenient
        let body = "\r\n--b\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n--b--\r\n"
        func value() throws -> String? {
            var collector = MultipartCollector(boundary: "b", options: options)
            try collector.append(Data(body.utf8))
            return try collector.finish()["a"]?.text()
        }
        if isStrict {
            #expect(throws: MultipartError(.preambleNotAllowed, offset: 0)) { try value() }
        } else {
            #expect(try value() == "1")
        }
    }
}
