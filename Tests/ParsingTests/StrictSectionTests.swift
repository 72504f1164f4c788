import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// The grammar of strict mode: what it refuses, where and why, and what it accepts, however the message is cut.
@Suite struct StrictSectionTests {
    /// Header lines of a part, what begins the line at fault, and a part of the reason.
    struct Refusal: Sendable, CustomTestStringConvertible {
        let lines: String
        let place: String
        let reason: String

        var testDescription: String { lines.debugDescription }
    }

    private static let disposition = "Content-Disposition: form-data; name=\"a\""

    private static func names(_ rows: [(String, String)]) -> [Refusal] {
        rows.map { Refusal(lines: "Content-Disposition: form-data; \($0)", place: "Content-D", reason: $1) }
    }

    /// Refusals of a line after a disposition.
    private static func lines(_ rows: [(String, String)]) -> [Refusal] {
        rows.map { Refusal(lines: "\(disposition)\r\n\($0)", place: $0, reason: $1) }
    }

    private static let long = String(repeating: "a", count: 1500 - "\(disposition); filename=".utf8.count)

    private static let dispositions = [
        ("content-Disposition: form-data; name=\"a\"", "another spelling"),
        ("CONTENT-DISPOSITION: form-data; name=\"a\"", "another spelling"),
        ("Content-Disposition:form-data; name=\"a\"", "is not \"form-data; name=\""),
        ("Content-Disposition:  form-data; name=\"a\"", "is not \"form-data; name=\""),
        ("Content-Disposition: Form-Data; name=\"a\"", "is not \"form-data; name=\""),
        ("Content-Disposition: attachment; name=\"a\"", "is not \"form-data; name=\""),
        ("Content-Disposition: form-data", "is not \"form-data; name=\""),
    ].map { Refusal(lines: $0, place: $0, reason: $1) }

    private static let parameters = names([
        ("filename=\"x\"; name=\"a\"", "is not \"form-data; name=\""), ("NAME=\"a\"", "is not \"form-data; name=\""),
        ("x=y; name=\"a\"", "is not \"form-data; name=\""), (" name=\"a\"", "is not \"form-data; name=\""),
        ("filename=\"x\"", "is not \"form-data; name=\""),
        ("name=\"a\" ", "other text after its value"), ("name=\"a\";filename=\"b\"", "other text after its value"),
        ("name=\"a\"; FileName=\"a\"", "other text after its value"), ("name=\"a\"; x=y", "other text after its value"),
        ("name=\"a\"; filename*=utf-8''b", "other text after its value"),
        ("name=\"a\"; filename=\"b\"; x=y", "other text after its value"), ("name=a'b", "other text after its value"),
        ("name=a+b", "other text after its value"),
        ("name=", "neither a quoted string"), ("name='a'", "neither a quoted string"),
        ("name=\"a\\b\"", "neither a quoted string"), ("name=\"a\tb\"", "neither a quoted string"),
        ("name=\"a\u{1}b\"", "neither a quoted string"), ("name=\"a\"; filename=\"\u{7F}\"", "neither a quoted string"),
        ("name=\"a\"; filename=\"\(long)\"", "more than 1500 bytes"),
    ])

