import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// The forms that browsers and other clients sent, decoded to values.
@Suite struct ClientFormTests {
    private struct Person: Decodable {
        var name: String
        var file: FormFile?
    }

    private struct Letters: Decodable {
        var a: [Int]
        var b: Int
    }

    private struct Album: Decodable {
        var title: String
        var file: [FormFile]
    }

    private static func recordings(of form: String) -> [Recording] {
        Recording.all.filter { $0.form == form || $0.form.hasSuffix("-\(form)") }
    }

    private func decode<T: Decodable>(_ type: T.Type, _ sent: Recording) throws -> T {
        let decoder = options(FormDataDecoder()) { $0.unknownNames = .reject }
        return try decoder.decode(type, from: sent.body, contentType: sent.contentType)
    }

    @Test(arguments: recordings(of: "plain")) func `a text`(sent: Recording) throws {
        let person = try decode(Person.self, sent)
        #expect(person.name == "Ada" && person.file == nil)
    }

    @Test(arguments: recordings(of: "empty-value")) func `an empty text`(sent: Recording) throws {
        #expect(try decode(Person.self, sent).name.isEmpty)
    }

    @Test(arguments: recordings(of: "form-no-file")) func `a file input that was left empty`(sent: Recording) throws {
        let person = try decode(Person.self, sent)
        #expect(person.name == "Ada" && person.file == nil)
    }

    @Test(arguments: recordings(of: "empty-file")) func `an empty file`(sent: Recording) throws {
        let file = try decode([String: FormFile].self, sent)["file"]
        #expect(file?.filename == "empty.bin" && file?.length == 0)
    }

    @Test(arguments: recordings(of: "repeated-names")) func `repeated names are an array`(sent: Recording) throws {
        let letters = try decode(Letters.self, sent)
        #expect(letters.a == [1, 3] && letters.b == 2)
    }

    @Test(arguments: recordings(of: "several-files")) func `several files under one name`(sent: Recording) throws {
        let album = try decode(Album.self, sent)
        #expect(album.title == "Two" && album.file.map(\.filename) == ["one.txt", "two.png"])
        #expect(try album.file.first?.data().starts(with: Data("one".utf8)) == true)
    }

    @Test(arguments: recordings(of: "binary-file")) func `every byte of a file`(sent: Recording) throws {
        let data = try decode([String: Data].self, sent)["file"]
        #expect(data == Data(0...255))
    }

    @Test func `there are forms of each kind`() {
        for form in ["plain", "empty-value", "empty-file", "repeated-names", "several-files", "binary-file"] {
            #expect(Self.recordings(of: form).count > 10, "\(form)")
        }
        #expect(Self.recordings(of: "form-no-file").count == 2)
    }
}
