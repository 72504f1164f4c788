import Foundation
import MultipartFormCodec
import TestSupport
import Testing

@Suite struct BodyPartTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test func `permissions are those of a file, and nothing else`() async throws {
        let file = directory.url.appendingPathComponent("file")
        for permissions in [0, 0o640, 0o777] {
            try await BodyPart("x", name: "a").save(to: file, permissions: permissions)
            let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
            #expect(mode == permissions)
            try FileManager.default.removeItem(at: file)
        }
        // 0o1000 would set the sticky bit, as 644 in decimal would, and -1 would allow everything.
        // Without the precondition, these processes would end with success.
        await #expect(processExitsWith: .failure) {
            try? BodyPart("x", name: "a").save(to: URL(fileURLWithPath: "/none/none"), permissions: 0o1000)
        }
        await #expect(processExitsWith: .failure) {
            try? BodyPart("x", name: "a").save(to: URL(fileURLWithPath: "/none/none"), permissions: -1)
        }
    }

    @Test(arguments: [0..<0, 0..<1, 3..<8, 0..<10, 10..<10] as [Range<UInt64>])
    func `a range of a file can be content`(range: Range<UInt64>) async throws {
        let file = try directory.write(Data("0123456789".utf8), as: "file")
        let part = try BodyPart(contentsOf: file, range: range, name: "f", filename: "x.bin")
        let expected = Data("0123456789".utf8)[Int(range.lowerBound)..<Int(range.upperBound)]
        #expect(part.length == UInt64(expected.count))
        #expect(part.fileURL == nil)
        #expect(try part.data() == expected)
        var form = MultipartFormData(boundary: "BND")
        form.append(part)
        var same = MultipartFormData(boundary: "BND")
        same.append(Data(expected), withName: "f", fileName: "x.bin")
        for (entryPoint, bytes) in try await EncodingEntryPoints.all(form) {
            #expect(try bytes == same.encode(), "\(entryPoint)")
        }
        let copy = directory.url.appendingPathComponent("copy")
        try await part.save(to: copy)
        #expect(try Data(contentsOf: copy) == expected)
    }

    @Test(arguments: [0, 1, 2, 300]) func `content that comes a byte at a time is whole`(count: Int) throws {
        let streamed = BodyPart(length: nil, name: "f") { StubStream(count: count, perRead: 1) }
        let saved = directory.url.appendingPathComponent("saved")
        try streamed.save(to: saved)
        let content = Data(repeating: 1, count: count)
        #expect(try streamed.data() == content && Data(contentsOf: saved) == content)
        let copy = directory.url.appendingPathComponent("copy")
        try BodyPart(content, name: "f").save(to: copy)
        #expect(try Data(contentsOf: copy) == content)
    }

    @Test(arguments: 0..<5)
    func `each content goes on at any offset`(content: Int) throws {
        let bytes = Data("0123456789".utf8)
        let file = try directory.write(bytes, as: "file")
        // A form with a random boundary seeks; a chosen boundary is searched for before the offset, too.
        for boundary in [Boundary.random(), "B"] {
            let part = [
                BodyPart(bytes, name: "f"), try BodyPart(contentsOf: file, range: 2..<9, name: "f"),
                try BodyPart(fieldContentsOf: file, name: "f"),
                BodyPart(length: 10, name: "f") { StubStream(count: 10, perRead: 3) },
                BodyPart(
                    reading: {
                        var pieces = ChunkSplitter.pieces(of: bytes, size: 4)[...]
                        return { pieces.popFirst() }
                    },
                    length: nil,
                    name: "f"
                ),
            ][content]
            let form = MultipartFormData([BodyPart("x", name: "a"), part, part], boundary: boundary)
            let message = try form.encode()
            for offset in 0..<message.count {
                var reader = try form.makeReader(from: UInt64(offset))
                #expect(try reader.next(maxLength: message.count) == message.dropFirst(offset), "\(offset)")
            }
        }
    }

    @Test func `a range outside the file, or of a changed file, is an error`() throws {
        let file = try directory.write(Data("0123456789".utf8), as: "file")
        for range: Range<UInt64> in [0..<11, 10..<11, 11..<11, 5..<UInt64.max] {
            let error = #expect(throws: MultipartError(.bodyPartRangeInvalid)) {
                try BodyPart(contentsOf: file, range: range, name: "f")
            }
            #expect(error?.path == file.path)
        }
        let part = try BodyPart(contentsOf: file, range: 2..<4, name: "f")
        try Data("other bytes".utf8).write(to: file)
        #expect(throws: MultipartError(.bodyPartFileChanged)) { try part.data() }
    }

    @Test func `a description has the facts and never the content`() throws {
        let file = try directory.write(Data(count: 12_345), as: "a.jpg")
        var form = MultipartFormData()
        form.append(file, withName: "photo")
        form.append("secret", withName: "text\u{202E}\"")
        form.append(BodyPart(length: nil, name: "s") { InputStream(data: Data()) })
        let long = String(repeating: "n", count: 100)
        form.append(BodyPart(ChunkSource([Data()]), length: 5, name: long))
        form.append("1", withName: "one", mimeType: "a/\(long)")
        form.append(Data(), withName: "none", fileName: long)
        form.append("x", withName: "\u{0}")
        let lines = form.description.split(separator: "\n").map(String.init)
        #expect(
            lines == [
                #"photo: "a.jpg", image/jpeg, 12345 bytes in a file"#,
                #"text\u{202E}\": 6 bytes in memory"#, "s: unknown length in a stream",
                "\(long.prefix(64)): 5 bytes in an asynchronous sequence",
                "one: a/\(long.prefix(62)), 1 byte in memory",
                "none: \"\(long.prefix(64))\", application/octet-stream, 0 bytes in memory",
                #"\0: invalid-character"#,
            ]
        )
        let nameless = try MultipartFormData(
            parsing: Data("--B\r\n\r\n\r\n--B--".utf8),
            contentType: "multipart/form-data; boundary=B"
        )
        #expect(nameless.description == "(no name): 0 bytes in memory")
    }

    @Test func `text has no media type unless one is given`() throws {
        #expect(BodyPart("x", name: "a").contentType == nil)
        var form = MultipartFormData(boundary: "B")
        form.append("{}", withName: "json", mimeType: "application/json")
        form.append(BodyPart("x", name: "a", contentType: "text/csv", additionalHeaders: ["X-Id": "1"]))
        let parsed = try MultipartFormData(parsing: try form.encode(), contentType: form.contentType)
        #expect(parsed.map(\.contentType) == ["application/json", "text/csv"])
        #expect(parsed[1].headers["x-id"] == "1")
    }

    @Test func `a part's headers are those that are written`() throws {
        let parts = [
            BodyPart(Data(), name: "a", filename: "b"), BodyPart("x", name: "a\"b\r\n", additionalHeaders: ["X": "y"]),
            BodyPart(Data(), name: "a", contentType: "c/d"), BodyPart(Data(), name: "a", filename: "b\"\n"),
            BodyPart(Data(), name: "\"", filename: "\"", contentType: "c/d"), BodyPart(Data(), name: ""),
        ]
        for part in parts {
            var form = MultipartFormData()
            form.append(part)
            let parsed = try MultipartFormData(parsing: try form.encode(), contentType: form.contentType)
            let (headers, received) = (part.headers, parsed[0].headers)
            #expect(headers == received)
            #expect([headers.name, headers.filename] == [received.name, received.filename])
            #expect([headers.contentType, headers.safeFilename] == [received.contentType, received.safeFilename])

            var passedOn = MultipartFormData(boundary: form.boundary)
            passedOn.append(InputStream(data: try part.data()), withLength: try #require(part.length), headers: headers)
            #expect([passedOn[0].name, passedOn[0].filename] == [received.name, received.filename])
            #expect(passedOn.description.isEmpty == false)
            for length in 1...12 { #expect(passedOn[String(repeating: "z", count: length)] == nil) }
            #expect(try passedOn.encode() == form.encode())
        }
    }
}