    private static let values = names([
        ("name=\"\"", "an empty name"), ("name=\"a,b\"", "a comma"), ("name=\"a:b\"", "a comma, colon"),
        ("name=\"a;b\"", "semicolon"), ("name=\"a=b\"", "equals sign"), ("name=\"=?a\"", "equals sign"),
        ("name=\"a[b;]\"", "semicolon"),
        ("name=\"[a]\"", "whose brackets"), ("name=\"[\"", "whose brackets"), ("name=\"a[\"", "whose brackets"),
        ("name=\"a]\"", "whose brackets"), ("name=\"a[b]c\"", "whose brackets"), ("name=\"a[[b]]\"", "whose brackets"),
        ("name=\"a[ b]\"", "whose brackets"), ("name=\"a[b\"", "whose brackets"), ("name=\"a[b]]\"", "whose brackets"),
        ("name=\"a\(String(repeating: "[b]", count: 65))\"", "more than 64 keys"),
        ("name=\"/a\"", "begins with a slash"), ("name=\" a\"", "a space at the edge"),
        ("name=\"a \"", "a space at the edge"), ("name=\" \"", "a space at the edge"),
        ("name=\"\u{FEFF}a\"", "a byte order mark"), ("name=\"a\u{2028}b\"", "line separator"),
        ("name=\"\u{2029}\"", "line separator"), ("name=\"a\"; filename=\"b\u{2028}.txt\"", "line separator"),
        ("name=\"a\"; filename=\" a\"", "a space at the edge"), ("name=\"a\"; filename=\"a \"", "a space at the edge"),
        ("name=\"a\"; filename=\"\u{FEFF}a\"", "a byte order mark"),
        ("name=\"a\"; filename=\"a;b;c\"", "two semicolons"), ("name=\"a\"; filename=\"a=?b\"", "\"=?\""),
        ("name=\"a\"; filename=\"a/\"", "last component"), ("name=\"a\"; filename=\".\"", "last component"),
        ("name=\"a\"; filename=..", "last component"), ("name=\"a\"; filename=\"a/..\"", "last component"),
        ("name=\"a\"; filename=\"\u{200B}\"", "last component"),
        ("name=\"a\"; filename=\"a/. \u{AD}.\"", "last component"),
        ("name=\"a\"; filename=\"\u{E000}\"", "last component"), ("name=\"a\"; filename=\"/\u{A0}\"", "last component"),
    ])

    /// Text that is looked for at other places.
    private static let patterns = names([
        ("name=\"a\"; filename=\"name=\"", "\"name=\" at another place"),
        ("name=\"a\"; filename=\"x FILENAME=y\"", "\"name=\" at another place"),
        ("name=\"content-disposition\"", "at another place than its start"),
        ("name=content-disposition", "at another place than its start"),
        ("name=\"a\"; filename=\"xContent-DISPOSITIONx\"", "at another place than its start"),
        ("name=\"a\"; filename=\"content-id: x\"", "at another place than its start"),
        ("name=\"a\"; filename=\"content-:\"", "at another place than its start"),
        ("name=\"a\"; filename=\"x-Content-x--x:\"", "at another place than its start"),
        ("name=\"a\"; filename=\"content-x content-content-y:\"", "at another place than its start"),
        ("name=\"x--b\"", "the boundary in it"), ("name=x--b", "the boundary in it"),
        ("name=\"a\"; filename=\"\u{E9}---b\"", "the boundary in it"),
    ])

    private static let others = lines([
        ("X: y", "another field"), ("--b: x", "another field"), ("Content-Id: x", "another field"),
        ("Transfer-Encoding: chunked", "another field"), ("Content-type: a/b", "another spelling"),
        ("Content-Type : a/b", "another spelling"), ("content-Length: 1", "another spelling"),
        ("Content-Type: a", "is not type/subtype"), ("Content-Type: a/", "is not type/subtype"),
        ("Content-Type:  a/b", "is not type/subtype"), ("Content-Type: ", "is not type/subtype"),
        ("Content-Type: a b", "is not type/subtype"), ("Content-Type: text;plain", "is not type/subtype"),
        ("Content-Type: text.plain", "is not type/subtype"), ("Content-Type: text:plain", "is not type/subtype"),
        ("Content-Type: a'/b", "is not type/subtype"), ("Content-Type: a/b; c", "is not type/subtype"),
        ("Content-Type: a/b;", "is not type/subtype"), ("Content-Type: a/b;  c=d", "is not type/subtype"),
        ("Content-Type: a/b; c=", "is not type/subtype"), ("Content-Type: a/b; c+d=e", "is not type/subtype"),
        ("Content-Type: a/b; c=\"\\d\"", "is not type/subtype"),
        ("Content-Type: a/b ", "other text after its value"), ("Content-Type: a/b; c=\"d\"e", "other text after"),
        ("Content-Type: a/b c", "other text after its value"),
        ("Content-Type: MULTIPART/b", "multipart/"), ("Content-Type: xmultipart/b", "multipart/"),
        ("Content-Type: a/b; c=\"multipart/d\"", "multipart/"),
        ("Content-Type: a/b; c=\"\u{FEFF}xMultipart/\"", "multipart/"),
        ("Content-Type: message/rfc822", "a message/ type"), ("Content-Type:MESSAGE/x; a=b", "a message/ type"),
        ("Content-Type: Message/a.b", "a message/ type"),
        ("Content-Type: application/x-www-form-urlencoded", "is application/x-www-form-urlencoded"),
        ("content-type:Application/X-WWW-Form-URLEncoded", "is application/x-www-form-urlencoded"),
        ("Content-Type: application/x-www-form-urlencoded; a=b", "is application/x-www-form-urlencoded"),
        ("Content-Type: application/x-www-form-urlencoded;charset=utf-8", "is application/x-www-form-urlencoded"),
        ("Content-Type: a/b; charset=latin1", "a charset"), ("Content-Type: a/b;CHARSET=utf-16", "a charset"),
        ("Content-Type: a/b; charset=utf-8x", "a charset"), ("Content-Type: a/b; charset=utf8", "a charset"),
        ("Content-Type: a/b; c=\"; charset=x\"", "a charset"),
        ("Content-Type: a/b; c=d; charset=\"utf-7\"", "a charset"),
        ("Content-Type: a/b; name=c", "\"name=\" at another place"),
        ("Content-Type: a/b; c=\"content-type:\"", "at another place than its start"),
        ("Content-Type: a/content-disposition", "at another place than its start"),
        ("Content-Type: a/x--b", "the boundary in it"),
        ("Content-Type: application/octet-stream", "without a file name"),
        ("Content-Type: Application/Octet-Stream; a=b", "without a file name"),
        ("Content-Transfer-Encoding: base64", "7bit, 8bit or binary"),
        ("Content-Transfer-Encoding:  7bit", "7bit, 8bit or binary"),
        ("Content-Transfer-Encoding: 7bit; x", "other text after its value"),
        ("Content-Length: +1", "is not a number"), ("Content-Length: ", "is not a number"),
        ("Content-Length: 00000000000000000001", "is not a number"), ("Content-Length: 1x", "other text after"),
    ])

