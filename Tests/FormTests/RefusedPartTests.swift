import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// Parts that a form has refused: they stay in it with their error, wherever they go.
@Suite struct RefusedPartTests {
    private let missing = URL(fileURLWithPath: "/nowhere/photo.jpg")

    /// A form whose second and fourth parts are refused.
    private var form: MultipartFormData {
        var form = MultipartFormData(boundary: "BND")
        form.append("1", withName: "a")
        form.append(missing, withName: "photo")
        form.append("2", withName: "a")
        form.append("3", withName: "nul\u{0}")
        return form
    }

    @Test func `a refused part has its place, its names and its error, and no content`() throws {
        #expect(form.map(\.name) == ["a", "photo", "a", "nul\u{0}"])
        #expect(form.map(\.error?.code) == [nil, .bodyPartFileNotReachable, nil, .invalidCharacter])
        let part = try #require(form["photo"])
        #expect(part.filename == "photo.jpg" && part.contentType == "image/jpeg")
        #expect(part.length == nil && part.fileURL == nil)
        #expect(part.error == MultipartError(.bodyPartFileNotReachable, partIndex: 1))
        #expect(part.error?.path == missing.path && part.error?.partName == "photo")
        #expect(part.description == "photo: \"photo.jpg\", image/jpeg, body-part-file-not-reachable")
        #expect(form.parts(named: "photo").count == 1)
        #expect(form.encodedLength == nil)
    }

    @Test func `a part that cannot be sent has its error before it is appended`() throws {
        let parts: [(part: BodyPart, name: String, code: MultipartError.Code)] = [
            (BodyPart("1", name: "nul\u{0}"), "nul\u{0}", .invalidCharacter),
            (BodyPart(Data(), name: "a", filename: "b\u{1}"), "a", .invalidCharacter),
            (BodyPart("1", name: "a", contentType: "a\r\nb"), "a", .invalidHeaderValue),
            (BodyPart("1", name: "a", additionalHeaders: ["Content-Length": "1"]), "a", .forbiddenHeader),
            // Of two errors, the first.
            (
                BodyPart("\u{E4}", name: "nul\u{0}", contentType: "a/b; charset=us-ascii"), "nul\u{0}",
                .invalidHeaderValue
            ),
        ]
        for (part, name, code) in parts {
            #expect(part.name == name)
            #expect(part.headers.isEmpty == (name != "a" && part.contentType == nil))
            #expect(part.error?.code == code)
            #expect(part.error?.partIndex == nil)
            var form = MultipartFormData()
            form.append(part)
            #expect(form.firstError == MultipartError(code, partIndex: 0))
            #expect(form.firstError?.partName == name)
        }
    }

    @Test(arguments: ["photo", "nul\u{0}"])
    func `a refused part with other headers has these, and its error`(name: String) throws {
        let part = try #require(form[name])
        let replaced = BodyPart(part, headers: ["Content-Disposition": "form-data; name=\"b\""])
        #expect(replaced.error == part.error)
        #expect(replaced.name == "b" && replaced.length == nil)
        #expect(replaced.headers == ["Content-Disposition": "form-data; name=\"b\""])
    }

    @Test func `reading the content of a refused part throws its error`() throws {
        let directory = try TemporaryDirectory()
        for (index, part) in form.enumerated() {
            guard let error = part.error else { continue }
            #expect(error.partIndex == index)
            #expect(throws: error) { try part.data() }
            #expect(throws: error) { try part.text() }
            #expect(throws: error) { try part.save(to: directory.url.appendingPathComponent("file")) }
        }
        #expect(directory.names() == [])
    }

