import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// Encoders: boundaries that can be guessed, and values that break out of their header.
extension Advisory {
    private static let injection =
        "x\"\r\nX-Injected: true\r\n\r\n--BND\r\nContent-Disposition: form-data; name=\"admin"

    /// Expects that both modes parse the encoded form as one part with this number of header fields.
    private static func expectOnePart(_ form: MultipartFormData, fields: Int) throws {
        let encoded = try form.encode()
        for mode in [ParsingMode.lenient, .strict] {
            let parsed = MultipartError.catching {
                try MultipartFormData(
                    parsing: encoded,
                    contentType: form.boundary.contentType,
                    options: MultipartParser.Options(mode: mode)
                )
            }
            // Strict mode refuses a name in which another parser could find a parameter or a delimiter.
            if mode == .strict, case .failure(let error) = parsed {
                #expect(error.code == .ambiguousHeader)
                continue
            }
            #expect(try parsed.get().count == 1)
            #expect(try parsed.get().first?.headers.count == fields)
        }
        let lines = String(decoding: encoded, as: UTF8.self).utf8.split(separator: 10)
        #expect(!lines.contains { $0.starts(with: "X-Injected".utf8) })
        #expect(lines.count { $0.starts(with: "--BND".utf8) } == 2)
    }

    private static func expectRefusal(_ reason: MultipartError.Code, _ part: BodyPart) throws {
        var form = MultipartFormData(boundary: usualBoundary)
        form.append(part)
        #expect(form.firstError?.code == reason)
        #expect(throws: MultipartError(reason, partIndex: 0)) { try form.encode() }
    }