    private static let repetitions = ["Content-Type: a/b", "Content-Length: 1", "Content-Transfer-Encoding: 8bit"].map {
        Refusal(
            lines: "\($0)\r\n\(disposition)\r\n\($0.lowercased())",
            place: $0.lowercased(),
            reason: "repeats a field"
        )
    }

    private static let sections = [
        Refusal(lines: "Content-Type: a/b", place: "Content-Type", reason: "section has no Content-Disposition"),
        // Of several lines, the first at fault.
        Refusal(lines: "X: y\r\nContent-Disposition: form-data; name=\"\"", place: "X", reason: "line 1 has another"),
        Refusal(lines: "\(disposition)\r\nY: z\r\nX: y", place: "Y", reason: "line 2 has another field"),
        Refusal(
            lines: "Content-Type: application/octet-stream\r\n\(disposition)",
            place: "Content-Type",
            reason: "line 1 is application/octet-stream"
        ),
        // A folded line, white space before the first name and a line that lenient mode reads.
        Refusal(lines: "Content-Disposition: form-data;\r\n name=\"a\"", place: "Content-D", reason: "line 1 "),
        Refusal(lines: " \(disposition)", place: " C", reason: "line 1 has another field"),
    ]

    static let refusals = dispositions + parameters + values + patterns + others + repetitions + sections

    @Test(arguments: refusals) func `strict mode refuses the line at fault, and says why`(refusal: Refusal) throws {
        let start = "--b\r\n"
        let text = "\(start)\(refusal.lines)\r\n\r\n1\r\n--b--\r\n"
        let place = try #require(refusal.lines.utf8.firstRange(of: refusal.place.utf8)?.lowerBound)
        let line = refusal.lines.utf8.distance(from: refusal.lines.startIndex, to: place)
        let offset = UInt64(start.utf8.count + (refusal.reason.hasPrefix("section") ? 0 : line))
        #expect(throws: Never.self) { try form(text, .lenient) }
        for error in errors(of: Array(text.utf8)) {
            try #require(error?.code == .ambiguousHeader && error?.offset == offset, "\(String(describing: error))")
            try #require(error?.description.contains(refusal.reason) == true, "\(String(describing: error))")
        }
    }

