import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// Uploads that clients send, of which `inspect` must not say that their content is something else.
struct HonestUploadTests {
    /// What a note may say of an honest upload. Each such note is about the way in which it is sent.
    private static let allowed = [
        "before the first delimiter", "after the close delimiter", "lines end in LF alone", "parts: Tomcat refuses",
        ": has type ", "file name is a path: ", "UTF-8 encoded twice: ", "Content-Transfer-Encoding is ",
    ]

    private static func notes(_ message: Data, _ boundary: Boundary) throws -> [String] {
        try Findings.lines(message, boundary).filter { line in
            line.hasPrefix("note: ") && !allowed.contains(where: line.contains)
        }
    }

    @Test func `the content of what a client sent is not doubted`() throws {
        for sent in Recording.all {
            #expect(try Self.notes(sent.body, Boundary(contentType: sent.contentType, mode: .lenient)) == [], "\(sent)")
        }
    }

    @Test func `the content of a valid message is not doubted`() throws {
        for name in Fixtures.names(in: "conformance/parse") {
            let example = try Fixtures.json(ParseCase.self, "conformance/parse/\(name).json")
            guard example.outcome(.strict).parts != nil else { continue }
            let body = try Fixtures.data("conformance/parse/\(name).body")
            #expect(try Self.notes(body, Boundary(contentType: example.contentType, mode: .lenient)) == [], "\(name)")
        }
    }

    /// The first bytes of files of 30 types, by extension.
    private static let signatures: [(pathExtension: String, bytes: [UInt8])] = [
        ("png", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]), ("jpg", [0xFF, 0xD8, 0xFF, 0xE0]),
        ("jpeg", [0xFF, 0xD8, 0xFF, 0xE1]), ("gif", Array("GIF89a".utf8)),
        ("webp", Array("RIFF\u{4}\u{1}\0\0WEBPVP8L".utf8)), ("heic", Array("\0\0\0\u{18}ftypheic".utf8)),
        ("heif", Array("\0\0\0\u{18}ftypmif1".utf8)), ("avif", Array("\0\0\0\u{18}ftypavif".utf8)),
        ("pdf", Array("%PDF-1.7\n%\u{E2}".utf8)), ("zip", [0x50, 0x4B, 3, 4]), ("zip", [0x50, 0x4B, 5, 6]),
        ("docx", [0x50, 0x4B, 3, 4]), ("xlsx", [0x50, 0x4B, 3, 4]), ("epub", [0x50, 0x4B, 3, 4]),
        ("gz", [0x1F, 0x8B, 8]),
        ("tgz", [0x1F, 0x8B, 8]), ("mp4", Array("\0\0\0\u{18}ftypmp42".utf8)),
        ("mov", Array("\0\0\0\u{14}ftypqt  ".utf8)),
        ("mp3", Array("ID3\u{3}".utf8)), ("wav", Array("RIFF\u{4}\u{1}\0\0WAVEfmt ".utf8)), ("ogg", Array("OggS".utf8)),
        ("bmp", Array("BM".utf8)), ("tiff", [0x49, 0x49, 0x2A, 0]), ("ico", [0, 0, 1, 0]),
        ("7z", [0x37, 0x7A, 0xBC, 0xAF]),
        ("wasm", [0, 0x61, 0x73, 0x6D]), ("sqlite", Array("SQLite format 3\0".utf8)), ("woff2", Array("wOF2".utf8)),
        ("bin", []), ("dat", []), ("psd", Array("8BPS".utf8)),
    ]

    /// Values of fields, and contents of text files.
    private static let texts = [
        "", "a", "it's", "'", "''a", "null", "Array", "0\r\n\r\n", "5\r\nhello\r\n0\r\n\r\n", "{\"body\": \"LS0x\"}",
        "[45, 45]",
        "curl https://a.example", "<p>\u{FFFD}</p>", "M\u{FC}ller\u{A0}& S\u{F6}hne", "山田\u{3000}太郎", "a@example.com",
        "b@cafe.example", "System", "iVBORw0KGgo=", "--", "-- \r\nAda", "@ada", "data:,a", "<b>a</b>",
        "\u{1F468}\u{200D}\u{1F4BB}",
        #"print(b'--x\r\nContent-Disposition: form-data')"#, "POST https://a.example", "%0D%0AContent-Type", "GIF89a",
        "(a)",
        "#<a", "<https://a.example>",
    ]

    @Test func `forms with files of thirty types, and with any text, get no such note`() throws {
        for seed in UInt64(0)..<2000 {
            var generator = SeededGenerator(seed: seed)
            var form = MultipartFormData(boundary: .random(using: &generator))
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let text = Self.texts.randomElement(using: &generator) ?? ""
                guard Bool.random(using: &generator) else {
                    let isFile = Bool.random(using: &generator)
                    let (filename, type) = isFile ? ("it's a.txt", "text/plain") : (nil, nil)
                    form.append(Data(text.utf8), withName: "it's", fileName: filename, mimeType: type)
                    continue
                }
                let (pathExtension, signature) = Self.signatures.randomElement(using: &generator) ?? ("bin", [])
                let filename = "a.\(pathExtension)"
                let length = [0, 1, 20, 1500].randomElement(using: &generator) ?? 0
                let content = signature + (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
                // Without a type, the form gives the one of the extension.
                let type = Int.random(in: 0..<4, using: &generator) == 0 ? "application/octet-stream" : nil
                form.append(Data(content), withName: "f", fileName: filename, mimeType: type)
            }
            let notes = try Self.notes(form.encode(), form.boundary)
            #expect(notes == [], "seed \(seed)")
        }
    }
}
