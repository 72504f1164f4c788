import Foundation
import MultipartFormCodec
import TestSupport
import Testing

@Suite struct ASCIITests {
    private static let contentType = "multipart/form-data; boundary=b"

    /// RFC 9110 §5.6.2.
    private static let tokenCharacters = Set(
        "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8
    )

    /// RFC 2046 §5.1.1, without the comma.
    private static let boundaryCharacters = Set(
        "'()+_-./:=? 0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8
    )

    @Test func `a token has the characters of RFC 9110 and no others`() {
        for byte in UInt8.min ... .max {
            #expect(ASCII.isTokenCharacter(byte) == Self.tokenCharacters.contains(byte), "\(byte)")
        }
    }

    @Test func `a plain token has letters, digits, hyphens, periods and underscores, and no others`() {
        for byte in UInt8.min ... .max {
            let isPlain = Self.tokenCharacters.contains(byte) && !"!#$%&'*+^`|~".utf8.contains(byte)
            #expect(ASCII.isPlainTokenCharacter(byte) == isPlain, "\(byte)")
        }
    }

    @Test func `a boundary has the characters of RFC 2046 but the comma, and no others`() {
        for byte in UInt8.min..<0x80 {
            let boundary = try? Boundary(parsing: "a\(Unicode.Scalar(byte))b")
            #expect((boundary != nil) == Self.boundaryCharacters.contains(byte), "\(byte)")
        }
    }

    @Test func `a hexadecimal digit has its value, and no other byte has one`() {
        for byte in UInt8.min ... .max {
            let digit = Character(Unicode.Scalar(byte))
            let value = digit.isASCII ? digit.hexDigitValue : nil
            #expect(ASCII.hexadecimalValue(byte).map { Int($0) } == value, "\(byte)")
        }
    }

    @Test func `a range is trimmed only between its bounds`() {
        let bytes = ContiguousArray(" \ta \tb\t ".utf8)
        for range in (0...bytes.count).flatMap({ end in (0...end).map { $0..<end } }) {
            let trimmed = ASCII.trimmingWhitespace(bytes.span, range)
            let isText = range.filter { bytes[$0] > 0x20 }
            let expected = isText.first.map { $0..<(isText.last ?? $0) + 1 } ?? range.upperBound..<range.upperBound
            #expect(trimmed == expected, "\(range)")
        }
    }

    @Test(arguments: ["Content-Disposition", "Content-Type"])
    func `a field whose name differs in one letter is not that one`(name: String) throws {
        for index in name.indices {
            let other = name.replacingCharacters(in: index...index, with: "x")
            let message = "--b\r\n\(other): form-data; name=\"n\"\r\n\r\n\r\n--b--\r\n"
            let form = try MultipartFormData(parsing: Data(message.utf8), contentType: Self.contentType)
            #expect(form.first?.name == nil && form.first?.contentType == nil, "\(other)")
        }
    }

    @Test(arguments: ["a", " a", "a ", "\ta b\t ", "", "  "])
    func `white space around a value is not part of it`(sent: String) throws {
        let value = sent.trimmingCharacters(in: .whitespaces)
        // In place, and as a copy of a folded section.
        for fold in ["", "X-Fold: b\r\n c\r\n"] {
            let fields = "Content-Disposition: form-data; name=\"n\"\r\nX-Value:\(sent)\r\n\(fold)"
            let message = "--b\r\n\(fields)\r\n\r\n--b--\r\n"
            let form = try MultipartFormData(
                parsing: Data(message.utf8),
                contentType: "multipart/form-data; boundary=b"
            )
            #expect(form["n"]?.headers["X-Value"] == value, "\(fold)")
        }
    }

    @Test(arguments: ["Content-Dispositiox", "Content-Disposition-", "Content-Types", "Content-Typo"])
    func `a field whose name only begins like another is not that one`(name: String) throws {
        let message = "--b\r\n\(name): form-data; name=\"n\"\r\n\r\n\r\n--b--\r\n"
        let form = try MultipartFormData(parsing: Data(message.utf8), contentType: Self.contentType)
        let part = try #require(form.first)
        #expect(part.name == nil)
        #expect(part.contentType == nil)
        #expect(part.headers.map(\.name) == [name])
    }

    @Test(arguments: [
        ("Content-Disposition", "Content-Type"), ("content-disposition", "content-type"),
        ("CONTENT-DISPOSITION", "CONTENT-TYPE"), ("Content-disposition", "cONTENT-tYPE"),
    ])
    func `a field's name is known in any letter case`(disposition: String, type: String) throws {
        let fields = "\(disposition): form-data; name=\"n\"\r\n\(type): a/b"
        let message = "--b\r\n\(fields)\r\n\r\n\r\n--b--\r\n"
        let part = try #require(try MultipartFormData(parsing: Data(message.utf8), contentType: Self.contentType).first)
        #expect(part.name == "n" && part.contentType == "a/b")
        let headers = HeaderFields([
            HeaderField(name: disposition, value: "form-data; name=\"n\""), HeaderField(name: type, value: "a/b"),
        ])
        #expect(headers.name == "n" && headers.contentType == "a/b")
    }
}