    /// What lenient mode refuses has its error.
    @Test(arguments: [
        ("Content-Disposition: form-data; name=\"a\" x", "malformed-content-disposition"),
        ("Content-Disposition: form-data; name=\"\"; name=\"a\"", "duplicate-parameter"),
        ("X: y\r\nContent-Disposition: form-data; name=\"a", "malformed-content-disposition"),
        ("\(disposition)\r\n\(disposition)", "duplicate-header"),
        ("X: y\r\nno colon\r\n\(disposition)", "malformed-header"),
        (
            "Content-Disposition: form-data; name=\"a\(String(repeating: "\u{301}", count: 31))\"",
            "too-many-combining-marks"
        ),
    ])
    func `what lenient mode refuses has the same error in strict mode`(lines: String, code: String) throws {
        let text = "--b\r\n\(lines)\r\n\r\n1\r\n--b--\r\n"
        let lenient = #expect(throws: MultipartError.self) { try form(text, .lenient) }
        #expect(lenient?.code.description == code)
        for error in errors(of: Array(text.utf8)) { try #require(error == lenient, "\(String(describing: error))") }
    }

    @Test func `bytes that are not UTF-8 are refused`() throws {
        for line in [
            "name=\"\u{E9}\"", "name=\"a\"; filename=\"\u{E9}\"", "name=\"a\"\r\nContent-Type: a/b; c=\"\u{E9}\"",
        ] {
            let text = "--b\r\nContent-Disposition: form-data; \(line)\r\n\r\n1\r\n--b--\r\n"
            let bytes = text.unicodeScalars.map { UInt8($0.value) }
            for error in errors(of: bytes) { try #require(error?.description.contains("is not UTF-8") == true) }
        }
    }

    private static let marks = String(repeating: "\u{301}", count: 30)

    @Test(arguments: [
        disposition, "content-disposition: form-data; name=a",
        "Content-Disposition: form-data; name=a_b-c.1; filename=x.y",
        "Content-Disposition: form-data; name=a; filename=\"b\"",
        "\(disposition); filename=\"\"", "\(disposition); filename=\"\(String(long.dropLast(2)))\"",
        "Content-Disposition: form-data; name=\"o'x y|z?\"; filename=\"a'b, c: d.txt\"",
        "Content-Disposition: form-data; name=\"a\(marks)\"",
        "Content-Disposition: form-data; name=\"\u{E9}\u{20AC}\u{1F600}\"",
        "Content-Disposition: form-data; name=\"a[]\"", "Content-Disposition: form-data; name=\"a[b c][][d]\"",
        "Content-Disposition: form-data; name=\"a/b\"", "Content-Disposition: form-data; name=\"a-diff--c\"",
        "Content-Disposition: form-data; name=\"a\(String(repeating: "[]", count: 64))\"",
        "Content-Disposition: form-data; name=\"a\u{FEFF}\"; filename=\"a/b;c=d\"", "\(disposition); filename=\"...\"",
        "\(disposition); filename=\"a/.b\"", "\(disposition); filename=\"x/\u{200B}y\"",
        "\(disposition); filename=\".. .\"",
        "\(disposition); filename=\"content-x y: filename\"", "\(disposition); filename=\"--\"",
        "\(disposition); filename=\"content-content-x content- \u{E2}\u{2027}\"",
        "\(disposition)\r\nContent-Type: image/svg+xml", "\(disposition)\r\ncontent-type:a/b;c=\"d;/\";e=f",
        "\(disposition)\r\nContent-Type: text/plain; charset=UTF-8",
        "\(disposition)\r\nContent-Type: a/b; charset=\"utf-8\"",
        "\(disposition)\r\nContent-Type: text/plain;charset=utf-8;c=d", "\(disposition)\r\nContent-Type: !#$&^_.+-/x",
        "\(disposition)\r\nContent-Type: multipartx/y", "\(disposition)\r\nContent-Type: a/multipart",
        "\(disposition)\r\nContent-Type: application/octet-streamx",
        "\(disposition)\r\nContent-Type: messages/x", "\(disposition)\r\nContent-Type: xmessage/x",
        "\(disposition)\r\nContent-Type: example/message", "\(disposition)\r\nContent-Type: a/b; c=\"message/rfc822\"",
        "\(disposition)\r\nContent-Type: application/x-www-form-urlencode",
        "\(disposition)\r\nContent-Type: application/x-www-form-urlencodes",
        "\(disposition)\r\nContent-Type: application/x-www-form-urlencoded.b",
        "\(disposition)\r\nContent-Type: a/b; c=\"application/x-www-form-urlencoded\"",
        "\(disposition); filename=\"f\"\r\nContent-Type: application/octet-stream",
        "Content-Length:1\r\nContent-Transfer-Encoding: BiNaRy\r\nContent-Type: a/b\r\n\(disposition)",
        "\(disposition)\r\ncontent-length: 0000000000000000001",
    ])
    func `strict mode accepts what resembles these, and finds what lenient mode finds`(lines: String) throws {
        let body = lines.contains("filename=\"\"") ? "" : "1"
        let text = "--b\r\n\(lines)\r\n\r\n\(body)\r\n--b--\r\n"
        for error in errors(of: Array(text.utf8)) { try #require(error == nil) }
        let (strict, lenient) = (try form(text, ParsingMode.strict)[0], try form(text, ParsingMode.lenient)[0])
        #expect(
            strict.headers == lenient.headers && strict.name?.utf8.elementsEqual(lenient.name?.utf8 ?? "".utf8) == true
        )
        #expect(strict.filename == lenient.filename && strict.contentType == lenient.contentType)
    }

    @Test func `a line has at most 1500 bytes, and a name at most 64 keys`() {
        #expect("\(Self.disposition); filename=\"\(Self.long.dropLast(2))\"".utf8.count == 1500)
    }

    @Test func `a part of a nested message has any disposition type, and needs no name`() throws {
        let headers: HeaderFields = ["Content-Type": "multipart/mixed; boundary=b"]
        let rows: [(String, isAccepted: Bool)] = [
            ("Content-Disposition: file; filename=\"a\"", true), ("content-disposition: attachment", true),
            ("Content-Disposition: form-data; name=\"a\"; filename=b", true),
            ("Content-Disposition: file; name=a", true),
            ("Content-Type: text/plain", false), ("Content-Disposition: file; name=\"a;b\"", false),
            ("Content-Disposition: file; x=y", false), ("Content-Disposition: a+b", false),
            ("Content-Disposition: file\r\nContent-Type: application/octet-stream", false),
        ]
        for (lines, isAccepted) in rows {
            var parser = try MultipartParser(nestedIn: headers, options: .strict)
            parser.append(Data("--b\r\n\(lines)\r\n\r\n1\r\n--b--\r\n".utf8))
            parser.finish()
            let error = MultipartError.catching { while try parser.next() != nil {} }
            switch error {
            case .success: #expect(isAccepted, "\(lines)")
            case .failure(let error): #expect(!isAccepted && error.code == .ambiguousHeader, "\(lines)")
            }
        }
    }

    @Test func `limits count before the grammar`() throws {
        let text = "--b\r\n\(Self.disposition)\r\nContent-Type: a/b\r\n\r\n1\r\n--b--\r\n"
        var options = MultipartParser.Options.strict
        options.maxHeaderCount = 1
        #expect(throws: MultipartError(ErrorCode.limitHeaderCount, offset: 47, partIndex: 0)) {
            try form(text, options)
        }
        options.maxHeaderCount = 2
        options.maxHeaderBytes = "\(Self.disposition)\r\nContent-Type: a/b\r\n\r\n".utf8.count
        #expect(throws: Never.self) { try form(text, options) }
        options.maxHeaderBytes -= 1
        let error = #expect(throws: MultipartError.self) { try form(text, options) }
        #expect(error?.code == ErrorCode.limitHeaderBytes)
    }

    private func form(_ text: String, _ mode: ParsingMode) throws -> MultipartFormData {
        try form(text, MultipartParser.Options(mode: mode))
    }

    private func form(_ text: String, _ options: MultipartParser.Options) throws -> MultipartFormData {
        let contentType = "multipart/form-data; boundary=b"
        return try MultipartFormData(parsing: Data(text.utf8), contentType: contentType, options: options)
    }

    /// The errors of strict mode at every cut in two, and byte by byte.
    private func errors(of bytes: [UInt8]) -> [MultipartError?] {
        let message = Data(bytes)
        let cuts = (0...message.count).map { ChunkSplitter.halves(of: message, at: $0) }
        return (cuts + [ChunkSplitter.pieces(of: message, size: 1)]).map {
            ParsedMessage($0, boundary: "b", options: .strict).error
        }
    }
}
