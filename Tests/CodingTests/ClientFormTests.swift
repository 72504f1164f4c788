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

    private static func names(_ form: String) -> [String] {
        Fixtures.recordings.filter { $0.hasSuffix("/\(form)") || $0.hasSuffix("-\(form)") }
    }

    private func decode<T: Decodable>(_ type: T.Type, _ name: String) throws -> T {
        let sent = try Fixtures.json(ParseCase.self, "clients/\(name).json")
        let decoder = options(FormDataDecoder()) { $0.unknownNames = .reject }
        return try decoder.decode(type, from: Fixtures.data("clients/\(name).body"), contentType: sent.contentType)
    }

    @Test(arguments: names("plain")) func `a text`(name: String) throws {
        let person = try decode(Person.self, name)
        #expect(person.name == "Ada" && person.file == nil)
    }

    @Test(arguments: names("empty-value")) func `an empty text`(name: String) throws {
        #expect(try decode(Person.self, name).name.isEmpty)
    }

    @Test(arguments: names("form-no-file")) func `a file input that was left empty`(name: String) throws {
        let person = try decode(Person.self, name)
        #expect(person.name == "Ada" && person.file == nil)
    }

    @Test(arguments: names("empty-file")) func `an empty file`(name: String) throws {
        let file = try decode([String: FormFile].self, name)["file"]
        #expect(file?.filename == "empty.bin" && file?.length == 0)
    }

    @Test(arguments: names("repeated-names")) func `repeated names are an array`(name: String) throws {
        let letters = try decode(Letters.self, name)
        #expect(letters.a == [1, 3] && letters.b == 2)
    }

    @Test(arguments: names("several-files")) func `several files under one name`(name: String) throws {
        let album = try decode(Album.self, name)
        #expect(album.title == "Two" && album.file.map(\.filename) == ["one.txt", "two.png"])
        #expect(try album.file.first?.data().starts(with: Data("one".utf8)) == true)
    }

    @Test(arguments: names("binary-file")) func `every byte of a file`(name: String) throws {
        let data = try decode([String: Data].self, name)["file"]
        #expect(data == Data(0...255))
    }

    @Test func `there are forms of each kind`() {
        for form in ["plain", "empty-value", "empty-file", "repeated-names", "several-files", "binary-file"] {
            #expect(Self.names(form).count > 10, "\(form)")
        }
        #expect(Self.names("form-no-file").count == 2)
    }
}