    /// Expects that nothing that encodes a form gives a byte of it, or leaves a file.
    private static func expectNothingSent(_ form: MultipartFormData, _ code: MultipartError.Code) async throws {
        let expected = MultipartError(code, partIndex: 0)
        let directory = try TemporaryDirectory()
        let url = directory.url.appendingPathComponent("form")
        #expect(form.firstError == expected)
        #expect(throws: expected) { try form.encode() }
        await #expect(throws: expected) {
            try await EncodingEntryPoints.encoded(form, inMemoryUpTo: 0, directory: directory.url)
        }
        #expect(throws: expected) { try form.writeEncodedData(to: url) }
        #expect(throws: expected) { _ = try form.makeReader() }
        #if FullFoundation
            #expect(throws: expected) { try form.makeInputStream() }
        #endif
        var buffer = Data("before".utf8)
        #expect(throws: expected) { try form.encode(into: &buffer) }
        #expect(buffer == Data("before".utf8))
        await #expect(throws: expected) {
            for try await chunk in form.chunks() { Issue.record("\(chunk.count) bytes") }
        }
        #expect(directory.contents.isEmpty)
    }

    /// Expects that random boundaries are as different as 24 random letters of 62 must be.
    private static func expectUnpredictableBoundaries() {
        let count = 20_000
        let letters = (0..<count).map { _ in Array(Boundary.random().description.utf8.dropFirst(16)) }
        #expect(Set(letters).count == count)
        for position in 0..<24 {
            var occurrences: [UInt8: Int] = [:]
            for text in letters { occurrences[text[position], default: 0] += 1 }
            // 322 expected, with a deviation of 18: ten deviations never happen by chance.
            #expect(occurrences.count == 62)
            #expect(occurrences.values.allSatisfy { (140...500).contains($0) }, "position \(position)")
        }
        for position in 0..<23 {
            let pairs = Set(letters.map { UInt16($0[position]) << 8 | UInt16($0[position + 1]) })
            // 62 × 62 pairs in 20,000 draws: all but 21 are seen, give or take 5.
            #expect(pairs.count > 3744)
        }
    }

    static let encoding: [Advisory] = [
        Advisory(
            id: "CVE-2025-7783",
            project: "form-data",
            fault: "boundaries came from a generator whose other output revealed the next one",
            answer: "24 letters and digits (143 bits) from the system's cryptographic generator, new for each form"
        ) {
            expectUnpredictableBoundaries()
            #expect(MultipartFormData().boundary != MultipartFormData().boundary)
        },
        Advisory(
            id: "CVE-2025-22150",
            project: "undici",
            fault: "boundaries came from `Math.random()`; a server that received some could predict others",
            answer: "one boundary reveals nothing about the next; one from a caller's generator is checked against "
                + "the content"
        ) {
            var generator = SeededGenerator(seed: 1)
            var form = MultipartFormData(boundary: .random(using: &generator))
            form.append("\r\n--\(form.boundary)\r\n", withName: "guessed")
            #expect(throws: MultipartError(.boundaryCollision, partIndex: 0)) { try form.encode() }
            // The caller's seed does not affect the boundaries of the system's generator.
            var first = SeededGenerator(seed: 1)
            let seeded = Boundary.random(using: &first)
            #expect(!(0..<1000).contains { _ in Boundary.random() == seeded })
            expectUnpredictableBoundaries()
        },
        Advisory(
            id: "CVE-2026-12143",
            project: "form-data",
            fault: "CR, LF and quotes in a name or file name ended the header and began another, or another part",
            answer: "they are sent as `%0D`, `%0A` and `%22`; other control characters are refused"
        ) {
            var form = MultipartFormData(boundary: usualBoundary)
            form.append(Data(), withName: injection, fileName: injection, mimeType: "a/b")
            try expectOnePart(form, fields: 2)
            try expectRefusal(.invalidCharacter, BodyPart(Data(), name: "a\0b"))
            try expectRefusal(.invalidCharacter, BodyPart(Data(), name: "a", filename: "\u{8}"))
        },
        Advisory(
            id: "injection by media type or header",
            project: "any encoder",
            fault: "a line break in a media type or an extra field begins a field of the attacker's",
            answer: "`invalid-header-value`, `invalid-header-name` or `forbidden-header`; nothing is sent"
        ) {
            for value in ["a/b\r\nX-Injected: true", "a/b\n", "a/b\0", "\u{E9}", "a/b\r"] {
                try expectRefusal(.invalidHeaderValue, BodyPart(Data(), name: "a", contentType: value))
                let extra: HeaderFields = ["X-Y": value]
                try expectRefusal(.invalidHeaderValue, BodyPart(Data(), name: "a", additionalHeaders: extra))
            }
            for name in ["X-Y: z\r\nX-Injected", "", "a b", "\u{E9}", "a:"] {
                let extra = HeaderFields([HeaderField(name: name, value: "z")])
                try expectRefusal(.invalidHeaderName, BodyPart(Data(), name: "a", additionalHeaders: extra))
            }
            let second: HeaderFields = ["content-disposition": "form-data; name=\"b\""]
            try expectRefusal(.forbiddenHeader, BodyPart(Data(), name: "a", additionalHeaders: second))
        },
        Advisory(
            id: "injection by boundary",
            project: "any encoder",
            fault: "a boundary with a line break or a quote breaks out of the Content-Type field; one that occurs in "
                + "content splits it",
            answer: "a boundary has only `bchars`, no comma; content is searched for a boundary that the caller chose"
        ) {
            for text in ["a\r\nX-Injected: true", "a\"; x=\"", "a\0", "", "a ", "a;b"] {
                #expect(throws: MultipartError(.invalidBoundary, offset: 0)) {
                    try Boundary(parsing: text, mode: .strict)
                }
            }
            for content in ["--BND", "x\r\n--BND--", "x\n--BND\n", "x\r--BNDx"] {
                var form = MultipartFormData(boundary: usualBoundary)
                form.append(content, withName: "a")
                #expect(throws: MultipartError(.boundaryCollision, partIndex: 0)) { try form.encode() }
            }
        },
        Advisory(
            id: "injection by a boundary that was seen",
            project: "any encoder",
            fault: "a form whose encoding an attacker has seen is copied or encoded again with text from the "
                + "attacker, which contains the boundary and another part",
            answer: "a new form has a new boundary; `form.boundary = .random()` renews the boundary of a form that "
                + "is encoded again or copied"
        ) {
            var template = MultipartFormData()
            template.append("1", withName: "version")
            let seen = String(decoding: try template.encode().dropFirst(2).prefix { $0 != 13 }, as: UTF8.self)
            let text = "x\r\n--\(seen)\r\nContent-Disposition: form-data; name=\"role\"\r\n\r\nadmin"
            var copy = template
            copy.boundary = .random()
            copy.append(text, withName: "comment")
            let parsed = try MultipartFormData(parsing: try copy.encode(), contentType: copy.boundary.contentType)
            #expect(parsed.map(\.name) == ["version", "comment"])
            #expect(MultipartFormData().boundary != template.boundary)
        },
        Advisory(
            id: "CVE-2026-42037",
            project: "axios",
            fault: "the type of a Blob, which its sender chooses, was written into a part's Content-Type with its "
                + "line breaks",
            answer: "`invalid-header-value` for any kind of content; nothing is sent"
        ) {
            let type = "image/png\r\nX-Injected: true\r\n\r\n--BND\r\n\(disposition())\r\n\r\nadmin"
            let directory = try TemporaryDirectory()
            let file = try directory.write(Data("x".utf8), as: "f")
            let parts = [
                BodyPart(Data("x".utf8), name: "a", contentType: type),
                BodyPart("x", name: "a", contentType: type),
                try BodyPart(contentsOf: file, name: "a", filename: "f", contentType: type),
                BodyPart(InputStream(data: Data("x".utf8)), length: 1, name: "a", contentType: type),
                BodyPart(length: 1, name: "a", contentType: type) { InputStream(data: Data("x".utf8)) },
                BodyPart(ChunkSource([Data("x".utf8)]), length: 1, name: "a", contentType: type),
                FormFile(Data("x".utf8), filename: "f", contentType: type).part,
            ]
            for part in parts {
                var form = MultipartFormData(boundary: usualBoundary)
                form.append(part)
                try await expectNothingSent(form, .invalidHeaderValue)
            }
            #expect(throws: EncodingError.self) {
                try FormDataEncoder().encode(["a": FormFile(Data(), filename: "f", contentType: type)])
            }
        },
        Advisory(
            id: "CVE-2026-50269",
            project: "aiohttp",
            fault: "CR, LF and NUL in the name or the value of a part's extra header field were sent unchanged",
            answer: "`invalid-header-name` or `invalid-header-value`, also for the fields of a part that is passed "
                + "on; nothing is sent"
        ) {
            for control in ["\r", "\n", "\0", "\r\n", "\u{B}", "\u{7F}"] {
                let injected = "x\(control)X-Injected: true"
                let value = HeaderFields([HeaderField(name: "X-Custom", value: injected)])
                let name = HeaderFields([HeaderField(name: "X-Custom\(control)X-Injected", value: "true")])
                for (extra, code) in [(value, MultipartError.Code.invalidHeaderValue), (name, .invalidHeaderName)] {
                    var form = MultipartFormData(boundary: usualBoundary)
                    form.append(BodyPart("x", name: "a", additionalHeaders: extra))
                    try await expectNothingSent(form, code)
                    var headers: HeaderFields = ["Content-Disposition": "form-data; name=\"a\""]
                    for field in extra { headers.append(field) }
                    var passed = MultipartFormData(boundary: usualBoundary)
                    passed.append(InputStream(data: Data("x".utf8)), withLength: 1, headers: headers)
                    try await expectNothingSent(passed, code)
                }
            }
        },
        Advisory(
            id: "CVE-2024-22049",
            project: "HTTParty",
            fault: "quotes and line breaks of a file name were sent unchanged: the receiver saw another file name",
            answer: "they are sent as `%22`, `%0D` and `%0A`, as browsers do, by every encoding"
        ) {
            var form = MultipartFormData(boundary: usualBoundary)
            let name = "run.sh\"; \r\nfilename=photo.png"
            form.append(Data("x".utf8), withName: "a", fileName: name, mimeType: "image/png")
            let line = disposition("; filename=\"run.sh%22; %0D%0Afilename=photo.png\"")
            let expected = message([("\(line)\r\nContent-Type: image/png", "x")])
            for (entryPoint, bytes) in try await EncodingEntryPoints.all(form) {
                #expect(bytes == expected, "\(entryPoint)")
            }
            try expectOnePart(form, fields: 2)
            let received = try MultipartFormData(parsing: expected, contentType: usualBoundary.contentType)
            #expect(received.first?.filename == "run.sh%22; %0D%0Afilename=photo.png")
        },
    ]
}