    @Test func `every encoding throws the error of the first refused part`() async throws {
        let error = try #require(form.firstError)
        #expect(error == MultipartError(.bodyPartFileNotReachable, partIndex: 1))
        let directory = try TemporaryDirectory()
        let url = directory.url.appendingPathComponent("form")
        var buffer = Data()
        #expect(throws: error) { try form.encode() }
        #expect(throws: error) { try form.encode(into: &buffer) }
        #expect(throws: error) { try form.writeEncodedData(to: url) }
        await #expect(throws: error) {
            try await EncodingEntryPoints.encoded(form, inMemoryUpTo: 0, directory: directory.url)
        }
        #expect(throws: error) { _ = try form.makeReader() }
        #if FullFoundation
            #expect(throws: error) { try form.makeInputStream() }
        #endif
        await #expect(throws: error) { try await EncodingEntryPoints.chunks(form, size: 10) }
        await #expect(throws: error) { for try await _ in form.chunks(from: 5) {} }
        let arriving = EncodedFormChunks(encoding: ChunkSource(Array(form)), boundary: form.boundary)
        await #expect(throws: error) { try await EncodingEntryPoints.bytes(of: arriving, size: 65536) }
        #expect(buffer.isEmpty && directory.names() == [])
    }

    @Test func `a form made of the parts of another keeps their errors, however they were chosen`() throws {
        let form = form
        let selections: [(String, [BodyPart])] = [
            ("filter", form.filter { $0.name != "a" }), ("slice", Array(form[1...])), ("reversed", form.reversed()),
            ("map", form.map { $0 }), ("parts", form.parts(named: "photo") + form.parts(named: "nul\u{0}")),
        ]
        for (way, parts) in selections {
            var other = MultipartFormData(boundary: "BND")
            other.append("0", withName: "first")
            other.append(contentsOf: parts)
            let index = try #require(other.firstIndex { $0.error != nil }, "\(way)")
            let error = try #require(other[index].error)
            #expect(error.partIndex == index && other.firstError == error, "\(way)")
            #expect(throws: error) { try other.encode() }
        }
        var whole = MultipartFormData(boundary: "BND")
        whole.append(contentsOf: form)
        #expect(whole.firstError == form.firstError && whole.map(\.error) == form.map(\.error))
        var fine = MultipartFormData(boundary: "BND")
        fine.append(contentsOf: form.filter { $0.error == nil })
        #expect(fine.firstError == nil)
        #expect(try fine.encode().count > 0)
    }

    @Test func `an error goes with its part, and the errors after it follow the parts' places`() throws {
        var form = form
        let copy = form
        form.removeAll(named: "a")
        #expect(form.firstError == MultipartError(.bodyPartFileNotReachable, partIndex: 0))
        #expect(form.firstError?.partName == "photo" && form.firstError?.path == missing.path)
        form.removeAll(named: "photo")
        #expect(form.firstError == MultipartError(.invalidCharacter, partIndex: 0))
        #expect(form.firstError?.partName == "nul\u{0}")
        form.append("4", withName: "b")
        form.removeAll(named: "nul\u{0}")
        #expect(form.firstError == nil)
        #expect(form.map(\.name) == ["b"])
        #expect(try form.encode().count > 0)
        #expect(copy.firstError == MultipartError(.bodyPartFileNotReachable, partIndex: 1))
    }

    @Test func `a refused part of a received form is one of the form it is appended to`() throws {
        let message = Data("--B\r\nContent-Disposition: form-data; filename=f\r\n\r\nx\r\n--B--".utf8)
        let received = try MultipartFormData(parsing: message, contentType: Boundary("B").contentType)
        #expect(received.firstError == nil && received[0].error == nil)
        #expect(throws: MultipartError(.missingName, partIndex: 0)) { try received.encode() }
        var form = form
        form.append(received[0])
        #expect(form[4].error == MultipartError(.missingName, partIndex: 4))
        #expect(form[4].filename == "f" && received[0].error == nil)
    }

    @Test func `a coder refuses a refused part`() throws {
        struct Upload: Codable { var photo: FormFile }
        let part = try #require(form["photo"])
        #expect(throws: EncodingError.self) { try FormDataEncoder().encode(Upload(photo: FormFile(formPart: part))) }
        #expect(throws: EncodingError.self) { try FormDataEncoder().encode(["other": FormFile(formPart: part)]) }
        #expect(throws: DecodingError.self) { try FormDataDecoder().decode([String: Data].self, from: form) }
    }
}
