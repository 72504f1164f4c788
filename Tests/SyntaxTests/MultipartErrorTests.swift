import Foundation
import MultipartFormCodec
import TestSupport
import Testing

@Suite struct MultipartErrorTests {
    static let errors: [(error: MultipartError, description: String, status: Int)] = [
        (
            MultipartError(ErrorCode.limitHeaderBytes, offset: 20481, partIndex: 3, limit: 16384),
            "part 3: header section or padding exceeds 16384 bytes (at offset 20481)", 413
        ),
        (
            MultipartError(.limitPartBytes, offset: 5_243_222, partIndex: 2, partName: "avatar", limit: 5_242_880),
            "part 2 \"avatar\": body exceeds 5242880 bytes (at offset 5243222)", 413
        ), (MultipartError(.missingName, partIndex: 2), "part 2: part has no name", 500),
        (MultipartError(.missingName, offset: 7, partIndex: 2), "part 2: part has no name (at offset 7)", 400),
        (
            MultipartError(.limitDiskBytes, offset: 9, partIndex: 3, limit: 7),
            "part 3: content on disk exceeds 7 bytes (at offset 9)", 413
        ),
        (
            MultipartError(.unsupportedMediaType, offset: 0),
            "media type is not multipart/form-data (at offset 0)", 415
        ), (MultipartError(.invalidBoundary), "boundary is not valid", 500),
        (
            MultipartError(.outputStreamWriteFailed, partIndex: 0, partName: "f", underlyingError: POSIXError(.ENOSPC)),
            "part 0 \"f\": output cannot be written (No space left on device)", 500
        ),
        (
            MultipartError(.bodyPartFileIsDirectory, partIndex: 1, partName: "f", path: "/a \"b\"\u{1B}"),
            #"part 1 "f": file is a directory: /a \"b\"\u{1B}"#, 500
        ),
        (
            MultipartError(.bodyPartLengthMismatch, partIndex: 0, expectedLength: 5, actualLength: 3),
            "part 0: content has 3 bytes, not the declared 5", 500
        ),
        (
            MultipartError(.bodyPartLengthMismatch, expectedLength: 5, actualLength: 6),
            "content has at least 6 bytes, not the declared 5", 500
        ),
        (
            MultipartError(.inputStreamReadFailed, partIndex: 1, underlyingError: MultipartError(.bareCR, offset: 3)),
            "part 1: content cannot be read (CR without LF in a header line (at offset 3))", 400
        ),
    ]

    @Test(arguments: errors.indices)
    func `an error has a text and a status`(index: Int) {
        let (error, description, status) = Self.errors[index]
        #expect(error.description == description)
        // Programs show this for an error whose type they do not know.
        let unknown: any Error = error
        #expect(unknown.localizedDescription == description)
        #expect(error.httpStatus == status)
    }

