import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// Short parts, which a form keeps as bytes, are what they would be as parts of any other kind.
@Suite struct InlineContentTests {
    static let texts = [
        "", "a", "field 1", "a\"b", "a\\b", "a%22b", "a\r\nb", "a\nb", "a\tb", "é", "e\u{301}", "\u{FFFD}", "a;b",
        "; filename=\"x",
        String(repeating: "n", count: 511), String(repeating: "n", count: 600),
    ]
    static let types: [String?] = [nil, "text/plain", "text/plain; charset=utf-8", " a/b", "a/b ", "a"]
    static let lengths = [0, 1, 511, 512, 513, 5000]
    private let type = "multipart/form-data; boundary=B"

    /// A part in memory, and the same from a stream, which is never kept as bytes.
    private func pair(_ content: Data, _ name: String, _ filename: String?, _ type: String?) -> [MultipartFormData] {
        [Boundary.random(), "B"].flatMap { boundary in
            var compact = MultipartFormData(boundary: boundary)
            compact.append(content, withName: name, fileName: filename, mimeType: type)
            var other = MultipartFormData(boundary: boundary)
            other.append(
                BodyPart(length: UInt64(content.count), name: name, filename: filename, contentType: type) {
                    InputStream(data: content)
                }
            )
            return [compact, other]
        }
    }

    @Test(arguments: texts, types)
    func `names, file names and types are those of any part`(text: String, type: String?) throws {
        for (name, filename) in [(text, nil), ("f", text), (text, text)] {
            let forms = pair(Data("content".utf8), name, filename, type)
            for (compact, other) in [(forms[0], forms[1]), (forms[2], forms[3])] {
                #expect(compact.firstError == other.firstError)
                guard compact.firstError == nil else { continue }
                #expect(compact[0].name == other[0].name)
                #expect(compact[0].filename == other[0].filename)
                #expect(compact[0].safeFilename == other[0].safeFilename)
                #expect(compact[0].contentType == other[0].contentType)
                #expect(compact[0].headers == other[0].headers)
                #expect(compact[name] != nil)
                #expect(compact[name + "x"] == nil)
                #expect(compact.encodedLength == other.encodedLength)
                #expect(try compact.encode() == other.encode())
                var again = MultipartFormData(boundary: compact.boundary)
                again.append(contentsOf: compact)
                #expect(try again.encode() == other.encode())
            }
        }
    }

    @Test(arguments: texts, types)
    func `a text field is the same as its bytes`(text: String, type: String?) throws {
        for normalizes in [false, true] {
            var fields = MultipartFormData(boundary: "B")
            fields.append(text, withName: text, mimeType: type, normalizingNewlines: normalizes)
            var bytes = MultipartFormData(boundary: "B")
            let data = fields.firstError == nil ? try fields[0].data() : Data()
            bytes.append(data, withName: text, mimeType: type)
            #expect(fields.firstError == bytes.firstError)
            guard fields.firstError == nil else { continue }
            if !normalizes { #expect(data == Data(text.utf8)) }
            #expect(try fields.encode() == bytes.encode())
        }
    }

    @Test(arguments: lengths)
    func `content of any length comes from every entryPoint`(length: Int) async throws {
        let content = Data((0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        let forms = pair(content, "name", "file", "a/b")
        for (compact, other) in [(forms[0], forms[1]), (forms[2], forms[3])] {
            #expect(compact[0].length == UInt64(length))
            #expect(try compact[0].data() == content)
            let expected = try other.encode()
            for entryPoint in try await EncodingEntryPoints.all(compact) {
                #expect(entryPoint.bytes == expected, "\(entryPoint.name)")
            }
        }
    }

    @Test(arguments: ["-", "-X", "--", "--A", "--B", "--Bx"])
    func `a field whose name begins with a hyphen is sent unless it is a delimiter`(name: String) async throws {
        let lines = "Content-Disposition: form-data; name=\"a\"\r\n\(name): 1\r\n\r\n1\r\n"
        let message = Data("--B\r\n\(lines)--B--\r\n".utf8)
        for size in [1, 3, message.count] {
            let chunks = ChunkSplitter.pieces(of: message, size: size)
            var form = try await MultipartFormData(collecting: ChunkSource(chunks), contentType: type)
            #expect(form[0].headers[name] == "1")
            if name.hasPrefix("--B") {
                #expect(throws: MultipartError(.boundaryCollision, partIndex: 0, partName: "a")) { try form.encode() }
            } else {
                for entryPoint in try await EncodingEntryPoints.all(form) {
                    #expect(entryPoint.bytes == message, "\(entryPoint.name)")
                }
            }
            form.boundary = "other"
            #expect(try form.encode() == Data("--other\r\n\(lines)--other--\r\n".utf8))
        }
    }

    @Test func `parts of all kinds are removed and found by name`() throws {
        var form = MultipartFormData(boundary: "B")
        for index in 0..<40 {
            let name = ["a", "b", "\"", "c"][index % 4]
            let content = Data(repeating: UInt8(index), count: index % 3 == 0 ? 600 : index)
            form.append(content, withName: name, fileName: index % 5 == 0 ? "f" : nil)
        }
        var expected = MultipartFormData(boundary: "B")
        for part in form where part.name != "b" { expected.append(part) }
        let before = form
        form.removeAll(named: "b")
        form.removeAll(named: "none")
        #expect(form.count == 30)
        #expect(form["b"] == nil)
        #expect(try form.encode() == expected.encode())
        #expect(before.count == 40)
        #expect(before.parts(named: "\"").count == 10)
        #expect(
            try before.parts(named: "b").map { try $0.data() } == before.filter { $0.name == "b" }.map { try $0.data() }
        )
    }

    @Test(arguments: [1, 2, 3, 64, 4096])
    func `a boundary in short content is found wherever a buffer ends`(size: Int) throws {
        for content in ["--B", "x\r\n--B", "x\r\n--By", "\n--B", "x\r--B", "x--B", "x---By"] {
            var form = MultipartFormData(boundary: "B")
            form.append("first", withName: "a")
            form.append(content, withName: "b")
            #expect(form.encodedLength != nil)
            let expected = MultipartError(.boundaryCollision, partIndex: 1, partName: "b")
            #expect(throws: expected) { try form.encode() }
            #expect(throws: expected) { try EncodingEntryPoints.pieces(form, size: size) }
        }
        var form = MultipartFormData(boundary: "B")
        for content in ["x-B", "\r\n-", "-B", "\r\n"] { form.append(content, withName: "a") }
        #expect(try EncodingEntryPoints.pieces(form, size: size) == form.encode())
    }

    @Test func `fields whose text looks like a section are not sent as one`() {
        let section = "Content-Disposition: form-data; name=\"a\"\r\n\r\n"
        let disguises: [HeaderFields] = [
            [section: ""], ["Content-Disposition": String(section.dropFirst(19))], ["": section],
            [String(section.prefix(20)): String(section.dropFirst(20))],
        ]
        for headers in disguises {
            var form = MultipartFormData(boundary: "B")
            form.append(InputStream(data: Data()), withLength: 0, headers: headers)
            #expect(form.firstError != nil, "\(headers)")
        }
    }
}
