import Foundation
import MultipartFormCodec
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
        #expect(safeName(filename) == safe)
    }

    @Test(
        arguments: [
            0x00, 0x1F, 0x7F, 0x80, 0x85, 0x9F, 0x61C, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A, 0x202B, 0x202C, 0x202D,
            0x202E, 0x2066, 0x2067, 0x2068, 0x2069,
        ] as [UInt32]
    )
    func `a safe file name has nothing that breaks a line or changes the text direction`(value: UInt32) throws {
        let character = String(try #require(Unicode.Scalar(value)))
        #expect(safeName("invoice\(character)fdp.exe") == "invoicefdp.exe")
        #expect(safeName(".\(character).") == nil)
        #expect(safeName("a/\(character)") == nil)
    }

    @Test func `a safe file name keeps the characters that join others`() {
        #expect(safeName("\u{1F3F3}\u{FE0F}\u{200D}\u{1F308}.png") == "\u{1F3F3}\u{FE0F}\u{200D}\u{1F308}.png")
    }

    @Test(
        arguments: [
            // Exactly at the limit, and one over.
            (("a", 255), "", 255), (("a", 256), "", 255), (("a", 251), ".txt", 251), (("a", 252), ".txt", 251),
            // Characters of several bytes, and of several scalars.
            (("\u{E9}", 200), ".txt", 125), (("\u{1F600}", 64), "", 63), (("e\u{301}", 100), "", 85),
            (("\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", 20), ".jpeg", 13), (("\u{1F1E9}\u{1F1EA}", 33), "", 31),
            // An extension counts up to 32 bytes, and not at the start.
            (("a", 300), ".\(String(repeating: "x", count: 31))", 223),
        ] as [((String, Int), String, Int)]
    )
    func `a safe file name is cut between characters before its extension`(
        stem: (character: String, count: Int),
        pathExtension: String,
        kept: Int
    ) throws {
        let name = String(repeating: stem.character, count: stem.count) + pathExtension
        let safe = try #require(safeName(name))
        #expect(safe == String(repeating: stem.character, count: kept) + pathExtension)
        #expect(safe.utf8.count <= 255)
    }

    @Test func `an extension that is no extension is cut like the rest`() {
        let long = String(repeating: "x", count: 32)
        let stem = String(repeating: "a", count: 250)
        #expect(safeName("\(stem).\(long)") == "\(stem).xxxx")
        let hidden = "." + String(repeating: "a", count: 300)
        #expect(safeName(hidden) == String(hidden.prefix(255)))
    }

    @Test func `one character that is too long leaves no safe file name`() {
        let marks = String(repeating: "\u{301}", count: 200)
        #expect(safeName("e\(marks)") == nil)
        #expect(safeName("e\(marks).txt") == nil)
        #expect(safeName("ae\(marks).txt") == "a.txt")
    }

    @Test(arguments: 1...6)
    func `a safe file name equals the naive one`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let pieces = [
            "a", ".", "/", "\u{E9}", "e\u{301}", "\u{301}", "\u{600}", "\u{1F1E9}", "\u{1F468}\u{200D}", "\u{1F600}",
            "\u{202E}", "\u{2028}", "\u{85}", "\u{200E}", "\u{D55C}", "\u{1112}", "\u{1161}", " ", "-", "x.txt",
        ]
        for _ in 0..<100 {
            // Few kinds of pieces per name, so that some names have only one.
            let kinds = pieces.shuffled(using: &generator).prefix(Int.random(in: 1...6, using: &generator))
            let count = Int.random(in: 0...200, using: &generator)
            let name = (0..<count).compactMap { _ in kinds.randomElement(using: &generator) }.joined()
            try FuzzTarget.disposition.check(Array("form-data; name=a; filename=\"\(name)\"".utf8))
        }
    }

    private func safeName(_ filename: String) -> String? {
        BodyPart(Data(), name: "f", filename: filename).safeFilename
    }

    @Test func `a part that is no file has no safe file name`() throws {
        #expect((["Content-Disposition": "form-data; name=f"] as HeaderFields).safeFilename == nil)
        #expect(BodyPart("", name: "f").safeFilename == nil)
    }

    @Test func `all parameters are kept as they were sent`() throws {
        let value = "Form-Data; NAME=a; x=\"y\\\"z\"; valueless; filename*=utf-8''%41; filename=b"
        let disposition = try ContentDisposition(parsing: value)
        #expect(disposition.type == "Form-Data")
        #expect(disposition.parameters.map(\.name) == ["NAME", "x", "valueless", "filename*", "filename"])
        #expect(disposition.parameters.map(\.value) == ["a", "y\"z", "", "utf-8''%41", "b"])
        #expect(disposition.name == "a" && disposition.filename == "A")
    }

    @Test(arguments: [
        ("form-data; name=\"a\" (comment)", "malformed-content-disposition"),
        ("form-data; name=\"a\"; name=b", "duplicate-parameter"), ("", "malformed-content-disposition"),
        ("form-data; name=\"a\r\nX: y\"", "invalid-header-character"),
    ])
    func `a value that cannot be parsed is refused with its code`(value: String, code: String) {
        #expect { try ContentDisposition(parsing: value) } throws: {
            ($0 as? MultipartError)?.code.description == code
        }
    }

    @Test func `a value is read without the white space around it`() throws {
        let disposition = try ContentDisposition(parsing: " form-data ; name=\"a\" ")
        #expect(disposition.name == "a" && disposition.type == "form-data")
    }

    @Test func `a value has no line break and no NUL`() {
        for byte in UInt8(0)..<128 where byte < 0x20 || byte == 0x7F {
            let value = "form-data; name=\"a\(Unicode.Scalar(byte))b\""
            let isRefused = [0, 10, 13].contains(byte)
            let result = MultipartError.catching { try ContentDisposition(parsing: value) }
            switch result {
            case .success(let disposition): #expect(!isRefused && disposition.name?.utf8.count == 3, "\(byte)")
            case .failure(let error):
                #expect(isRefused && error == MultipartError(.invalidHeaderCharacter, offset: 18), "\(byte)")
            }
        }
    }

    @Test func `offsets are those of the value as it was passed`() {
        #expect(throws: MultipartError(.duplicateParameter, offset: 21)) {
            try ContentDisposition(parsing: " \tform-data; name=a; name=b")
        }
    }

    @Test(arguments: [
        ("form-data; name=a; filename=\"/tmp/a\tb.txt\"", "ab.txt"), ("form-data; filename*=utf-8''%2e%2e%2Fb", "b"),
        ("form-data; filename=..", nil),
    ])
    func `header fields have a safe file name`(value: String, safe: String?) {
        #expect((["Content-Disposition": value] as HeaderFields).safeFilename == safe)
    }

    @Test func `a safe file name keeps what no file system refuses`() {
        for name in [
            "...", ".a", "a.", " ", "~", "a b", "\u{AD}", "\u{200B}", "\u{FEFF}", "a:b", "*", "\u{E000}", "CON",
        ] {
            #expect(safeName(name) == name, "\(name)")
        }
    }
}