    @Test(arguments: [
        ("a\u{0}\r\n\u{202E}\u{7F}\"\\z", #"a\u{0000}\r\n\u{202E}\u{7F}\"\\z"#),
        (String(repeating: "x", count: 65), String(repeating: "x", count: 64)),
        (String(repeating: "\u{E9}", count: 1000), String(repeating: "\u{E9}", count: 64)),
        (String(repeating: "\u{0}", count: 1000), String(repeating: #"\u{0000}"#, count: 8)),
    ])
    func `a peer's name is printable and at most 64 characters long`(name: String, printed: String) {
        let error = MultipartError(.partRejected, offset: 0, partIndex: 0, partName: name)
        #expect(error.partName == name)
        let text = error.description
        #expect(text.hasPrefix("part 0 \"") && text.hasSuffix("\": part was rejected (at offset 0)"))
        let shown = text.dropFirst(8).dropLast("\": part was rejected (at offset 0)".count)
        #expect(shown.unicodeScalars.count <= 64)
        #expect(shown.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
        #expect(String(shown).lowercased() == printed.lowercased() || name.unicodeScalars.contains("\0"))
    }

    @Test func `errors are equal by code, offset and part`() {
        let error = MultipartError(.bareLF, offset: 3, partIndex: 1)
        let other = MultipartError(.bareLF, offset: 3, partIndex: 1, partName: "a", limit: 5, path: "x")
        #expect(error == other)
        #expect(Set([error, other]).count == 1)
        #expect(error != MultipartError(.bareCR, offset: 3, partIndex: 1))
        #expect(error != MultipartError(.bareLF, offset: 4, partIndex: 1))
        #expect(error != MultipartError(.bareLF, offset: 3))
        #expect(MemoryLayout<MultipartError>.size == MemoryLayout<Int>.size)
    }

    @Test func `a code's text is its name in lower case, with hyphens`() throws {
        let library = Fixtures.directory.deletingLastPathComponent()
            .appendingPathComponent("Sources/MultipartFormCodec")
        let rows = try ["MultipartError+Code.swift", "ErrorCode.swift"].flatMap { name in
            try String(contentsOf: library.appendingPathComponent("Syntax/\(name)"), encoding: .utf8)
                .matches(of: /static let (\w+) = (?:Self|MultipartError\.Code)\("([a-z0-9-]+)"\)/)
                .map { (name: String($0.1), text: String($0.2)) }
        }
        #expect(rows.count > 55)
        for row in rows { #expect(row.text.filter { $0 != "-" } == row.name.lowercased()) }
        #expect(MultipartError.Code("unexpected-end") == .unexpectedEnd)
    }

    @Test func `an error keeps what it was made with`() {
        struct Cause: Error {}
        let error = MultipartError(
            .limitPartBytes,
            "a reason",
            offset: 1,
            partIndex: 2,
            partName: "n",
            limit: 3,
            limitName: "l",
            path: "p",
            expectedLength: 4,
            actualLength: 5,
            underlyingError: Cause()
        )
        #expect(error.code == .limitPartBytes && error.offset == 1)
        #expect(error.partIndex == 2 && error.partName == "n")
        #expect(error.limit == 3 && error.limitName == "l" && error.path == "p")
        #expect(error.expectedLength == 4 && error.actualLength == 5 && error.underlyingError is Cause)
        #expect(error.description == "part 2 \"n\": a reason: p (Cause) (at offset 1)")
        let plain = MultipartError(.bareCR, offset: 1, partIndex: 2, partName: "n", underlyingError: Cause())
        #expect(plain.code == .bareCR && plain.offset == 1 && plain.underlyingError is Cause)
        #expect(plain.partIndex == 2 && plain.partName == "n")
        let empty = MultipartError(.bareCR)
        #expect(empty.offset == nil && empty.partIndex == nil && empty.partName == nil && empty.limit == nil)
        #expect(empty.path == nil && empty.expectedLength == nil && empty.actualLength == nil)
        #expect(empty.underlyingError == nil && empty.limitName == nil)
    }

    @Test func `an error has the status of what caused it, if that has one`() {
        struct Cause: Error {}
        let rows: [(MultipartError, Int)] = [
            (MultipartError(.inputStreamReadFailed, underlyingError: MultipartError(.limitParts, offset: 0)), 413),
            (MultipartError(.limitParts, offset: 0, underlyingError: MultipartError(.limitParts)), 500),
            (MultipartError(.limitParts, offset: 0, underlyingError: Cause()), 413),
            (MultipartError(.inputStreamReadFailed, underlyingError: Cause()), 500),
            (MultipartError(.limitParts, offset: 0), 413), (MultipartError(.limitParts), 500),
        ]
        for (error, status) in rows { #expect(error.httpStatus == status, "\(error)") }
    }

    @Test func `an error that a program creates has the status of its code`() {
        let create: (MultipartError.Code, UInt64?, Int?, String?, (any Error)?) -> MultipartError =
            MultipartError.init(_:offset:partIndex:partName:underlyingError:)
        for (code, status) in [(.limitParts, 413), (.unexpectedEnd, 400)] as [(MultipartError.Code, Int)] {
            #expect(create(code, nil, nil, nil, nil).httpStatus == status)
        }
    }

    @Test func `a part's error keeps everything else when it gets its place`() throws {
        let file = URL(fileURLWithPath: "/none/none.txt")
        var form = MultipartFormData()
        form.append("x", withName: "a")
        form.append(file, withName: "f")
        let error = try #require(form.firstError)
        #expect(error.partIndex == 1 && error.partName == "f")
        #expect(error.code == .bodyPartFileNotReachable && error.path == file.path && error.offset == nil)
        var other = MultipartFormData()
        other.append(form[1])
        #expect(other.firstError?.partIndex == 0 && other.firstError?.path == file.path)
        #expect(error.partIndex == 1)
    }

    @Test func `errors with different hashes differ in code, offset or part`() {
        let error = MultipartError(.bareLF, offset: 3, partIndex: 1)
        #expect(error.hashValue == MultipartError(.bareLF, offset: 3, partIndex: 1, path: "x").hashValue)
        #expect(error.hashValue != MultipartError(.bareCR, offset: 3, partIndex: 1).hashValue)
        #expect(error.hashValue != MultipartError(.bareLF, offset: 4, partIndex: 1).hashValue)
        #expect(error.hashValue != MultipartError(.bareLF, offset: 3, partIndex: 2).hashValue)
    }
}
