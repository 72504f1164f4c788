import MultipartForm
import TestSupport
import Testing

@Suite struct ContentDispositionTests {
    @Test(
        arguments: [
            ("a.txt", "a.txt"), ("../../etc/passwd", "passwd"), ("C:\\dir\\f.txt", "f.txt"), ("/abs", "abs"),
            ("a/b\\c", "c"), ("x\u{0}\u{7F}\u{85}y", "xy"), ("\u{E9}\u{1F600}", "\u{E9}\u{1F600}"), ("..a", "..a"),
            ("", nil), (".", nil), ("..", nil), ("a/", nil), ("a\\..", nil), (".\u{0}.", nil), ("\r\n", nil),
        ] as [(String, String?)]
    )
    func `a safe file name is one component without controls`(filename: String, safe: String?) {
        #expect(ContentDisposition(name: "f", filename: filename).safeFilename == safe)
    }

    @Test func `a part that is no file has no safe file name`() {
        #expect(ContentDisposition(name: "f").safeFilename == nil)
    }

    @Test func `form escapes are undone exactly`() {
        #expect("a%0D%0Ab%22c".decodingFormEscapes() == "a\r\nb\"c")
        #expect("%0d%2F%%22%2".decodingFormEscapes() == "%0d%2F%\"%2")
        #expect("\u{E9}".decodingFormEscapes() == "\u{E9}")
    }

    @Test(arguments: [
        ("form-data; name=\"a\" (comment)", "malformed-content-disposition"),
        ("form-data; name=\"a\"; name=b", "duplicate-parameter"), ("", "malformed-content-disposition"),
        ("form-data; name=\"a\r\nX: y\"", "invalid-header-character"),
    ])
    func `what cannot be read is refused with its code`(value: String, code: String) {
        #expect { try ContentDisposition(parsing: value) } throws: {
            ($0 as? MultipartParsingError)?.code.rawValue == code
        }
    }

    @Test func `a value is read without the white space around it`() throws {
        let disposition = try ContentDisposition(parsing: " form-data ; name=\"a\" ")
        #expect(disposition == ContentDisposition(name: "a"))
    }

    @Test func `strict mode wants form-data and a name`() {
        #expect { try ContentDisposition(parsing: "attachment; name=a", mode: .strict) } throws: {
            ($0 as? MultipartParsingError)?.code == .invalidDispositionType
        }
        #expect { try ContentDisposition(parsing: "form-data", mode: .strict) } throws: {
            ($0 as? MultipartParsingError)?.code == .missingName
        }
    }
}
