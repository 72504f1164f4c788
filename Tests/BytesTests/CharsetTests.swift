import Foundation
import MultipartFormCodec
import TestSupport
import Testing

@Suite struct CharsetTests {
    private static let encodings: [(name: String, encoding: String.Encoding)] = [
        ("UTF-8", .utf8), ("us-ascii", .ascii), ("latin1", .isoLatin1), ("windows-1252", .windowsCP1252),
        ("UTF-16", .utf16), ("utf-16be", .utf16BigEndian), ("utf-16le", .utf16LittleEndian),
    ]

    /// The text, or the offset of the byte that is not of the character set.
    private static func decode(_ bytes: [UInt8], _ name: String) throws -> (text: String?, offset: Int) {
        do throws(any Error) {
            return (try BodyPart(Data(bytes), name: "a").text(defaultCharset: name), 0)
        } catch let error as MultipartError where error.code == .undecodableText {
            return (nil, Int(try #require(error.offset)))
        }
    }

    @Test(arguments: encodings.indices)
    func `bytes are decoded as Foundation decodes them, and an error is at the first that is not text`(
        index: Int
    ) throws {
        let (name, encoding) = Self.encodings[index]
        var generator = SeededGenerator(seed: 1)
        let scalars: [Unicode.Scalar] = ["a", "\u{E9}", "\u{20AC}", "\u{FEFF}", "\u{1F600}", "\u{7F}"]
        for _ in 0..<500 {
            var text = ""
            for _ in 0..<Int.random(in: 0..<8, using: &generator) {
                text.unicodeScalars.append(scalars.randomElement(using: &generator) ?? "a")
            }
            var bytes = Array(text.data(using: encoding) ?? Data(text.utf8))
            if Bool.random(using: &generator), let position = bytes.indices.randomElement(using: &generator) {
                bytes[position] = [0, 0x41, 0x81, 0xD8, 0xDC, 0xFE, 0xFF].randomElement(using: &generator) ?? 0
            }
            if Int.random(in: 0..<8, using: &generator) == 0 { bytes.removeLast(min(1, bytes.count)) }
            let (decoded, offset) = try Self.decode(bytes, name)
            let isWhole = bytes.count.isMultiple(of: name.contains("16") ? 2 : 1)
            // Foundation drops an incomplete code unit, and a byte order mark in UTF-8.
            var expected = isWhole ? String(data: Data(bytes), encoding: encoding) : nil
            if encoding == .utf8, bytes.starts(with: "\u{FEFF}".utf8) { expected = expected.map { "\u{FEFF}" + $0 } }
            try #require(decoded.map { Array($0.utf8) } == expected.map { Array($0.utf8) }, "\(bytes)")
            guard decoded == nil else { continue }
            let prefix = try Self.decode(Array(bytes.prefix(offset)), name).text
            try #require(prefix != nil, "what is before byte \(offset) of \(bytes) is text")
        }
    }

    @Test(
        arguments: [
            ([0xD800, 0xDC00], "\u{10000}"), ([0xD800, 0xDFFF], "\u{103FF}"), ([0xDBFF, 0xDC00], "\u{10FC00}"),
            ([0xDBFF, 0xDFFF], "\u{10FFFF}"), ([0xD7FF], "\u{D7FF}"), ([0xE000], "\u{E000}"), ([0xD800], nil),
            ([0xD800, 0xDBFF], nil), ([0xD800, 0xE000], nil), ([0xDC00, 0xDC00], nil), ([0xDFFF, 0xDC00], nil),
        ] as [([UInt16], String?)]
    )
    func `a character of UTF-16 is one unit, or a high and a low surrogate`(units: [UInt16], text: String?) throws {
        let bytes = units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        let swapped = units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        for (bytes, name) in [(bytes, "utf-16be"), (swapped, "utf-16le")] {
            let decoded = try Self.decode(bytes, name)
            #expect(decoded.text == text && decoded.offset == 0, "\(name)")
        }
    }

    @Test func `each byte of windows-1252 and ASCII is the character that Foundation knows`() throws {
        for byte in UInt8.min...UInt8.max {
            #expect(try Self.decode([byte], "us-ascii").text == String(data: Data([byte]), encoding: .ascii))
            #expect(try Self.decode([byte], "cp1252").text == String(data: Data([byte]), encoding: .windowsCP1252))
        }
    }

    @Test func `each character of windows-1252 and ISO-8859-1 has its byte, and no other has one`() throws {
        for byte in UInt8.min...UInt8.max {
            #expect(Charset.windows1252Byte(Unicode.Scalar(byte)) == byte)
            guard let text = String(data: Data([byte]), encoding: .windowsCP1252) else { continue }
            #expect(Charset.windows1252Byte(try #require(text.unicodeScalars.first)) == byte)
        }
        for scalar in ["\u{100}", "\u{20AB}", "\u{20AD}", "\u{1F600}"] as [Unicode.Scalar] {
            #expect(Charset.windows1252Byte(scalar) == nil)
        }
    }

    @Test(arguments: ["koi8-r", "", "utf-8\u{301}", "utf-7", "utf-32", "utf-32le"])
    func `an unknown character set has no text`(name: String) {
        #expect(throws: MultipartError(.undecodableText)) {
            try BodyPart("A", name: "a").text(defaultCharset: name)
        }
    }

    @Test(
        arguments: [
            ("\u{E9}", "utf-8", true), ("\u{E9}", "UTF8", true), ("\u{E9}", "koi8-r", false), ("e", "koi8-r", true),
            ("\u{E9}", "iso-8859-1", false), ("e", "us-ascii", true), ("e", "utf-16", false),
            ("e", "utf-32", false), ("e", "UTF-32BE", false), ("e", "utf-32-le", true),
        ]
    )
    func `text is sent under the name of a character set only if its bytes are that text there`(
        text: String,
        charset: String,
        isSent: Bool
    ) {
        let part = BodyPart(text, name: "a", contentType: "text/plain; charset=\(charset)")
        #expect(part.error?.code == (isSent ? nil : .invalidHeaderValue))
    }
}
